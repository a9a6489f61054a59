"""The evaluator knows where a draw stands: CPython, with counters in its loops, draws at the same places."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given

from dplint.program.refusals import Unsupported
from dplint.sites import DrawSite, all_calls
from dplint_conformance.cases import REFUSED_BY_ALL, all_cases, cases_in
from dplint_conformance.harness import Case, plain, plain_outcomes, program_of, quiet
from dplint_conformance.search import ARGUMENTS
from dplint_conformance.strategy import mechanisms
from tests.conformance.adapters import INTERPRETATIONS
from tests.conformance.python_sites import python_sites
from tests.examples import examples

SEEDS = range(4)
CASES = [case for case in all_cases() if case.name not in REFUSED_BY_ALL]


OTHERWISE = {case.name for case in cases_in("lazy.py")} | {
    "filtered_by_noise_under_a_name",
    "local_function_handed_on",
    "loop_that_ends_before_an_item_fails",
}
"""A lambda is a call, but no turn; what `map` calls is called by the list."""


def loops_over_a_generator(source: str) -> bool:
    """Whether some loop goes through what is made item by item: both are one loop in a program."""
    made = {"map", "filter", "_some"}
    through = [node.iter for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For | ast.comprehension)]
    return any(
        isinstance(one, ast.GeneratorExp)
        or (isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in made)
        for one in through
    )


def check_sites(case: Case) -> None:
    """Interpretations that follow the case draw where CPython does, in the same order."""
    program = program_of(case)
    if isinstance(program, Unsupported):
        return
    expected = python_sites(case, SEEDS)
    outcomes, _ = plain_outcomes(case, SEEDS)
    assert [plain(found) for found, _ in expected] == [plain(outcome) for outcome in outcomes], "the counters disturb"
    assert all(len(set(sites)) == len(sites) for _, sites in expected), "two draws of a run have one site"

    for read in INTERPRETATIONS:
        _, replays = plain_outcomes(case, SEEDS)
        with quiet():
            refused = isinstance(read(program, case.arguments, replays), Unsupported)
        found = [[written_out(site) for site in replay.sites] for replay in replays]
        if case.name in OTHERWISE or loops_over_a_generator(case.source):
            assert all(len(set(sites)) == len(sites) for sites in found), read.__name__
            continue
        assert refused or found == [sites for _, sites in expected], read.__name__


def written_out(site: DrawSite) -> DrawSite:
    """The site with all calls, as frames have them: a function that was read into its caller is one, too."""
    assert site is not None
    return DrawSite(replace(site.span, calls=()), all_calls(site), site.turns)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_draws_stand_where_cpython_makes_them(case: Case) -> None:
    check_sites(case)


@examples(60, database=None, suppress_health_check=[*HealthCheck])
@given(source=mechanisms())
def test_draws_of_random_mechanisms_stand_where_cpython_makes_them(source: str) -> None:
    check_sites(Case("made", source, ARGUMENTS))


def test_helpers_and_loops_are_told_from_the_outside_in() -> None:
    source = """
def made(rng, n):
    out = []
    for i in range(n):
        while len(out) < 3 * i:
            out.append(_twice(rng, n))
        out += [q for q in range(2) if rng.random() < 2]
    return out


def _twice(rng, n):
    return sum([_one(rng) for _ in range(2)])


def _one(rng):
    return rng.laplace()
"""
    ((_, sites),) = python_sites(Case("made", source, {"n": 2}), [0])

    # The claim is a line of its own, above the mechanism.
    places = [(site.span.line, [call.line for call in site.calls], site.turns) for site in sites]
    assert places == [
        (8, [], (0, 0)),
        (8, [], (0, 1)),
        (17, [7, 13], (1, 0, 0)),
        (17, [7, 13], (1, 0, 1)),
        (8, [], (1, 0)),
        (8, [], (1, 1)),
    ]
    check_sites(Case("made", source, {"n": 2}))


@pytest.mark.parametrize(
    "made",
    [
        "[rng.integers(0, 3) for _ in range(4)]",
        "sorted({rng.integers(0, 3) for _ in range(4)})",
        "{k: rng.integers(0, 3) for k in range(4)}",
        "sum(rng.integers(0, 3) for _ in range(4))",
        "len({len({rng.integers(0, 3) for _ in range(2)}) for _ in range(3)})",
    ],
)
def test_a_comprehension_is_a_part_of_its_function(made: str) -> None:
    case = Case("made", f"def made(rng, n):\n    return {made}\n", {"n": 2})

    assert not isinstance(program_of(case), Unsupported)
    check_sites(case)
