"""Renyi differential privacy: the Renyi divergence of each order is at most the bound that stands beside it."""

from __future__ import annotations

import math

from dplint.amounts import ZERO, number
from dplint.claims import Claim
from dplint.definitions.definition import (
    DELTA,
    Amounts,
    Counted,
    Definition,
    Expressions,
    Reading,
    renyi_delta,
    rounded_up,
    text,
)
from dplint.definitions.known.rho import implied_rho


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


def _counted(whole: Claim, part: Claim, read: Reading) -> Counted:
    """The bound at one order: Mironov 2017, proposition 1."""
    assert whole.promise is not None
    order, *bounds = whole.promise.amounts
    if len(bounds) != 1 or isinstance(order, str):
        return None, None
    if part.promise is not None and part.promise.kind == "renyi":
        same = len(part.promise.amounts) == 2 and part.promise.amounts[0] == order
        return (read(part.promise.amounts[1]) if same else None), ZERO
    rho = implied_rho(part, read)
    return (None if rho is None else number(order) * rho), ZERO


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
    counted=_counted,
    steps=lambda steps: 1 if steps == 1 else None,
    scaled=_scaled,
    orders=_pairs,
)
