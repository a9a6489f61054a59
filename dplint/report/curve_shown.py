"""A sweep for a view that draws it, as JSON."""

from __future__ import annotations

from dplint.outcomes import Curve, CurveLine
from dplint.report import numerals, words
from dplint.report.curve_words import line_name, outcome_words, rejected_up_to
from dplint.report.json_values import Json, number_json


def curve_shown(curve: Curve) -> dict[str, Json]:
    """The lines with their names, what each says of its claim, and what it took.

    rejectedUpTo: the largest tested epsilon that is rejected with every smaller one; null if the smallest is not.
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
