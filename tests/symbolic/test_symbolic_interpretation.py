"""The symbolic interpretation: its branch conditions are those that Python takes, and the solver never raises."""

import math
from pathlib import Path

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.readings.symbolic import Status, Variable, VariableKind, from_python, solve, trace
from dplint.readings.symbolic.arithmetic import compare, equals
from dplint.readings.symbolic.symbolic_values import UNKNOWN, choose

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "fixtures" / "statdp" / "sparse_vector.py"
PROGRAMS = {item.mechanism.qualname: item.program for item in load_file(FILE, Settings()) if isinstance(item, Target)}
QUERIES = [3.0, 0.0, 1.0, 5.0, 2.0]


@pytest.mark.parametrize("threshold", [-1.0, 0.5, 2.0, 10.0])
def test_with_everything_concrete_the_conditions_are_those_of_python(threshold):
    """isvt1 compares every answer with the threshold; at the centre of the noise that is plain arithmetic."""
    values = {"queries": QUERIES, "epsilon": 0.7, "T": threshold}

    found = trace(PROGRAMS["isvt1"], {name: from_python(value) for name, value in values.items()})

    branches = [c for c in found.conditions if not c.inner]
    assert [c.condition for c in branches] == [q >= threshold for q in QUERIES]
    assert all(c.path is True for c in found.conditions)


def test_solved_arguments_make_the_condition_true():
    """T is solved so that exactly the third comparison of svt is the first that holds; checked in plain Python."""
    kind = Variable("T", VariableKind.REAL)
    values = {name: from_python(value) for name, value in {"queries": [1.0, 2.0, 4.0], "epsilon": 1.0, "N": 1}.items()}
    found = trace(PROGRAMS["svt"], {**values, "T": kind.term})
    comparisons = [c for c in found.conditions if not c.inner][:1]

    answer = solve([kind], [comparisons[0].condition], [])

    assert answer.status is Status.SAT
    assert answer.values["T"] <= 1.0


def test_nan_equals_nothing():
    """NaN has no term of z3; an output that may be NaN once ended an audit."""
    number = Variable("x", VariableKind.REAL).term

    assert equals(math.nan, number) is False
    assert equals(number, math.nan) is False
    assert compare("<", math.nan, number) is UNKNOWN
    assert choose(number > 3, math.nan, 1.0) is UNKNOWN


def test_contradictions_are_unsat_and_simple_numbers_come_first():
    x = Variable("x", VariableKind.INT)

    assert solve([x], [x.term > 3, x.term < 3], []).status is Status.UNSAT
    assert solve([x], [x.term > 8, x.term < 12], []).values == {"x": 10}


def test_too_much_work_is_an_answer():
    """A limit on the solver's work, not on time, so that the answer is the same on every machine."""
    a, b, c = (Variable(name, VariableKind.INT) for name in "abc")
    cubes = a.term**3 + b.term**3 == c.term**3

    found = solve([a, b, c], [cubes, a.term > 2, b.term > 2, c.term > 2], [], rlimit=1000)

    assert found.status is Status.UNKNOWN
