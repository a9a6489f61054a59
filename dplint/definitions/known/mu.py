"""Gaussian differential privacy: no two neighbours are told apart better than two normal laws whose means differ by mu.

Its curve is that of the Gaussian mechanism, which keeps it exactly.
"""

from __future__ import annotations

import math

from dplint.amounts import ZERO
from dplint.claims import Claim
from dplint.definitions.definition import (
    DELTA,
    ORDERS,
    Amounts,
    Counted,
    Definition,
    Expressions,
    Reading,
    rounded_up,
    text,
)


def _below(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def _delta(amounts: Amounts, epsilon: float) -> float:
    """Dong, Roth and Su, Gaussian Differential Privacy, JRSS B 2022, corollary 1; Balle and Wang, ICML 2018."""
    (mu,) = amounts
    if mu == 0 or math.isinf(mu):
        return float(mu > 0)
    lower = _below(-epsilon / mu - mu / 2)
    rest = math.exp(epsilon + math.log(lower)) if lower > 0 else 0.0
    return rounded_up(_below(mu / 2 - epsilon / mu) - rest)


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    """By rho = mu**2 / 2 and the conversion of Bun and Steinke, which is not tight, but an expression."""
    mu, root = text(amounts[0]), math.sqrt(2 * math.log(1 / DELTA))
    if isinstance(amounts[0], str):
        return f"{mu} ** 2 / 2 + {root!r} * {mu}", DELTA
    return amounts[0] ** 2 / 2 + root * amounts[0], DELTA


def _counted(whole: Claim, part: Claim, read: Reading) -> Counted:  # noqa: ARG001
    """The square of mu: Dong, Roth and Su 2022, corollary 2."""
    mu = read(part.promise.amounts[0]) if part.promise is not None and part.promise.kind == "mu" else None
    return (None if mu is None else mu * mu), ZERO


DEFINITION = Definition(
    name="mu",
    keyword="mu",
    sign="μ",
    called="GDP",
    source="Dong, Roth and Su, JRSS B 2022",
    delta=_delta,
    epsilon=_epsilon,
    counted=_counted,
    steps=lambda steps: steps**2,  # Dong, Roth and Su 2022, theorem 3
    scaled=lambda amounts, factor: (amounts[0] * factor,),
    orders=lambda amounts: tuple((order, order * amounts[0] ** 2 / 2) for order in ORDERS),
)
