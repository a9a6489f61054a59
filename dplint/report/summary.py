"""The last line of a report: how many of what, at which level, in how many seconds."""

from __future__ import annotations

from typing import assert_never

from dplint.outcomes import (
    CountedEvidence,
    Effort,
    Failed,
    NotRefuted,
    NoViolation,
    Outcome,
    Proved,
    Result,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)
from dplint.report import numerals, words
from dplint.report.gathered import Gathered
from dplint.report.proof_words import EXACT_ARITHMETIC
from dplint.report.stability_words import NOT_STABLE


def summary(gathered: Gathered, seconds: float) -> str:
    """Counts, expected false alarms and seconds, as one line of plain text."""
    alarms = false_alarms(gathered)
    hidden = f"{gathered.hidden} hidden by --select and --ignore" if gathered.hidden else None
    silenced = f"{len(gathered.silenced)} silenced by comments" if gathered.silenced else None
    known = f"{len(gathered.known)} in the baseline" if gathered.known else None
    wrong = f"{numerals.count(len(gathered.disproved), 'finding')} disproved" if gathered.disproved else None
    cached = f"{cached_count(gathered)} from the cache" if cached_count(gathered) else None
    remarks = [
        remark for remark in (numerals.seconds(seconds), cached, alarms, hidden, silenced, known, wrong) if remark
    ]
    return f"{counts_words(gathered)} ({'; '.join(remarks)})"


def counts_words(gathered: Gathered) -> str:
    """For instance "5 mechanisms: 2 violations, 3 without a violation found; 1 finding"."""
    counts = gathered.counts
    verdicts = [
        numerals.count(counts.violations, "violation") if counts.violations else "",
        f"{counts.proved} proved" if counts.proved else "",
        f"{counts.proved_in_part} proved in part" if counts.proved_in_part else "",
        f"{counts.no_violation} without a violation found" if counts.no_violation else "",
        f"{counts.underpowered} underpowered" if counts.underpowered else "",
        f"{counts.untestable} untestable" if counts.untestable else "",
        f"{counts.unstable} not stable" if counts.unstable else "",
        f"{counts.not_refuted} not refuted" if counts.not_refuted else "",
        f"{counts.failed} failed" if counts.failed else "",
    ]
    listed = ", ".join(word for word in verdicts if word)
    mechanisms = numerals.count(counts.mechanisms, "mechanism") if counts.mechanisms else "No mechanism tested"
    extra = [
        numerals.count(counts.findings, "finding") if counts.findings else "",
        numerals.count(counts.errors, "error") if counts.errors else "",
    ]
    return "; ".join(part for part in [f"{mechanisms}: {listed}" if listed else mechanisms, *extra] if part)


def remarks(gathered: Gathered) -> list[str]:
    """What the verdicts of a report do not mean, a sentence each."""
    exact = any(_is_exact(result.outcome) for result in gathered.results)
    return [
        *([words.NOT_PRIVATE] if gathered.counts.no_violation else []),
        *([NOT_STABLE] if gathered.counts.not_refuted else []),
        *([EXACT_ARITHMETIC] if exact else []),
    ]


def cached_count(gathered: Gathered) -> int:
    """How many mechanisms were answered from the cache."""
    items = (*gathered.results, *(one.item for one in (*gathered.silenced, *gathered.known)))
    return sum(isinstance(item, Result) and item.cached for item in items)


def false_alarms(gathered: Gathered) -> str | None:
    """How many false alarms the levels of the audits allow in expectation, None if nothing was tested at a level."""
    efforts = _tested_at_a_level(gathered)
    if not efforts:
        return None
    levels = [effort.alpha for effort in efforts]
    low, high = numerals.short(min(levels)), numerals.short(max(levels))
    level = low if low == high else f"{low} to {high}"
    return (
        f"level {level} a mechanism: at most {numerals.short(sum(levels))} false alarms expected, "
        "over everything that was tried"
    )


def expected_false_alarms(gathered: Gathered) -> float:
    """The sum of the levels at which mechanisms were tested."""
    return sum(effort.alpha for effort in _tested_at_a_level(gathered))


def _tested_at_a_level(gathered: Gathered) -> list[Effort]:
    silenced = (one.item for one in (*gathered.silenced, *gathered.known) if isinstance(one.item, Result))
    return [
        result.outcome.effort
        for result in (*gathered.results, *silenced)
        if (
            isinstance(result.outcome, NoViolation | Underpowered)
            and result.outcome.tested
            and result.outcome.effort.alpha > 0
        )
        or (
            isinstance(result.outcome, Violation)
            and isinstance(result.outcome.counterexample.evidence, CountedEvidence)
        )
    ]


def _is_exact(outcome: Outcome) -> bool:
    """Whether anything in it was proved or computed, and not counted."""
    match outcome:
        case Violation():
            return words.is_exact(outcome) or outcome.against is not None or bool(outcome.losses)
        case Proved():
            return True
        case NoViolation() | Underpowered():
            return bool(outcome.losses)
        case Unstable() | NotRefuted() | Untestable() | Failed():
            return False
        case _:
            assert_never(outcome)
