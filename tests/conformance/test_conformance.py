"""Every interpretation gives what CPython and NumPy give: hundreds of small mechanisms on the draws that those made."""

from __future__ import annotations

import pytest

from dplint.claims import Span
from dplint.distributions import GENERATOR, LEGACY, PYTHON, program_draws
from dplint.program import calls
from dplint.program import nodes as ir
from dplint.program.evaluator import evaluate
from dplint.program.walk import walk
from dplint.readings.concrete import Branch, ConcreteInterpretation, run
from dplint_conformance import (
    REFUSED_BY_ALL,
    Adapter,
    Case,
    all_cases,
    check,
    plain,
    plain_outcomes,
    program_of,
    quiet,
)
from tests.conformance.adapters import FUEL, INTERPRETATIONS
from tests.conformance.many_runs import ManyRuns

SEEDS = range(24)
FAMILIES = (GENERATOR, LEGACY, PYTHON)
CASES = all_cases()

each_case = pytest.mark.parametrize("case", CASES, ids=str)


@each_case
def test_outcomes_vary_with_the_draws(case: Case) -> None:
    outcomes, _ = plain_outcomes(case, SEEDS)

    assert len({repr(plain(outcome)) for outcome in outcomes}) > 1


@each_case
@pytest.mark.parametrize("adapter", INTERPRETATIONS)
def test_an_interpretation_gives_what_the_function_gives(case: Case, adapter: Adapter) -> None:
    refused = check(case, adapter, SEEDS)

    assert (refused is not None) == (case.name in REFUSED_BY_ALL), refused


@pytest.mark.parametrize("case", [case for case in CASES if case.name not in REFUSED_BY_ALL], ids=str)
def test_many_runs_report_the_branches_of_single_ones(case: Case) -> None:
    program = program_of(case)
    assert isinstance(program, ir.Program), program
    with quiet():
        singles = [run(program, case.arguments, replay, fuel=FUEL) for replay in plain_outcomes(case, SEEDS)[1][:8]]
        many = ManyRuns([ConcreteInterpretation(replay, FUEL) for replay in plain_outcomes(case, SEEDS)[1][:8]])
        evaluate(program, many, {name: (case.arguments[name],) * 8 for name in program.parameters})

    # Whether a loop has another item is only asked where some run disagrees, so those branches are left out.
    loops = loops_of(program)
    assert [decided(r.result.branches, loops) for r in many.runs] == [decided(r.branches, loops) for r in singles]


def loops_of(program: ir.Program) -> set[Span]:
    return {node.iterable.span for node in walk(program) if isinstance(node, ir.For)}


def decided(branches: list[Branch], loops: set[Span]) -> list[Branch]:
    return [branch for branch in branches if branch.span not in loops]


def test_every_word_of_the_vocabulary_is_in_a_case() -> None:
    programs = [program_of(case) for case in CASES]
    nodes = [node for program in programs if isinstance(program, ir.Program) for node in walk(program)]
    draws = {(draw.family, draw.distribution) for family in FAMILIES for draw in program_draws(family).values()}

    of_events = {"json.loads", "map", "numbers-in", "type-name", "words-in"}  # no mechanism is lowered to these

    called = {node.function for node in nodes if isinstance(node, ir.Call)}
    assert called == (calls.FUNCTIONS | calls.SPECIAL) - of_events
    assert {node.method for node in nodes if isinstance(node, ir.MethodCall)} == calls.METHODS
    assert {node.method for node in nodes if isinstance(node, ir.Update)} == calls.UPDATES
    own = {"", *(names[0] for program in programs if isinstance(program, ir.Program) for names in program.exceptions)}
    assert {node.exception for node in nodes if isinstance(node, ir.Raise)} - own == calls.EXCEPTIONS
    assert draws == {(node.family, node.distribution) for node in nodes if isinstance(node, ir.Draw)}


def test_there_are_enough_cases_with_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 700
