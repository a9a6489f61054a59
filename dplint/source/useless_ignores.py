"""Comments `# dplint: ignore[...]` that silence nothing, and how to remove them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dplint.claims import Mechanism, Span
from dplint.codes import CODES
from dplint.outcomes import (
    Edit,
    Finding,
    Fix,
    NotRefuted,
    NoViolation,
    Proved,
    Result,
    Severity,
    StopReason,
    Underpowered,
    Unstable,
    Violation,
)
from dplint.source.ignore_comments import IgnoreComment
from dplint.source.suppressions import Item, Suppressions

USELESS = "DP020"
_FAILED = "DP905"
_VERDICTS = "DP9"


def useless(
    suppressions: Suppressions, items: Collection[Item], mechanisms: Collection[Mechanism] | None = None
) -> list[Finding]:
    """A finding DP020 for each comment of a text that is of no use, or names a code that is of none.

    items: all that was found in the text, silenced or not. mechanisms: all of the text that were to be audited, None
    if nothing was; a code of verdicts is judged only if every mechanism in the comment's lines was audited to the end.
    Do not ask about a text with errors of reading: what is silenced may stand where nothing could be read.
    """
    judge = _Judge(suppressions, items, mechanisms)
    found = [finding for comment in suppressions.comments for finding in judge.complaints(comment)]
    forgiving = [comment for comment in suppressions.comments if USELESS in comment.codes]
    return [one for one in found if not any(suppressions.covers(comment, one) for comment in forgiving)]


@dataclass(frozen=True, slots=True)
class _Judge:
    suppressions: Suppressions
    items: Collection[Item]
    mechanisms: Collection[Mechanism] | None

    def complaints(self, comment: IgnoreComment) -> Iterator[Finding]:
        if comment.error:
            yield self._finding(comment, f"this comment silences nothing: {comment.error}.", None)
            return
        reasons = {code: reason for code in comment.codes if (reason := self._why_idle(comment, code))}
        if not reasons:
            return
        listed = "; ".join(dict.fromkeys(reasons.values()))
        safe = not any(code.startswith(_VERDICTS) for code in reasons)
        used = [code for code in dict.fromkeys(comment.codes) if code not in reasons]
        if used:
            words = " and ".join(reasons)
            fix = Fix(f"Remove {words} from the comment", (_replaced(comment, used),), safe)
            yield self._finding(comment, f"{words} in this comment silences nothing: {listed}. Remove it.", fix)
        else:
            fix = Fix("Remove the comment", (_removed(comment, self.suppressions.layout.lines),), safe)
            yield self._finding(comment, f"this comment silences nothing: {listed}. Remove it.", fix)

    def _finding(self, comment: IgnoreComment, message: str, fix: Fix | None) -> Finding:
        span = Span(comment.line, comment.start, comment.line, comment.end)
        return Finding(self.suppressions.file, span, None, USELESS, Severity.WARNING, message, fix)

    def _why_idle(self, comment: IgnoreComment, code: str) -> str:
        """Why a code of the comment silences nothing; empty if it does, or if that is not known."""
        if code == USELESS or any(self.suppressions.meets(comment, item, [code]) for item in self.items):
            return ""
        if code == _FAILED:
            return f"{code} cannot be silenced, for what could not be checked must not vanish"
        if not any(known.startswith(code) for known in CODES):
            return f"dplint has no code {code}"
        if code.startswith(_VERDICTS):
            return f"the audit ended without {code}" if self._audited(comment) else ""
        return f"there is no {code} in its lines"

    def _audited(self, comment: IgnoreComment) -> bool:
        """Whether all mechanisms in the lines of the comment were audited to the end."""
        if self.mechanisms is None:
            return False
        inside = [one for one in self.mechanisms if self.suppressions.covers(comment, one)]
        ended = [item.mechanism for item in self.items if isinstance(item, Result) and _ended(item)]
        wrong = (item for item in self.items if isinstance(item, Finding) and item.severity is Severity.ERROR)
        # A claim that is wrong makes no mechanism; once it is right, there may be a verdict to silence.
        hidden = any(self.suppressions.covers(comment, finding) for finding in wrong)
        return not hidden and all(one in ended for one in inside)


def _ended(result: Result) -> bool:
    match result.outcome:
        case Violation() | Proved() | Unstable():
            return True
        case NoViolation(effort=effort) | Underpowered(effort=effort) | NotRefuted(effort=effort):
            return effort.stop not in (StopReason.TIME, StopReason.CANCELLED)
        case _:
            return False


def _replaced(comment: IgnoreComment, codes: list[str]) -> Edit:
    return Edit(Span(comment.line, comment.codes_start, comment.line, comment.codes_end), ", ".join(codes))


def _removed(comment: IgnoreComment, lines: tuple[str, ...]) -> Edit:
    """The edit that removes the comment: with its line if nothing else is there, else with the space around it."""
    number, line = comment.line, lines[comment.line - 1]
    before, after = line[: comment.start - 1], line[comment.end - 1 :]
    if after.strip():
        end = len(line) - len(after.lstrip()) + 1
        return Edit(Span(number, comment.start, number, end), "")
    if before.strip():
        return Edit(Span(number, len(before.rstrip()) + 1, number, len(line) + 1), "")
    if number < len(lines):
        return Edit(Span(number, 1, number + 1, 1), "")
    if number > 1:
        return Edit(Span(number - 1, len(lines[number - 2]) + 1, number, len(line) + 1), "")
    return Edit(Span(number, 1, number, len(line) + 1), "")
