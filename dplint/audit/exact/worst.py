"""The worst input: patterns, what branches ask for, and climbs from there and from random pairs.

What it climbs by is the loss of an input: exactly, where that is possible; else by counts of runs.

Which branches of data a search has gone through, and which ways no data of the claim goes.
"""

from __future__ import annotations

import functools
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import z3

from dplint.audit.branching import branch_inputs, with_arguments
from dplint.audit.exact.climbing import bounded_by_runs, climbed_pairs, losses_by_runs
from dplint.audit.exact.pairs import (
    LIMITS,
    ComputedPair,
    NotComputed,
    TooLong,
    check_end,
    compute_pair,
    computed_pairs,
    given_of,
    why_not_compared,
    worst_first,
)
from dplint.audit.inputs import Choice, find_choices, is_claimed
from dplint.audit.procedure import Facts, Needs
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair, Span
from dplint.inputs.arguments_runs import centre, run_with
from dplint.inputs.branches import on_data_alone
from dplint.inputs.data_variables import DataVariables, data_variables, has_whole_domain
from dplint.inputs.moves import moves_of
from dplint.jobs import WorstJob
from dplint.outcomes import BranchCover, ClimbStep, Failed, Taken, Untestable, WorstInput
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.symbolic import Condition, Trace, from_python, trace
from dplint.relations import DEFAULT_SIZES

_FUEL = 64
_RLIMIT = 1_000_000
_MOST_PAIRS = 300
_MOST_BRANCHES = 40


def branch_covers(session: AuditSession, program: Program, computed: Sequence[ComputedPair]) -> tuple[BranchCover, ...]:
    """For each branch that hangs on data and never on noise, in the order of the source; empty if there are no terms.

    Ways are called impossible only where the claim names every length of the data, or it is a single value; for the
    arguments that were computed first, and in real numbers.
    """
    if not computed:
        return ()
    try:
        traces = _traces(session, program, computed[0].given[0])
    except (UnsupportedConstruct, z3.Z3Exception, RecursionError):
        return ()
    places: dict[Span, list[tuple[Condition, Trace, DataVariables]]] = {}
    noisy: set[Span] = set()
    for side, found in traces:
        alone = {id(one) for one in on_data_alone(found.conditions, side)}
        for one in found.conditions:
            if not one.inner:
                places.setdefault(one.span, []).append((one, found, side))
                noisy |= set() if isinstance(one.condition, bool) or id(one) in alone else {one.span}
    places = {
        span: found
        for span, found in places.items()
        if span not in noisy and any(not isinstance(one.condition, bool) for one, _, _ in found)
    }
    ways = [_ways(program, one) for one in computed[:_MOST_PAIRS]]
    covers = []
    for span in sorted(places, key=lambda one: (one.file, one.line, one.column))[:_MOST_BRANCHES]:
        seen = {way for pair in ways for side in pair for place, way in side if place == span}
        apart = any({w for p, w in one if p == span} != {w for p, w in two if p == span} for one, two in ways)
        never = tuple(w for w in (True, False) if w not in seen and _is_impossible(session, places[span], traces, w))
        covers.append(BranchCover(span.line, span.file, _taken(seen), apart, never))
    return tuple(covers)


def _taken(seen: set[bool]) -> Taken:
    if len(seen) == 2:
        return Taken.BOTH
    return Taken.NEVER if not seen else Taken.ONLY_TRUE if True in seen else Taken.ONLY_FALSE


def _traces(session: AuditSession, program: Program, given: Mapping[str, Any]) -> list[tuple[DataVariables, Trace]]:
    """One for each length that the claim names, or for the usual one; with noise in all of its support."""
    mechanism = session.mechanism
    sizes = (1,) if session.form == "scalar" else (mechanism.claim.size or DEFAULT_SIZES[:1])
    found = []
    for size in sizes:
        side = data_variables(mechanism, session.form, size, "one", math.inf)
        if side is None:
            continue
        arguments = {name: from_python(value) for name, value in given.items()} | {str(program.data): side.value}
        found.append((side, trace(program, arguments, free_noise=True, whole_support=True, fuel=_FUEL)))
    return found


def _ways(program: Program, computed: ComputedPair) -> tuple[frozenset[tuple[Span, bool]], ...]:
    """The ways of both sides, without noise."""
    found = []
    for given in computed.given:
        run, _ = run_with(program, given, centre)
        found.append(frozenset((branch.span, branch.taken) for branch in run.branches))
    return tuple(found)


def _is_impossible(
    session: AuditSession,
    conditions: Sequence[tuple[Condition, Trace, DataVariables]],
    traces: Sequence[tuple[DataVariables, Trace]],
    way: bool,
) -> bool:
    """Whether z3 says of each turn, at each length of the claim, that no data and no noise go this way."""
    sizes = session.mechanism.claim.size
    every = len(traces) == len(sizes or ()) or session.form == "scalar"
    if not (every and has_whole_domain(session.mechanism) and all(found.complete for _, found in traces)):
        return False
    for one, found, side in conditions:
        solver = z3.Solver()
        solver.set("rlimit", _RLIMIT)
        masks = [one.path, one.condition if way else z3.Not(one.condition), *found.constraints, *side.domain()]
        solver.add(*(z3.BoolVal(mask) if isinstance(mask, bool) else mask for mask in masks))
        if solver.check() != z3.unsat:
            return False
    return True


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
    def lanes(self) -> ResidualRuns:
        """Many runs at once: those of the audit, else ones of the search's own."""
        return self.session.lanes or ResidualRuns(self.session.runner, self.session.mechanism)

    def _by_runs(self, pair: Pair, choice: Choice) -> ComputedPair:
        if self.setting.delta or not self.may_run:
            raise NotComputed(self.refused)
        given = given_of(self.session, self.program, pair, choice)
        check_end(self.session, self.end)
        losses = losses_by_runs(self.session, self.lanes, pair, choice.values)
        found = ComputedPair(pair, choice, losses, self.program, given, by_runs=losses.steps // 2)
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
