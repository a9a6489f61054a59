"""What a change does to mechanisms, in words: each difference, and whether it makes something worse."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from dplint import outcomes as out
from dplint.claims import Claim, Promise, Stability, is_number
from dplint.definitions import promise_words
from dplint.report import numerals, proof_words
from dplint.report.format import Report
from dplint.report.gathered import VERDICT_WORDS, verdict_name
from dplint.report.json_evidence import Json
from dplint.report.literals import one_line, printable
from dplint.report.markdown_text import code, plain
from dplint.report.words import claim_words
from dplint.source.notebooks import split_cell

_NOT_PROMISED = frozenset({"rng", "make", "made"})
"""Fields of a claim that say how a mechanism is run."""
_REFUTED = out.Violation | out.Unstable
_IN_PART = "proved in part"
_SHORT_COMMIT = 8


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, as a clause. worse: less is promised than before, or less is known to be kept."""

    words: str
    worse: bool = False


def differences(change: out.Change) -> list[Difference]:
    """All that differs of a mechanism, the verdict last."""
    before, after = change.before, change.after
    if before is None or after is None:
        return [_one_sided(change)]
    claims = _claims(before.mechanism.claim, after.mechanism.claim)
    return [*_names(before, after), *claims, *_spending(before.spending, after.spending), *_verdicts(change)]


def is_worse(changes: out.Changes) -> bool:
    """Whether the change makes something worse: the exit code of the command hangs on it."""
    return changes.worse_findings > 0 or any(one.worse for each in changes.changes for one in differences(each))


def headline(changes: out.Changes) -> str:
    """What is compared, and how much of it differs."""
    worse = sum(any(one.worse for one in differences(each)) for each in changes.changes)
    concerned = f"{len(changes.changes)} concerned, {worse} made worse" if changes.changes else "none concerned"
    findings = changes.worse_findings
    told = f", {numerals.count(findings, 'new finding')} at the level of an error" if findings else ""
    since = f"The change since {one_line(changes.name)} ({changes.commit[:_SHORT_COMMIT]})"
    return f"{since}: {concerned}{told}; {numerals.count(changes.mechanisms, 'mechanism')} now"


def change_text(report: Report, width: int = 100) -> str:
    """The difference for people, after the problems; empty where nothing is compared."""
    lines = [] if report.changes is None else ["", *change_lines(report.changes, width)]
    return "".join(f"{line}\n" for line in lines)


def change_lines(changes: out.Changes, width: int = 100) -> list[str]:
    """The difference as plain text, wrapped."""
    lines = textwrap.wrap(headline(changes), width)
    for change in changes.changes:
        file, line, name = _place(change)
        lines += ["", one_line(f"{file}:{line} {name}")]
        for one in differences(change):
            text = ("worse: " if one.worse else "") + printable(one.words)
            lines += textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="    ")
    return lines


def change_entries(changes: out.Changes) -> list[dict[str, Json]]:
    """The difference as data: for each mechanism its place, and what differs, in words."""
    return [
        {
            **dict(zip(("file", "line", "function"), _place(change), strict=True)),
            "differences": [{"worse": one.worse, "text": printable(one.words)} for one in differences(change)],
        }
        for change in changes.changes
    ]


def change_markdown(changes: out.Changes) -> list[str]:
    """The difference as lines of Markdown."""
    lines = [f"**{plain(headline(changes))}**"]
    for change in changes.changes:
        file, line, name = _place(change)
        lines += ["", f"- {code(name)} ({code(f'{file}:{line}')})"]
        lines += [f"  - {'**worse:** ' if one.worse else ''}{plain(one.words)}" for one in differences(change)]
    return lines


def _place(change: out.Change) -> tuple[str, int, str]:
    side = change.after or change.before
    assert side is not None
    return side.mechanism.file, side.mechanism.span.line, side.mechanism.qualname


def _one_sided(change: out.Change) -> Difference:
    if change.after is None:
        gone = "bears no claim that can be tested any more" if change.still_there else "gone, with its function"
        return Difference(gone, change.still_there)
    began = "new, or not: its file could not be read before" if change.unread else "new"
    verdict = _verdict(change.after)
    return Difference(f"{began}; {verdict}" if verdict else began, _is_refuted(change.after))


def _names(before: out.Side, after: out.Side) -> Iterator[Difference]:
    old, new = before.mechanism, after.mechanism
    if split_cell(old.file)[0] != split_cell(new.file)[0]:
        yield Difference(f"moved from {one_line(old.file)}")
    if old.qualname != new.qualname:
        yield Difference(f"renamed from {old.qualname}")


def _claims(old: Claim, new: Claim) -> Iterator[Difference]:
    for name in (field.name for field in fields(Claim)):
        before, after = getattr(old, name), getattr(new, name)
        if before == after:
            continue
        if name in ("epsilon", "delta") and (old.promise or new.promise):
            continue  # a point of what is promised
        if name == "promise":
            was, now = (promise_words(one) if isinstance(one, Promise) else "epsilon" for one in (before, after))
            yield Difference(f"claim changed: {was} to {now}, which may promise less", worse=True)
        elif name == "stable" and isinstance(before, Stability) and isinstance(after, Stability):
            yield _stability(old, new, before, after)
        elif name in ("epsilon", "delta") and is_number(before) and is_number(after):
            word = "loosened" if after > before else "tightened"
            values = f"{numerals.exact(before)} to {numerals.exact(after)}"
            yield Difference(f"claim {word}: {name} from {values}", after > before)
        else:
            lost = name not in _NOT_PROMISED
            may = ", which may promise less" if lost else ""
            yield Difference(f"claim changed: {name} from {_written(before)} to {_written(after)}{may}", lost)


def _stability(old: Claim, new: Claim, before: Stability, after: Stability) -> Difference:
    """A claim of a sensitivity, which only a larger distance of the outputs loosens for certain."""
    words = f"{printable(claim_words(old))} to {printable(claim_words(new))}"
    alike = replace(before, d_out=None) == replace(after, d_out=None)
    if alike and is_number(before.d_out) and is_number(after.d_out):
        looser = after.d_out > before.d_out
        return Difference(f"claim {'loosened' if looser else 'tightened'}: {words}", looser)
    return Difference(f"claim changed: {words}, which may promise less", worse=True)


def _spending(before: out.Spending | None, after: out.Spending | None) -> Iterator[Difference]:
    """What is spent by the claims of the parts: worse only where it is too much now."""
    if before == after:
        return
    if before is None or after is None:
        if after is not None and after.totals:
            yield Difference(
                f"budget: spends {_total(after)} of {after.claimed} by claims of its parts", after.overspent
            )
        return
    overspends = after.overspent and not before.overspent
    if before.totals != after.totals or overspends:
        told = ", which overspends" if overspends else ""
        yield Difference(f"budget {_total(before)} -> {_total(after)} of {after.claimed} claimed{told}", overspends)


def _total(spending: out.Spending) -> str:
    if spending.totals is None:
        return "not known"
    several = f"the largest of {', '.join(spending.totals)}" if len(spending.totals) > 1 else "".join(spending.totals)
    return several if spending.whole else f"{several} in what is understood"


def _written(value: object) -> str:
    return printable("what is not stated" if value is None else str(value))


def _verdicts(change: out.Change) -> Iterator[Difference]:
    before, after = change.before, change.after
    assert before is not None
    assert after is not None
    through = f" through {numerals.listing([one_line(name) for name in change.through])}" if change.through else ""
    source = f"source changed{through}" if change.source else ""
    old, new = _verdict(before), _verdict(after)
    if old == new or before.outcome is None or after.outcome is None:
        kept = f"{new} before and now" if new and old else ""
        told = "; ".join(words for words in (source, kept) if words)
        if told:
            yield Difference(told)
        return
    if source:
        yield Difference(source)
    lost = isinstance(before.outcome, out.Proved) and not isinstance(after.outcome, out.Proved | _REFUTED)
    yield Difference(f"{'no longer proved: ' if lost else ''}{old} before, now {new}", _is_less(before, after))


def _is_less(before: out.Side, after: out.Side) -> bool:
    """Whether less is known to be kept than before. That runs would have found less is none of it: the clock may do."""
    if isinstance(after.outcome, _REFUTED):
        return _is_refuted(after) and not isinstance(before.outcome, _REFUTED)
    if not isinstance(before.outcome, out.Proved):
        return False
    return not isinstance(after.outcome, out.Proved) or _covers_less(before.outcome, after.outcome)


def _covers_less(before: out.Proved, after: out.Proved) -> bool:
    if before.scope.full or after.scope.full:
        return before.scope.full and not after.scope.full
    old, new = (None if one.scope.sizes is None else one.scope.sizes.largest for one in (before, after))
    return new is not None and (old is None or new < old)


def _is_refuted(side: out.Side) -> bool:
    """Whether the claim is refuted, and nobody has said that this is not to be told."""
    return isinstance(side.outcome, _REFUTED) and not side.silenced


def _verdict(side: out.Side) -> str:
    """A verdict in a few words; empty where nothing was run."""
    words = _outcome(side.outcome)
    if not isinstance(side.outcome, _REFUTED):
        return words
    return f"{words} ({'silenced' if side.silenced else side.outcome.code})"


def _outcome(outcome: out.Outcome | None) -> str:
    if isinstance(outcome, out.Proved):
        words = proof_words.verdict_words(outcome.scope)
        return _IN_PART if words == "proved" and not outcome.scope.full else words
    return "" if outcome is None else VERDICT_WORDS[verdict_name(outcome)]
