"""What was found beside what the claim allows: ratios of probabilities or densities, or a probability on D1."""

from __future__ import annotations

import math

from dplint.outcomes import (
    CountedEvidence,
    Evidence,
    ExactEvidence,
    Impossible,
    Measure,
    UnequalVanishing,
    Violation,
)
from dplint.report import numerals


def is_certain(violation: Violation) -> bool:
    """Whether it is known, not only seen in runs, that the event cannot happen on D2."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, ExactEvidence) and isinstance(evidence.infinite, Impossible)


def is_limit(violation: Violation) -> bool:
    """Whether the densities vanish unequally: the ratio grows without limit near the output."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, ExactEvidence) and isinstance(evidence.infinite, UnequalVanishing)


def is_tail(violation: Violation) -> bool:
    """Whether the ratio of densities grows without limit towards an end of the line; the output is far out there."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, ExactEvidence) and evidence.infinite is None and violation.epsilon_lower == math.inf


def measure_of(evidence: Evidence) -> Measure:
    """What the two numbers of the evidence are. Runs are counted for probabilities only."""
    return evidence.measure if isinstance(evidence, ExactEvidence) else Measure.PROBABILITY


def estimates(evidence: Evidence) -> tuple[float, float]:
    """The probabilities, or densities, on D1 and on D2 to show: estimates from runs, or numbers within exact bounds."""
    if isinstance(evidence, CountedEvidence):
        return evidence.p1, evidence.p2
    return evidence.p1.middle, evidence.p2.middle


def cautious(evidence: Evidence) -> tuple[float, float]:
    """The least that the one on D1 and the most that the one on D2 can be."""
    if isinstance(evidence, CountedEvidence):
        return evidence.interval1.low, evidence.interval2.high
    return evidence.p1.low, evidence.p2.high


def probability_found(evidence: Evidence) -> float:
    """The probability on D1 that a claim with delta > 0 is about: of the event, or of all that is impossible on D2."""
    if isinstance(evidence, ExactEvidence) and isinstance(evidence.infinite, Impossible):
        return evidence.infinite.mass.middle
    return estimates(evidence)[0]


def ratio_found(evidence: Evidence) -> tuple[float, bool]:
    """P1 / P2 as estimated; where P2 may be zero or the event never happened on D2, a bound, and True."""
    if isinstance(evidence, ExactEvidence) and evidence.infinite is not None:
        return math.inf, False
    one, two = estimates(evidence)
    if two > 0 and (isinstance(evidence, CountedEvidence) or evidence.p2.low > 0):
        return one / two, False
    low, high = cautious(evidence)
    return (low / high if high > 0 else math.inf), True


def ratio_allowed(violation: Violation) -> float:
    """The largest P1 / P2 that the claim allows for the P2 that was found; infinite if delta > 0 and P2 is zero."""
    if not violation.delta_tested:
        return math.exp(violation.epsilon_tested)
    _, two = estimates(violation.counterexample.evidence)
    return allowed_probability(violation) / two if two > 0 else math.inf


def allowed_probability(violation: Violation) -> float:
    """The largest P1 that the claim allows for the P2 that was found: e^epsilon P2 + delta."""
    _, two = estimates(violation.counterexample.evidence)
    return min(1.0, math.exp(violation.epsilon_tested) * two + violation.delta_tested)


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
