"""Other people's text inside Markdown: shown as it is, never read as markup, a link, HTML or the end of a table's cell.

As CommonMark 0.31 and the tables and bare links of GitHub Flavored Markdown 0.29 have it.
"""

from __future__ import annotations

import re

from dplint.report.literals import printable

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&!@$]|:(?=//))")
_BARE_LINK = re.compile(r"\b(www)\.", re.IGNORECASE)
_BLOCK_START = re.compile(r"^(\d*)([-+=]|[.)](?= |$))")
"""What would make a list or a heading of a line that it begins."""
_TICKS = re.compile(r"`+")
_PIPE = re.compile(r"(\\*)\|")


def plain(text: str) -> str:
    """Text in a sentence or at the beginning of one, on one line, with all that could be markup escaped."""
    return _BLOCK_START.sub(r"\1\\\2", escaped(printable(" ".join(text.split()))))


def escaped(line: str) -> str:
    """A part of a line with all that could be markup escaped."""
    return _BARE_LINK.sub(r"\1\\.", _MARKUP.sub(r"\\\1", line))


def code(source: str) -> str:
    """A span of code. Nothing in it has a meaning but the ticks that end it, so it gets more of these than it holds."""
    line = _one_line(source)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line[:1] in ("`", " ", "") or line[-1:] in ("`", " ") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def cell(markdown: str) -> str:
    """Markdown inside a cell of a table, where a pipe needs an odd number of backslashes, also in a span of code."""
    return _PIPE.sub(lambda found: found[1] + ("|" if len(found[1]) % 2 else "\\|"), markdown)


def block(text: str) -> list[str]:
    """The lines of a block of code."""
    shown = printable(text.replace("\r\n", "\n"))
    fence = "`" * max(3, _longest_run(shown) + 1)
    return [f"{fence}text", *shown.split("\n"), fence]


def table(rows: list[tuple[str, str]]) -> list[str]:
    """The lines of a table of labels and Markdown."""
    return ["| | |", "|---|---|", *(f"| {plain(label)} | {cell(markdown)} |" for label, markdown in rows)]


def _one_line(text: str) -> str:
    """Control characters and ends of lines as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
