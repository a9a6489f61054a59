"""Values and other people's text, made fit to print: shortened, without control characters, measured in columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from dplint.claims import Literal, is_made, spelled

LONGEST = 60
_COMMAND = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*)(::)|##(?=\[|vso\[|teamcity\[)", re.MULTILINE)
"""What a log of GitHub, Azure or TeamCity takes for a command: a line that begins with two colons, and `##[`."""


def literal(value: Literal, longest: int = LONGEST) -> str:
    """The value as a Python expression of at most `longest` characters; what is left out shows as `...`.

    What an argument is made by, as "module:name(1)", is written as the call.
    """
    return shortened(spelled(value) if is_made(value) else repr(value), longest)


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text with its middle left out, where it has more than `longest` characters."""
    if len(text) <= longest:
        return text
    keep = longest - 3
    return f"{text[: keep - keep // 3]}...{text[len(text) - keep // 3 :]}"


def around(text1: str, text2: str, longest: int = LONGEST) -> tuple[str, str]:
    """Two different texts, each cut to at most `longest` characters with their first difference kept in view."""
    same, _ = common_ends(text1, text2)
    start = max(0, same - longest // 3)
    return _window(text1, start, longest), _window(text2, start, longest)


def common_ends(one: Sequence[object], two: Sequence[object]) -> tuple[int, int]:
    """How many entries are the same at the beginning, and behind these at the end."""
    shorter = min(len(one), len(two))
    head = next((i for i in range(shorter) if one[i] != two[i]), shorter)
    return head, next((i for i in range(shorter - head) if one[-1 - i] != two[-1 - i]), shorter - head)


def printable(text: str) -> str:
    """The text with control characters as escapes, so that what user code wrote cannot steer the reader's terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def one_line(text: str) -> str:
    """A name, such as that of a file: printable, with line ends and tabs as escapes, too."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def for_logs(text: str) -> str:
    """The text with a backslash in what would be a command to the system that keeps a log of it."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(lambda at: f"{at[1]}\\::" if at[2] else r"#\#", text)


def columns(text: str) -> int:
    """How many columns of a terminal the text takes: two for each wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _window(text: str, start: int, longest: int) -> str:
    if len(text) <= longest:
        return text
    before = "..." if start else ""
    rest = text[start:]
    room = longest - len(before)
    return before + (rest if len(rest) <= room else rest[: room - 3] + "...")
