"""Symbols and colours of the terminal report, with a plain fallback where the encoding has no such characters."""

from __future__ import annotations

from typing import NamedTuple


class Glyphs(NamedTuple):
    """The characters of a report, each one column wide."""

    proved: str
    proved_in_part: str
    no_violation: str
    rejected: str
    bar: str
    bar_half: str
    gutter: str
    dot: str
    horizontal: str


UNICODE = Glyphs(*"✓◐○✗█▌│·┈")
ASCII = Glyphs(*"+~ox##||.")


def glyphs(encoding: str) -> Glyphs:
    """The characters that an output of this encoding can show."""
    return UNICODE if encoding.lower().startswith("utf") else ASCII


KIND_COLOURS = {
    "violation": "bold red",
    "unstable": "bold red",
    "overspent": "bold red",
    "not-refuted": "cyan",
    "proved": "green",
    "proved-in-part": "blue",
    "no-violation": "cyan",
    "underpowered": "yellow",
    "untestable": "yellow",
    "failed": "bold magenta",
    "not-checked": "bold magenta",
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold blue",
}
"""Of verdicts and of findings, by their names. Green is only for what is proved in full."""


def bar(share: float, width: int, characters: Glyphs) -> str:
    """A bar of that share of the width; whatever is not zero shows as half a character at least."""
    halves = round(min(1.0, share) * width * 2)
    if share > 0:
        halves = max(1, halves)
    return characters.bar * (halves // 2) + (characters.bar_half if halves % 2 else "")
