"""A plugin of pytest that writes down how a project's tests call its functions: in Python, with the data left out.

It runs by itself, in the interpreter of the tests, which need not have dplint: only the standard library is imported,
in the Python of 3.9. A list of records becomes `[0.0] * 100`, an array `numpy.zeros((100, 2))`; short texts, numbers
and lists of a few of them stay, since bounds, scales and names of columns are such. Each process writes a file of its
own into the folder that `DPLINT_RECORDED` names, a line a call; calls that raise are left out.
"""

from __future__ import annotations

import math
import os
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Made = dict[int, tuple[Any, str]]
"""Objects by their `id`, kept so that no other gets it, and what each was made of."""

_ROOT = os.path.realpath(os.environ.get("DPLINT_PROJECT", os.curdir)) + os.sep
_FEW, _SHORT, _DEEPEST = 4, 24, 3
"""How many items of a list, and letters of a text, are kept as they are."""
_MOST_LINES, _MOST_CALLS = 4, 40
"""Lines of one function, and its calls that are looked at for them."""
_OTHERS = ("site-packages", "dist-packages", os.sep + ".")


class _NotPlain(Exception):
    """A value that no short text stands for."""


class Recorder:
    """What the profiler of Python tells: the first calls of each function of the project."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.lines: dict[CodeType, list[str]] = {}
        self._seen: dict[CodeType, int] = {}
        self._open: dict[int, str] = {}
        self._made: Made = {}

    def __call__(self, frame: FrameType, event: str, result: Any) -> None:
        """See `sys.setprofile`."""
        code = frame.f_code
        if event == "call" and self._is_asked(code):
            self._seen[code] += 1
            try:
                self._begin(frame, code)
            except Exception:  # whatever an object of the project's does when it is looked at
                return
        elif event == "return" and id(frame) in self._open:
            line = self._open.pop(id(frame))
            known = self.lines.setdefault(code, [])
            # A call that raises returns None here, too.
            if result is not None and line not in known and len(known) < _MOST_LINES:
                known.append(line)

    def _is_asked(self, code: CodeType) -> bool:
        count = self._seen.get(code)
        if count is None:
            path = os.path.realpath(code.co_filename)
            inside = path.startswith(_ROOT) and not any(one in path[len(_ROOT) - 1 :] for one in _OTHERS)
            written = Path(path).is_file() and not code.co_name.startswith(("<", "test_"))
            made = code.co_name == "__init__"  # also what a dataclass writes for itself
            count = self._seen[code] = 0 if made or (inside and written) else _MOST_CALLS
        return count < _MOST_CALLS

    def _begin(self, frame: FrameType, code: CodeType) -> None:
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = [(name, frame.f_locals[name]) for name in names if name in frame.f_locals]
        if code.co_name == "__init__":
            made = values[0][1]
            if _is_own(type(made)):
                self._made.setdefault(id(made), (made, _keywords(values[1:], self._made)))
            return
        function = frame.f_globals.get(code.co_name)
        if getattr(_unwrapped(function), "__code__", None) is code:
            called = f"{frame.f_globals['__name__']}.{code.co_name}"
        elif values and _owner(values[0][1], code) is not None:
            called = f"{_text(values.pop(0)[1], self._made, 0)}.{code.co_name}"
        else:
            return
        if values:
            self._open[id(frame)] = f"{called}({_keywords(values, self._made)})"


def _unwrapped(function: Any) -> Any:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _owner(value: Any, code: CodeType) -> Any:
    """The class that the method is of."""
    owners = type(value).__mro__ if _is_own(type(value)) else ()
    found = (getattr(_unwrapped(vars(one).get(code.co_name)), "__code__", None) for one in owners)
    return next((one for one in found if one is code), None)


def _is_own(kind: type) -> bool:
    path = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return bool(path) and os.path.realpath(path).startswith(_ROOT) and "." not in kind.__qualname__


def _keywords(values: Iterable[tuple[str, Any]], made: Made) -> str:
    """The arguments of a call; those for which there is no text are left out."""
    written = []
    for name, value in values:
        try:
            written.append(f"{name}={_text(value, made, 0)}")
        except _NotPlain:
            continue
    return ", ".join(written)


def _text(value: Any, made: Made, depth: int) -> str:
    """A text for a value, in which data is replaced by zeros. Raises _NotPlain."""
    kind = type(value)
    if depth > _DEEPEST:
        raise _NotPlain
    if value is None or kind in (bool, int, float, complex):
        return repr(value) if kind is not float or math.isfinite(value) else f"float({str(value)!r})"
    if kind is str:
        return repr(value if len(value) <= _SHORT and value.isprintable() else "")
    if kind in (list, tuple):
        return _sequence(value, made, depth)
    if kind is dict and len(value) <= _FEW:
        items = [f"{_text(key, made, depth + 1)}: {_text(one, made, depth + 1)}" for key, one in value.items()]
        return f"{{{', '.join(items)}}}"
    if kind.__module__.partition(".")[0] in ("numpy", "pandas", "polars"):
        return _table(value, kind)
    if id(value) in made and made[id(value)][0] is value:
        return f"{kind.__module__}.{kind.__qualname__}({made[id(value)][1]})"
    raise _NotPlain


def _sequence(value: Any, made: Made, depth: int) -> str:
    opened, closed = "[]" if isinstance(value, list) else ("(", ",)")
    if len(value) <= _FEW:
        return opened + ", ".join(_text(one, made, depth + 1) for one in value) + (closed if value else closed[-1])
    first = value[0]
    if any(isinstance(one, float) for one in value[:_SHORT]):
        inner = "0.0"
    elif type(first) in (bool, int, str):
        inner = repr(type(first)())
    else:
        inner = _text(first, made, depth + 1)
    return f"{opened}{inner}{closed} * {len(value)}"


def _table(value: Any, kind: type) -> str:
    """An array, a Series or a table of zeros, of the same shape and columns."""
    name = kind.__name__
    if name == "ndarray":
        whole = ", dtype=int" if value.dtype.kind in "iu" else ", dtype=bool" if value.dtype.kind == "b" else ""
        return f"numpy.zeros({value.shape if value.ndim != 1 else value.shape[0]}{whole})"
    if kind.__module__.startswith("numpy.random"):
        return "numpy.random.default_rng()" if name == "Generator" else f"numpy.random.{name}()"
    if name == "Series":
        return f"{kind.__module__.partition('.')[0]}.Series({_column(value)})"
    if name == "DataFrame":
        columns = ", ".join(f"{str(one)!r}: {_column(value[one])}" for one in value.columns)
        return f"{kind.__module__.partition('.')[0]}.DataFrame({{{columns}}})"
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return repr(value.item())
    raise _NotPlain


def _column(values: Any) -> str:
    kind = str(values.dtype).lower()
    blank = "0" if "int" in kind else "0.0" if "float" in kind else "False" if "bool" in kind else "''"
    return f"[{blank}] * {len(values)}"


_RECORDER = Recorder()


def pytest_configure() -> None:
    """Begin: objects may be made while modules are imported."""
    threading.setprofile(_RECORDER)
    sys.setprofile(_RECORDER)


def pytest_unconfigure() -> None:
    """End, and write the lines."""
    sys.setprofile(None)
    threading.setprofile(None)
    lines = [one for lines in _RECORDER.lines.values() for one in lines]
    folder = os.environ.get("DPLINT_RECORDED")
    if folder and lines:
        Path(folder, f"{os.getpid()}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
