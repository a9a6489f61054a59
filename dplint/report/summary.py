"""The last line of a report: how many of what, at which level, in how many seconds."""

from __future__ import annotations

from dplint import outcomes as out
from dplint.report import numerals, words
from dplint.report.gathered import COUNTED, Gathered
from dplint.report.proof_words import EXACT_ARITHMETIC
from dplint.report.stability_words import NOT_STABLE


def summary(gathered: Gathered, seconds: float) -> str:
    """Counts, expected false alarms and seconds, as one line of plain text."""
    told = {
        "hidden by --select and --ignore": gathered.hidden,
        "silenced by comments": len(gathered.silenced),
        "in the baseline": len(gathered.known),
    }
    cached, wrong = cached_count(gathered), len(gathered.disproved)
    remarks = [
        numerals.seconds(seconds),
        *([f"{cached} from the cache"] if cached else []),
        *([alarms] if (alarms := false_alarms(gathered)) else []),
        *(f"{amount} {words}" for words, amount in told.items() if amount),
        *([f"{numerals.count(wrong, 'finding')} disproved"] if wrong else []),
    ]
    return f"{counts_words(gathered)} ({'; '.join(remarks)})"


def counts_words(gathered: Gathered) -> str:
    """For instance "5 mechanisms: 2 violations, 3 without a violation found; 1 finding"."""
    counts = gathered.counts
    amounts = ((counts[name.replace("-", "_")], word) for name, word in COUNTED.items())
    verdicts = [f"{amount} {word}" for amount, word in amounts if amount]
    if counts["violations"]:
        verdicts.insert(0, numerals.count(counts["violations"], "violation"))
    listed = ", ".join(verdicts)
    mechanisms = numerals.count(counts["mechanisms"], "mechanism") if counts["mechanisms"] else "No mechanism tested"
    extra = [
        numerals.count(counts["findings"], "finding") if counts["findings"] else "",
        numerals.count(counts["errors"], "error") if counts["errors"] else "",
    ]
    return "; ".join(part for part in [f"{mechanisms}: {listed}" if listed else mechanisms, *extra] if part)


def remarks(gathered: Gathered) -> list[str]:
    """What the verdicts of a report do not mean, and what was not looked for, a sentence each."""
    exact = any(_is_exact(result.outcome) for result in gathered.results)
    return [
        *([words.NOT_PRIVATE] if gathered.counts["no_violation"] else []),
        *([NOT_STABLE] if gathered.counts["not_refuted"] else []),
        *([EXACT_ARITHMETIC] if exact else []),
        *([unrepaired_words(gathered.unrepaired)] if gathered.unrepaired else []),
    ]


def unrepaired_words(violations: int) -> str:
    """That no repair was looked for of some violations, and how to ask for it."""
    of = numerals.count(violations, "violation")
    return f"No repair was looked for of {of}, so that the check ends soon: --fix and --diff look for all."


def cached_count(gathered: Gathered) -> int:
    """How many mechanisms were answered from the cache."""
    items = (*gathered.results, *(one.item for one in (*gathered.silenced, *gathered.known)))
    return sum(isinstance(item, out.Result) and item.cached for item in items)


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


def _tested_at_a_level(gathered: Gathered) -> list[out.Effort]:
    silenced = (one.item for one in (*gathered.silenced, *gathered.known) if isinstance(one.item, out.Result))
    outcomes = [result.outcome for result in (*gathered.results, *silenced)]
    return [
        one.effort
        for one in outcomes
        if (isinstance(one, out.NoViolation | out.Underpowered) and one.tested and one.effort.alpha > 0)
        or (isinstance(one, out.Violation) and not words.is_exact(one))
    ]


def _is_exact(outcome: out.Outcome) -> bool:
    """Whether anything in it was proved or computed, and not counted."""
    if isinstance(outcome, out.Violation) and (words.is_exact(outcome) or outcome.against is not None):
        return True
    return isinstance(outcome, out.Proved) or bool(getattr(outcome, "losses", ()))
