"""Approximate differential privacy: the same, apart from an additional probability delta."""

from __future__ import annotations

import math

from dplint.definitions.definition import Amounts, Definition, Expressions, NotComposed, rounded_up
from dplint.definitions.known.pure import delta_of


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    return amounts[0], amounts[1]


def _delta(amounts: Amounts, at: float) -> float:
    return rounded_up(amounts[1] + (1 - amounts[1]) * delta_of(amounts[0], at))


def _composed(one: Amounts, other: Amounts) -> Amounts:
    return one[0] + other[0], one[1] + other[1]


def _group(amounts: Amounts, steps: int) -> Amounts:
    """Vadhan, The Complexity of Differential Privacy, 2017, lemma 2.2."""
    epsilon, delta = amounts
    if epsilon == 0:
        return 0.0, steps * delta
    if steps * epsilon > 700:
        raise NotComposed("the delta of so large a group is more than 1")
    return steps * epsilon, delta * math.expm1(steps * epsilon) / math.expm1(epsilon)


DEFINITION = Definition(
    name="approximate",
    keyword="epsilon",
    sign="ε",
    called="private",
    source="Dwork, Kenthapadi, McSherry, Mironov and Naor, EUROCRYPT 2006",
    delta=_delta,
    epsilon=_epsilon,
    composed=_composed,
    group=_group,
    scaled=lambda amounts, factor: (amounts[0] * factor, amounts[1]),
)
