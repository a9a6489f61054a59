"""Comments that silence findings: what they say, what they silence, and how they are written and removed.

What the comments `# dplint: ignore[...]` of a text silence.

Nothing here looks at files: text, findings and verdicts come in, findings and verdicts go out.

Comments `# dplint: ignore[DP101]`: what they say, and which lines they are for.

Comments `# dplint: ignore[...]` that silence nothing, and how to remove them.

The edits by which an editor silences a code: for one line, or for all of a function.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, assert_never

from dplint import outcomes as out
from dplint.claims import Mechanism, Span
from dplint.codes import CODES
from dplint.source.text import Comment, Layout, read_layout

MARK = re.compile(r"dplint\s*:\s*(?:ignore|noqa|skip|off|on|disable|enable)\b")
"""A text without this has no comment of the kind, and need not be read."""
_COMMENT = re.compile(
    r"(?<!\S)#+\s*dplint\s*:\s*(?P<word>ignore|noqa|skip|off|on|disable|enable)\b(?:\s*(?P<list>\[(?P<codes>[^\]#]*)\]?))?"
)
_CLAIM = re.compile(r"#+\s*dplint\s*:(?!\s*(?:ignore|noqa|skip|off|on|disable|enable)\b)")
_NEXT = re.compile(r"\s+#")
_CODE = re.compile(r"DP\d{1,3}")
EXAMPLE = "# dplint: ignore[DP101]"


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """One `ignore[...]`, in a comment of its own or after other words of a comment.

    line, start, end: its place, columns from 1, with the words up to the next `#`. codes_start, codes_end: that of
    what stands between the brackets. codes: in capitals, as far as they are codes or beginnings of some.
    first, last: the lines that it is for. error: why it is of no use, empty if it is of some.
    """

    line: int
    start: int
    end: int
    codes_start: int
    codes_end: int
    codes: tuple[str, ...]
    first: int
    last: int
    error: str


def ignore_start(text: str) -> int:
    """Where the first `ignore[...]` of a comment begins, its length if there is none."""
    found = _COMMENT.search(text)
    return len(text) if found is None else found.start()


def ignore_comments(layout: Layout) -> tuple[IgnoreComment, ...]:
    """All of a text, in their order."""
    return tuple(found for line in sorted(layout.comments) for found in ignores_in(layout.comments[line], layout))


def ignores_in(comment: Comment, layout: Layout) -> list[IgnoreComment]:
    """Those of one comment."""
    found = []
    for written in _COMMENT.finditer(comment.text):
        words, error = _codes(written)
        # Behind a claim it belongs to the line of the claim; behind other words the comment is one for what is below.
        behind = _CLAIM.match(comment.text) is not None
        first, last = _lines(comment, layout, below=comment.alone and not behind)
        following = _NEXT.search(comment.text, written.end())
        start, end = written.span("codes") if written["list"] else (written.end(), written.end())
        found.append(
            IgnoreComment(
                line=comment.line,
                start=comment.column + written.start(),
                end=comment.column + (following.start() if following else len(comment.text)),
                codes_start=comment.column + start,
                codes_end=comment.column + end,
                codes=words,
                first=first,
                last=last,
                error=error,
            )
        )
    return found


def _codes(written: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """The codes, and what is wrong with the comment."""
    if written["word"] != "ignore":
        return (), f"dplint has no comment {written['word']!r}. Write {EXAMPLE} with the codes that are meant"
    if not written["list"]:
        return (), f"it names no code, and would silence what nobody has seen yet. Write {EXAMPLE}"
    if not written["list"].endswith("]"):
        return (), f"its bracket is not closed. Write {EXAMPLE}"
    words = [word.strip().upper() for word in written["codes"].split(",")]
    codes = [word for word in words if word]
    wrong = [word for word in codes if not _CODE.fullmatch(word)]
    if wrong:
        return (), f"{wrong[0]!r} is neither a code nor the beginning of one. Write {EXAMPLE}"
    return (tuple(codes), "") if codes else ((), f"it names no code. Write {EXAMPLE}")


def _lines(comment: Comment, layout: Layout, *, below: bool) -> tuple[int, int]:
    """The lines that a comment is for. below: it has a line for itself, and is for what follows."""
    if not below:
        return _lines_before(comment, layout)
    line = layout.below(comment.line)
    if line is None:
        return comment.line, comment.line
    above = layout.above(comment.line)
    statement = layout.statement(line)
    if statement is None or statement.first != line:
        return above, layout.group(line)[1]
    function = layout.function(line)
    if function is not None and function.first <= line <= function.head:
        return above, function.last
    return above, statement.last


def _lines_before(comment: Comment, layout: Layout) -> tuple[int, int]:
    """Those of a comment at the end of a line: the line, and where a statement ends with it, all of the statement."""
    first, last = layout.group(comment.line)
    statement = layout.statement(comment.line)
    if statement is not None and statement.last == last and not comment.alone:
        return statement.first, last
    return first, last


_OF_AUDITS = "DP9"
"""So begin codes of verdicts, and of findings about them, which stand where a verdict does."""
Item: TypeAlias = out.Finding | out.Result
AnyItem = TypeVar("AnyItem", bound=Item)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The comments of one text. file: as findings and mechanisms name it; what is about other files is let through."""

    file: str
    comments: tuple[IgnoreComment, ...]
    layout: Layout

    def silence(self, items: Iterable[AnyItem]) -> tuple[list[AnyItem], list[AnyItem]]:
        """Those that are reported, and those that are silenced, each in their order.

        A verdict without a code is no problem and is kept. So is a failed audit: what could not be checked must not
        vanish.
        """
        kept: list[AnyItem] = []
        silenced: list[AnyItem] = []
        for item in items:
            (silenced if self.silences(item) else kept).append(item)
        return kept, silenced

    def silences(self, item: Item) -> bool:
        """Whether a finding or a verdict is silenced."""
        return any(self.meets(comment, item, comment.codes) for comment in self.comments)

    def silences_mechanism(self, mechanism: Mechanism, code: str) -> bool:
        """Whether a verdict on the mechanism with that code would be silenced."""
        return any(code.startswith(tuple(one.codes)) and self.covers(one, mechanism) for one in self.comments)

    def meets(self, comment: IgnoreComment, item: Item, codes: Iterable[str]) -> bool:
        """Whether one comment is for a finding or a verdict, if these are its codes."""
        code = code_of(item)
        return code is not None and code.startswith(tuple(codes)) and self.covers(comment, item)

    def covers(self, comment: IgnoreComment, item: Item | Mechanism) -> bool:
        """Whether a finding, a verdict or a mechanism stands in the lines that a comment is for."""
        return any(lines.start <= comment.last and comment.first < lines.stop for lines in self._places(item))

    def _places(self, item: Item | Mechanism) -> list[range]:
        """The lines in which a finding or a verdict begins, for a verdict those of the decorators and the head too."""
        if isinstance(item, out.Finding):
            if item.file != self.file:
                return []
            places = [_only(item.span.line)]
            if not item.code.startswith(_OF_AUDITS):
                return places
            line = item.span.line
        else:
            mechanism = item.mechanism if isinstance(item, out.Result) else item
            if mechanism.file != self.file:
                return []
            line = mechanism.span.line
            places = [_only(line), _only(mechanism.claim_span.line)]
        function = self.layout.function(line)
        if function is not None and line <= function.head_end:
            places.append(range(function.first, function.head_end + 1))
        return places


def find_suppressions(text: str, file: str) -> Suppressions:
    """The comments of a text. Of one that does not parse, those before the first error that hides them."""
    if not MARK.search(text):
        return Suppressions(file, (), Layout(()))
    layout = read_layout(text)
    return Suppressions(file, ignore_comments(layout), layout)


def _only(line: int) -> range:
    return range(line, line + 1)


def code_of(item: Item) -> str | None:
    """The code that a comment and the settings may name, None for what cannot be silenced."""
    if isinstance(item, out.Finding):
        return item.code
    match item.outcome:
        case out.Violation() | out.Underpowered() | out.Unstable() | out.Untestable():
            return item.outcome.code
        case out.Proved() | out.NoViolation() | out.NotRefuted() | out.Failed():
            return None
        case _:
            assert_never(item.outcome)


USELESS = "DP020"
_FAILED = "DP905"
_VERDICTS = "DP9"


def useless(
    suppressions: Suppressions, items: Collection[Item], mechanisms: Collection[Mechanism] | None = None
) -> list[out.Finding]:
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

    def complaints(self, comment: IgnoreComment) -> Iterator[out.Finding]:
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
            fix = out.Fix(f"Remove {words} from the comment", (_replaced(comment, used),), safe)
            yield self._finding(comment, f"{words} in this comment silences nothing: {listed}. Remove it.", fix)
        else:
            fix = out.Fix("Remove the comment", (_removed(comment, self.suppressions.layout.lines),), safe)
            yield self._finding(comment, f"this comment silences nothing: {listed}. Remove it.", fix)

    def _finding(self, comment: IgnoreComment, message: str, fix: out.Fix | None) -> out.Finding:
        span = Span(comment.line, comment.start, comment.line, comment.end)
        return out.Finding(self.suppressions.file, span, None, USELESS, out.Severity.WARNING, message, fix)

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
        ended = [item.mechanism for item in self.items if isinstance(item, out.Result) and _ended(item)]
        wrong = (item for item in self.items if isinstance(item, out.Finding) and item.severity is out.Severity.ERROR)
        # A claim that is wrong makes no mechanism; once it is right, there may be a verdict to silence.
        hidden = any(self.suppressions.covers(comment, finding) for finding in wrong)
        return not hidden and all(one in ended for one in inside)


def _ended(result: out.Result) -> bool:
    match result.outcome:
        case out.Violation() | out.Proved() | out.Unstable():
            return True
        case out.NoViolation(effort=effort) | out.Underpowered(effort=effort) | out.NotRefuted(effort=effort):
            return effort.stop not in (out.StopReason.TIME, out.StopReason.CANCELLED)
        case _:
            return False


def _replaced(comment: IgnoreComment, codes: list[str]) -> out.Edit:
    return out.Edit(Span(comment.line, comment.codes_start, comment.line, comment.codes_end), ", ".join(codes))


def _removed(comment: IgnoreComment, lines: tuple[str, ...]) -> out.Edit:
    """The edit that removes the comment: with its line if nothing else is there, else with the space around it."""
    number, line = comment.line, lines[comment.line - 1]
    before, after = line[: comment.start - 1], line[comment.end - 1 :]
    if after.strip():
        end = len(line) - len(after.lstrip()) + 1
        return out.Edit(Span(number, comment.start, number, end), "")
    if before.strip():
        return out.Edit(Span(number, len(before.rstrip()) + 1, number, len(line) + 1), "")
    if number < len(lines):
        return out.Edit(Span(number, 1, number + 1, 1), "")
    if number > 1:
        return out.Edit(Span(number - 1, len(lines[number - 2]) + 1, number, len(line) + 1), "")
    return out.Edit(Span(number, 1, number, len(line) + 1), "")


_BREAK = re.compile(r"\r\n|\r|\n")


def ignore_edit(text: str, line: int, code: str) -> out.Edit:
    """The edit that silences a code for what begins in a line, by a comment at its end.

    Where none can stand, in a string or before a backslash, it goes to the end of the last line that is joined with
    this one. A byte order mark at the beginning of the text is no character of it. A failed audit (DP905) is not
    silenced by anything.
    """
    layout = read_layout(text)
    line = max(1, min(line, len(layout.lines)))
    last = layout.group(line)[1]
    return _added(layout, last, line, code) or _appended(layout, last, code)


def ignore_function_edit(text: str, where: Mechanism | int, code: str) -> out.Edit:
    """The edit that silences a code for all of a function, by a comment of its own above it.

    where: the mechanism, or any line of the function, its decorators, or the comments directly above it. If the line
    is in no function, the comment is for the statement that it is part of.
    """
    layout = read_layout(text)
    line = where.span.line if isinstance(where, Mechanism) else where
    line = max(1, min(line, len(layout.lines)))
    line = layout.below(line) or line
    function, statement = layout.function(line), layout.statement(line)
    if isinstance(where, Mechanism) and (function is None or line > function.head_end):
        function = None  # a lambda in a function
    first = function.first if function is not None else statement.first if statement is not None else line
    for above in range(first - 1, layout.above(first) - 1, -1):
        edit = _added(layout, above, first, code)
        if edit is not None:
            return edit
    target = layout.lines[first - 1]
    indent = target[: len(target) - len(target.lstrip())]
    return out.Edit(Span(first, 1, first, 1), f"{indent}# dplint: ignore[{code}]{_line_end(text, first)}")


def _added(layout: Layout, line: int, target: int, code: str) -> out.Edit | None:
    """The code in a comment that is there already and is for the target line; None if there is none."""
    comment = layout.comments.get(line)
    for ignore in ignores_in(comment, layout) if comment is not None else []:
        if not ignore.error and ignore.first <= target <= ignore.last:
            codes = dict.fromkeys((*ignore.codes, code))
            return out.Edit(Span(line, ignore.codes_start, line, ignore.codes_end), ", ".join(codes))
    return None


def _appended(layout: Layout, line: int, code: str) -> out.Edit:
    """A comment at the end of a line, in place of the blanks there."""
    text = layout.lines[line - 1]
    kept = text.rstrip()
    space = "  " if kept else text
    return out.Edit(Span(line, len(kept) + 1, line, len(text) + 1), f"{space}# dplint: ignore[{code}]")


def _line_end(text: str, line: int) -> str:
    """How the line ends, or else the first one of the text that ends."""
    ends = [found.group() for found in _BREAK.finditer(text)]
    return ends[line - 1] if line <= len(ends) else ends[0] if ends else "\n"
