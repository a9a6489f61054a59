"""What a definition of privacy is: its words, the (epsilon, delta) curve that it implies, its composition, its groups.

Amounts are what a claim promises, as numbers: (rho, delta), (mu,), or orders and bounds in turn. Floats; a delta is
rounded up by more than the errors of their arithmetic, so that a curve never says less than what follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dplint.amounts import Amount
from dplint.claims import Claim

Amounts: TypeAlias = tuple[float, ...]
Expressions: TypeAlias = tuple[float | str, ...]
"""Amounts as a claim writes them, perhaps over parameters."""
Reading: TypeAlias = Callable[[float | str], Amount | None]
"""What an expression of the part's claim is, in parameters of the whole; None if it is not made of them by + - * /."""
Counted: TypeAlias = tuple[Amount | None, Amount | None]
"""What adds up, as epsilon and delta do; the latter zero where there is none."""
DELTA = 1e-6
"""At this delta it is told what epsilon a promise implies."""
ORDERS = (1.0625, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0)
"""Orders that a promise about all of them is looked at."""
_UP = 1e-9
_STEPS = 80
_MOST = 1e6


def _no_orders(amounts: Amounts) -> tuple[tuple[float, float], ...]:  # noqa: ARG001
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One definition. name: as files and `Promise.kind` have it. keyword: of the claim. sign, called: for people.

    source: of the definition and its conversion. delta: the least delta that is known to follow at an epsilon >= 0 for
    all mechanisms with these amounts, rounded up. epsilon: an epsilon, as a number or expression, that follows with
    `DELTA`, or with the second one, and that delta. counted: what the claim of a part counts under that of the whole;
    it adds up over parts, also where earlier outputs choose the next one, and stays within what the whole counts of
    itself; None where no rule is known. steps: how often it counts for data a whole number of steps apart. scaled:
    amounts times a positive factor, where delta grows with it. said: a promise in words, where that is no list of its
    amounts. orders: pairs of an order above 1 and the Renyi divergence of that order that the amounts allow, among
    those worth to be looked at; none where divergences do not refute it.
    """

    name: str
    keyword: str
    sign: str
    called: str
    source: str
    delta: Callable[[Amounts, float], float]
    epsilon: Callable[[Expressions], tuple[float | str, float | str]]
    counted: Callable[[Claim, Claim, Reading], Counted]
    steps: Callable[[int], int | None]
    scaled: Callable[[Amounts, float], Amounts]
    orders: Callable[[Amounts], tuple[tuple[float, float], ...]] = _no_orders
    said: Callable[[Expressions], str] | None = None


def rounded_up(delta: float) -> float:
    """A delta that errors of floats do not make too small; at most 1."""
    return min(1.0, max(0.0, delta) * (1 + _UP) + 1e-15)


def most_epsilon(definition: Definition, amounts: Amounts, delta: float) -> float:
    """The least epsilon >= 0 that is known to follow with this delta, rounded up; inf if none does."""
    if definition.delta(amounts, 0.0) <= delta:
        return 0.0
    high = 1.0
    while definition.delta(amounts, high) > delta:
        high *= 2
        if high > _MOST:
            return math.inf
    low = 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if definition.delta(amounts, middle) > delta else (low, middle)
    return high


def scaled_to(definition: Definition, amounts: Amounts, epsilon: float, delta: float) -> Amounts:
    """The least multiple of the amounts that allows this delta at this epsilon: what there is of them at least.

    Rounded down. epsilon may be infinite: then no multiple does, and the amounts are.
    """
    if math.isinf(epsilon):
        return definition.scaled(amounts, math.inf)

    def refuted(factor: float) -> bool:
        return definition.delta(definition.scaled(amounts, factor), epsilon) < delta

    low, high = 0.0, 1.0
    while refuted(high):
        low, high = high, 2 * high
        if high > _MOST:
            return definition.scaled(amounts, low)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return definition.scaled(amounts, low)


def renyi_delta(order: float, bound: float, epsilon: float) -> float:
    """The delta that a Renyi divergence of an order above 1 implies at an epsilon.

    Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020, proposition 12; the same
    in Balle et al., Hypothesis Testing Interpretations and Renyi Differential Privacy, AISTATS 2020, theorem 21.
    """
    exponent = (order - 1) * (bound - epsilon + math.log1p(-1 / order)) - math.log(order)
    return math.exp(min(0.0, exponent))


def text(value: float | str) -> str:
    """A part of an expression over parameters."""
    return f"({value})" if isinstance(value, str) else repr(value)
