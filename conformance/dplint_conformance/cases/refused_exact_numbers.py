"""Fractions and Decimals that meet what differs, or a context. No interpretation follows these."""

from decimal import Decimal, getcontext
from fractions import Fraction

THIRD = Fraction(1, 3)


def fraction_times_a_query(rng, queries):
    return float(queries[0] * THIRD) + rng.random()


def fraction_of_a_query(rng, queries):
    return float(Fraction(int(queries[0] + rng.integers(3)), 3))


def decimal_that_a_context_rounds(rng, queries):
    getcontext().prec = 28
    return float(Decimal(1) / Decimal(3)) + rng.random()


def fraction_that_one_branch_makes(rng, queries):
    share = Fraction(1, 2)
    if rng.random() < 0.5:
        share = Fraction(1, 3)
    return float(share)


def fraction_that_a_list_holds(rng, queries):
    shares = [THIRD, THIRD]
    return float(shares[0]) + rng.random()
