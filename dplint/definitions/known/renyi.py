"""Renyi differential privacy: the Renyi divergence of each order is at most the bound that stands beside it."""

from __future__ import annotations

import math

from dplint.definitions.definition import (
    DELTA,
    Amounts,
    Definition,
    Expressions,
    NotComposed,
    renyi_delta,
    rounded_up,
    text,
)


def _pairs(amounts: Amounts) -> tuple[tuple[float, float], ...]:
    return tuple(zip(amounts[::2], amounts[1::2], strict=True))


def _delta(amounts: Amounts, epsilon: float) -> float:
    return rounded_up(min(renyi_delta(order, bound, epsilon) for order, bound in _pairs(amounts)))


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    """Mironov, Renyi Differential Privacy, CSF 2017, proposition 3, at the first order: an expression, not tight."""
    order, bound = amounts[:2]
    assert isinstance(order, float)
    more = math.log(1 / DELTA) / (order - 1)
    return (f"{text(bound)} + {more!r}", DELTA) if isinstance(bound, str) else (bound + more, DELTA)


def _composed(one: Amounts, other: Amounts) -> Amounts:
    """Mironov 2017, proposition 1, at the orders that both have."""
    others = dict(_pairs(other))
    found = [(order, bound + others[order]) for order, bound in _pairs(one) if order in others]
    if not found:
        raise NotComposed("two Renyi bounds of no common order")
    return tuple(number for pair in found for number in pair)


def _group(amounts: Amounts, steps: int) -> Amounts:
    """Mironov 2017, proposition 2: groups of 2**c, at orders above 2**(c + 1)."""
    power = max(0, math.ceil(math.log2(steps)))
    found = [(order / 2**power, bound * 3**power) for order, bound in _pairs(amounts) if order >= 2 ** (power + 1)]
    if power == 0:
        return amounts
    if not found:
        raise NotComposed(f"a group of {steps} needs an order of {2 ** (power + 1)} or more")
    return tuple(number for pair in found for number in pair)


def _scaled(amounts: Amounts, factor: float) -> Amounts:
    return tuple(number for order, bound in _pairs(amounts) for number in (order, bound * factor))


DEFINITION = Definition(
    name="renyi",
    keyword="renyi",
    sign="ε(α)",
    called="RDP",
    source="Mironov, CSF 2017",
    delta=_delta,
    epsilon=_epsilon,
    composed=_composed,
    group=_group,
    scaled=_scaled,
    orders=_pairs,
)
