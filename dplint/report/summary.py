"""The last line of a report: how many of what, at which level, in how many seconds."""

from __future__ import annotations

from dplint.outcomes import Evidence, NoViolation, Outcome, Violation
from dplint.report import numerals
from dplint.report.gathered import Gathered


def summary(gathered: Gathered, seconds: float) -> str:
    """Counts, expected false alarms and seconds, as one line of plain text."""
    alarms = false_alarms(gathered)
    hidden = f"{gathered.hidden} hidden by --select and --ignore" if gathered.hidden else None
    remarks = [remark for remark in (numerals.seconds(seconds), alarms, hidden) if remark]
    return f"{counts_words(gathered)} ({'; '.join(remarks)})"


def counts_words(gathered: Gathered) -> str:
    """For instance "5 mechanisms: 2 violations, 3 without a violation found; 1 finding"."""
    counts = gathered.counts
    verdicts = [
        numerals.count(counts.violations, "violation") if counts.violations else "",
        f"{counts.proved} proved" if counts.proved else "",
        f"{counts.no_violation} without a violation found" if counts.no_violation else "",
        f"{counts.untestable} untestable" if counts.untestable else "",
        f"{counts.failed} failed" if counts.failed else "",
    ]
    listed = ", ".join(word for word in verdicts if word)
    mechanisms = numerals.count(counts.mechanisms, "mechanism") if counts.mechanisms else "No mechanism found"
    extra = [
        numerals.count(counts.findings, "finding") if counts.findings else "",
        numerals.count(counts.errors, "error") if counts.errors else "",
    ]
    return "; ".join(part for part in [f"{mechanisms}: {listed}" if listed else mechanisms, *extra] if part)


def false_alarms(gathered: Gathered) -> str | None:
    """How many false alarms the levels of the audits allow in expectation, None if nothing was tested at a level."""
    levels = [alpha for result in gathered.results if (alpha := _level(result.outcome)) is not None]
    if not levels:
        return None
    low, high = numerals.short(min(levels)), numerals.short(max(levels))
    level = low if low == high else f"{low} to {high}"
    return f"level {level} a mechanism: at most {numerals.short(sum(levels))} false alarms expected"


def _level(outcome: Outcome) -> float | None:
    if isinstance(outcome, NoViolation) or (
        isinstance(outcome, Violation) and outcome.evidence is Evidence.STATISTICAL
    ):
        return outcome.effort.alpha
    return None
