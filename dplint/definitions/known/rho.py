"""Zero-concentrated differential privacy: Renyi divergences of all orders alpha are at most rho * alpha.

With a delta: so are those of two laws that the outputs have but for a probability of delta.
"""

from __future__ import annotations

import math

from dplint.amounts import ZERO, Amount, number
from dplint.claims import Claim
from dplint.definitions.definition import (
    DELTA,
    ORDERS,
    Amounts,
    Counted,
    Definition,
    Expressions,
    Reading,
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


def implied_rho(part: Claim, read: Reading) -> Amount | None:
    """The rho that a claim implies, as far as it is known.

    Of pure epsilon epsilon**2 / 2 (Bun and Steinke 2016, proposition 1.4), of mu mu**2 / 2 (Dong, Roth and Su 2022).
    """
    promise = part.promise
    if promise is not None and promise.kind == "rho":
        return read(promise.amounts[0]) if len(promise.amounts) == 1 else None
    if promise is None:
        root = read(part.epsilon) if part.delta == 0.0 else None
    else:
        root = read(promise.amounts[0]) if promise.kind == "mu" else None
    return None if root is None else root * root / number(2)


def _counted(whole: Claim, part: Claim, read: Reading) -> Counted:
    """Rho without a delta: Bun and Steinke 2016, lemma 1.7."""
    assert whole.promise is not None
    return (implied_rho(part, read) if len(whole.promise.amounts) == 1 else None), ZERO


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
    counted=_counted,
    steps=lambda steps: steps**2,  # Bun and Steinke 2016, proposition 1.9
    scaled=lambda amounts, factor: (amounts[0] * factor, *amounts[1:]),
    orders=_orders,
)
