"""Numbers that are compared never look the same, and a lower bound never claims more than it is."""

import math

import pytest
import report_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from dplint.report import numerals, words
from tests.examples import examples

POSITIVE = st.floats(1e-6, 1e6)


@pytest.mark.parametrize(
    ("bound", "claimed", "text"),
    [
        (0.7004, 0.7, "0.7004"),
        (0.70000049, 0.7, "0.7000004"),
        (1.19, 0.7, "1.19"),
        (1.999, 0.7, "1.99"),
        (0.4, 0.7, "0.4"),
        (1.0004, 1.0, "1.0004"),
        (1234.56, 1234.0, "1,234.5"),
        (math.inf, 0.7, "infinity"),
    ],
)
def test_a_bound_above_the_claim_is_never_shown_as_the_claim(bound, claimed, text):
    assert numerals.lower(bound, claimed) == text


@pytest.mark.parametrize(
    ("bound", "words", "of_one"),
    [
        (1.53, "at least 1.53", "at least 1.53"),
        (1.500001, "at least 1.500001", "at least 1.500001"),
        (1.5, "more than 1.5", "more than 1.5"),
        # An interval may end a little below a claim that a test refutes; of one observation alone it says no more.
        (1.499999, "more than 1.5", "at least 1.49"),
    ],
)
def test_a_bound_that_is_the_claim_is_told_as_more_than_it(bound, words, of_one):
    assert numerals.beyond(bound, 1.5) == words
    assert numerals.shown(bound, 1.5) == of_one


@examples(300)
@given(POSITIVE, st.floats(1e-9, 1.0))
def test_what_is_shown_lies_between_the_claim_and_the_bound(claimed, excess):
    bound = claimed * (1 + excess)
    shown = float(numerals.lower(bound, claimed).replace(",", ""))

    assert shown <= bound
    assert shown > claimed or bound <= claimed


@examples(300)
@given(POSITIVE, st.floats(1e-9, 1.0))
def test_two_numbers_that_differ_are_shown_apart(one, excess):
    texts = numerals.apart(one, one * (1 + excess))

    assert texts[0] != texts[1]


def test_equal_numbers_stay_equal():
    assert numerals.apart(2.0, 2.0) == ("2", "2")


def test_a_violation_by_a_hair_does_not_say_that_its_claim_holds():
    hair = samples.violation(lower=0.70002)

    assert words.lower_words(hair) == "epsilon is at least 0.70002"
