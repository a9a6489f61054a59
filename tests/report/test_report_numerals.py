"""Numbers as text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.outcomes import Bounds
from dplint.report import numerals


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0138, "2.01"),
        (0.000012, "1.2e-5"),
        (22653.3, "22,653"),
        (999.9, "1,000"),
        (1e12, "1e12"),
        (0.0, "0"),
        (math.inf, "infinity"),
    ],
)
def test_short(value, text):
    assert numerals.short(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.7, "0.7"), (1.0, "1"), (1e-05, "1e-5"), (0.1234567891, "0.1234567891")])
def test_exact(value, text):
    assert numerals.exact(value) == text


@given(st.floats(min_value=1e-6, max_value=900))
def test_a_lower_bound_is_never_rounded_up_and_keeps_three_digits(value):
    shown = float(numerals.lower_bound(value))
    assert shown <= value
    assert shown >= value * 0.99


def test_lower_bound_of_a_number_with_two_decimals_is_itself():
    assert numerals.lower_bound(1.15) == "1.15"


def test_the_interval_decides_how_many_decimals_are_shown():
    assert numerals.probability(0.342, Bounds(0.3398, 0.3442)) == "0.3420 [0.3398, 0.3442]"
    assert numerals.probability(0.0, Bounds(0.0, 1.5e-5)) == "0.000000 [0.000000, 0.000015]"


@pytest.mark.parametrize(
    ("value", "text"), [(0.04, "0.0 s"), (9.96, "10 s"), (59.7, "1 min"), (200.2, "3 min 20 s"), (3.14, "3.1 s")]
)
def test_seconds(value, text):
    assert numerals.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(950, "950"), (120_000, "120k"), (3_600_000, "3.6M"), (999_999, "1M"), (999, "999")]
)
def test_compact(value, text):
    assert numerals.compact(value) == text


def test_a_p_value_is_never_zero():
    assert numerals.p_value(0.0) == "< 1e-50"
    assert numerals.p_value(1.25e-30) == "1.2e-30"


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (1000, "1,000"), (314_159, "310,000"), (1, "1"), (1.57, "1.5"), (12.9, "12"), (9.99e8, "990,000,000"),
        (1e9, "1e9"), (4.87e12, "4.8e12"), (0.5, "5e-1"),
    ],
)  # fmt: skip
def test_a_factor_has_two_digits(factor, text):
    assert numerals.times(math.log(factor)) == text


@given(st.floats(min_value=-600, max_value=600))
def test_a_factor_is_rounded_down_by_less_than_a_tenth(log):
    shown = float(numerals.times(log).replace(",", ""))
    assert 0.9 < shown / math.exp(log) <= 1 + 1e-9
