"""Events of machine numbers: what they ask, against Python and fractions."""

import math
import re
import sys
from fractions import Fraction

import numpy as np
import pytest
from event_tools import batch_of
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.array_values import TableValues
from dplint.events.families.machine_numbers import Digits, LastBits, Multiple, Special, SpecialNumber, lowest_powers
from dplint.events.families.reached import Reached
from dplint.events.places import Place
from dplint.events.printed import PrintedEvent
from dplint.events.split_runs import grids_of, sample_of
from dplint.events.table_values import tables_of
from dplint.runner.texts import TextNumbers
from tests.examples import examples

FLOATS = st.floats(width=64) | st.floats(-4, 4) | st.sampled_from([0.0, -0.0, 5e-324, 1.7976931348623157e308])
QUESTIONS = [
    *(Multiple(Place(), power=power) for power in (-970, -3, 0, 1, 52, 53, 54, 60, 1022)),
    *(LastBits(Place(), bits=bits) for bits in (1, 4)),
    *(SpecialNumber(Place(), special=special) for special in Special),
    *(Digits(Place(), more_than=more) for more in (0, 17)),
]


def answers(question, outputs):
    """What arrays say, for each output; None where the question has no answer."""
    texts = TextNumbers()
    (table,) = tables_of([batch_of(outputs)], texts, len(outputs))
    column = question.column(TableValues(table, texts))
    return np.broadcast_to(column.values, len(outputs)).tolist()


def by_definition(question, value):
    """The answer by fractions and by Python's own words."""
    match question:
        case Multiple(power=power):
            return not math.isfinite(value) or (Fraction(value) * Fraction(2) ** power).denominator != 1
        case LastBits(bits=bits):
            if not math.isfinite(value):
                return True
            digits = Fraction(value) / Fraction(math.ulp(value))
            return digits.numerator % 2**bits != 0
        case SpecialNumber(special=Special.NEGATIVE_ZERO):
            return value == 0 and math.copysign(1, value) < 0
        case SpecialNumber(special=Special.INFINITE):
            return math.isinf(value)
        case SpecialNumber(special=Special.SUBNORMAL):
            return 0 < abs(value) < sys.float_info.min
        case Digits(more_than=0):
            return repr(value)[-1] in "13579"
        case Digits(more_than=more):
            return len(repr(value)) > more


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.expression)
@examples(60)
@given(st.lists(FLOATS, min_size=1, max_size=6))
def test_a_question_is_what_its_definition_says(question, outputs):
    expected = [by_definition(question, value) for value in outputs]

    assert [PrintedEvent(question.expression).holds(value) for value in outputs] == expected
    assert answers(question, outputs) == expected


@pytest.mark.parametrize("scale", [0.7, 1.0, 1000.0, 1e9])
def test_noise_by_inversion_is_reached_from_zero_and_its_neighbour_is_not(scale):
    """NumPy's own generator, and Python's own eval: most sums with 1 are no multiple of the logarithm of a multiple."""
    question = Reached(Place(), scale=scale).expression
    noise = np.random.default_rng(4).laplace(scale=scale, size=2000)
    missed, missed_moved = (
        sum(bool(eval(question, {"output": float(x), "math": math})) for x in outputs)
        for outputs in (noise, 1.0 + noise)
    )

    assert missed < 100
    assert missed_moved > 600


def test_a_question_of_what_is_reached_is_asked_of_arrays_as_python_asks_it():
    question = Reached(Place(), scale=2.0)
    outputs = [*(np.random.default_rng(5).laplace(scale=2.0, size=50)).tolist(), 1.0, -0.0, 3e300, math.inf]
    texts = TextNumbers()
    (table,) = tables_of([batch_of(outputs)], texts, len(outputs))
    column = question.column(TableValues(table, texts))

    def asked(output):
        try:
            return bool(eval(question.expression, {"output": output, "math": math}))
        except (ValueError, OverflowError):
            return None

    assert [bool(v) if c else None for c, v in zip(column.classes, column.values, strict=True)] == [
        asked(output) for output in outputs
    ]
    assert [PrintedEvent(question.expression).holds(output) for output in outputs] == [
        bool(asked(output)) for output in outputs
    ]


@examples(200)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).filter(bool), min_size=1, max_size=6))
def test_the_lowest_power_is_the_least_that_makes_a_multiple(numbers):
    for number, power in zip(numbers, lowest_powers(np.array(numbers)).tolist(), strict=True):
        assert (Fraction(number) * Fraction(2) ** power).denominator == 1
        assert (Fraction(number) * Fraction(2) ** (power - 1)).denominator != 1


def test_grids_ask_for_machine_numbers_only_where_they_are_asked_to():
    rng = np.random.default_rng(3)
    outputs = [batch_of((centre + rng.laplace(size=300)).tolist()) for centre in (0.0, 1.0)]

    def expressions(**given):
        grids = grids_of(sample_of(outputs, [], TextNumbers(), **given))
        return {axis.feature.expression for grid in grids for axis in grid.axes}

    assert expressions() == {"output"}
    asked = expressions(machine=True)
    assert "output / math.ulp(output) % 2 != 0" in asked
    assert len([one for one in asked if re.fullmatch(r"output % 2\*\*-5\d != 0", one)]) > 3


def test_a_question_and_its_negation_are_events():
    rng = np.random.default_rng(3)
    outputs = [batch_of(rng.laplace(size=300).tolist())]
    grids = grids_of(sample_of(outputs, [], TextNumbers(), machine=True))
    multiples = [grid for grid in grids if len(grid.axes) == 1 and isinstance(grid.axes[0].feature, Multiple)]

    assert len(multiples) > 3
    for grid in multiples:
        question = grid.axes[0].feature.expression
        assert {grid.event(i).expression() for i in range(grid.size)} == {question, question.replace("!=", "==")}
