"""A claim in full sentences, for people who have not heard of privacy budgets."""

from __future__ import annotations

import math

from dplint.claims import Claim
from dplint.relations import relation_of
from dplint.report import numerals

_LARGEST = 50.0


def neighbours_words(claim: Claim, *, scalar: bool = False) -> str:
    """What makes two values of the data neighbours, after "if": "one has one record more than the other"."""
    relation = relation_of(claim)
    words = (relation.neighbours_if_scalar if scalar else None) or relation.neighbours
    square = numerals.short(claim.sensitivity**2, 6)
    return words.format(sensitivity=numerals.exact(claim.sensitivity), square=square)


def factor_words(epsilon: float) -> str:
    """The factor that a claim allows, with its value where that is a number of this world: "exp(0.7) = 2.01"."""
    value = f" = {numerals.short(math.exp(epsilon))}" if epsilon < _LARGEST else ""
    return f"exp({numerals.exact(epsilon)}){value}"


def limit_words(epsilon: float | str, delta: float | str, sides: str = "on D1 as on D2") -> str:
    """How much likelier outputs may be: "exp(0.7) = 2.01 times as likely on D1 as on D2"; texts of a claim are ε, δ."""
    times = "exp(ε)" if isinstance(epsilon, str) else factor_words(epsilon)
    more = "δ" if isinstance(delta, str) else numerals.short(delta)
    return f"{times} times as likely {sides}" + (f", apart from an additional probability of {more}" if delta else "")
