"""Which branches of data a search has gone through, and which ways no data of the claim goes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import z3

from dplint.audit.exact.pairs import ComputedPair
from dplint.audit.session import AuditSession
from dplint.claims import Span
from dplint.inputs.arguments_runs import centre, run_with
from dplint.inputs.branches import on_data_alone
from dplint.inputs.data_variables import DataVariables, data_variables, has_whole_domain
from dplint.outcomes import BranchCover, Taken
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
