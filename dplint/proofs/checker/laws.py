"""The laws of noise that may be shifted, from `dplint.distributions`: scale, support, and whether it is whole."""

from __future__ import annotations

import math

import z3

from dplint.claims import Span
from dplint.distributions import of
from dplint.proofs.checker.costs import MINUS, ratio_of
from dplint.proofs.checker.values import (
    Value,
    Values,
    applies,
    exact,
    is_number,
    number_in,
    real,
    refuse,
    refuse_if,
    term,
)

SHIFTED = frozenset(["laplace", "logistic", "exponential", "gumbel", "geometric", "discrete_laplace"])
"""Distributions of which a shift by s costs |s| over the scale: `ShiftCost.per_unit` is one over it."""

SQUARED = "discrete_gaussian"
"""The distribution whose parameter is the square of sigma."""
RELEASE = "release"
"""What a function of a library gives of which only its claim is known: it has no law, and does not move."""


def is_whole(distribution: str) -> bool:
    """Whether draws, and so shifts, are whole numbers."""
    return distribution != RELEASE and of(distribution).is_discrete


def is_upward(distribution: str) -> bool:
    """Whether negative shifts have no finite cost."""
    if distribution == RELEASE:
        return False
    shift = of(distribution).shift
    return shift is None or not shift.downward


def at_least(distribution: str, number: z3.ArithRef) -> list[z3.BoolRef]:
    """That the number is no smaller than the least value of such a draw, location 0."""
    least = -math.inf if distribution == RELEASE else of(distribution).support({})[0]
    return [] if math.isinf(least) else [number >= term(exact(least))]


def scale_of(distribution: str, parameters: Values, span: Span) -> Value:
    """One over what a shift by 1 costs.

    Of discrete Laplace noise 1 / a; of geometric noise, and of the difference of two such draws, with 1 - p = e^t for a
    t that can be read, -1 / t. Of discrete Gaussian noise, where no shift has such a cost, it is sigma^2.
    """
    if distribution == SQUARED:
        return parameters["sigma_squared"]
    if distribution == "discrete_laplace" and "a" in parameters:
        a = parameters["a"]
        refuse_if(not is_number(a), "noise whose parameters are no numbers", span)
        width = ratio_of(a).inverse()
        return width.numerator() / width.denominator()
    if distribution not in ("geometric", "discrete_laplace"):
        return parameters["scale"]
    p = parameters["p"]
    refuse_if(not is_number(p), "a probability that is no number", span)
    rate = MINUS * ratio_of(_logarithm(z3.simplify(1 - real(term(p)), som=True), span))
    return rate.denominator() / rate.numerator()


def _logarithm(value: z3.ArithRef, span: Span) -> z3.ArithRef:
    """Of e^t, 1 + expm1(t) and 1 / e^t."""
    parts = value.children()
    if applies(value, "exp"):
        return parts[0]
    if z3.is_add(value) and len(parts) == 2:
        for one, other in (parts, parts[::-1]):
            if number_in(one) == 1 and applies(other, "expm1"):
                return other.arg(0)
    if z3.is_div(value) and number_in(parts[0]) == 1 and applies(parts[1], "exp"):
        return -parts[1].arg(0)
    raise refuse("geometric noise whose 1 - p is not written as e to the power of something", span)
