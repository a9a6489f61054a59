"""Inputs that the branches of a program ask for, as candidates of the exact procedure: looked for once in an audit."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import z3

from dplint.audit.comparing import NotPlain, program_arguments
from dplint.audit.inputs import Choice
from dplint.audit.session import AuditSession
from dplint.claims import Literal, Mechanism, Pair
from dplint.inputs.arguments_free import sort_parameters
from dplint.inputs.arguments_runs import centre, run_with, shaping
from dplint.inputs.branches import BranchInput, BranchSearch
from dplint.inputs.moves import LONGEST
from dplint.inputs.pairs import NoPairs, choose_pairs
from dplint.outcomes import Argument
from dplint.program.nodes import Call, Constant, Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.relations import DEFAULT_SIZES, Neighbourhood, relation_of

_MOST = 60
_MOST_SIZES = 3
_MISTAKES = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError, RecursionError)
"""A mistake of the search, which must not cost the audit."""
_WHY = "a branch hangs on it"


def movable_arguments(program: Program, mechanism: Mechanism) -> frozenset[str]:
    """Arguments that a search may change.

    Noise of which the claim says nothing has a natural domain that nobody has written down: it stays as chosen.
    """
    claimed = {name for name, _ in mechanism.claim.args}
    return frozenset(claimed | (set(program.parameters) - shaping(program)))


def branch_inputs(session: AuditSession, program: Program, choice: Choice, end: float) -> Iterator[BranchInput]:
    """Pairs that branches tell apart, and those at lengths at which the program goes another way. No more than sixty.

    choice: values of the arguments, from which those that may move depart. end: as for `BranchSearch`.
    """
    yield from islice(_found(session, program, choice, end), _MOST)


def with_arguments(choice: Choice, values: Mapping[str, Literal]) -> Choice:
    """The choice with other values for some of its open arguments."""
    arguments = tuple(
        Argument(one.name, values[one.name], _WHY) if values.get(one.name, one.value) != one.value else one
        for one in choice.arguments
    )
    return replace(choice, arguments=arguments)


def _found(session: AuditSession, program: Program, choice: Choice, end: float) -> Iterator[BranchInput]:
    mechanism = session.mechanism
    try:
        example = session.data_value(session.find_pairs()[0], 1)
        known = program_arguments(program, mechanism, example, choice.values)
    except NotPlain:
        return
    names = movable_arguments(program, mechanism)
    open_ones = {one.name for one in choice.arguments} & names
    fixed = {name: value for name, value in choice.values.items() if name not in open_ones}
    free = [one for one in sort_parameters(program, mechanism, fixed).free if one.name in open_ones]
    first, *others = _sizes(session, program, known)
    for size in (first, *others):
        if time.process_time() > end:
            return
        if size != first:
            yield from (BranchInput(pair, {}) for pair in _patterns(mechanism, size))
        try:
            search = BranchSearch(program, mechanism, known, free, session.form, size, end)
            yield from search.found()
        except (UnsupportedConstruct, z3.Z3Exception, *_MISTAKES):
            return


def _sizes(session: AuditSession, program: Program, known: Mapping[str, Any]) -> list[int]:
    """The first length, and others at which some branch goes a way that it goes at no length before."""
    mechanism = session.mechanism
    sample = session.find_pairs()[0]
    if not isinstance(sample.d1, list) or not isinstance(sample.d2, list):
        return [1]
    if mechanism.claim.size is not None:
        return [size for size in mechanism.claim.size if 0 < size <= LONGEST][:_MOST_SIZES] or [DEFAULT_SIZES[0]]
    entry = (sample.d1 or sample.d2)[0]
    found, seen = [DEFAULT_SIZES[0]], _ways(session, program, known, [entry] * DEFAULT_SIZES[0])
    if not any(isinstance(node, Call) and node.function == "len" for node in walk(program)):
        return found
    for size in range(LONGEST + 1):
        ways = _ways(session, program, known, [entry] * size)
        # Empty data take no turn of a loop: that is another way of every program.
        if size > 0 and not ways <= seen:
            found.append(size)
        seen |= ways
    numbers = [n.value for n in walk(program) if isinstance(n, Constant) and type(n.value) is int]
    # Where a record is added, the longer side may be the one that a length is compared with.
    more = int(relation_of(mechanism.claim).definition is Neighbourhood.ONE_MORE)
    found += [one - less for one in numbers if isinstance(one, int) for less in (0, more) if 1 < one <= LONGEST]
    return list(dict.fromkeys(found))[: 1 + _MOST_SIZES]


def _ways(session: AuditSession, program: Program, known: Mapping[str, Any], data: list[Any]) -> set[tuple[Any, bool]]:
    """The branches that a run without noise takes."""
    value = session.data_value(Pair(data, data, _WHY, len(data)), 1)
    try:
        given = program_arguments(program, session.mechanism, value, {})
        run, _ = run_with(program, {**given, **known, str(program.data): given[str(program.data)]}, centre)
    except (NotPlain, UnsupportedConstruct):
        return set()
    return {(branch.span, branch.taken) for branch in run.branches}


def _patterns(mechanism: Mechanism, size: int) -> Sequence[Pair]:
    try:
        return choose_pairs(replace(mechanism, claim=replace(mechanism.claim, size=(size,))))[::2]
    except NoPairs:
        return ()
