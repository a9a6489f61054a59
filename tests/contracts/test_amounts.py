"""Exact arithmetic of budgets, against fractions at random places."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dplint.amounts import Amount, name, number

VALUES = {"a": Fraction(3, 7), "b": Fraction(5, 2), "c": Fraction(11)}


@st.composite
def amounts(draw, depth=3):
    """An amount, and its value at VALUES by plain fractions."""
    if depth == 0 or draw(st.booleans()):
        if draw(st.booleans()):
            value = draw(st.fractions(-5, 5, max_denominator=9))
            return number(value), value
        text = draw(st.sampled_from(sorted(VALUES)))
        return name(text), VALUES[text]
    (one, first), (two, second) = draw(amounts(depth - 1)), draw(amounts(depth - 1))
    operator = draw(st.sampled_from("+-*/"))
    if operator == "/" and (two.is_zero or second == 0):
        operator = "*"
    found: Amount = {"+": one.__add__, "-": one.__sub__, "*": one.__mul__, "/": one.__truediv__}[operator](two)
    value = {"+": lambda: first + second, "-": lambda: first - second, "*": lambda: first * second}.get(
        operator, lambda: first / second
    )()
    return found, value


@given(amounts())
def test_values_and_signs(pair):
    amount, value = pair

    assert amount.at(VALUES).value == value
    sign = amount.sign()
    assert sign is None or sign == (value > 0) - (value < 0)


def test_what_adds_up_exactly():
    epsilon, share = name("epsilon"), name("share")
    third = epsilon / number(3)

    assert (third + third + third - epsilon).is_zero
    assert (epsilon * share + epsilon * (number(1) - share) - epsilon).is_zero
    assert (number(0.1) + number(0.2) - number(0.3)).is_zero
    assert (epsilon / (share + number(1)) * (share + number(1)) - epsilon).is_zero


def test_a_name_without_a_sign():
    assert name("?chosen").sign() is None
    assert (name("?chosen") - name("?chosen")).sign() == 0


def test_how_amounts_are_written():
    epsilon = name("epsilon")

    assert str(number(0.5) * epsilon) == "0.5 * epsilon"
    assert str(epsilon / name("k")) == "epsilon / k"
    assert str(epsilon / number(3)) == "1/3 * epsilon"
    assert str(number(0)) == "0"


def test_numbers_that_have_no_float_are_written_out():
    assert str(number(2**1100)) == str(2**1100)
