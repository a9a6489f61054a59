"""A proof is compared with the function: the checker's own reading, with numbers put in, against calls of it.

The rule of Gaussian noise in its own arithmetic: with numbers in place of the terms that a proof is about.

The rule says that noise which moves by the difference of what it is added to makes the run on D2 give what that on D1
gives, and that this keeps the claim. So on D2 the reading is run, and compared with the function, with the noise of the
run on D1 moved so: the outputs have to be the same, and normal noise that is moved so far, by the scales of these very
runs, must have no larger delta than is claimed (Balle and Wang, ICML 2018, theorem 8, in floats, apart from the
checker).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from dplint.audit.branching import branch_inputs
from dplint.audit.comparing import (
    UNCOMPARED,
    Arguments,
    Compared,
    Contradiction,
    LoweredReading,
    Reading,
    Recorder,
    Sides,
    compare,
    compared_pairs,
    same_outputs,
)
from dplint.audit.inputs import find_choices
from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.telling import most_telling_first
from dplint.claims import Categories, Fixed, Literal, Mechanism, Pair, is_number
from dplint.expressions import ExpressionError, evaluate_expression
from dplint.jobs import AuditJob
from dplint.outcomes import ArgumentScope, OtherText, Proved, Range, Scope
from dplint.program import nodes as ir
from dplint.program.interpretation import Run
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.walk import walk
from dplint.proofs.checker.releases import released, with_releases
from dplint.proofs.numbers import CheckedReading, KnownDraw
from dplint.proofs.scopes import called_by_default
from dplint.proofs.searching import Search
from dplint.proofs.wording import GAUSSIAN
from dplint.sites import DrawSite

_MARGIN = 1e-6
"""Relative, for what floats lose."""


class GaussianReading:
    """The reading of a proof; on the second side with the noise of the first, as the rule moves it."""

    def __init__(self, reading: CheckedReading, mechanism: Mechanism) -> None:
        self._reading, self._mechanism = reading, mechanism
        self._first: tuple[object, Run, Sequence[KnownDraw]] | None = None
        self.moved = 0
        """How many runs were made with noise that was moved."""

    def run(self, sides: Sides, side: int, arguments: Arguments, draws: Callable[[], Recorder]) -> tuple[Run, bool]:
        """See `comparing.Reading`."""
        if side == 1:
            self._first = None
        run, whole = self._reading.run(sides, side, arguments, draws)
        there, about = self._reading.drawn, repr((sides, arguments))
        if side == 1:
            self._first = (about, run, there) if whole else None
        elif self._first is not None and self._first[0] == about and whole and run.exception is None:
            _, first, here = self._first
            moves = _moves(here, there)
            if moves and first.exception is None:
                try:
                    return self._again(sides, arguments, draws, first, here, moves)
                except UnsupportedConstruct:  # draws that data leaves out
                    return self._reading.run(sides, 2, arguments, draws)
        return run, whole

    def _again(
        self,
        sides: Sides,
        arguments: Arguments,
        draws: Callable[[], Recorder],
        first: Run,
        here: Sequence[KnownDraw],
        moves: Sequence[float],
    ) -> tuple[Run, bool]:
        noise = [float(one.noise) + move for one, move in zip(here, moves, strict=True)]
        run, whole = self._reading.run(sides, 2, arguments, lambda: _Given(draws(), list(noise)))
        scales = [(float(one.scale), float(two.scale)) for one, two in zip(here, self._reading.drawn, strict=True)]
        if not same_outputs(first.output, run.output):
            raise Contradiction(f"its noise is moved and it gives {run.output!r} in place of {first.output!r}")
        mu = math.hypot(*(move / one for move, (one, _) in zip(moves, scales, strict=True)))
        if any(not math.isclose(one, two, rel_tol=_MARGIN) for one, two in scales):
            raise Contradiction("the scales of its noise differ between the two")
        claim, data = self._mechanism.claim, {str(self._mechanism.data): sides[0]}
        epsilon, delta = (_number(one, {**data, **arguments}) for one in (claim.epsilon, claim.delta))
        if claim.promise is not None:
            most = None if epsilon is None else epsilon if claim.promise.kind == "mu" else math.sqrt(2 * epsilon)
            if most is not None and mu > most * (1 + _MARGIN):
                raise Contradiction(f"its noise moves by {mu:.6g} of its size, and {most:.6g} is promised")
        elif epsilon is not None and delta is not None and delta_of(mu, epsilon) > delta * (1 + _MARGIN):
            raise Contradiction(f"its noise moves by {mu:.6g} of its size, whose delta at {epsilon:g} is too large")
        self.moved += 1
        return run, whole


class _Given:
    """Noise that is known, recorded as if it were drawn."""

    def __init__(self, recorder: Recorder, noise: list[float]) -> None:
        self._recorder, self._noise = recorder, noise

    def __call__(self, node: ir.Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        drawn = self._recorder(node, parameters, size, site)
        if np.size(drawn) > len(self._noise):
            raise unsupported("noise for which there is none on the other side", node.span)
        return self._recorder.instead(_placed(drawn, parameters.get("loc", 0), self._noise))


def _placed(drawn: Any, loc: Any, noise: list[float]) -> Any:
    """Of the shape of a draw, what is at its location with the next of the noise."""
    if not hasattr(drawn, "__len__"):
        moved = loc + noise.pop(0)
        return int(moved) if isinstance(drawn, int) else moved
    locs = loc if hasattr(loc, "__len__") else [loc] * len(drawn)
    return [_placed(one, at, noise) for one, at in zip(drawn, locs, strict=True)]


def _moves(here: Sequence[KnownDraw], there: Sequence[KnownDraw]) -> list[float] | None:
    """By how much each draw moves; None where the draws are not those of one another, or not each by itself."""
    if [one.key for one in here] != [one.key for one in there] or not all(one.single for one in (*here, *there)):
        return None
    pairs = [(one.base, two.base) for one, two in zip(here, there, strict=True)]
    return [0.0 if one is None or two is None else float(one - two) for one, two in pairs]


def _number(claimed: float | str, values: Mapping[str, Literal]) -> float | None:
    try:
        return evaluate_expression(claimed, values) if isinstance(claimed, str) else float(claimed)
    except ExpressionError:
        return None


def delta_of(mu: float, epsilon: float) -> float:
    """The least delta that normal noise of size 1 keeps with an epsilon where it moves by mu."""
    if mu == 0:
        return 0.0
    below = [math.erfc(far / math.sqrt(2)) / 2 for far in (epsilon / mu - mu / 2, epsilon / mu + mu / 2)]
    return below[0] - math.exp(epsilon) * below[1]


_LEAST, _SECONDS, _TELLING = 8, 0.12, 0.25
"""Pairs that are whatever the time, the time, and what of it goes into their order."""
_WHAT, _TEXT = "the proof", "any other text"
_NAMED, _COMBINED = 16, 2
_NUMBERS = (0.5, 1, 2, 0.25, 3, 5, 1.5, -1, 0, -0.75, 7)
"""Values of arguments that may be any number, as far as they are within the scope."""


def confirmed(session: AuditSession, job: AuditJob, program: ir.Program, search: Search) -> Proved:
    """The proof of a search, which names the lines that no compared run has come to.

    Raises WrongTranslation where the reading is not the function, or could be compared nowhere; RunnerError.
    """
    proof = search.proof
    assert proof is not None
    values = ValuesInScope(session, program, proof.scope)
    mechanism = session.mechanism if search.inner is None else replace(session.mechanism, claim=search.inner)
    checked = CheckedReading(program, mechanism, proof.scope, search.programs)
    by_rule = proof.certificate.method == GAUSSIAN
    reading: Reading = GaussianReading(checked, mechanism) if by_rule else checked
    # Lines do not tell which way a condition within an expression went, so there is time for data made for both.
    inner = any(isinstance(node, ir.IfExp) for node in walk(program))
    seconds = _SECONDS / 2 if inner else _SECONDS
    own = called_by_default(with_releases(program))
    inputs = _inputs(session, program, proof.scope, values)
    compared = compare(session, reading, inputs, _WHAT, seconds, _LEAST, by_default=own)
    if not compared.runs:  # only the rule of the proof reads it; the program that it rests on can be evaluated
        reading = LoweredReading(session, with_releases(program))
        inputs = _inputs(session, program, proof.scope, values)
        compared = compare(session, reading, inputs, _WHAT, _SECONDS, _LEAST, by_default=own)
    unseen = never_run(program, compared)
    if (unseen or inner) and session.mechanism.claim.pairs is None:
        more = _at_branches(session, job, program, values)
        compared = compare(session, reading, more, _WHAT, _SECONDS if unseen else seconds, _LEAST, compared, own)
        unseen = never_run(program, compared)
    if unseen and compared.runs and compared.reason and isinstance(reading, CheckedReading):
        # Where the rule of the proof does not go, the program that it rests on may still be another one.
        inputs = _inputs(session, program, proof.scope, values)
        compare(
            session, LoweredReading(session, with_releases(program)), inputs, _WHAT, _SECONDS, _LEAST, by_default=own
        )
    if not compared.runs and released(with_releases(program)):
        # Noise of a library cannot be handed out; so this is told, and runs go on as if nothing were proved.
        return replace(proof, scope=replace(proof.scope, assumptions=(*proof.scope.assumptions, UNCOMPARED)))
    if not compared.runs:
        raise WrongTranslation(f"the reading that a proof rests on could be compared with no run: {compared.reason}")
    return replace(proof, scope=replace(proof.scope, never_run=unseen)) if unseen else proof


def _inputs(
    session: AuditSession, program: ir.Program, scope: Scope, values: ValuesInScope
) -> Iterator[tuple[Pair, Arguments]]:
    """Neighbours with arguments of the scope, others for each pair."""
    own = scope.pairs is not None
    pairs = session.find_pairs() if own else compared_pairs(session, program)
    # The columns of an empty table are those of one before it.
    first = next((pair for pair in pairs if pair.d1 and pair.d2), None)
    if first is not None:
        yield first, values.arguments(0)
    others = ((pair, values.arguments(number)) for number, pair in enumerate(pairs) if pair is not first)
    yield from most_telling_first(session, program, others, len(pairs), _TELLING * _SECONDS)


def _at_branches(
    session: AuditSession, job: AuditJob, program: ir.Program, values: ValuesInScope
) -> Iterator[tuple[Pair, Arguments]]:
    """Neighbours that z3 finds at branches of the program, and those with arguments at its numbers, by turns."""
    pairs = compared_pairs(session, program)
    named = zip(pairs, values.named(), strict=False)
    setting = session.claimed[0]
    (choice, *_) = find_choices(job, session, setting.fitting(session.find_pairs()), setting, quick=True)
    for branch in branch_inputs(session, program, choice, time.process_time() + _SECONDS):
        arguments = values.within({**choice.values, **branch.arguments})
        if arguments is not None:
            yield branch.pair, arguments
        yield from islice(named, 1)
    yield from named


class ValuesInScope:
    """Values of all arguments within the scope of a proof."""

    def __init__(self, session: AuditSession, program: ir.Program, scope: Scope) -> None:
        self._claimed, self._scope, self._chance = session.claimed, scope, random.Random(session.seed)
        named = [node.value for node in walk(program) if isinstance(node, ir.Constant)]
        numbers = [float(one) for one in named if isinstance(one, int | float) and math.isfinite(one)]
        self._ends = {
            one.name: tuple(self._whole(one.values, end) for end in (one.values.high, one.values.low))
            for one in scope.arguments
            if isinstance(one.values, Range) and all(_is_inside(one.values, end) for end in _ends(one.values))
        }
        self._named = list(dict.fromkeys(near for one in numbers for near in (one, one + 1, one - 1)))

    def arguments(self, number: int) -> Arguments:
        """Others for each number: those at which the claim is tested, or others; first of all the ends of ranges.

        These in all combinations of a few arguments, in every other turn.
        """
        if number % 2 and number // 2 < 1 << min(len(self._ends), _COMBINED):
            ends = {name: both[number // 2 >> k & 1] for k, (name, both) in enumerate(self._ends.items())}
            return {one.name: ends.get(one.name, self._value(one, None)) for one in self._scope.arguments}
        setting = self._claimed[number % len(self._claimed)]
        tested = {one.name: one.value for one in setting.parameters}
        return {one.name: self._value(one, tested.get(one.name)) for one in self._scope.arguments}

    def named(self) -> Iterator[Arguments]:
        """At each number of the program, and next to it, all that may be so."""
        ranges = any(isinstance(one.values, Range) for one in self._scope.arguments)
        for number in self._named[: _NAMED if ranges else 0]:
            yield {
                one.name: self._whole(one.values, number)
                if isinstance(one.values, Range) and _is_inside(one.values, number)
                else self._value(one, None)
                for one in self._scope.arguments
            }

    def within(self, values: Mapping[str, Literal]) -> Arguments | None:
        """These values, and others for what they do not name; None if the proof does not speak of them."""
        found = {one.name: values.get(one.name, self._value(one, None)) for one in self._scope.arguments}
        return found if self._scope.covers([], found) or self._scope.sizes is not None else None

    def _value(self, argument: ArgumentScope, tested: Literal) -> Literal:
        match argument.values:
            case Fixed(value=value):
                return value
            case Categories(values=values):
                chosen = self._chance.choice(values)
                return _TEXT if isinstance(chosen, OtherText) else chosen
            case Range() as values:
                if is_number(tested) and _is_inside(values, tested) and self._chance.random() < 0.5:
                    return tested
                return self._number(values)

    def _number(self, values: Range) -> Literal:
        ends = [end for end in (values.low, values.high) if math.isfinite(end)]
        middle = [sum(ends) / 2] if len(ends) == 2 else []
        named = [*ends, *middle, *(self._named if self._chance.random() < 0.5 else []), *_NUMBERS]
        inside = [one for one in named if _is_inside(values, one)]
        if not inside:  # an open interval near its end
            return values.low + 1 if math.isinf(values.high) else (values.low + values.high) / 2
        return self._whole(values, self._chance.choice(inside))

    @staticmethod
    def _whole(values: Range, number: float) -> Literal:
        return int(number) if values.integer else number


def _ends(values: Range) -> tuple[float, ...]:
    return (values.low, values.high) if math.isfinite(values.low) and math.isfinite(values.high) else (math.nan,)


def _is_inside(values: Range, number: float) -> bool:
    whole = not values.integer or float(number).is_integer()
    return whole and values.low <= number <= values.high and not (values.above and number == values.low)


def never_run(program: ir.Program, compared: Compared) -> tuple[int, ...]:
    """The first lines of branches of the function's own file to which no compared run has come."""
    reached = {line for _, line in compared.lines}
    lines = set[int]()
    for node in walk(program):
        if not isinstance(node, ir.If | ir.For | ir.While) or node.span.file:
            continue
        for block in (node.body, node.orelse):
            if block and not block[0].span.file and block[0].span.line > node.span.line:
                lines.add(block[0].span.line)
    return tuple(sorted(lines - reached))
