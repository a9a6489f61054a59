"""Pure differential privacy: no event is more than e**epsilon times as likely."""

from __future__ import annotations

import math

from dplint.definitions.definition import Amounts, Definition, Expressions, rounded_up


def delta_of(epsilon: float, at: float) -> float:
    """The delta that epsilon implies at a smaller one: that of randomised response, which loses most.

    Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy, ICML 2015.
    """
    if at >= epsilon:
        return 0.0
    return rounded_up(-math.expm1(at - epsilon) / (1 + math.exp(-epsilon)))


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    return amounts[0], 0.0


def _composed(one: Amounts, other: Amounts) -> Amounts:
    return (one[0] + other[0],)


def _group(amounts: Amounts, steps: int) -> Amounts:
    return (steps * amounts[0],)


DEFINITION = Definition(
    name="pure",
    keyword="epsilon",
    sign="ε",
    called="private",
    source="Dwork, McSherry, Nissim and Smith, TCC 2006",
    delta=lambda amounts, at: delta_of(amounts[0], at),
    epsilon=_epsilon,
    composed=_composed,
    group=_group,
    scaled=lambda amounts, factor: (amounts[0] * factor,),
)
