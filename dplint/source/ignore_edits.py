"""The edits by which an editor silences a code: for one line, or for all of a function."""

from __future__ import annotations

import re

from dplint.claims import Mechanism, Span
from dplint.outcomes import Edit
from dplint.source.ignore_comments import ignores_in
from dplint.source.layout import Layout, read_layout

_BREAK = re.compile(r"\r\n|\r|\n")


def ignore_edit(text: str, line: int, code: str) -> Edit:
    """The edit that silences a code for what begins in a line, by a comment at its end.

    Where none can stand, in a string or before a backslash, it goes to the end of the last line that is joined with
    this one. A byte order mark at the beginning of the text is no character of it. A failed audit (DP905) is not
    silenced by anything.
    """
    layout = read_layout(text)
    line = max(1, min(line, len(layout.lines)))
    last = layout.group(line)[1]
    return _added(layout, last, line, code) or _appended(layout, last, code)


def ignore_function_edit(text: str, where: Mechanism | int, code: str) -> Edit:
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
    return Edit(Span(first, 1, first, 1), f"{indent}# dplint: ignore[{code}]{_line_end(text, first)}")


def _added(layout: Layout, line: int, target: int, code: str) -> Edit | None:
    """The code in a comment that is there already and is for the target line; None if there is none."""
    comment = layout.comments.get(line)
    for ignore in ignores_in(comment, layout) if comment is not None else []:
        if not ignore.error and ignore.first <= target <= ignore.last:
            codes = dict.fromkeys((*ignore.codes, code))
            return Edit(Span(line, ignore.codes_start, line, ignore.codes_end), ", ".join(codes))
    return None


def _appended(layout: Layout, line: int, code: str) -> Edit:
    """A comment at the end of a line, in place of the blanks there."""
    text = layout.lines[line - 1]
    kept = text.rstrip()
    space = "  " if kept else text
    return Edit(Span(line, len(kept) + 1, line, len(text) + 1), f"{space}# dplint: ignore[{code}]")


def _line_end(text: str, line: int) -> str:
    """How the line ends, or else the first one of the text that ends."""
    ends = [found.group() for found in _BREAK.finditer(text)]
    return ends[line - 1] if line <= len(ends) else ends[0] if ends else "\n"
