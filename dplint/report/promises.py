"""A claim in full sentences, for people who have not heard of privacy budgets."""

from __future__ import annotations

import math

from dplint.claims import Claim, Relation
from dplint.report import numerals

_LARGEST = 50.0


def neighbours_words(claim: Claim, *, scalar: bool = False) -> str:
    """What makes two values of the data neighbours, after "if": "one has one record more than the other"."""
    most = numerals.exact(claim.sensitivity)
    match claim.relation:
        case Relation.LINF | Relation.L1 | Relation.L2 if scalar:
            return f"they differ by at most {most}"
        case Relation.LINF:
            return f"no number of one differs by more than {most} from its counterpart in the other"
        case Relation.L1:
            return f"the differences between their numbers add up to at most {most}"
        case Relation.L2:
            return f"the squares of the differences between their numbers add up to at most {_square(claim)}"
        case Relation.ADD_REMOVE:
            return "one of them has one record more, and all others are the same"
        case Relation.REPLACE_ONE:
            return "they have equally many records, and all but one are the same"
        case Relation.ANY:
            return "both are possible values, whichever these are"
        case Relation.CUSTOM:
            return "the function that the claim names makes a pair of them"


def limit_words(epsilon: float, delta: float) -> str:
    """What a claim allows a set of outputs: "at most exp(0.7) = 2.01 times as likely on one as on the other"."""
    more = f", apart from an additional probability of {numerals.short(delta)}" if delta else ""
    return f"at most {factor_words(epsilon)} times as likely on one as on the other{more}"


def factor_words(epsilon: float) -> str:
    """The factor that a claim allows, with its value where that is a number of this world: "exp(0.7) = 2.01"."""
    value = f" = {numerals.short(math.exp(epsilon))}" if epsilon < _LARGEST else ""
    return f"exp({numerals.exact(epsilon)}){value}"


def _square(claim: Claim) -> str:
    return numerals.short(claim.sensitivity**2, 6)
