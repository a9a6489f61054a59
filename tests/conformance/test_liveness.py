"""What liveness calls dead is never read: without it, every mechanism does what it did."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, partialmethod

import pytest
from hypothesis import HealthCheck, given

from dplint.program.liveness import Liveness, liveness_of
from dplint.program.nodes import CallFunction, For, Program, Statement, While
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from dplint_conformance.cases import REFUSED_BY_ALL, all_cases, cases_in
from dplint_conformance.harness import Case, check, program_of
from dplint_conformance.search import ARGUMENTS
from dplint_conformance.strategy import mechanisms
from tests.conformance.poison import Poisoned, poisoned, poisoned_together
from tests.examples import examples

SEEDS = range(8)
CASES = [case for case in all_cases() if case.name not in REFUSED_BY_ALL]
WAYS = pytest.mark.parametrize("way", [poisoned, poisoned_together])


@WAYS
@pytest.mark.parametrize("case", CASES, ids=str)
def test_nobody_reads_what_is_dead(case: Case, way: Poisoned) -> None:
    program = program_of(case)
    assert isinstance(program, Program)

    assert check(case, partial(way, liveness=liveness_of(program)), SEEDS) is None


@examples(60, database=None, suppress_health_check=[*HealthCheck])
@given(source=mechanisms())
def test_nobody_reads_what_is_dead_in_random_mechanisms(source: str) -> None:
    case = Case("made", source, ARGUMENTS)
    program = program_of(case)
    if not isinstance(program, Unsupported):
        for way in (poisoned, poisoned_together):
            check(case, partial(way, liveness=liveness_of(program)), SEEDS)


class Without:
    """Liveness that forgets one name at one place: after a statement, before a loop or across a call."""

    def __init__(self, whole: Liveness, way: str, node: Statement | CallFunction, name: str) -> None:
        self.program = whole.program
        self._whole = whole
        self.forgotten = (way, node.span, name)
        self._node = node

    def _left(self, way: str, node: Statement | CallFunction) -> frozenset[str] | None:
        names = getattr(self._whole, way)(node)
        forgotten_way, _, name = self.forgotten
        return names - {name} if way == forgotten_way and node is self._node else names

    after = partialmethod(_left, "after")
    entering = partialmethod(_left, "entering")
    across = partialmethod(_left, "across")


def mutants(program: Program) -> Iterator[Without]:
    """Each name left out at each place where it is live."""
    whole = liveness_of(program)
    for node in walk(program):
        if isinstance(node, Statement):
            yield from (Without(whole, "after", node, name) for name in sorted(whole.after(node)))
        if isinstance(node, For | While):
            yield from (Without(whole, "entering", node, name) for name in sorted(whole.entering(node)))
        if isinstance(node, CallFunction):
            yield from (Without(whole, "across", node, name) for name in sorted(whole.across(node) or ()))


def caught(case: Case, mutant: Without, way: Poisoned = poisoned_together) -> bool:
    try:
        check(case, partial(way, liveness=mutant), SEEDS)
    except AssertionError:
        return True
    return False


EVERY_NAME_COUNTS = """
def made(rng, xs, t):
    shift = rng.random()
    low, high = _range(rng, xs)
    out, seen = [0.0, 0.0], 0
    for x in _shifted(rng, xs):
        noisy = x + shift + rng.laplace()
        if noisy < low:
            continue
        seen += 1
        out[seen % 2] += noisy
        if noisy > high + t:
            break
    else:
        seen = 0
    while seen < 2:
        seen += 1
        out.append(high + seen)
    return _sum(out, shift)


def _range(rng, xs):
    low = high = xs[0]
    for x in xs:
        noise = rng.laplace()
        low = min(low, x + noise)
        high = max(high, x - noise)
    return low, high


def _shifted(rng, xs):
    by = rng.random()
    shifted = [x + by for x in xs]
    return shifted


def _sum(xs, start):
    for x in xs:
        start += x
    return start
"""


@WAYS
def test_a_name_too_few_is_noticed_where_every_name_counts(way: Poisoned) -> None:
    """In helper functions too, and across their calls."""
    case = Case("made", EVERY_NAME_COUNTS, {"xs": [1.0, 0.0, 2.0, 1.0, 3.0], "t": 1})
    program = program_of(case)
    assert isinstance(program, Program)
    assert check(case, partial(way, liveness=liveness_of(program)), SEEDS) is None

    missed = [mutant.forgotten for mutant in mutants(program) if not caught(case, mutant, way)]

    assert len(list(mutants(program))) > 60
    assert missed == []


def test_a_name_too_few_is_noticed_nearly_everywhere() -> None:
    """Not where no run goes, and not where the value that is left is never used."""
    cases = [case for file in ("control_flow.py", "loops.py") for case in cases_in(file)]
    programs = [(case, program) for case in cases if isinstance(program := program_of(case), Program)]
    found = [caught(case, mutant) for case, program in programs for mutant in mutants(program)]

    assert len(found) > 500
    assert sum(found) > 0.9 * len(found)
