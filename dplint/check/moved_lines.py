"""What an earlier check has found out of the same source, with the lines on which it stands now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dplint.claims import Span

SAID = frozenset({"cure", "detail", "helps", "message", "notes", "reason", "untestable", "why", "words"})
"""Fields that hold sentences, in which lines are told; data and expressions are never touched."""
_TRACED = r'File "[^"\n]*", line \d+'
LINES = re.compile(rf"{_TRACED}|\blines? (?>\d+(?:(?:, | and | to )\d+)*)(?! of )")
NUMBER = re.compile(r"\d+")
_NUMBERS = frozenset({"line", "never_run"})
"""Fields that hold lines, of the mechanism's file where no other one is named beside."""


def moved(item: Any, lines: Mapping[int, int], field: str = "") -> Any:
    """The same with all lines of the mechanism's file as they are now; those that are not known stay."""
    if isinstance(item, Span):
        if item.file:
            return item
        return replace(item, line=_now(item.line, lines), end_line=_now(item.end_line, lines))
    if isinstance(item, tuple):
        return tuple(moved(one, lines, field) for one in item)
    if isinstance(item, str):
        return LINES.sub(lambda told: _sentence(told, lines), item) if field in SAID else item
    if isinstance(item, int) and field in _NUMBERS:
        return _now(item, lines)
    if is_dataclass(item) and not isinstance(item, type):
        own = [one.name for one in fields(item) if one.init]
        if getattr(item, "file", "") and isinstance(getattr(item, "line", None), int):
            own.remove("line")
        old = {name: getattr(item, name) for name in own}
        new = {name: moved(value, lines, name) for name, value in old.items()}
        changed = {name: value for name, value in new.items() if value is not old[name]}
        return replace(item, **changed) if changed else item
    return item


def _sentence(told: re.Match[str], lines: Mapping[int, int]) -> str:
    if told[0].startswith("File "):
        return told[0]
    return NUMBER.sub(lambda one: str(_now(int(one[0]), lines)), told[0])


def _now(line: int, lines: Mapping[int, int]) -> int:
    return lines.get(line, line)
