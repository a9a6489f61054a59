"""Rounded data: as terms what Python rounds it to, and by how much a rounded number may move."""

import math
from fractions import Fraction

import pytest
import z3

from dplint.proofs.checker.arithmetic import rounded
from tests.proofs.proof_tools import searched

PYTHON = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "round": round}
REPLACE = (
    '@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 10.0))\ndef release(rng, values, epsilon):\n    '
)
VALUE = '@dp(epsilon="epsilon", sensitivity=1)\ndef release(rng, x: float, epsilon):\n    '
RIGHT = {
    "a sum": REPLACE + "return sum(round(v) for v in values) + rng.laplace(scale=10 / epsilon)",
    "a sum, down": REPLACE + "return sum(math.floor(v) for v in values) + rng.laplace(scale=10 / epsilon)",
    "a sum of halves": REPLACE + "return sum(math.ceil(v * 2) / 2 for v in values) + rng.laplace(scale=10 / epsilon)",
    "a number": VALUE + "return round(x) + rng.laplace(scale=2 / epsilon)",
    "a number, down": VALUE + "return math.floor(x) + rng.laplace(scale=1 / epsilon)",
    "on a grid": VALUE + "return 0.25 * round(x / 0.25) + rng.laplace(scale=1.25 / epsilon)",
    "cut off": VALUE + "return math.trunc(x) + rng.laplace(scale=1 / epsilon)",
}
WRONG = {
    "a sum of more": REPLACE + "return sum(round(v * 1.06) for v in values) + rng.laplace(scale=10 / epsilon)",
    "less noise for a sum": RIGHT["a sum"].replace("10 /", "9.9 /"),
    "a sum of doubles": REPLACE + "return sum(round(2 * v) for v in values) + rng.laplace(scale=19 / epsilon)",
    "as if it were not rounded": VALUE + "return round(x) + rng.laplace(scale=1 / epsilon)",
    "down, with less noise": VALUE + "return math.floor(x) + rng.laplace(scale=0.99 / epsilon)",
    "up, with less noise": VALUE + "return math.ceil(x) + rng.laplace(scale=0.99 / epsilon)",
    "cut off, with less noise": VALUE + "return math.trunc(x) + rng.laplace(scale=0.99 / epsilon)",
    "what is left": VALUE + "return x - round(x) + rng.laplace(scale=0.9 / epsilon)",
}


LONGEST = "on a grid, as if it were not"
"""Eight seconds."""


@pytest.mark.parametrize("name", PYTHON)
def test_terms_are_rounded_as_python_rounds(name):
    for quarters in range(-24, 25):
        value = Fraction(quarters, 4)
        found = z3.simplify(rounded(name, z3.Q(value.numerator, value.denominator)))

        assert found.as_long() == PYTHON[name](value), value


@pytest.mark.parametrize("name", RIGHT)
def test_noise_for_the_move_of_the_rounded_number_is_enough(tmp_path, name):
    found = searched(tmp_path, RIGHT[name])

    assert found.settled, found.reason


@pytest.mark.parametrize("name", [*WRONG, pytest.param(LONGEST, marks=pytest.mark.nightly)])
def test_less_is_not(tmp_path, name):
    """0.5 and 1.5 are rounded to 0 and 2; what is rounded down or up moves by 1 at most where the number does."""
    texts = WRONG | {LONGEST: RIGHT["on a grid"].replace("1.25 /", "1.2 /")}

    assert searched(tmp_path, texts[name]).proof is None
