"""Every reading gives what CPython and NumPy give: hundreds of small mechanisms on the draws that those made."""

from __future__ import annotations

import pytest

from dplint.claims import Span
from dplint.program import vocabulary
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Call, Draw, For, MethodCall, Program, Raise, Update
from dplint.program.walk import walk
from dplint.readings.concrete import Branch, ConcreteReading, run
from tests.conformance.adapters import FUEL, READINGS
from tests.conformance.cases import FOLDER, all_cases, cases_in
from tests.conformance.harness import Case, Read, check, plain, plain_outcomes, program_of, quiet
from tests.conformance.many_runs import ManyRuns

SEEDS = range(24)
CASES = all_cases()
REFUSED = {case.name for case in cases_in(FOLDER / "refused.py")}
"""The lowering or the evaluator refuses these, whatever the reading."""
REFUSED_BY = {"concrete": set(), "many_runs": set(), "lanes": {"nan_in_lists", "nan_and_membership"}}
"""What one reading refuses, and others follow."""

each_case = pytest.mark.parametrize("case", CASES, ids=str)


@each_case
def test_outcomes_vary_with_the_draws(case: Case) -> None:
    outcomes, _ = plain_outcomes(case, SEEDS)

    assert len({repr(plain(outcome)) for outcome in outcomes}) > 1


@each_case
@pytest.mark.parametrize("read", READINGS)
def test_a_reading_gives_what_the_function_gives(case: Case, read: Read) -> None:
    refused = check(case, read, SEEDS)

    assert (refused is not None) == (case.name in REFUSED | REFUSED_BY[read.__name__]), refused


@pytest.mark.parametrize("case", [case for case in CASES if case.name not in REFUSED], ids=str)
def test_many_runs_report_the_branches_of_single_ones(case: Case) -> None:
    program = program_of(case)
    assert isinstance(program, Program), program
    with quiet():
        singles = [run(program, case.arguments, replay, fuel=FUEL) for replay in plain_outcomes(case, SEEDS)[1][:8]]
        many = ManyRuns([ConcreteReading(replay, FUEL) for replay in plain_outcomes(case, SEEDS)[1][:8]])
        evaluate(program, many, {name: (case.arguments[name],) * 8 for name in program.parameters})

    # Whether a loop has another item is only asked where some run disagrees, so those branches are left out.
    loops = loops_of(program)
    assert [decided(r.result.branches, loops) for r in many.runs] == [decided(r.branches, loops) for r in singles]


def loops_of(program: Program) -> set[Span]:
    return {node.iterable.span for node in walk(program) if isinstance(node, For)}


def decided(branches: list[Branch], loops: set[Span]) -> list[Branch]:
    return [branch for branch in branches if branch.span not in loops]


def test_every_word_of_the_vocabulary_is_in_a_case() -> None:
    programs = [program_of(case) for case in CASES]
    nodes = [node for program in programs if isinstance(program, Program) for node in walk(program)]
    families = {"generator": vocabulary.GENERATOR, "legacy": vocabulary.LEGACY, "python": vocabulary.PYTHON}
    draws = {(family, s.distribution) for family, table in families.items() for s in table.values()}

    assert {node.function for node in nodes if isinstance(node, Call)} == vocabulary.FUNCTIONS | vocabulary.SPECIAL
    assert {node.method for node in nodes if isinstance(node, MethodCall)} == vocabulary.METHODS
    assert {node.method for node in nodes if isinstance(node, Update)} == vocabulary.UPDATES
    assert {node.exception for node in nodes if isinstance(node, Raise)} == vocabulary.EXCEPTIONS
    assert draws == {(node.family, node.distribution) for node in nodes if isinstance(node, Draw)}


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 700
