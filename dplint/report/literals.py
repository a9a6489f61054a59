"""Values as Python text, shortened where they are long."""

from __future__ import annotations

from dplint.claims import Literal

LONGEST = 60


def literal(value: Literal, longest: int = LONGEST) -> str:
    """The value as a Python expression of at most `longest` characters; what is left out shows as `...`."""
    text = repr(value)
    if len(text) <= longest:
        return text
    keep = longest - 3
    return f"{text[: keep - keep // 3]}...{text[len(text) - keep // 3 :]}"


def around(text1: str, text2: str, longest: int = LONGEST) -> tuple[str, str]:
    """Two different texts, each cut to at most `longest` characters with their first difference kept in view."""
    same = 0
    for a, b in zip(text1, text2, strict=False):
        if a != b:
            break
        same += 1
    start = max(0, same - longest // 3)
    return _window(text1, start, longest), _window(text2, start, longest)


def _window(text: str, start: int, longest: int) -> str:
    if len(text) <= longest:
        return text
    before = "..." if start else ""
    rest = text[start:]
    room = longest - len(before)
    return before + (rest if len(rest) <= room else rest[: room - 3] + "...")
