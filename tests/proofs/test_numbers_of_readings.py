"""What a proof takes a function to do, with numbers put in, against CPython; and that faults of the reading show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import z3

from dplint.check.programs import read_programs
from dplint.config import Settings
from dplint.inputs.compared import pairs_to_compare
from dplint.outcomes import Proved
from dplint.program.interpretation import Run
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker import arithmetic, containers
from dplint.proofs.numbers import CheckedReading
from dplint.proofs.searching import search
from dplint.proofs.terms import NoNumber, NumbersOfTerms
from dplint.readings import concrete
from dplint.readings.concrete import RealGenerators
from dplint.sites import DrawSite

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SECONDS = 4.0
"""Five times what the search for any of these proofs of right ones takes. Wrong ones of `checkdp` use all of it."""


def test_numbers_are_put_in_for_variables_of_terms():
    """Against what the same expression is in Python; whole numbers are divided as z3 says."""
    numbers = NumbersOfTerms({"x": Fraction(7, 2), "k": -7, "b": True})
    x, k, b = z3.Real("x"), z3.Int("k"), z3.Bool("b")
    assert numbers.of(2 * x - 1) == 6
    assert numbers.of(z3.If(x > 3, x / 2, x)) == Fraction(7, 4)
    assert numbers.of(k % 4) == -7 - 4 * -2
    assert numbers.of(z3.And(b, z3.Not(x <= 3))) is True
    assert numbers.of(z3.ToInt(-x)) == -4
    assert numbers.of(12) == 12


def test_only_the_side_of_a_condition_that_counts_has_to_be_a_number():
    numbers = NumbersOfTerms({"x": Fraction(0)})
    x = z3.Real("x")
    assert numbers.of(z3.If(x == 0, z3.RealVal(5), 1 / x)) == 5
    with pytest.raises(NoNumber):
        NumbersOfTerms().of(x)


def test_functions_of_which_the_checker_knows_nothing_are_those_of_python():
    numbers = NumbersOfTerms({"x": Fraction(1, 2)})
    found = numbers.of(arithmetic.unknown("exp", [z3.Real("x")]))
    assert found == pytest.approx(Fraction(np.exp(0.5)), rel=1e-12)
    assert numbers.of(arithmetic.unknown("round", [z3.Real("x") + 2], whole=True)) == 2


class Recorder:
    """Draws, and what was drawn last."""

    def __init__(self) -> None:
        self._generators = RealGenerators(*np.random.SeedSequence(5).spawn(2))
        self.drawn: list[Any] = []

    def begin(self) -> Callable[..., Any]:
        self.drawn = []
        return self.draw

    def draw(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        self.drawn.append(self._generators.draw(node, dict(parameters), size))
        return self.drawn[-1]


@cache
def proofs(folder: str) -> list[tuple[str, Any, Proved]]:
    """All that is proved of a folder in lists and numbers, which the oracle takes as they are."""
    proved = []
    for file in sorted((FIXTURES / folder).rglob("*.py")):
        for target in read_programs(file, None, Settings()).targets:
            if isinstance(target.program, Program):
                proof = search(target.program, target.mechanism, SECONDS).proof
                if proof is not None:
                    proved.append((f"{folder}/{target.mechanism.qualname}", target, proof))
    return proved


def readings(folder: str) -> Iterator[tuple[str, Any, Proved, CheckedReading]]:
    """The readings of these proofs, which know nothing of earlier runs."""
    for name, target, proof in proofs(folder):
        yield name, target, proof, CheckedReading(target.program, target.mechanism, proof.scope)


def arguments_of(proof: Proved) -> dict[str, Any]:
    """One value for each argument of the scope."""
    values = {"epsilon": 0.5, "N": 2, "T": 1, "M": 2, "cap": 3.0, "low": 0, "high": 2, "n": 2}
    found = {}
    for one in proof.scope.arguments:
        fixed = getattr(one.values, "value", None)
        listed = getattr(one.values, "values", None)
        found[one.name] = fixed if fixed is not None else listed[0] if listed else values.get(one.name, 1)
    return found


def disagreements(folder: str, most: int = 8) -> tuple[int, list[str]]:
    """How many runs were compared with the oracle on the same draws, and where they differed."""
    compared, wrong = 0, []
    for name, target, proof, reading in readings(folder):
        recorder, arguments = Recorder(), arguments_of(proof)
        for pair in pairs_to_compare(target.mechanism, target.program, most, seed=3):
            for side, data in ((1, pair.d1), (2, pair.d2)):
                try:
                    run, whole = reading.run((pair.d1, pair.d2), side, arguments, recorder.begin)
                except UnsupportedConstruct:
                    continue
                except NoNumber:
                    raise
                given = {**arguments, str(target.mechanism.data): data}
                expected = oracle(target.program, given, list(recorder.drawn))
                if whole and expected is not None:
                    compared += 1
                    if not same(run, expected):
                        wrong.append(f"{name} on {data}: {run} is not {expected}")
    return compared, wrong


def oracle(program: Program, given: Mapping[str, Any], drawn: list[Any]) -> Run | None:
    """The concrete interpretation on these draws; None where it has no such arguments, or refuses."""
    left = iter(drawn)
    try:
        return concrete.run(program, given, lambda *_: next(left))
    except (UnsupportedConstruct, KeyError):
        return None
    except StopIteration:
        return Run(exception=("another draw", ()))


def same(run: Run, expected: Run) -> bool:
    if run.exception is not None or expected.exception is not None:
        return (run.exception or ("",))[0] == (expected.exception or ("",))[0]
    return close(run.output, expected.output)


def close(one: Any, other: Any) -> bool:
    other = other.tolist() if isinstance(other, np.ndarray | np.generic) else other
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, bool) or not isinstance(one, int | float):
        return type(one) is type(other) and one == other
    return one == pytest.approx(other, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("folder", ["statdp", "checkdp", "dpfinder", "arguments"])
def test_the_reading_of_a_proof_is_what_python_does(folder: str):
    compared, wrong = disagreements(folder)
    assert compared > 40
    assert not wrong


def smaller(walk: Any, larger: bool, items: Any, span: Any) -> Any:
    return EXTREME(walk, not larger, items, span)


def one_more(value: Any, span: Any) -> Any:
    return LENGTH(value, span) + 1


def turned(operator: str, left: Any, right: Any, span: Any) -> Any:
    return COMPARE({"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator), left, right, span)


EXTREME, LENGTH, COMPARE = containers.extreme, containers.length, arithmetic.compare
FAULTS: list[tuple[str, Any, str, Any]] = [
    ("arguments", containers, "extreme", smaller),
    ("arguments", containers, "length", one_more),
    ("checkdp", arithmetic, "compare", turned),
]


@pytest.mark.parametrize(
    ("folder", "module", "name", "fault"), FAULTS, ids=lambda one: getattr(one, "__name__", str(one))
)
def test_a_fault_of_the_checker_shows(folder: str, module: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch):
    """What is proved is proved without the fault; the runs that are compared have it."""
    read = list(readings(folder))
    monkeypatch.setattr(module, name, fault)
    recorder, shown = Recorder(), 0
    for _, target, proof, reading in read:
        for pair in pairs_to_compare(target.mechanism, target.program, 8, seed=3):
            arguments = arguments_of(proof)
            try:
                run, _ = reading.run((pair.d1, pair.d2), 1, arguments, recorder.begin)
            except UnsupportedConstruct:
                continue
            given = {**arguments, str(target.mechanism.data): pair.d1}
            expected = oracle(target.program, given, list(recorder.drawn))
            shown += expected is not None and not same(run, expected)
    assert shown
