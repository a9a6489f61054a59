"""Lambdas, partials and local functions under names: what their defaults and their calls of themselves may be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dplint.program.nodes import CallFunction, Program
from dplint.program.walk import walk
from dplint.source.lowering import held_names, helpers, local_functions
from dplint_conformance import Case, check, program_of
from dplint_conformance.cases import cases_in
from tests.conformance.adapters import concrete


def case_named(topic: str, name: str) -> Case:
    (case,) = (one for one in cases_in(topic) if one.name == name)
    return case


def read_again(case: Case) -> Case:
    """The same, of which no program is kept."""
    return replace(case, source=f"{case.source}\n# read again\n")


def differs(case: Case) -> bool:
    """Whether a run that is followed gives something else than Python."""
    try:
        check(case, concrete, range(24))
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(
    "name", ["default_that_is_what_a_variable_was", "default_of_a_function_that_is_what_a_variable_was"]
)
def test_a_default_that_is_no_constant_is_no_constant_of_the_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_named("named_functions.py", name)
    assert not differs(case)

    monkeypatch.setattr(held_names, "is_constant", lambda _: True)
    monkeypatch.setattr(local_functions, "is_constant", lambda _: True)

    assert differs(read_again(case))


def test_a_local_function_that_calls_itself_is_one_for_each_depth() -> None:
    program = program_of(case_named("local_recursion.py", "sums_of_a_tree"))

    assert isinstance(program, Program)
    names = [one.name for one in program.functions]
    assert len(set(names)) == len(names) == 12
    assert all(one.startswith("sums_of_a_tree.visit") for one in names)
    calls = [one for function in program.functions for one in walk(function.body) if isinstance(one, CallFunction)]
    assert {dict(one.arguments).keys() >= {"part", "scale"} for one in calls} == {True}


def test_each_depth_has_draws_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one function for all depths, the evaluator would refuse what calls itself."""
    case = case_named("local_recursion.py", "sums_of_a_tree")
    assert check(case, concrete, range(4)) is None

    monkeypatch.setattr(helpers, "_DEEPEST", 1)

    refused = check(read_again(case), concrete, range(4))
    assert refused is not None
    assert "recursive" in refused.construct
