"""The worst input: patterns, what branches ask for, and climbs from there and from random pairs.

What it climbs by is the loss of an input: exactly, where that is possible; else by counts of runs.
"""

from __future__ import annotations

import functools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dplint.audit.branching import branch_inputs, with_arguments
from dplint.audit.choices import Choice, find_choices, is_claimed
from dplint.audit.exact.climbing import climbed_pairs
from dplint.audit.exact.compared import why_not_compared
from dplint.audit.exact.covering import branch_covers
from dplint.audit.exact.pairs import (
    LIMITS,
    ComputedPair,
    NotComputed,
    TooLong,
    compute_pair,
    computed_pairs,
    worst_first,
)
from dplint.audit.exact.run_losses import bounded_by_runs, losses_by_runs
from dplint.audit.procedure import Facts, Needs
from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import CheckedRuns, WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.inputs.moves import moves_of
from dplint.jobs import WorstJob
from dplint.outcomes import ClimbStep, Failed, Untestable, WorstInput
from dplint.program.nodes import Program

_PATTERNS, _BRANCHES = 0.2, 0.5
"""After which share of the time the patterns have had their turn, and what branches ask for."""
_PATIENCE = 60
"""Inputs in turn that lose no more, after which a climb begins elsewhere."""
_STARTS = 5
_TOLD = 25
"""Inputs after which those who wait are told."""
_CURVE, _SHADES = 12, ".:-=+*#%@"
"""Losses that are drawn, and characters from the lightest to the darkest."""
_SAME = 1e-9
_AT_RANDOM = "at random"


@dataclass
class Objective:
    """Of one search. end: as for `compute_pair`. may_run: whether runs of the function may be counted. refused: why no
    loss is computed, once that is known.
    """

    session: AuditSession
    program: Program
    setting: Setting
    end: float = math.inf
    may_run: bool = False
    refused: str = ""
    _refused: set[int] = field(default_factory=set)

    def __call__(self, pair: Pair, choice: Choice) -> ComputedPair:
        """The losses of a pair, D1 the side that loses more. Raises NotComputed and TooLong."""
        if pair.size not in self._refused:
            delta = self.setting.delta
            try:
                found = compute_pair(self.session, self.program, pair, choice, LIMITS, delta=delta, end=self.end)
                return worst_first(found)
            except NotComputed as error:
                self.refused = str(error)
                self._refused.add(pair.size)
        return self._by_runs(pair, choice)

    @functools.cached_property
    def lanes(self) -> CheckedRuns:
        """Many runs at once: those of the audit, else ones of the search's own."""
        return self.session.lanes or ResidualRuns(self.session.runner, self.session.mechanism)

    def _by_runs(self, pair: Pair, choice: Choice) -> ComputedPair:
        if self.setting.delta or not self.may_run:
            raise NotComputed(self.refused)
        given = []
        try:
            for side in (1, 2):
                data = self.session.data_value(pair, side)
                given.append(program_arguments(self.program, self.session.mechanism, data, choice.values))
        except NotPlain as error:
            raise NotComputed(str(error)) from None
        self.session.check_cancelled()
        self.session.check_time()
        if time.process_time() > self.end:
            raise TooLong
        losses, _ = losses_by_runs(self.session, self.lanes, pair, choice.values)
        found = ComputedPair(pair, choice, losses, self.program, (given[0], given[1]), by_runs=losses.steps // 2)
        return worst_first(found)


@dataclass
class WorstSearch:
    """One value of the claim. patterns: whether patterns and branches come first, or climbs begin at random alone.

    may_run: as for `Objective`. steps: the inputs that lost more than all before.
    """

    session: AuditSession
    program: Program
    choice: Choice
    setting: Setting
    seconds: float
    patterns: bool = True
    may_run: bool = False
    computed: list[ComputedPair] = field(default_factory=list)
    steps: list[ClimbStep] = field(default_factory=list)
    refused: str = ""
    _begun: float = field(default_factory=time.process_time)
    _objective: Objective = field(init=False)

    def __post_init__(self) -> None:
        self._objective = Objective(self.session, self.program, self.setting, may_run=self.may_run)

    @property
    def worst(self) -> ComputedPair:
        """The input that loses most; there must be one."""
        return max(self.computed, key=lambda one: one.loss.low)

    def run(self, enough: float = math.inf) -> None:
        """Search until the time is over, or a loss is infinite or `enough`."""
        for one in self._candidates():
            best = self.steps[-1].loss if self.steps else -math.inf
            self.computed.append(one)
            if one.loss.low > best + _SAME:
                count, seconds = len(self.computed), time.process_time() - self._begun
                self.steps.append(ClimbStep(count, seconds, one.loss.low, one.pair.pattern))
                self._tell()
            elif len(self.computed) % _TOLD == 0:
                self._tell()
            if self.steps[-1].loss >= enough or self.steps[-1].loss == math.inf:
                return

    def _tell(self) -> None:
        """For those who wait: how the largest loss has grown, as a line of characters, and the input that loses it."""
        most, claimed = self.steps[-1].loss, self.setting.epsilon
        words = "infinite" if most == math.inf else f"{most:.4g}"
        worst = self.computed[self.steps[-1].inputs - 1].pair
        self.session.announce(
            f"climbing [{_curve([one.loss for one in self.steps], claimed)}] {words} of {claimed:g} on "
            f"{len(self.computed):,} inputs: {_short(worst.d1)}, {_short(worst.d2)}"
        )

    def _candidates(self) -> Iterator[ComputedPair]:
        self._objective.end = self._begun + self.seconds
        if self.patterns:
            yield from self._first()
        yield from self.candidates(self.computed)

    def candidates(self, computed: Sequence[ComputedPair]) -> Iterator[ComputedPair]:
        """From the best of some inputs, and then from random ones, until the time is over."""
        self._objective.end = end = self._begun + self.seconds
        starts = sorted(computed, key=lambda one: -one.loss.low)[:_STARTS]
        chance = random.Random(self.session.seed)
        moves = moves_of(self.session.mechanism, self.program, _AT_RANDOM)
        number = 0
        while time.process_time() < end:
            scalar = self.session.form == "scalar"
            start = starts.pop(0) if starts else self._compute(moves.at_random(chance, scalar=scalar), self.choice)
            number += 1
            if start is None:
                if number > 1_000:
                    return
                continue
            yield start
            yield from climbed_pairs(
                self.session,
                self.program,
                start,
                self.setting,
                end,
                number=number,
                patience=_PATIENCE,
                compute=self._objective,
            )

    def _first(self) -> Iterator[ComputedPair]:
        session, setting = self.session, self.setting
        pairs = setting.fitting(session.find_pairs())
        stop = self._begun + _PATTERNS * self.seconds
        try:
            yield from computed_pairs(session, self.program, pairs, self.choice, setting.delta, stop)
        except NotComputed as error:
            self.refused = str(error)
            yield from self._patterns(pairs, stop)
        stop = self._begun + _BRANCHES * self.seconds
        for one in branch_inputs(session, self.program, self.choice, stop):
            if time.process_time() > stop:
                return
            found = self._compute(one.pair, with_arguments(self.choice, one.arguments))
            if found is not None:
                yield found

    def _patterns(self, pairs: Sequence[Pair], stop: float) -> Iterator[ComputedPair]:
        """The pairs of the patterns where not all of their outputs are computed."""
        for pair in pairs:
            if time.process_time() > stop:
                return
            found = self._compute(pair, self.choice)
            if found is not None:
                yield found

    def _compute(self, pair: Pair, choice: Choice) -> ComputedPair | None:
        """None if the claim does not speak of it, or it cannot be computed."""
        if not is_claimed(self.session, pair, choice, self.setting):
            return None
        try:
            return self._objective(pair, choice)
        except NotComputed as error:
            self.refused = str(error)
            return None
        except TooLong:
            return None

    def notes(self) -> tuple[str, ...]:
        """What was not computed, and what was looked at in its place."""
        why = self._objective.refused or self.refused
        if not why:
            return ()
        counted = any(one.by_runs for one in self.computed)
        what = "losses were counted in runs of the program" if counted else "some inputs were left out"
        return (f"{what}: {why}",)

    def snapped(self) -> ComputedPair:
        """The worst input in fewer digits, if that loses no less; by other runs, where runs were counted."""
        worst = self.worst
        self._objective.end = math.inf
        for digits in (0, 1, 2, 3):
            d1, d2 = (_rounded(side, digits) for side in (worst.pair.d1, worst.pair.d2))
            pair = Pair(d1, d2, worst.pair.pattern, worst.pair.size)
            found = self._compute(pair, worst.choice)
            if found is not None and found.loss.low >= worst.loss.low - _SAME:
                worst = found
                break
        return bounded_by_runs(self.session, self._objective.lanes, worst) if worst.by_runs else worst


@dataclass(frozen=True)
class WorstInputs:
    """Searches for the time that is asked for."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "worst"
    phase: ClassVar[str] = "looking for the worst input"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: WorstJob, facts: Facts) -> WorstInput | Untestable | Failed:  # noqa: ARG002
        """The worst input; untestable if none can be computed, or the function does something else, with the reason."""
        assert isinstance(job.program, Program)
        setting = session.claimed[0]
        begun = time.process_time()
        (choice, *_) = find_choices(job, session, setting.fitting(session.find_pairs()), setting, quick=True)
        search = WorstSearch(session, job.program, choice, setting, job.seconds, may_run=job.compare)
        search.run()
        if not search.computed:
            return Untestable(reason=search.refused or "the claim leaves no pair")
        best, seconds = search.snapped(), time.process_time() - begun
        try:
            not_compared = why_not_compared(session, job.program, best, run=job.compare)
        except WrongTranslation as error:
            return Untestable(reason=str(error))
        return WorstInput(
            d1=best.pair.d1,
            d2=best.pair.d2,
            arguments=best.arguments,
            loss=best.loss,
            claimed=setting.epsilon,
            claimed_delta=setting.delta,
            inputs=len(search.computed),
            seconds=seconds,
            steps=tuple(search.steps),
            branches=branch_covers(session, job.program, search.computed),
            certified_by=best.certified_by,
            notes=search.notes(),
            by_runs=best.by_runs,
            not_compared=not_compared,
        )


def _rounded(data: Any, digits: int) -> Any:
    if isinstance(data, list):
        return [_rounded(one, digits) for one in data]
    return round(data, digits) if isinstance(data, float) and math.isfinite(data) else data


def _curve(losses: Sequence[float], claimed: float) -> str:
    """One character for each of the last losses, darker for larger ones; in ASCII, which every terminal has."""
    finite = [one for one in losses if one < math.inf]
    top = max([claimed, *finite])
    last = len(_SHADES) - 1
    places = [last if one == math.inf else max(0, round(last * one / top)) for one in losses[-_CURVE:]]
    return "".join(_SHADES[place] for place in places).rjust(_CURVE)


def _short(data: Any) -> str:
    """Data in few digits."""
    if isinstance(data, list):
        return f"[{', '.join(map(_short, data))}]"
    return f"{data:.3g}" if isinstance(data, float) else repr(data)
