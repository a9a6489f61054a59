"""Files that do not parse: those that were named are told of whatever is in them, those of Python 2 once, together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dplint.config import shown
from dplint.contents import content
from dplint.outcomes import CheckError
from dplint.source.notebooks import text_of
from dplint.source.text import DecodeError
from dplint.syntax import parse_text

T = TypeVar("T")
_PYTHON_2 = re.compile(
    r"\s*(?:print\s+[\"'\w%]|print\s*>>|exec\s+[\"'\w]|raise\s+[\w.]+\s*,|except\s+[\w.(), ]+\s*,\s*\w+\s*:)"
)


def does_not_parse(path: Path) -> CheckError | None:
    """Why a file cannot be read that nothing else would be said of; None if it can be."""
    try:
        parse_text(text_of(path, content(path)).removeprefix("\ufeff"))
    except SyntaxError as error:
        return CheckError(shown(path), error.lineno, f"does not parse: {error.msg}")
    except DecodeError as error:
        return CheckError(shown(path), error.line, error.message)
    except (OSError, ValueError, RecursionError, MemoryError):
        return None  # where it matters, others say so
    return None


def with_old_ones_together(events: Iterable[T]) -> Iterator[T]:
    """The events, with one error at the end for all files that are written in Python 2."""
    old: T | None = None
    others: list[str] = []
    for event in events:
        if not (isinstance(event, CheckError) and _is_python_2(event)):
            yield event
        elif old is None:
            old = replace(event, message="does not parse: it is written in Python 2")
        else:
            others.append(event.file)
    if isinstance(old, CheckError):
        more = f", and so {'are' if others[1:] else 'is'} {', '.join(others)}" if others else ""
        yield replace(old, message=f"{old.message}{more}")


def _is_python_2(error: CheckError) -> bool:
    """Whether the line that does not parse is one that Python 2 understands."""
    if error.line is None or not error.message.startswith("does not parse"):
        return False
    try:
        lines = Path(error.file).read_text(errors="replace").split("\n")
    except (OSError, ValueError):
        return False
    return error.line <= len(lines) and _PYTHON_2.match(lines[error.line - 1]) is not None
