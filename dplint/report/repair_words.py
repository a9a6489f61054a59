"""Repairs in words: what they do, how they are known, and the lines that they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dplint.outcomes import Known, Repair
from dplint.report import numerals
from dplint.report.document import Block, Say, Verbatim, ticked

_MOST_LINES = 8
_KNOWN = {
    Known.PROVED: "proved",
    Known.EXACT: "exact on all pairs that were computed, not proved",
    Known.NOT_REFUTED: "not refuted",
}


def known_words(repair: Repair) -> str:
    """How it is known that the claim holds after a repair: "proved", "not refuted in 12,000 runs"."""
    runs = f" in {repair.runs:,} runs" if repair.known is Known.NOT_REFUTED else ""
    return _KNOWN[repair.known] + runs


def repair_words(repair: Repair) -> str:
    """What it does, how it is known, and what it does to the noise, as a sentence without a full stop."""
    before, after = repair.error_before, repair.error_after
    error = ""
    if before is not None and after is not None:
        error = f"; standard deviation {numerals.short(before)} before, {numerals.short(after)} after"
    return f"{repair.title} ({known_words(repair)}{error})"


def repair_title(repairs: Sequence[Repair]) -> str:
    """For a line above a function: "1 repair, proved"; empty for none."""
    if not repairs:
        return ""
    known = "proved" if repairs[0].known is Known.PROVED else "not proved"
    return f"{numerals.count(len(repairs), 'repair')}, {known}"


def repair_blocks(repairs: Sequence[Repair]) -> Iterator[Block]:
    """The best with its lines, and what others there are, as far as there is room for these."""
    for repair in repairs[:1]:
        option = "--fix" if repair.known is Known.PROVED else "--fix --unsafe-fixes"
        yield Say(ticked(f"fix: {repair.title} ({known_words(repair)}: `{option}`)"))
        yield Verbatim(changed_lines(repair), spare=True)
    for repair in repairs[1:]:
        yield Say(ticked(f"or: {repair.title} ({known_words(repair)})"), spare=True)


def without_advice(message: str) -> str:
    """What is wrong, by the message of a rule, whose last part says how to mend it: beside a repair that is judged."""
    wrong, colon, _ = message.rpartition(": ")
    return wrong if colon and wrong.count("`") % 2 == 0 else message


def changed_lines(repair: Repair) -> tuple[str, ...]:
    """The lines of the diff that change, as far as they are few."""
    lines = repair.diff.splitlines()[2:]
    changed = [line for line in lines if line.startswith(("+", "-"))]
    return (*changed[:_MOST_LINES], *(["..."] if len(changed) > _MOST_LINES else []))
