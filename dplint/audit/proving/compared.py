"""A proof is compared with the function: the checker's own reading, with numbers put in, against calls of it."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from dplint.audit.branching import branch_inputs
from dplint.audit.choices import find_choices
from dplint.audit.comparing import UNCOMPARED, Arguments, Compared, LoweredReading, Reading, compare, compared_pairs
from dplint.audit.proving.gaussian import GaussianReading
from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.telling import most_telling_first
from dplint.claims import Categories, Fixed, Literal, Pair, is_number
from dplint.jobs import AuditJob
from dplint.outcomes import ArgumentScope, OtherText, Proved, Range, Scope
from dplint.program.nodes import Constant, For, If, IfExp, Program, While
from dplint.program.walk import walk
from dplint.proofs.checker.releases import released, with_releases
from dplint.proofs.numbers import CheckedReading
from dplint.proofs.scopes import called_by_default
from dplint.proofs.searching import Search
from dplint.proofs.wording import GAUSSIAN

_LEAST, _SECONDS, _TELLING = 8, 0.12, 0.25
"""Pairs that are whatever the time, the time, and what of it goes into their order."""
_WHAT, _TEXT = "the proof", "any other text"
_NAMED, _COMBINED = 16, 2
_NUMBERS = (0.5, 1, 2, 0.25, 3, 5, 1.5, -1, 0, -0.75, 7)
"""Values of arguments that may be any number, as far as they are within the scope."""


def confirmed(session: AuditSession, job: AuditJob, program: Program, search: Search) -> Proved:
    """The proof of a search, which names the lines that no compared run has come to.

    Raises WrongTranslation where the reading is not the function, or could be compared nowhere; RunnerError.
    """
    proof = search.proof
    assert proof is not None
    values = ValuesInScope(session, program, proof.scope)
    checked = CheckedReading(program, session.mechanism, proof.scope, search.programs)
    by_rule = proof.certificate.method == GAUSSIAN
    reading: Reading = GaussianReading(checked, session.mechanism) if by_rule else checked
    # Lines do not tell which way a condition within an expression went, so there is time for data made for both.
    inner = any(isinstance(node, IfExp) for node in walk(program))
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
    if not compared.runs and released(with_releases(program)):
        # Noise of a library cannot be handed out; so this is told, and runs go on as if nothing were proved.
        return replace(proof, scope=replace(proof.scope, assumptions=(*proof.scope.assumptions, UNCOMPARED)))
    if not compared.runs:
        raise WrongTranslation(f"the reading that a proof rests on could be compared with no run: {compared.reason}")
    return replace(proof, scope=replace(proof.scope, never_run=unseen)) if unseen else proof


def _inputs(
    session: AuditSession, program: Program, scope: Scope, values: ValuesInScope
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
    session: AuditSession, job: AuditJob, program: Program, values: ValuesInScope
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

    def __init__(self, session: AuditSession, program: Program, scope: Scope) -> None:
        self._claimed, self._scope, self._chance = session.claimed, scope, random.Random(session.seed)
        named = [node.value for node in walk(program) if isinstance(node, Constant)]
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


def never_run(program: Program, compared: Compared) -> tuple[int, ...]:
    """The first lines of branches of the function's own file to which no compared run has come."""
    reached = {line for _, line in compared.lines}
    lines = set[int]()
    for node in walk(program):
        if not isinstance(node, If | For | While) or node.span.file:
            continue
        for block in (node.body, node.orelse):
            if block and not block[0].span.file and block[0].span.line > node.span.line:
                lines.add(block[0].span.line)
    return tuple(sorted(lines - reached))
