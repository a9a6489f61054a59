"""The document of a sweep: p-values against tested epsilons, exact deltas beside, and what each line says."""

from __future__ import annotations

from dplint.outcomes import Curve, CurvePoint
from dplint.report import numerals, words
from dplint.report.curve_words import exact_words, line_name, outcome_words
from dplint.report.document import Code, Document, Head, Inline, Items, Say, Table


def curve_document(curve: Curve) -> Document:
    """What was swept, the table, and for each value of the claim up to where the test rejects."""
    mechanism, effort = curve.mechanism, curve.effort
    said = (Code(mechanism.qualname), f" against tested epsilons; it claims {words.claim_words(mechanism.claim)}")
    head = Head.at(mechanism.file, mechanism.span, "", said, "info", path=mechanism.path)
    told: list[Inline] = []
    for line in curve.lines:
        told += [(outcome_words(line),), *([(computed,)] if (computed := exact_words(line)) else [])]
    how = (
        f"x: rejected, a p-value below {numerals.short(curve.level)}, for each point by itself; "
        f"{words.effort_words(effort)}; seed {effort.seed}"
    )
    return Document(head, (_table(curve), Items(tuple(told)), Say((how,), "dim")))


def _table(curve: Curve) -> Table:
    """For each tested epsilon the p-value of each line, and the delta that its pair keeps where that was computed."""
    head = ["tested epsilon"]
    for line in curve.lines:
        head += [line_name(line), *(["delta"] if line.exact is not None else [])]
    by_epsilon = [{point.epsilon: point for point in line.points} for line in curve.lines]
    rows = []
    for epsilon in sorted({epsilon for points in by_epsilon for epsilon in points}):
        cells = [numerals.exact(epsilon)]
        for points, line in zip(by_epsilon, curve.lines, strict=True):
            cells.append(_cell(points.get(epsilon)))
            if line.exact is not None:
                deltas = (one.delta for one in line.exact.deltas if one.epsilon == epsilon)
                cells.append(next((numerals.certified(one, 3) for one in deltas), ""))
        rows.append(tuple(cells))
    return Table(tuple(head), tuple(rows))


def _cell(point: CurvePoint | None) -> str:
    if point is None:
        return ""
    return f"{numerals.p_value(point.p_value)} {'x' if point.rejected else ' '}"
