"""Python for people: it means what it is to mean, and `ruff format` leaves it as it is."""

import ast
import math
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.report.python_code import assignment, call, condition, event_code, literal_code
from tests.examples import examples

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
LITERALS = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=10,
)
QUOTES = st.text(alphabet="'\"\\a\n\0\u2028\ud800", max_size=8)


def value_of(code):
    return eval(code, {"__builtins__": {"float": float}})


@examples(300)
@given(LITERALS | QUOTES)
def test_a_literal_comes_back(value):
    code = literal_code(value)
    assert repr(value_of(code)) == repr(value)
    assert "\n" not in code


def test_nan_and_infinities_have_a_form():
    low, high, nothing = value_of(literal_code([-math.inf, math.inf, math.nan]))
    assert (low, high) == (-math.inf, math.inf)
    assert math.isnan(nothing)


def test_what_is_no_literal_has_none():
    with pytest.raises(ValueError, match="no literal: object"):
        literal_code([object()])


@examples(200)
@given(st.lists(ATOMS | st.sampled_from([1.0, 2.0]), max_size=40) | st.lists(st.just({"a": 1}), max_size=40))
def test_an_assignment_is_the_value_whatever_its_layout(value):
    names = {}
    exec("\n".join(assignment("D1", value)), {}, names)
    assert repr(names["D1"]) == repr(value)


def test_long_lists_show_where_they_differ():
    assert assignment("D1", [2.0] + [1.0] * 29) == ["D1 = [2.0] + [1.0] * 29"]
    assert assignment("D1", [1.0, 1.0, 2.0]) == ["D1 = [1.0, 1.0, 2.0]"]


EVENTS = [
    "output < 0.5",
    "output == [False] * 9",
    "output[0]['it\"s'] >= -1e-05",
    "len(output) > 2 and output[2] < -0.15 and type(output[0]).__name__ in ['float', 'int'] and "
    "not isinstance(output[1], str)",
    "1 * (output[0] < 0.25) + 3 * (output[1] >= 0.55555555) + 12 * (list(output).count(True) == 3) - "
    "2 * (output[2] < 4) >= 12",
    "len(output) > 3 and 1 * (output[0] < 0.25) + 3 * (output[1] >= 0.555) + "
    "(0.25 * output[2] if output[2] == 1 else 0) >= 12",
    "sum(a != b for a, b in zip(output, [False, True, False])) + abs(len(output) - 3) == 1 and output[-1] is not None",
    "-2.4000000000000004 <= sum(map(float, output['a rather long name of a column'])) / len(output['a']) < "
    "2.4000000000004",
    "output == [0.123456789, 0.123456789, 0.123456789, 0.123456789, 0.123456789, 0.123456789, 0.123456789, 0.1234567]",
    "type(output).__name__ == 'ValueError' and str(output) == 'the answers are too large, as are all of the others'",
]
VALUES = [
    [], [1.0] * 5, [1.5] * 60, [i / 7 for i in range(20)], {"age": 3}, "text", (1,), [(1, 2)] * 40, True, math.inf,
    [{"district": "north", "age": age} for age in range(4)],
    [{f"a rather long name of column number {i}": ["x" * 30, 2.5] for i in range(3)}],
    [[1.0, 2.0], ["x" * 100]], {"a": "b" * 100},
]  # fmt: skip
CALLS = [
    [],
    ["rng=rng"],
    [f"parameter{i}={i}" for i in range(7)],
    [f"parameter{i}={i}" for i in range(20)],
    ["a=" + "'x'" * 40],
]


@pytest.mark.process
def test_ruff_leaves_all_of_it_as_it_is():
    lines = []
    for number, value in enumerate(VALUES):
        lines += assignment(f"D{number}", value)
    for number, event in enumerate(EVENTS):
        lines += ["", "", f"def event{number}(output):", *condition("return bool", event_code(event), "    ")]
    for number, arguments in enumerate(CALLS):
        lines += ["", "", f"def run{number}():"]
        lines += call("output = ", "some_module.some_function", arguments, "    ")
    text = "\n".join(lines) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_keeps_its_meaning(event):
    code = "\n".join(["def holds(output):", *condition("return bool", event_code(event), "    ")])
    (returned,) = ast.parse(code).body[0].body
    assert ast.dump(returned.value.args[0]) == ast.dump(ast.parse(event, mode="eval").body)


@pytest.mark.parametrize(
    "event",
    ["", "output <", "1 < 2", "other < output", "output\n< 1", "output < 1  # why", "f'{output}' == 'a'", "output; 1"],
)
def test_what_is_no_expression_over_the_output_is_no_event(event):
    assert event_code(event) is None


def test_the_layout_of_a_long_event_begins_its_lines_with_operators():
    lines = condition("return bool", EVENTS[3], "    ")
    assert textwrap.dedent("\n".join(lines[1:-1])).splitlines() == [
        "len(output) > 2",
        "and output[2] < -0.15",
        "and type(output[0]).__name__ in ['float', 'int']",
        "and not isinstance(output[1], str)",
    ]
