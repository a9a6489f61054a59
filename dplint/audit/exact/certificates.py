"""Certificates of an infinite loss, checked a second time by z3, which knows nothing of paths and probabilities.

The draws are free variables within the support of their distributions, and z3 is asked for values that give the output.
That there are none shows that it is impossible. Values at which two noisy numbers are equal have probability zero: they
are left out. Where a draw may be at the edge of its support and the output is reached in the limit, the order to which
the density vanishes there is the number of draws that have to be at the edge, less the one that the output is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import z3

from dplint.audit.exact.pairs import ComputedPair
from dplint.outcomes import Impossible, Measure, UnequalVanishing
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import OutputLoss, Raised
from dplint.readings.symbolic import UNKNOWN, Items, Trace, equals, from_python, trace

_FUEL = 1_000
_RLIMIT = 3_000_000
"""Of z3's own steps, so that it is the same on every machine: about a second."""
SOLVER = "z3, by which no draws give it on D2"
VANISHING = "z3, by which so many draws must be at the edge of their support"


def confirmed_by_solver(computed: ComputedPair, row: OutputLoss) -> tuple[str, ...]:
    """What z3 says of the certificate of a row: a phrase if it agrees, nothing if there is none or it does not know."""
    if row.infinite is None or row.unknown or isinstance(row.output, Raised):
        return ()
    try:
        if isinstance(row.infinite, Impossible):
            agrees = is_impossible(computed.program, computed.given[1], row.output)
            return (SOLVER,) if agrees else ()
        return (VANISHING,) if _vanishes(computed, row, row.infinite) else ()
    except (UnsupportedConstruct, z3.Z3Exception, RecursionError):
        return ()


def is_impossible(program: Program, given: Mapping[str, Any], output: Any) -> bool:
    """Whether no values of the draws give the output, but for some with probability zero. False if z3 does not know.

    Raises UnsupportedConstruct where the program has no terms.
    """
    asked = _asked(program, given, output)
    if asked is None:
        return False
    found, solver = asked
    solver.add(*_without_ties(found))
    return bool(solver.check() == z3.unsat)


def draws_at_edge(program: Program, given: Mapping[str, Any], output: Any) -> int | None:
    """How many draws have to be at the lower end of their support for the output; None if z3 does not know.

    Raises UnsupportedConstruct where the program has no terms.
    """
    asked = _asked(program, given, output)
    if asked is None:
        return None
    found, solver = asked
    if solver.check() != z3.sat:
        return None
    count = 0
    for variable, low in found.draws.items():
        solver.push()
        solver.add(variable > low)
        answer = solver.check()
        solver.pop()
        if answer == z3.unknown:
            return None
        count += answer == z3.unsat
    return count


def _vanishes(computed: ComputedPair, row: OutputLoss, certificate: UnequalVanishing) -> bool:
    if row.measure is not Measure.DENSITY or not isinstance(row.output, int | float):
        return False
    counts = [draws_at_edge(computed.program, given, row.output) for given in computed.given]
    return counts == [certificate.order1 + 1, certificate.order2 + 1]


def _asked(program: Program, given: Mapping[str, Any], output: Any) -> tuple[Trace, z3.Solver] | None:
    """What the program does on free draws, and a solver that looks for draws which give the output; None if the output
    has no term.
    """
    found = _traced(program, given)
    wanted = _gives(found, output)
    if wanted is None:
        return None
    solver = z3.Solver()
    solver.set("rlimit", _RLIMIT)
    solver.add(*found.constraints, wanted)
    return found, solver


def _traced(program: Program, given: Mapping[str, Any]) -> Trace:
    arguments = {name: from_python(value) for name, value in given.items()}
    return trace(program, arguments, free_noise=True, whole_support=True, fuel=_FUEL)


def _gives(found: Trace, output: Any) -> z3.BoolRef | None:
    """When a run gives the output; None where that has no term."""
    wanted = from_python(output)
    if not found.complete or wanted is UNKNOWN:
        return None
    parts: list[Any] = []
    for active, value in found.outputs:
        same = _equal(value, wanted)
        if same is UNKNOWN:
            return None
        parts.append(z3.And(_term(active), _term(same)))
    return z3.Or(*parts)


def _equal(value: Any, wanted: Any) -> Any:
    """When a value is a given one; items of a list that are there only sometimes are matched in order."""
    if not (isinstance(value, Items) and isinstance(wanted, Items)):
        return equals(value, wanted)
    if value.kind != wanted.kind:
        return False
    # The rest of the list, from each item on, is the rest of the other one from its item number j on.
    rest: list[Any] = [False] * len(wanted.items) + [True]
    for item, guard in zip(reversed(value.items), reversed(value.guards), strict=True):
        same = [_equal(item, other) for other in wanted.items]
        if any(one is UNKNOWN for one in same):
            return UNKNOWN
        there = _term(guard)
        rest = [
            z3.If(there, z3.And(_term(same[j]), _term(rest[j + 1])) if j < len(same) else z3.BoolVal(False), _term(one))
            for j, one in enumerate(rest)
        ]
    return rest[0]


def _term(value: Any) -> z3.BoolRef:
    return z3.BoolVal(value) if isinstance(value, bool) else value


def _terms_in(value: Any) -> Iterator[Any]:
    if isinstance(value, Items):
        for item in (*value.items, *value.guards):
            yield from _terms_in(item)
    elif z3.is_expr(value):
        yield value


def _without_ties(found: Trace) -> Iterator[z3.BoolRef]:
    """For each comparison of sums of real draws in the program that are not the same sum, that they are not equal."""
    kinds = {z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_LT, z3.Z3_OP_GT, z3.Z3_OP_EQ}
    seen: set[int] = set()
    todo: list[Any] = [term for active, value in found.outputs for one in (active, value) for term in _terms_in(one)]
    while todo:
        one = todo.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        todo.extend(one.children())
        if z3.is_app(one) and one.decl().kind() in kinds and z3.is_arith(one.arg(0)):
            left, right = one.children()
            difference = z3.simplify(left - right, som=True)
            if _is_sum_of_draws(difference):
                yield left != right
    for variable, low in found.draws.items():
        yield variable != low


def _is_sum_of_draws(term: Any) -> bool:
    """Whether it is a sum of multiples of real variables, one at least, and numbers: zero with probability zero."""
    if z3.is_add(term):
        parts = [part for part in term.children() if not z3.is_rational_value(part)]
        return bool(parts) and all(map(_is_multiple, parts))
    return _is_multiple(term)


def _is_multiple(term: Any) -> bool:
    if z3.is_mul(term) and term.num_args() == 2 and z3.is_rational_value(term.arg(0)):
        term = term.arg(1)
    is_variable = z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
    return bool(is_variable and z3.is_real(term) and str(term).startswith("draw!"))
