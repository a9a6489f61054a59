"""Pure differential privacy: no event is more than e**epsilon times as likely."""

from __future__ import annotations

import math

from dplint.claims import Claim
from dplint.definitions.definition import Counted, Definition, Expressions, Reading, rounded_up


def delta_of(epsilon: float, at: float) -> float:
    """The delta that epsilon implies at a smaller one: that of randomised response, which loses most.

    Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy, ICML 2015.
    """
    if at >= epsilon:
        return 0.0
    return rounded_up(-math.expm1(at - epsilon) / (1 + math.exp(-epsilon)))


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:
    return amounts[0], 0.0


def epsilon_and_delta(whole: Claim, part: Claim, read: Reading) -> Counted:  # noqa: ARG001
    """What a claim says, or a point that follows from it: basic composition, Dwork et al. 2006."""
    asked = part.promise is not None and part.promise.function is not None  # its curve is not known before it is
    return (None, None) if asked else (read(part.epsilon), read(part.delta))


DEFINITION = Definition(
    name="pure",
    keyword="epsilon",
    sign="ε",
    called="private",
    source="Dwork, McSherry, Nissim and Smith, TCC 2006",
    delta=lambda amounts, at: delta_of(amounts[0], at),
    epsilon=_epsilon,
    counted=epsilon_and_delta,
    steps=lambda steps: steps,
    scaled=lambda amounts, factor: (amounts[0] * factor,),
)
