"""The anytime audit: bets against the claim, wherever they promise most, until one refutes it or the budget is spent.

Evidence is wealth (see `portfolio`), so it may be looked at after every block: there is no search that has to end
before a test begins. Each value of the claim has a portfolio of its own and an equal share of alpha. Rounds grow: some
runs *screen* all inputs, to see which events promise anything; the best enter as bets; most runs are spent on the
pairs of the bets that grow fastest. A bet is paid only on runs made after it was placed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence

import numpy as np

from dplint.audit.anytime_outcome import Reporter
from dplint.audit.arms import Arm, Proposal, promise
from dplint.audit.job import Audited, AuditJob
from dplint.audit.lane_runs import NotOnLanes
from dplint.audit.line import Line, Round, make_line, widen
from dplint.audit.portfolio import Bet
from dplint.audit.preparation import NothingToRun, find_pairs, leave_lanes, use_lanes
from dplint.audit.proposing import better_proposals
from dplint.audit.schedule import LEARNING, LEARNT_ROUNDS, ON_LANES, PLAIN, RENEWED, Schedule
from dplint.audit.session import Cancelled, OutOfTime, Progress, Session
from dplint.audit.settings import ClaimNotTestable, Setting, claim_settings
from dplint.claims import Pair
from dplint.events.counting import EventCounter
from dplint.outcomes import Failed, FailureKind, NoViolation, Outcome, Standing, StopReason, Untestable
from dplint.runner.client import RunnerError

_NEW_BETS = (3, 4, 6, 6)
_TRIAL = 2_000
"""Runs on each side that a new bet gets at least, before it has to grow to get more."""
_WORTH = 0.5
"""What a bet must be expected to gain from a round's runs, in powers of e, to get them."""
_RIVALS = 0.4
"""Share of the growth of the best bet that others need to get runs as well."""
_PAID = 4
"""Bets that a round's runs are made for."""
_PROMISING_ARMS = 2
_LEARNING_BUDGET = 3.0
"""Seconds of budget from which on learning events pays."""
_LEARNING_SHARE = 0.25
_LEARNT_PAIRS, _LEARNT_BETS = 2, 4
_LEARNT_RUNS, _MOST_LEARNT_RUNS, _LEAST_LEARNT_RUNS = 20_000, 400_000, 2_000
_LEAST_RUNS = 20
_SCREEN_SHARE = 0.2
"""Share of the budget that one screening may take: it matters for mechanisms that are slow."""


class BudgetSpent(Exception):
    """The budget of the pass is used up."""


def anytime(job: AuditJob, progress: Progress) -> Audited:
    """One pass over a mechanism, going on from `job.state` if there is one.

    Everything that user code can do becomes an outcome; only dplint's own errors are raised.
    """
    if job.mechanism.untestable:
        return Audited(Untestable(reason=job.mechanism.untestable))
    try:
        settings = claim_settings(job.mechanism, job.settings.epsilons)
    except ClaimNotTestable as error:
        return Audited(Untestable(reason=str(error)))
    with Session(job.mechanism, job.settings, job.source_text, progress) as session:
        work = _Pass(job, session, settings)
        try:
            session.load()
            pairs = find_pairs(session)
            try:
                work.notes += use_lanes(job, session)
                outcome = work.run(pairs)
            except NotOnLanes as reason:
                # Nothing that was learnt on lanes is kept.
                work = _Pass(job, session, settings)
                work.earlier = work.earlier.off_lanes()
                work.notes.append(leave_lanes(session, reason))
                outcome = work.run(pairs)
            return Audited(outcome, work.state() if isinstance(outcome, NoViolation) else None)
        except RunnerError as error:
            failed = Failed(kind=error.kind, reason=error.reason, detail=error.detail, effort=work.effort())
            return Audited(failed)
        except NothingToRun as error:
            return Audited(Failed(kind=FailureKind.INPUT, reason=str(error), effort=work.effort()))


class _Pass(Reporter):
    """One pass over all values of the claim."""

    def __init__(self, job: AuditJob, session: Session, settings: Sequence[Setting]) -> None:
        super().__init__(job, session)
        self.settings = settings
        self._started = time.monotonic()
        self._learning = 0.0

    def run(self, pairs: Sequence[Pair]) -> Outcome:
        """Rounds of growing size until the claim is refuted, the budget is spent, or nothing is left to bet on."""
        self.pairs = len(pairs)
        self._started = time.monotonic()
        try:
            for line in self._rounds(pairs):
                if line.portfolio.rejected and not self.job.settings.keep_going:
                    return self.violation(line, StopReason.VIOLATION)
            self.stop = StopReason.NOTHING_LEFT
        except BudgetSpent:
            self.stop = StopReason.BUDGET
        except Cancelled:
            self.stop = StopReason.CANCELLED
        except OutOfTime:
            self.stop = StopReason.TIME
            self.notes.append(f"the time limit of {self.job.settings.time_limit:g} s ended the audit before its budget")
        refuted = [line for line in self.lines if line.portfolio.rejected]
        if refuted:
            return self.violation(
                max(refuted, key=lambda line: line.portfolio.lower() - line.setting.epsilon), self.stop
            )
        return self.no_violation()

    def _rounds(self, pairs: Sequence[Pair]) -> Iterator[Line]:
        """Play; yields the line that was played last, whenever its evidence has changed."""
        number = 0
        schedule = self._schedule
        while True:
            if number == 0:
                for index, setting in enumerate(self.settings):
                    like = self.lines[0] if self.lines else None
                    self.lines.append(make_line(self, index, setting, setting.fitting(pairs), like))
                    yield from self._turn(self.lines[index], number)
            else:
                first = number == schedule.widened
                for line in self.lines if first else sorted(self.lines, key=lambda o: -o.portfolio.log_e_value):
                    if number in (schedule.widened, schedule.widened_again):
                        widen(self, line, self.lines[0] if first and line.number > 0 else None)
                    yield from self._turn(line, number)
            if not any(line.portfolio.bets or line.hopeful for line in self.lines) and number >= len(schedule.screen):
                return
            number += 1

    @property
    def _schedule(self) -> Schedule:
        return PLAIN if self.session.lanes is None else ON_LANES

    def _turn(self, line: Line, number: int) -> Iterator[Line]:
        """Screen, propose, bet."""
        arms = self._arms(line, number)
        runs = self._schedule.screened(number)
        for index, arm in arms:
            if number in RENEWED and self.session.lanes is not None:
                arm.renew()
            for _ in self._screen(line, arm, self._affordable(runs, len(arm.inputs.data), _SCREEN_SHARE)):
                yield line
            line.events[index] = max(line.events.get(index, 0), arm.events)
        proposals = self._proposals(line, number)
        line.hopeful = bool(proposals)
        if self._may_learn(number):
            before = time.monotonic()
            proposals = [*self._better(line, proposals, number), *proposals]
            self._learning += time.monotonic() - before
        new = line.portfolio.enter(proposals)
        self._tell(line)
        # What looked best among thousands has to show first, on a few runs of its own, that it is no luck.
        for _ in self._bet(line, new, max(_TRIAL, runs)):
            yield line
        left = paid = self._schedule.paid(number)
        while left > 0 and (growing := self._growing(line, left)):
            # Stakes are learnt from what came before, so a block should not be much more than that.
            block = min(left, max(_TRIAL, min(bet.runs for bet in growing) // 2))
            for _ in self._bet(line, growing, block):
                yield line
            left -= block
        screened = min(arm.runs for _, arm in arms)
        line.played.append(Round(screened, len(new), max(_TRIAL, runs), paid))

    def _screen(self, line: Line, arm: Arm, runs: int) -> Iterator[None]:
        """Runs of all data values of an arm.

        Where each run calls the function, runs are dear, and the bets that stand are paid on these as well. On lanes
        they share blocks, which is not what is replayed, so that nothing is paid on them.
        """
        at = int(np.searchsorted(line.portfolio.grid, self.target(line)))
        bets = [bet for bet in line.portfolio.alive(at) if bet.arm is arm] if self.session.lanes is None else []
        for hits, count in arm.screen(runs, f"trying inputs{line.words}", [bet.event for bet in bets]):
            if bets:
                paid = [(row[bet.sides[0]], row[bet.sides[1]]) for bet, row in zip(bets, hits, strict=True)]
                line.portfolio.pay(bets, paid, count)
                self.looks += 1
                self._tell(line)
                yield

    def _arms(self, line: Line, number: int) -> list[tuple[int, Arm]]:
        """Those to screen: at first one, to catch what is blatant; then all; later those that promise most."""
        numbered = list(enumerate(line.arms))
        if number == 0:
            return numbered[:1]
        if number < len(self._schedule.screen):
            return numbered
        target = self.target(line)
        best = {
            index: max((p.growth for p in arm.proposals(target, line.setting.delta)), default=0.0)
            for index, arm in numbered
        }
        return sorted(numbered, key=lambda item: -best[item[0]])[:_PROMISING_ARMS]

    def _proposals(self, line: Line, number: int) -> list[Proposal]:
        target = self.target(line)
        found = [p for arm in line.arms for p in arm.proposals(target, line.setting.delta)]
        found.sort(key=lambda p: -p.growth * (1.05 if p.pair.size == line.smallest else 1.0))
        return found[: _NEW_BETS[min(number, len(_NEW_BETS) - 1)]]

    def _may_learn(self, number: int) -> bool:
        """Whether to look for better events: in some rounds, or as long as it takes a small part of the time."""
        if number < LEARNING or self.job.settings.budget < _LEARNING_BUDGET:
            return False
        if self.job.settings.max_runs is not None:
            return number in LEARNT_ROUNDS
        return self._learning <= _LEARNING_SHARE * (time.monotonic() - self._started)

    def _better(self, line: Line, proposals: Sequence[Proposal], number: int) -> list[Proposal]:
        """Better events on the most promising pairs, and on another one in turn."""
        promising: list[Bet | Proposal] = [*self._leaders(line), *proposals]
        first = list({(id(p.arm), p.sides): (p.arm, p.pair, p.sides) for p in promising}.values())[:_LEARNT_PAIRS]
        every = [
            (arm, pair, sides)
            for arm in line.arms
            for pair, sides in zip(arm.inputs.pairs, arm.inputs.sides, strict=True)
        ]
        places = [*first, every[(number * 7 + line.number) % len(every)]]
        found: list[Proposal] = []
        for index, (arm, pair, sides) in enumerate(places):
            runs = self._affordable(min(_LEARNT_RUNS << (number - LEARNING), _MOST_LEARNT_RUNS), 2, _SCREEN_SHARE)
            if runs < _LEAST_LEARNT_RUNS:
                break
            stream = (*self.stream, line.number, _LEARNS, number, index)
            words = f"learning events{line.words}"
            more, note = better_proposals(arm, pair, sides, runs, stream, words, self.target(line), line.setting.delta)
            found += more
            if note and note not in self.notes:
                self.notes.append(note)
        line.events[-1] = line.events.get(-1, 0) + len(found)
        return sorted(found, key=lambda p: -p.growth)[:_LEARNT_BETS]

    def _leaders(self, line: Line) -> list[Bet]:
        """The bets that have won most, one for each pair."""
        at = int(np.searchsorted(line.portfolio.grid, self.target(line)))
        ranked = sorted(line.portfolio.alive(at), key=lambda bet: -bet.log_wealth[at])
        return [bet for bet in ranked if bet.log_wealth[at] > 0]

    def target(self, line: Line) -> float:
        """The epsilon that bets should refute next: the claim's, or the way from the lower bound to what was seen."""
        if not self.job.settings.keep_going:
            return line.setting.epsilon
        lower = line.portfolio.lower()
        seen = max((_loss(bet, line.setting.delta) for bet in line.portfolio.bets), default=0.0)
        return lower + max(0.0, seen - lower) / 2 if lower or seen else line.setting.epsilon / 2

    def _bet(self, line: Line, chosen: Sequence[Bet], runs: int) -> Iterator[None]:
        """Runs on the pairs of some bets."""
        by_arm: dict[int, list[Bet]] = {}
        for bet in chosen:
            by_arm.setdefault(id(bet.arm), []).append(bet)
        for bets in by_arm.values():
            arm = bets[0].arm
            sides = sorted({side for bet in bets for side in bet.sides})
            data = [arm.inputs.data[side] for side in sides]
            count = self._affordable(runs, len(sides), 1.0)
            stream = (*self.stream, line.number, _BETS, len(line.portfolio.bets), self.looks)
            for chunk in self.session.sample(
                data, arm.choice.values, count, stream, f"betting{line.words}", checked=_BET_LANES
            ):
                counter = EventCounter([bet.event for bet in bets], len(sides), self.session.texts)
                for side, batch in enumerate(chunk.batches):
                    counter.add(side, batch)
                hits = [
                    (row[sides.index(bet.sides[0])], row[sides.index(bet.sides[1])])
                    for bet, row in zip(bets, counter.hits(), strict=True)
                ]
                line.portfolio.pay(bets, hits, chunk.runs)
                self.looks += 1
                self._tell(line)
                yield
                self._check_budget()

    def _growing(self, line: Line, runs: int) -> list[Bet]:
        """The bets for which so many runs are worth most, by the runs that they were paid on."""
        at = int(np.searchsorted(line.portfolio.grid, self.target(line)))
        alive = [bet for bet in line.portfolio.alive(at) if bet.fresh_runs]
        for bet in alive:
            counts = np.array([bet.fresh1]), np.array([bet.fresh2])
            bet.growth = float(promise(*counts, bet.fresh_runs, self.target(line), line.setting.delta)[0])
        least = max(_WORTH / runs, _RIVALS * max((bet.growth for bet in alive), default=0.0))
        return sorted((bet for bet in alive if bet.growth >= least), key=lambda bet: -bet.growth)[:_PAID]

    def _affordable(self, runs: int, sides: int, share: float) -> int:
        """So many runs of each of the data values, or fewer if the budget does not allow them."""
        self._check_budget()
        if self.job.settings.max_runs is not None:
            return min(runs, max(1, (self.job.settings.max_runs - self.session.runs) // max(sides, 1)))
        seconds = self.session.seconds_per_run * sides
        left = min(share * self.job.settings.budget, self.job.settings.budget - (time.monotonic() - self._started))
        return max(_LEAST_RUNS, min(runs, int(left / seconds))) if seconds > 0 else runs

    def _check_budget(self) -> None:
        self.session.check_cancelled()
        limit = self.job.settings.max_runs
        if limit is not None:
            self.session.check_time()
            if self.session.runs >= limit:
                raise BudgetSpent
        elif time.monotonic() - self._started >= self.job.settings.budget:
            raise BudgetSpent

    def _tell(self, line: Line) -> None:
        leader = line.portfolio.leader(line.portfolio.claimed)
        log_e = line.portfolio.log_e_value
        self.standing = Standing(
            epsilon=line.setting.epsilon,
            lower=line.portfolio.lower(),
            event=leader.event.expression() if leader is not None else "",
            log_e_value=log_e,
            share=min(1.0, max(0.0, log_e / -math.log(line.portfolio.level))),
        )
        self.session.announce(f"betting{line.words}", self.standing)


def _loss(bet: Bet, delta: float) -> float:
    """The loss of a bet's event by its own runs, two standard errors below what was seen; 0 for few runs."""
    share1 = bet.fresh1 / max(bet.fresh_runs, 1) - delta
    if bet.fresh1 < _ENOUGH_HITS or share1 <= 0:
        return 0.0
    error = math.sqrt(1 / bet.fresh1 + 1 / (bet.fresh2 + 0.5))
    return math.log(share1 * bet.fresh_runs / (bet.fresh2 + 0.5)) - 2 * error


_ENOUGH_HITS = 100
"""Hits on D1 from which on a loss is estimated."""
_BETS, _LEARNS = 7, 11
"""Numbers of the stages in the names of random streams."""
_BET_LANES = 100
"""Lanes of each side that are replayed before a pair is bet on; a verdict needs CHECKED_LANES."""
