"""Lines of the mechanism's file that some runs have not taken. Runs in the user's interpreter."""

from __future__ import annotations

import dis
import inspect
import linecache
import sys
import threading
from types import CodeType, FrameType, ModuleType
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

_MOST_STEPS = 100_000
"""Lines of all runs that are followed; after that it is not known any more which are not taken."""


class PassedOver:
    """Which lines of a file runs do not take; a context manager for some runs, which may be entered again.

    Known are the lines of functions that were called, and of those of the module and its classes. Lines that run on
    import are not among them, nor are functions behind a decorator that keeps what they return.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._codes: Set[CodeType] = set()
        self._taken: Set[int] = set()
        self._left = _MOST_STEPS
        self._before: Tuple[Any, Any] = (None, None)

    def __enter__(self) -> PassedOver:
        self._before = sys.gettrace(), getattr(threading, "_trace_hook", None)
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: Any) -> None:
        # Whoever has put another tracer in its place has hidden lines from this one.
        if self._left > 0 and sys.gettrace() != self._call:
            self._left = 0
        sys.settrace(self._before[0])
        threading.settrace(self._before[1])

    def lines(self, module: ModuleType) -> List[Tuple[int, str]]:
        """Number and text of the lines that no run took; empty where that is not known."""
        if self._left <= 0 or not self._codes:
            return []
        codes = self._codes.union(_codes_of(vars(module), self._file))
        lines = {line for code in codes for inner in _with_inner(code) for line in _lines_of(inner)}
        return [(line, linecache.getline(self._file, line).strip()) for line in sorted(lines - self._taken)]

    def _call(self, frame: FrameType, *_: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self._file:
            return None
        self._codes.add(code)
        # No line event comes of the line of the `def`, nor of a generator's line that is gone on from.
        self._taken.update((code.co_firstlineno, frame.f_lineno))
        return self._step

    def _step(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self._taken.add(frame.f_lineno)
            self._left -= 1
            if self._left <= 0:
                sys.settrace(None)
                return None
        return self._step


def _codes_of(names: Dict[str, Any], file: str) -> Iterator[CodeType]:
    """The functions and methods of a module or a class that stand in the file."""
    for value in list(names.values()):
        for part in (value, getattr(value, "fget", None), getattr(value, "__func__", None)):
            if inspect.isfunction(part) and part.__code__.co_filename == file:
                yield part.__code__
        if isinstance(value, type) and value.__module__ == names.get("__name__", value.__module__):
            yield from _codes_of(dict(vars(value), __name__=value.__module__), file)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


def _lines_of(code: CodeType) -> Iterator[int]:
    found: Iterator[Tuple[Any, Any, Optional[int]]]
    if hasattr(code, "co_lines"):
        found = code.co_lines()
    else:
        found = ((None, None, line) for _, line in dis.findlinestarts(code))
    for _, _, line in found:
        if line is not None and line != code.co_firstlineno:
            yield line
