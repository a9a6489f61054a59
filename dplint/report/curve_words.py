"""What a sweep says, in words."""

from __future__ import annotations

import math

from dplint.outcomes import Curve, CurveLine, ExactCurve
from dplint.report import numerals, words
from dplint.report.json_evidence import fields
from dplint.report.json_values import Json, number_json
from dplint.report.literals import literal


def line_name(line: CurveLine) -> str:
    """The claim parameters of a line, or the claimed epsilon where the claim has none."""
    return words.arguments_words(line.parameters) or f"epsilon = {numerals.exact(line.claimed)}"


def rejected_up_to(line: CurveLine) -> float | None:
    """The largest tested epsilon that is rejected together with every smaller one, None if the smallest is not."""
    largest = None
    for point in sorted(line.points, key=lambda point: point.epsilon):
        if not point.rejected:
            break
        largest = point.epsilon
    return largest


def outcome_words(line: CurveLine) -> str:
    """What a line says about its claim, in one sentence."""
    name, claimed = line_name(line), numerals.exact(line.claimed)
    up_to = rejected_up_to(line)
    if up_to is None:
        return f"{name}: nothing rejected; claimed {claimed}"
    verdict = "the claim is rejected too" if up_to >= line.claimed else "the claim is not rejected"
    return f"{name}: rejected up to {numerals.exact(up_to)}; claimed {claimed}: {verdict}"


def exact_words(line: CurveLine) -> str:
    """What was computed beside the runs of a line, in one sentence; empty if nothing was asked for."""
    if line.exact is None:
        return line.not_exact
    found = line.exact
    loss = "infinite" if found.loss.low == math.inf else numerals.certified(found.loss)
    pairs = "on this pair" if found.pairs == 1 else f"the largest loss on {numerals.count(found.pairs, 'pair')}"
    return f"computed: {loss} of {numerals.exact(line.claimed)} claimed, {pairs}, {exact_place(found)}"


def exact_place(found: ExactCurve) -> str:
    """The pair that an exact curve is of, with its arguments."""
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in found.arguments)
    return f"D1 = {literal(found.d1)}, D2 = {literal(found.d2)}{arguments}"


def curve_shown(curve: Curve) -> dict[str, Json]:
    """The lines with their names, what each says of its claim, and what it took.

    rejectedUpTo: the largest tested epsilon that is rejected with every smaller one; null if the smallest is not.
    exact: what was computed without a run; null if nothing was, and `exactWords` says why.
    """
    effort = curve.effort
    return {
        "function": curve.mechanism.qualname,
        "claim": words.claim_words(curve.mechanism.claim),
        **fields(curve, "level"),
        "lines": [_line(line) for line in curve.lines],
        "effort": f"{words.effort_words(effort)}; seed {effort.seed}",
        "explanation": (
            f"A point is rejected if its p-value is below {numerals.short(curve.level)}, each by itself. A mechanism "
            "that keeps its claim is rejected at the claimed epsilon, or above it, by chance alone."
        ),
        **fields(effort, "notes"),
    }


def _line(line: CurveLine) -> Json:
    points = sorted(line.points, key=lambda point: point.epsilon)
    return {
        "name": line_name(line),
        **fields(line, "claimed"),
        "rejectedUpTo": number_json(rejected_up_to(line)),
        "words": outcome_words(line),
        "exact": None if line.exact is None else _exact(line.exact),
        "exactWords": exact_words(line),
        "points": [fields(point, "epsilon p_value=pValue lower rejected") for point in points],
    }


def _exact(found: ExactCurve) -> Json:
    """Numbers to draw: the middles of intervals that are narrower than a pixel, where they are known at all."""
    points: list[Json] = [{**fields(one, "epsilon"), "delta": number_json(one.delta.middle)} for one in found.deltas]
    return {**fields(found.loss, "low=lower high=upper"), "points": points}
