"""A claim in full sentences, for people who have not heard of privacy budgets."""

from __future__ import annotations

import math

from dplint.claims import Claim, Relation
from dplint.report import numerals


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
            return "both are possible values: any two are neighbours"
        case Relation.CUSTOM:
            return "the function that the claim names makes a pair of them"


def limit_words(epsilon: float, delta: float) -> str:
    """What a claim allows a set of outputs: "at most exp(0.7) = 2.01 times as likely on one as on the other"."""
    times = f"exp({numerals.exact(epsilon)}) = {numerals.short(math.exp(epsilon))} times"
    more = f", and {numerals.short(delta)} on top of that" if delta else ""
    return f"at most {times} as likely on one as on the other{more}"


def _square(claim: Claim) -> str:
    return numerals.short(claim.sensitivity**2, 6)
