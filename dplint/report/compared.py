"""Numbers that are compared with each other, rounded so that they stay apart: never 0.7 beside 0.7."""

from __future__ import annotations

import math

from dplint.outcomes import Violation
from dplint.report import numerals
from dplint.report.ratios import allowed_probability, probability_found, ratio_allowed, ratio_found

_DIGITS, _MOST_DIGITS = 3, 15


def ratios(violation: Violation) -> tuple[str, str]:
    """P1 / P2 as found, with "more than " where it is a bound, and as the claim allows it."""
    found, at_least = ratio_found(violation.counterexample.evidence)
    one, two = apart(found, ratio_allowed(violation))
    return f"{'more than ' if at_least else ''}{one}", two


def probabilities(violation: Violation) -> tuple[str, str]:
    """P1 as found and as a claim with delta > 0 allows it."""
    return apart(probability_found(violation.counterexample.evidence), allowed_probability(violation))


def lower(bound: float, claimed: float) -> str:
    """A lower bound, rounded down, with as many digits as show that it exceeds the claim, if it does."""
    if bound <= claimed or not math.isfinite(bound):
        return numerals.lower_bound(bound)
    digits = _DIGITS
    while (
        float((text := numerals.lower_bound(bound, digits)).replace(",", "")) <= claimed and digits < _MOST_DIGITS + 2
    ):
        digits += 1
    return text


def beyond(bound: float, claimed: float) -> str:
    """What a lower bound says where a claim is refuted: "at least 1.53", or "more than 1.5" where it is but the claim.

    A claim that is refuted does not hold at its own value either.
    """
    return f"more than {numerals.exact(claimed)}" if bound <= claimed else f"at least {lower(bound, claimed)}"


def shown(bound: float, claimed: float) -> str:
    """The same of a bound that may be less than the claim, which is then not refuted by it alone."""
    return f"at least {lower(bound, claimed)}" if bound < claimed else beyond(bound, claimed)


def apart(one: float, two: float) -> tuple[str, str]:
    """Both in three digits, or in as many as tell them apart."""
    digits = _DIGITS
    while digits < _MOST_DIGITS and (
        (one != two and numerals.short(one, digits) == numerals.short(two, digits))
        or (two != 1 and numerals.short(two, digits) == "1")  # "1 time is allowed" would read as nothing at all
    ):
        digits += 1
    return numerals.short(one, digits), numerals.short(two, digits)
