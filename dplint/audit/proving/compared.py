"""A proof is compared with the function: the checker's own reading, with numbers put in, against calls of it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dplint.audit.comparing import Arguments, Compared, compare
from dplint.audit.lane_runs import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Categories, Fixed, Literal, Pair
from dplint.inputs.compared import pairs_to_compare
from dplint.outcomes import ArgumentScope, OtherText, Proved, Range, Scope
from dplint.program.nodes import For, If, Program, While
from dplint.program.walk import walk
from dplint.proofs.numbers import CheckedReading
from dplint.proofs.searching import Search

_PAIRS, _LEAST, _SECONDS = 40, 8, 0.15
"""Pairs that are compared, those that are whatever the time, and the time."""
_TEXT = "any other text"
_NUMBERS = (0.5, 1, 2, 0.25, 3, 5, 1.5, -1, 0, -0.75, 7)
"""Values of arguments that may be any number, as far as they are within the scope."""


def confirmed(session: AuditSession, program: Program, search: Search) -> Proved:
    """The proof of a search, which names the lines that no compared run has come to.

    Raises WrongTranslation where the reading is not the function, or could be compared nowhere; RunnerError.
    """
    proof = search.proof
    assert proof is not None
    session.load()
    reading = CheckedReading(program, session.mechanism, proof.scope, search.programs)
    inputs = _inputs(session, program, proof.scope)
    compared = compare(session, reading, inputs, "the proof", _SECONDS, _LEAST)
    if not compared.runs:
        raise WrongTranslation(f"the reading that a proof rests on could be compared with no run: {compared.reason}")
    unseen = never_run(program, compared)
    if not unseen:
        return proof
    return replace(proof, scope=replace(proof.scope, never_run=unseen))


def _inputs(session: AuditSession, program: Program, scope: Scope) -> Iterator[tuple[Pair, Arguments]]:
    """Neighbours with arguments of the scope, others for each pair."""
    mechanism, chance = session.mechanism, random.Random(session.seed)
    own = scope.pairs is not None
    pairs = session.find_pairs() if own else pairs_to_compare(mechanism, program, _PAIRS, session.seed)
    for number, pair in enumerate(pairs):
        yield pair, _arguments(session.claimed, scope, chance, number)


def _arguments(claimed: Sequence[Setting], scope: Scope, chance: random.Random, number: int) -> Arguments:
    setting = claimed[number % len(claimed)]
    tested = {one.name: one.value for one in setting.parameters}
    return {one.name: _value(one, tested.get(one.name), chance) for one in scope.arguments}


def _value(argument: ArgumentScope, tested: Literal, chance: random.Random) -> Literal:
    """A value of an argument: that at which the claim is tested, half of the time, if it has one."""
    match argument.values:
        case Fixed(value=value):
            return value
        case Categories(values=values):
            chosen = chance.choice(values)
            return _TEXT if isinstance(chosen, OtherText) else chosen
        case Range() as values:
            if tested is not None and chance.random() < 0.5:
                return tested
            return _number(values, chance)


def _number(values: Range, chance: random.Random) -> Literal:
    ends = [end for end in (values.low, values.high) if math.isfinite(end)]
    named = [*ends, *_NUMBERS, *([sum(ends) / 2] if len(ends) == 2 else [])]
    if values.integer:
        named = [math.floor(one) for one in named]
    inside = [one for one in named if values.low <= one <= values.high and not (values.above and one == values.low)]
    if not inside:  # an open interval near its end
        return values.low + 1 if math.isinf(values.high) else (values.low + values.high) / 2
    value = chance.choice(inside)
    return int(value) if values.integer else value


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
