"""What a sweep says, in words."""

from __future__ import annotations

import math

from dplint.outcomes import CurveLine, ExactCurve
from dplint.report import numerals, words
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
