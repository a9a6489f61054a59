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

from dplint.events.columns import TextNumbers
from dplint.events.discover import discover_grids
from dplint.events.families.digits import Digits
from dplint.events.families.last_bits import LastBits
from dplint.events.families.multiple import Multiple, lowest_powers
from dplint.events.families.special_number import Special, SpecialNumber
from dplint.events.places import Place
from dplint.events.printed import PrintedEvent
from dplint.events.table_values import TableValues
from dplint.events.tables import tables_of
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
        grids = discover_grids(outputs, [], TextNumbers(), **given)
        return {axis.feature.expression for grid in grids for axis in grid.axes}

    assert expressions() == {"output"}
    asked = expressions(machine=True)
    assert "output / math.ulp(output) % 2 != 0" in asked
    assert len([one for one in asked if re.fullmatch(r"output % 2\*\*-5\d != 0", one)]) > 3


def test_a_question_and_its_negation_are_events():
    rng = np.random.default_rng(3)
    outputs = [batch_of(rng.laplace(size=300).tolist())]
    grids = discover_grids(outputs, [], TextNumbers(), machine=True)
    multiples = [grid for grid in grids if len(grid.axes) == 1 and isinstance(grid.axes[0].feature, Multiple)]

    assert len(multiples) > 3
    for grid in multiples:
        question = grid.axes[0].feature.expression
        assert {grid.event(i).expression() for i in range(grid.size)} == {question, question.replace("!=", "==")}
