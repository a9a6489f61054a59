"""The suite in one call, as somebody uses it who writes a new interpretation."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies

import dplint
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint_conformance import (
    REFUSED_BY_ALL,
    Conformance,
    Outcome,
    Replay,
    all_cases,
    run_conformance_test,
    strategy,
)
from tests.conformance.adapters import concrete

SOME = [case for case in all_cases() if case.name in ("array_masks", "nan_in_lists", "positions", "nan_and_membership")]
FLOATS = [case for case in all_cases() if case.name.startswith("p")]


def test_a_right_interpretation_passes() -> None:
    cases = all_cases()[::10]
    passed = run_conformance_test(concrete, cases=cases, random=3)

    refused = sum(case.name in REFUSED_BY_ALL for case in cases)
    assert passed == Conformance(len(cases) - refused, 3, passed.refused)
    assert refused > 1


def test_what_one_interpretation_refuses_has_to_be_named() -> None:
    def without_nan(
        program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]
    ) -> list[Outcome] | Unsupported:
        if program.name.startswith("nan_"):
            return Unsupported("a NaN", program.span, "")
        return concrete(program, arguments, replays)

    refuses = {"nan_in_lists", "nan_and_membership"}

    assert run_conformance_test(without_nan, refuses=refuses, cases=SOME, random=0).followed == len(SOME) - 2
    with pytest.raises(AssertionError, match=r"2 of \d cases fail\nnan_.*not among those that `refuses` names"):
        run_conformance_test(without_nan, cases=SOME, random=0)


def test_a_case_that_is_followed_is_not_among_the_refused() -> None:
    with pytest.raises(AssertionError, match="array_masks: is followed, and should be refused"):
        run_conformance_test(concrete, refuses={"array_masks"}, cases=SOME, random=0)


def test_a_case_that_there_is_not_cannot_be_refused() -> None:
    with pytest.raises(ValueError, match="there is no case 'no_such' in the suite"):
        run_conformance_test(concrete, refuses={"no_such"})


def test_a_wrong_interpretation_fails_and_the_first_faults_are_shown() -> None:
    def negative(
        program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]
    ) -> list[Outcome] | Unsupported:
        found = concrete(program, arguments, replays)
        if isinstance(found, Unsupported):
            return found
        return [(kind, -value if isinstance(value, float) else value) for kind, value in found]

    with pytest.raises(AssertionError, match="cases fail") as caught:
        run_conformance_test(negative, cases=FLOATS, random=0)

    lines = str(caught.value).splitlines()
    assert sum("runs differ" in line for line in lines) == 5
    assert lines[-1].endswith(" more")


def test_an_interpretation_that_raises_fails() -> None:
    def broken(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome]:
        raise ZeroDivisionError("no")

    with pytest.raises(AssertionError, match=r"ZeroDivisionError\('no'\)"):
        run_conformance_test(broken, cases=SOME, random=0)


def test_a_random_mechanism_that_is_read_wrong_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def made(rng, queries, epsilon):\n    return rng.random()\n"
    monkeypatch.setattr(strategy, "mechanisms", lambda: strategies.just(source))

    def wrong(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
        return [("output", 0.0) for _ in replays] if program.name == "made" else concrete(program, arguments, replays)

    with pytest.raises(AssertionError, match=r"def made\(rng, queries, epsilon\)"):
        run_conformance_test(wrong, cases=SOME, random=5)


def test_no_case_gives_a_name_of_another_one_of_its_file_another_meaning() -> None:
    for file in files("dplint_conformance.cases").iterdir():
        if not file.name.endswith(".py"):
            continue
        names = [
            name
            for statement in ast.parse(file.read_text(encoding="utf-8")).body
            for name in ([statement.name] if isinstance(statement, ast.FunctionDef | ast.ClassDef) else [])
        ]
        assert len(set(names)) == len(names), file.name


def test_the_suite_is_that_of_this_version_of_dplint() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "conformance/pyproject.toml").read_text())["project"]

    assert project["version"] == dplint.__version__
    assert f"dplint=={dplint.__version__}" in project["dependencies"]
