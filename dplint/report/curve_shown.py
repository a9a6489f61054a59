"""A sweep for a view that draws it, as JSON."""

from __future__ import annotations

from dplint.outcomes import Curve, CurveLine, ExactCurve
from dplint.report import numerals, words
from dplint.report.curve_words import exact_words, line_name, outcome_words, rejected_up_to
from dplint.report.json_values import Json, number_json


def curve_shown(curve: Curve) -> dict[str, Json]:
    """The lines with their names, what each says of its claim, and what it took.

    rejectedUpTo: the largest tested epsilon that is rejected with every smaller one; null if the smallest is not.
    exact: what was computed without a run; null if nothing was, and `exactWords` says why.
    """
    effort = curve.effort
    return {
        "function": curve.mechanism.qualname,
        "claim": words.claim_words(curve.mechanism.claim),
        "level": number_json(curve.level),
        "lines": [_line(line) for line in curve.lines],
        "effort": f"{words.effort_words(effort)}; seed {effort.seed}",
        "explanation": (
            f"A point is rejected if its p-value is below {numerals.short(curve.level)}, each by itself. A mechanism "
            "that keeps its claim is rejected at the claimed epsilon, or above it, by chance alone."
        ),
        "notes": list(effort.notes),
    }


def _line(line: CurveLine) -> Json:
    return {
        "name": line_name(line),
        "claimed": number_json(line.claimed),
        "rejectedUpTo": number_json(rejected_up_to(line)),
        "words": outcome_words(line),
        "exact": None if line.exact is None else _exact(line.exact),
        "exactWords": exact_words(line),
        "points": [
            {
                "epsilon": number_json(point.epsilon),
                "pValue": number_json(point.p_value),
                "lower": number_json(point.lower),
                "rejected": point.rejected,
            }
            for point in sorted(line.points, key=lambda point: point.epsilon)
        ],
    }


def _exact(found: ExactCurve) -> Json:
    """Numbers to draw: the middles of intervals that are narrower than a pixel, where they are known at all."""
    return {
        "lower": number_json(found.loss.low),
        "upper": number_json(found.loss.high),
        "points": [
            {"epsilon": number_json(one.epsilon), "delta": number_json(one.delta.middle)} for one in found.deltas
        ],
    }
