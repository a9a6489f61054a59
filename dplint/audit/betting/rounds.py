"""The anytime audit: bets against the claim, wherever they promise most, until one refutes it or the budget is spent.

Evidence is wealth (see `portfolio`), so it may be looked at after every block: there is no search that has to end
before a test begins. Each value of the claim has a portfolio of its own and an equal share of alpha. Rounds grow: some
runs *screen* all inputs, to see which events promise anything; the best enter as bets; most runs are spent on the
pairs of the bets that grow fastest. A bet is paid only on runs made after it was placed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dplint.audit.betting.claim_test import CarriedOver, ClaimTest, Round, add_further, make_claim_test, widen
from dplint.audit.betting.input_groups import InputGroup, Proposal, promise
from dplint.audit.betting.portfolio import Bet, CoupledBet
from dplint.audit.betting.proposing import ON_LANES, PLAIN, RENEWED, Lessons, Pace, Schedule
from dplint.audit.betting.spending import BudgetSpent, Spending, couple
from dplint.audit.betting.suggested import ALL, add_suggested, is_near, usable
from dplint.audit.procedure import Suggestion
from dplint.audit.progress import Cancelled, OutOfTime
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.tally import counted
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import Counting
from dplint.jobs import AuditJob
from dplint.outcomes import FailureKind, Outcome, StopReason
from dplint.runner import time_had
from dplint.runner.client import RunnerError

_NEW_BETS = (3, 4, 6, 6)
_TRIAL = 2_000
"""Runs on each side that a new bet gets at least, before it has to grow to get more."""
_FIRST_TRIAL = 50
"""Runs on each side of the first block on what is suggested; the next ones double."""
_LITTLE = 0.05
"""Share of the budget that this block may take before coupled runs."""
_SUGGESTED_SHARE = 0.2
"""Share of the budget after which what is suggested is tried no further than anything else."""
_FURTHER_RUNS, _FURTHER_BETS = 300, 2
"""Runs of every data value beyond the patterns, at first, and the bets that may come of it."""
_SURE = 200
"""From this block on, a bet of those has to have won something to be paid further."""
_FURTHER_SHARE = 0.1
"""Share of the budget after which pairs beyond the patterns wait no longer."""
_CLOSE = 0.2
"""Share of what refutes a claim, as an exponent, from which on bets may be about to do so."""
_WORTH = 0.5
"""What a bet must be expected to gain from a round's runs, in powers of e, to get them."""
_RIVALS = 0.4
"""Share of the growth of the best bet that others need to get runs as well."""
_PAID = 4
"""Bets that a round's runs are made for."""
_LOOKS = 1 / 16
"""Share of the runs of a bet so far after which it is paid again."""
_PROMISING_GROUPS = 2
_ADMITTED = 2
"""The last round in which all input groups have a turn: what is done once for each may take more than its runs."""
_LEARNT_BETS = 4
_SCREEN_SHARE = 0.2
"""Share of the budget that one screening may take: it matters for mechanisms that are slow."""


class Rounds(Spending):
    """One pass over all values of the claim."""

    def __init__(
        self, job: AuditJob, session: AuditSession, carried_over: CarriedOver, suggestions: Sequence[Suggestion] = ()
    ) -> None:
        super().__init__(job, session, carried_over)
        self._suggestions = usable(session, suggestions)
        self._pace: Pace | None = None
        self._lessons = Lessons(self, timed=self._timed)
        self._first: list[float] = []

    def level_left(self) -> float:
        """By what the level must be multiplied if all bets of this pass are taken back: what was lost stays lost.

        Else the wealth of those who begin again could go up without a win, and alpha would be spent twice. (By the
        inequality of Ville for the wealth of the pass up to here, and from here on for what begins again with less.)
        """
        left = zip(self.claim_tests, self._first, strict=False)
        return math.exp(min((0.0, *(_log_wealth(claim_test) - first for claim_test, first in left))))

    def run(self, pairs: Sequence[Pair]) -> Outcome:
        """Rounds of growing size until the claim is refuted, the budget is spent, or nothing is left to bet on."""
        self._started = time_had.now()
        if self.session.lanes is not None and self._timed:
            self._pace = Pace(self.session.lanes, self._started, self._started + self.job.settings.budget)
        try:
            for claim_test in self._rounds(pairs):
                if claim_test.portfolio.rejected and not self.job.settings.keep_going:
                    return self.violation(claim_test, StopReason.VIOLATION)
            self.stop = StopReason.NOTHING_LEFT
        except BudgetSpent:
            self.stop = StopReason.BUDGET
        except Cancelled:
            self.stop = StopReason.CANCELLED
        except OutOfTime as over:
            self.stop, self.out_of_time = StopReason.TIME, str(over)
            self.session.coverage.note(f"not enough time: {over}")
        except RunnerError as error:
            if error.kind is not FailureKind.BUDGET:
                raise
            # The machine was too busy, which is no fault of the mechanism: what is known by now stays known.
            self.stop, self.out_of_time = StopReason.TIME, error.reason.removeprefix("not enough time: ")
            self.session.coverage.note(error.reason)
        refuted = [claim_test for claim_test in self.claim_tests if claim_test.portfolio.rejected]
        if refuted:
            return self.violation(max(refuted, key=lambda o: o.portfolio.lower() - o.setting.epsilon), self.stop)
        return self.no_violation()

    def _rounds(self, pairs: Sequence[Pair]) -> Iterator[ClaimTest]:
        """Play; yields the claim test that was played last, whenever its evidence has changed."""
        number = 0
        schedule = self._schedule
        while True:
            if number == 0:
                for index, setting in self._in_order():
                    like = self.claim_tests[0] if self.claim_tests else None
                    claim_test = make_claim_test(self, index, setting, setting.fitting(pairs), like)
                    self.claim_tests.append(claim_test)
                    self._first.append(_log_wealth(claim_test))
                    yield from self._try_suggested(claim_test)
                    yield from self._turn(claim_test, number)
            else:
                first = number == schedule.widened
                ordered = (
                    self.claim_tests if first else sorted(self.claim_tests, key=lambda o: -o.portfolio.log_e_value)
                )
                for place, claim_test in enumerate(ordered):
                    if self._is_further_due(claim_test, number, place):
                        yield from self._try_further(claim_test)
                    if number in (schedule.widened, schedule.widened_again):
                        widen(self, claim_test, self.claim_tests[0] if first and place > 0 else None)
                    yield from self._turn(claim_test, number)
            left = any(claim_test.portfolio.bets or claim_test.promising for claim_test in self.claim_tests)
            if not left and number >= len(schedule.screen):
                return
            number += 1

    def _in_order(self) -> list[tuple[int, Setting]]:
        """The values of the claim with their numbers, the largest epsilon first: what is wrong by a factor shows there
        in a tenth of the runs.
        """
        return sorted(enumerate(self.session.claimed), key=lambda one: -one[1].epsilon)

    def _try_suggested(self, claim_test: ClaimTest) -> Iterator[ClaimTest]:
        """Bet on what other procedures suggest, in blocks that are small at first: it may be blatant, or worthless."""
        proposals = add_suggested(self, claim_test, self._suggestions)
        if not proposals:
            return
        # Each coupled bet takes long, and gets more money than all that come after it.
        beside = [one for one in proposals if one.coupling is not None]
        plain = [one for one in proposals if one.coupling is None]
        coupled = [bet for one in beside for bet in claim_test.portfolio.enter([one]) if isinstance(bet, CoupledBet)]
        bets = claim_test.portfolio.enter(plain) if plain else []
        runs, share = _FIRST_TRIAL, _SUGGESTED_SHARE * (claim_test.number + 1) / len(self.session.claimed)
        if coupled and bets and self.affordable(runs, 2, _LITTLE) == runs:
            # What is blatant shows at once.
            for _ in self._bet(claim_test, bets, runs):
                yield claim_test
        for number, one in enumerate(coupled):
            yield from couple(self, claim_test, one, number)
        while bets and (
            (runs < _TRIAL and self.spent() < share) or is_near(claim_test, bets, self.affordable(ALL, 2, 1.0))
        ):
            for _ in self._bet(claim_test, bets, min(runs, _TRIAL)):
                yield claim_test
            runs *= 2

    def _is_further_due(self, claim_test: ClaimTest, number: int, place: int) -> bool:
        """Whether to look beyond the patterns: bets that are about to refute the claim go on for a round first."""
        first = self._schedule.further
        if (number, place) < first and self.spent() <= _FURTHER_SHARE:
            return False
        share = claim_test.portfolio.log_e_value / -math.log(claim_test.portfolio.level)
        return share < _CLOSE or number > first[0] + 1

    def _try_further(self, claim_test: ClaimTest) -> Iterator[ClaimTest]:
        """Look for pairs beyond the patterns, once, and try them: what is blatant there shows at once."""
        if claim_test.further is not None:
            return
        add_further(self, claim_test, next((one for one in self.claim_tests if one.further is not None), None))
        yield from self._try_groups(claim_test, claim_test.in_further)

    def _try_groups(self, claim_test: ClaimTest, groups: Sequence[InputGroup]) -> Iterator[ClaimTest]:
        """Inputs beyond the patterns on few runs."""
        proposals: list[Proposal] = []
        for group in groups:
            runs = self.affordable(_FURTHER_RUNS, len(group.inputs.data), _SCREEN_SHARE)
            for _ in self._screen(claim_test, group, runs):
                yield claim_test
            self._looked_at(claim_test, claim_test.groups.index(group), group.events)
            proposals += group.proposals(self.target(claim_test), claim_test.setting.delta)[:_FURTHER_BETS]
        if not proposals:
            return
        bets = claim_test.portfolio.enter(proposals)
        runs, at = _FIRST_TRIAL, int(np.searchsorted(claim_test.portfolio.grid, self.target(claim_test)))
        while runs <= _TRIAL and (bets := [bet for bet in bets if runs < _SURE or bet.log_wealth[at] > 0]):
            for _ in self._bet(claim_test, bets, runs):
                yield claim_test
            runs *= 2

    @property
    def _schedule(self) -> Schedule:
        return PLAIN if self.session.lanes is None else ON_LANES

    def _turn(self, claim_test: ClaimTest, number: int) -> Iterator[ClaimTest]:
        """Screen, propose, bet."""
        groups = self._groups(claim_test, number)
        runs = self._schedule.screened(number)
        if self._pace is not None:
            self._pace.begin(number, sum(len(other.played) <= number for other in self.claim_tests))
        short = self._pace is not None and self._pace.is_short and all(group.events for _, group in groups)
        for index, group in () if short else groups:
            if number in RENEWED and self.session.lanes is not None:
                group.renew()
            for _ in self._screen(claim_test, group, self.affordable(runs, len(group.inputs.data), _SCREEN_SHARE)):
                yield claim_test
            self._looked_at(claim_test, index, max(claim_test.events.get(index, 0), group.events))
        self._deepen(claim_test, groups)
        proposals = self._proposals(claim_test, number)
        claim_test.promising = bool(proposals)
        if self._lessons.are_due(number, leaders=lambda: self._leaders(claim_test)):
            proposals = [*self._better(claim_test, proposals, number), *proposals]
        entry = claim_test.portfolio.rounds
        new = claim_test.portfolio.enter(proposals)
        self.announce(claim_test)
        # What looked best among thousands has to show first, on a few runs of its own, that it is no luck.
        trial = usual = max(_TRIAL, runs)
        if self._pace is not None:
            trial += self._pace.more(len({(id(bet.group), side) for bet in new for side in bet.sides}), last=True)
        for _ in self._bet(claim_test, new, trial):
            yield claim_test
        left = paid = self._schedule.paid(number) * trial // usual
        while left > 0 and (growing := self._growing(claim_test, left)):
            # Stakes are learnt from what came before, so a block should not be much more than that.
            block = min(left, max(_TRIAL, min(bet.runs for bet in growing) // 2))
            for _ in self._bet(claim_test, growing, block):
                yield claim_test
            left -= block
        screened = min(group.runs for _, group in groups)
        claim_test.played.append(Round(screened, len(new), trial, paid, entry))

    def _deepen(self, claim_test: ClaimTest, groups: Sequence[tuple[int, InputGroup]]) -> None:
        """More runs where lanes are fast, of which the most promising events are counted, in the best groups."""
        if self._pace is None:
            return
        target, delta = self.target(claim_test), claim_test.setting.delta
        best = sorted((group for _, group in groups), key=lambda one: -one.growth(target, delta))[:_PROMISING_GROUPS]
        sides = sum(len(group.inputs.data) for group in best)
        if not (more := self._pace.more(sides)):
            return
        before = time_had.now()
        for group in best:
            group.deepen(more, f"trying inputs{claim_test.words}", target, delta)
        self._pace.took(more * sides, time_had.now() - before)

    def _screen(self, claim_test: ClaimTest, group: InputGroup, runs: int) -> Iterator[None]:
        """Runs of all data values of an input group.

        Where each run calls the function, runs are dear, and the bets that stand are paid on these as well. On lanes
        they share blocks, which is not what is replayed, so that nothing is paid on them.
        """
        at = int(np.searchsorted(claim_test.portfolio.grid, self.target(claim_test)))
        bets = (
            [bet for bet in claim_test.portfolio.alive(at) if bet.group is group] if self.session.lanes is None else []
        )
        for hits, count in group.screen(runs, f"trying inputs{claim_test.words}", [bet.event for bet in bets]):
            if bets:
                paid = [(row[bet.sides[0]], row[bet.sides[1]]) for bet, row in zip(bets, hits, strict=True)]
                claim_test.portfolio.pay(bets, paid, count)
                self.session.coverage.looks += 1
                self.announce(claim_test)
                yield

    def _groups(self, claim_test: ClaimTest, number: int) -> list[tuple[int, InputGroup]]:
        """Those to screen: at first one, to catch what is blatant, after what is suggested without an event; then all;
        later those that promise most.
        """
        numbered = list(enumerate(claim_test.groups))
        if number == 0:
            return [*(one for one in numbered if one[1] in claim_test.first), numbered[0]]
        target = self.target(claim_test)
        best = {index: group.growth(target, claim_test.setting.delta) for index, group in numbered}
        if number < len(self._schedule.screen):
            # Pairs beyond the patterns have had a turn of their own, and get more only if they promise more.
            most = max(
                growth for index, growth in best.items() if claim_test.groups[index] not in claim_test.in_further
            )
            further = claim_test.in_further
            numbered = [one for one in numbered if one[1] not in further or best[one[0]] > most]
            return numbered if number <= _ADMITTED or not self._timed else self._admitted(numbered, best)
        return sorted(numbered, key=lambda item: -best[item[0]])[:_PROMISING_GROUPS]

    @staticmethod
    def _admitted(
        numbered: Sequence[tuple[int, InputGroup]], best: Mapping[int, float]
    ) -> list[tuple[int, InputGroup]]:
        """The groups that promise most, all that are new, and of the others those that had the fewest runs."""
        ranked = sorted(numbered, key=lambda one: -best[one[0]])
        first, others = ranked[:_PROMISING_GROUPS], ranked[_PROMISING_GROUPS:]
        others.sort(key=lambda one: one[1].runs)
        new = sum(not group.runs for _, group in others)
        return sorted([*first, *others[: max(new, _PROMISING_GROUPS)]], key=lambda one: one[0])

    def _proposals(self, claim_test: ClaimTest, number: int) -> list[Proposal]:
        target = self.target(claim_test)
        found = [p for group in claim_test.groups for p in group.proposals(target, claim_test.setting.delta)]
        found.sort(key=lambda p: -p.growth * (1.05 if p.pair.size == claim_test.smallest else 1.0))
        return found[: _NEW_BETS[min(number, len(_NEW_BETS) - 1)]]

    def _better(self, claim_test: ClaimTest, proposals: Sequence[Proposal], number: int) -> list[Proposal]:
        """Better events than those that promise most."""
        found = self._lessons.better(claim_test, [*self._leaders(claim_test), *proposals], number)
        self._looked_at(claim_test, _LEARNT, claim_test.events.get(_LEARNT, 0) + len(found))
        return found[:_LEARNT_BETS]

    def _looked_at(self, claim_test: ClaimTest, index: int, events: int) -> None:
        """So many events of an input group were looked at, by its number."""
        claim_test.events[index] = events
        coverage = self.session.coverage
        coverage.events = max(coverage.events, sum(claim_test.events.values()))

    def _leaders(self, claim_test: ClaimTest) -> list[Bet]:
        """The bets that have won most, one for each pair."""
        at = int(np.searchsorted(claim_test.portfolio.grid, self.target(claim_test)))
        ranked = sorted(claim_test.portfolio.alive(at), key=lambda bet: -bet.log_wealth[at])
        return [bet for bet in ranked if bet.log_wealth[at] > 0]

    def _bet(self, claim_test: ClaimTest, chosen: Sequence[Bet], runs: int) -> Iterator[None]:
        """Runs on the pairs of some bets."""
        by_group: dict[int, list[Bet]] = {}
        for bet in chosen:
            by_group.setdefault(id(bet.group), []).append(bet)
        for bets in by_group.values():
            group = bets[0].group
            sides = sorted({side for bet in bets for side in bet.sides})
            data = [group.inputs.data[side] for side in sides]
            count = self.affordable(runs, len(sides), 1.0)
            looks = self.session.coverage.looks
            stream = (*self.stream, claim_test.number, _BETS, len(claim_test.portfolio.bets), looks)
            waiting, left = 0, count
            words, (counting, places) = f"betting{claim_test.words}", _counting(bets, sides)
            for more, take in counted(
                self.session, data, group.choice.values, count, stream, words, counting, checked=_BET_LANES
            ):
                waiting, left = waiting + more, left - more
                # Stakes do not gain from a look after each block once they rest on many times as many runs.
                if left > 0 and waiting < _LOOKS * min(bet.runs for bet in bets) and self.spent() < 1:
                    continue
                (hits,) = take()
                paid = [(int(hits[one, event]), int(hits[other, event])) for event, one, other in places]
                claim_test.portfolio.pay(bets, paid, waiting)
                waiting = 0
                self.session.coverage.looks += 1
                self.announce(claim_test)
                yield
                self.check_budget()

    def _growing(self, claim_test: ClaimTest, runs: int) -> list[Bet]:
        """The bets for which so many runs are worth most, by the runs that they were paid on."""
        at = int(np.searchsorted(claim_test.portfolio.grid, self.target(claim_test)))
        alive = [bet for bet in claim_test.portfolio.alive(at) if bet.fresh_runs]
        for bet in alive:
            counts = np.array([bet.fresh1]), np.array([bet.fresh2])
            bet.growth = float(promise(*counts, bet.fresh_runs, self.target(claim_test), claim_test.setting.delta)[0])
        least = max(_WORTH / runs, _RIVALS * max((bet.growth for bet in alive), default=0.0))
        return sorted((bet for bet in alive if bet.growth >= least), key=lambda bet: -bet.growth)[:_PAID]


_LEARNT = -1
"""In place of the number of an input group: events that were refined or learnt, whatever the group."""
_BETS = 7
"""The number of the stage in the names of random streams."""
_BET_LANES = 100
"""Lanes of each side that are replayed before a pair is bet on; a verdict needs CHECKED_LANES."""


def _counting(bets: Sequence[Bet], sides: Sequence[int]) -> tuple[Counting, list[tuple[int, int, int]]]:
    """What has to be counted of data values to pay some bets, and for each bet where it is: the place of its event, and
    those of its data values. An event is counted once, and only of the data values that some bet on it is about.
    """
    wanted: dict[Event, frozenset[int]] = {}
    for bet in bets:
        wanted[bet.event] = wanted.get(bet.event, frozenset()).union(map(sides.index, bet.sides))
    order = {event: place for place, event in enumerate(wanted)}
    places = [(order[bet.event], sides.index(bet.sides[0]), sides.index(bet.sides[1])) for bet in bets]
    return Counting(tuple(wanted), tuple(wanted.values())), places


def _log_wealth(claim_test: ClaimTest) -> float:
    """The logarithm of the wealth against the claim as it stands, which may be less than it was."""
    return float(claim_test.portfolio.log_total()[claim_test.portfolio.claimed])
