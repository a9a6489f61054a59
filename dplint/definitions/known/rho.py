"""Zero-concentrated differential privacy: Renyi divergences of all orders alpha are at most rho * alpha.

With a delta: so are those of two laws that the outputs have but for a probability of delta.
"""

from __future__ import annotations

import math

from dplint.definitions.definition import (
    DELTA,
    ORDERS,
    Amounts,
    Definition,
    Expressions,
    NotComposed,
    renyi_delta,
    rounded_up,
    text,
)

_STEPS = 100
_GOLDEN = (math.sqrt(5) - 1) / 2


def curve(rho: float, epsilon: float) -> float:
    """The delta that follows at an epsilon: the best over all orders, found by golden section; any of them is sound."""
    if rho == 0 or math.isinf(rho):
        return float(rho > 0)

    def at(logarithm: float) -> float:
        order = 1 + math.exp(logarithm)
        return (order - 1) * (rho * order - epsilon + math.log1p(-1 / order)) - math.log(order)

    low, high = -14.0, 14.0
    for _ in range(_STEPS):
        width = _GOLDEN * (high - low)
        low, high = (low, low + width) if at(high - width) < at(low + width) else (high - width, high)
    return renyi_delta(1 + math.exp(low), rho * (1 + math.exp(low)), epsilon)


def _delta(amounts: Amounts, epsilon: float) -> float:
    rest = amounts[1] if len(amounts) > 1 else 0.0
    return rounded_up(rest + (1 - rest) * curve(amounts[0], epsilon))


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    """Bun and Steinke, Concentrated Differential Privacy, TCC 2016, proposition 1.3: not tight, but an expression."""
    rho, rest = text(amounts[0]), amounts[1] if len(amounts) > 1 else 0.0
    logarithm = math.log(1 / DELTA)
    said = f"{rho} + 2 * sqrt({rho} * {logarithm!r})"
    delta = f"{text(rest)} + {DELTA!r}" if isinstance(rest, str) else rest + DELTA
    if isinstance(amounts[0], str):
        return said, delta
    return amounts[0] + 2 * math.sqrt(amounts[0] * logarithm), delta


def _composed(one: Amounts, other: Amounts) -> Amounts:
    """Bun and Steinke 2016, lemma 1.7, and 8.2 with a delta."""
    rest = sum(amounts[1] for amounts in (one, other) if len(amounts) > 1)
    return (one[0] + other[0], rest) if rest else (one[0] + other[0],)


def _group(amounts: Amounts, steps: int) -> Amounts:
    """Bun and Steinke 2016, proposition 1.9."""
    if len(amounts) > 1 and amounts[1] and steps > 1:
        raise NotComposed("no rule for groups is known here of a rho with a delta")
    return (steps**2 * amounts[0], *amounts[1:])


def _orders(amounts: Amounts) -> tuple[tuple[float, float], ...]:
    if len(amounts) > 1 and amounts[1]:
        return ()
    return tuple((order, order * amounts[0]) for order in ORDERS)


DEFINITION = Definition(
    name="rho",
    keyword="rho",
    sign="ρ",
    called="zCDP",
    source="Bun and Steinke, TCC 2016",
    delta=_delta,
    epsilon=_epsilon,
    composed=_composed,
    group=_group,
    scaled=lambda amounts, factor: (amounts[0] * factor, *amounts[1:]),
    orders=_orders,
)
