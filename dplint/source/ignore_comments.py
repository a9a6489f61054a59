"""Comments `# dplint: ignore[DP101]`: what they say, and which lines they are for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dplint.source.layout import Comment, Layout

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
