"""Numbers as people read them: few digits, thousands separated, and bounds never rounded the flattering way.

What was found beside what the claim allows: ratios of probabilities or densities, or a probability on D1.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dplint import outcomes as out

_FEWEST = 3
"""Digits in which both ends of an interval must agree to be shown as one number."""


_WRITTEN = 8
"""Digits and signs of a number that somebody has written."""


def exact(value: float) -> str:
    """A number that a user wrote: all its digits, without a needless ".0"."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return _tidy(repr(value))


def claimed(value: float) -> str:
    """A claimed number: as it was written, or to four digits where it has come out of an expression or a curve."""
    written = exact(value)
    return written if len(written) <= _WRITTEN else short(value, 4)


def short(value: float, digits: int = 3) -> str:
    """A measured number with that many significant digits, e.g. 3.39, 1,234 or 1.2e-5."""
    if math.isnan(value):
        return "unknown"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    if abs(value) >= 999.5:
        # Whole numbers have all their digits; more of them are shown only where they are asked for.
        places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        return f"{value:,.{places}f}" if abs(value) < 1e9 else _tidy(f"{value:.{digits}g}")
    return _tidy(f"{value:.{digits}g}")


def lower_bound(value: float, digits: int = 3) -> str:
    """A lower bound with so many digits, rounded down, so that the text never claims more than the bound."""
    return _rounded(value, ROUND_FLOOR, digits)


def upper_bound(value: float) -> str:
    """An upper bound with three digits, rounded up."""
    return _rounded(value, ROUND_CEILING, 3)


def certified(bounds: out.Bounds, digits: int = 6) -> str:
    """A number that lies between these bounds, with as many digits, up to `digits`, as both ends agree in.

    Where they agree in fewer than three, the ends themselves: "0.41 to 0.43", or "at least 0.41" if there is no upper
    one.
    """
    for count in range(digits, _FEWEST - 1, -1):
        if short(bounds.low, count) == short(bounds.high, count):
            return short(bounds.low, count)
    if math.isinf(bounds.high):
        return f"at least {lower_bound(bounds.low)}"
    return f"{lower_bound(bounds.low)} to {upper_bound(bounds.high)}"


def p_value(value: float | None) -> str:
    """A p-value with two digits; the test does not resolve what is below 1e-50."""
    if value is None or math.isnan(value):
        return "unknown"
    if value < 1e-50:
        return "< 1e-50"
    return _tidy(f"{value:.2g}")


def times(log: float) -> str:
    """A large factor given by its natural logarithm, with two digits and rounded down, e.g. 310,000 or 4.8e12."""
    # the sum of a tiny error is not to turn exp(ln 1000) into 990
    tens = log / math.log(10) + 1e-12
    power = math.floor(tens)
    digits = math.floor(10 ** (tens - power) * 10)
    if 0 <= power < 9:
        return f"{digits * 10**power // 10:,}" if power else _tidy(f"{digits / 10:g}")
    return f"{digits / 10:g}e{power}"


def probability(value: float, interval: out.Bounds) -> str:
    """A probability with its interval, in as many decimals as tell the ends of the interval apart."""
    places = decimals(interval)
    return f"{value:.{places}f} [{interval.low:.{places}f}, {interval.high:.{places}f}]"


def decimals(interval: out.Bounds) -> int:
    """How many decimals show the width of an interval with two digits; between 3 and 9."""
    width = interval.high - interval.low
    if not width > 0:
        return 4
    return min(9, max(3, math.ceil(-math.log10(width)) + 1))


def percent(value: float) -> str:
    """A confidence such as 0.999 as "99.9%"."""
    return f"{_tidy(f'{value * 100:.10g}')}%"


def seconds(value: float) -> str:
    """A duration, e.g. "0.4 s", "12 s", "3 min 20 s"."""
    if value < 9.95:
        return f"{value:.1f} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def compact(amount: int) -> str:
    """A large count in few characters: 950, 120k, 3.6M."""
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        # 999,999 is 1M and not 1000k
        if amount >= 0.9995 * size:
            return f"{float(f'{amount / size:.3g}'):,g}{letter}"
    return str(amount)


def count(amount: int, noun: str, plural: str | None = None) -> str:
    """An amount and its noun, e.g. "1 violation" or "2,000 runs"."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"


def listing(items: list[str]) -> str:
    """Words in a row: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _rounded(value: float, rounding: str, digits: int) -> str:
    if not math.isfinite(value):
        return short(value)
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    # repr, not the exact binary value: 1.15 is to stay 1.15
    return short(float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), rounding=rounding)), digits)


def _tidy(text: str) -> str:
    """1e-05 as 1e-5 and 1e+06 as 1e6."""
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text


def is_certain(violation: out.Violation) -> bool:
    """Whether it is known, not only seen in runs, that the event cannot happen on D2."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, out.ExactEvidence) and isinstance(evidence.infinite, out.Impossible)


def is_limit(violation: out.Violation) -> bool:
    """Whether the densities vanish unequally: the ratio grows without limit near the output."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, out.ExactEvidence) and isinstance(evidence.infinite, out.UnequalVanishing)


def is_tail(violation: out.Violation) -> bool:
    """Whether the ratio of densities grows without limit towards an end of the line; the output is far out there."""
    evidence = violation.counterexample.evidence
    return isinstance(evidence, out.ExactEvidence) and evidence.infinite is None and violation.epsilon_lower == math.inf


def measure_of(evidence: out.Evidence) -> out.Measure:
    """What the two numbers of the evidence are. Runs are counted for probabilities only."""
    return evidence.measure if isinstance(evidence, out.ExactEvidence) else out.Measure.PROBABILITY


def estimates(evidence: out.Evidence) -> tuple[float, float]:
    """The probabilities, or densities, on D1 and on D2 to show: estimates from runs, or numbers within exact bounds."""
    if isinstance(evidence, out.CountedEvidence):
        return evidence.p1, evidence.p2
    return evidence.p1.middle, evidence.p2.middle


def cautious(evidence: out.Evidence) -> tuple[float, float]:
    """The least that the one on D1 and the most that the one on D2 can be."""
    if isinstance(evidence, out.CountedEvidence):
        return evidence.interval1.low, evidence.interval2.high
    return evidence.p1.low, evidence.p2.high


def probability_found(evidence: out.Evidence) -> float:
    """The probability on D1 that a claim with delta > 0 is about: of the event, or of all that is impossible on D2."""
    if isinstance(evidence, out.ExactEvidence) and isinstance(evidence.infinite, out.Impossible):
        return evidence.infinite.mass.middle
    return estimates(evidence)[0]


def ratio_found(evidence: out.Evidence) -> tuple[float, bool]:
    """P1 / P2 as estimated; where P2 may be zero or the event never happened on D2, a bound, and True."""
    if isinstance(evidence, out.ExactEvidence) and evidence.infinite is not None:
        return math.inf, False
    one, two = estimates(evidence)
    if two > 0 and (isinstance(evidence, out.CountedEvidence) or evidence.p2.low > 0):
        return one / two, False
    low, high = cautious(evidence)
    return (low / high if high > 0 else math.inf), True


def ratio_allowed(violation: out.Violation) -> float:
    """The largest P1 / P2 that the claim allows for the P2 that was found; infinite if delta > 0 and P2 is zero."""
    if not violation.delta_tested:
        return math.exp(violation.epsilon_tested)
    _, two = estimates(violation.counterexample.evidence)
    return allowed_probability(violation) / two if two > 0 else math.inf


def allowed_probability(violation: out.Violation) -> float:
    """The largest P1 that the claim allows for the P2 that was found: e^epsilon P2 + delta."""
    _, two = estimates(violation.counterexample.evidence)
    return min(1.0, math.exp(violation.epsilon_tested) * two + violation.delta_tested)


_DIGITS, _MOST_DIGITS = 3, 15


def ratios(violation: out.Violation) -> tuple[str, str]:
    """P1 / P2 as found, with "more than " where it is a bound, and as the claim allows it."""
    found, at_least = ratio_found(violation.counterexample.evidence)
    one, two = apart(found, ratio_allowed(violation))
    return f"{'more than ' if at_least else ''}{one}", two


def probabilities(violation: out.Violation) -> tuple[str, str]:
    """P1 as found and as a claim with delta > 0 allows it."""
    return apart(probability_found(violation.counterexample.evidence), allowed_probability(violation))


def lower(bound: float, claimed: float) -> str:
    """A lower bound, rounded down, with as many digits as show that it exceeds the claim, if it does."""
    if bound <= claimed or not math.isfinite(bound):
        return lower_bound(bound)
    digits = _DIGITS
    while float((text := lower_bound(bound, digits)).replace(",", "")) <= claimed and digits < _MOST_DIGITS + 2:
        digits += 1
    return text


def beyond(bound: float, claimed: float) -> str:
    """What a lower bound says where a claim is refuted: "at least 1.53", or "more than 1.5" where it is but the claim.

    A claim that is refuted does not hold at its own value either.
    """
    return f"more than {exact(claimed)}" if bound <= claimed else f"at least {lower(bound, claimed)}"


def shown(bound: float, claimed: float) -> str:
    """The same of a bound that may be less than the claim, which is then not refuted by it alone."""
    return f"at least {lower(bound, claimed)}" if bound < claimed else beyond(bound, claimed)


def apart(one: float, two: float) -> tuple[str, str]:
    """Both in three digits, or in as many as tell them apart."""
    digits = _DIGITS
    while digits < _MOST_DIGITS and (
        (one != two and short(one, digits) == short(two, digits))
        or (two != 1 and short(two, digits) == "1")  # "1 time is allowed" would read as nothing at all
    ):
        digits += 1
    return short(one, digits), short(two, digits)
