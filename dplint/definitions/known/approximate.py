"""Approximate differential privacy: the same, apart from an additional probability delta."""

from __future__ import annotations

from dplint.definitions.definition import Amounts, Definition, Expressions, rounded_up
from dplint.definitions.known.pure import delta_of, epsilon_and_delta


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    return amounts[0], amounts[1]


def _delta(amounts: Amounts, at: float) -> float:
    return rounded_up(amounts[1] + (1 - amounts[1]) * delta_of(amounts[0], at))


DEFINITION = Definition(
    name="approximate",
    keyword="epsilon",
    sign="ε",
    called="private",
    source="Dwork, Kenthapadi, McSherry, Mironov and Naor, EUROCRYPT 2006",
    delta=_delta,
    epsilon=_epsilon,
    counted=epsilon_and_delta,
    steps=lambda steps: steps,
    scaled=lambda amounts, factor: (amounts[0] * factor, amounts[1]),
)
