"""Fractions and Decimals of constants. No interpretation follows these."""

import math
from decimal import Decimal
from fractions import Fraction

THIRD = Fraction(1, 3)
PARTS = 7
SHARE = THIRD / PARTS + Fraction("0.25")
CENT = Decimal("0.01")


def fractions_as_floats(rng, queries):
    half = Fraction(1, 2)
    more = half + THIRD * 2 - 1
    return rng.random() * float(more), float(SHARE), half * 0.5, int(Fraction(7, 2)), rng.normal(0, 2 * float(half))


def parts_of_fractions(rng, queries):
    share = Fraction(6, 8)
    low = math.floor(SHARE * 100) + math.ceil(-share)
    return share.numerator, share.denominator, round(Fraction(5, 2)), low, share**2 == Fraction(9, 16), rng.random()


def compared_fractions(rng, queries):
    share = Fraction(2, 6)
    if share == THIRD and THIRD < 0.5:
        return rng.random(), share <= 0, THIRD != 0.3333333333333333, bool(share - THIRD)
    return -1


def nearest_fractions(rng, queries):
    return float(Fraction(0.1).limit_denominator(100)), Fraction.from_float(0.5).denominator, rng.random()


def decimals_as_numbers(rng, queries):
    scale = Decimal("0.1")
    return (
        rng.random() * float(CENT),
        float(scale),
        int(Decimal("-2.75")),
        scale < 1,
        CENT == Decimal(0.01),
        float(Fraction(Decimal("0.5"))),
    )


def decimals_in_a_loop(rng, queries):
    step = Decimal("0.5")
    return [q * float(step) + rng.random() for q in queries if step > 0]


def _scaled(x):
    by = Fraction(1, 4)
    return x * float(by + THIRD)


def fractions_in_a_helper(rng, queries):
    return _scaled(rng.random()), _scaled(3)
