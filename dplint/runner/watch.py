"""Runs that are watched: how large the noise of each draw is, and which lines are taken.

Runs in the user's interpreter. A watched run draws as any other, from generators that note what they are asked for, or
it is a run without noise. It is slower than others, and nothing is concluded from its output alone.

Lines of the mechanism's file that some runs have not taken. Runs in the user's interpreter.
"""

from __future__ import annotations

import dis
import inspect
import linecache
import math
import random
import sys
import threading
from types import CodeType, FrameType, ModuleType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

import numpy as np

from ..distributions import GENERATOR, LEGACY, PYTHON, Distribution, DrawSignature, draw_signatures, of
from .generator_patches import GeneratorPatches, Swap, rvs_swaps

# ruff: noqa: ARG002  (signatures are those of scipy.stats)


_MOST_FRAMES = 12
_MOST_STEPS = 20_000
"""Lines of one run that are followed; a longer run goes on unwatched."""
Note = Callable[[Distribution, Mapping[str, Any]], None]


class DrawLog:
    """What some runs have drawn: for each place, how often, the least and the largest scale, and whether one is none.

    A scale is none that is zero, negative or not finite: there is no noise then, or no law. Draws of distributions
    without a scale are counted, with NaN for the scales.
    """

    def __init__(self, own: Callable[[str], bool]) -> None:
        self._own = own
        self.places: Dict[Tuple[str, int, str], List[Any]] = {}

    def note(self, distribution: Distribution, parameters: Mapping[str, Any]) -> None:
        """One draw, or one array of them."""
        low, high, bad = _scales(distribution, parameters)
        entry = self.places.setdefault((*self._place(), distribution.name), [0, math.nan, math.nan, False])
        entry[0] += 1
        if not math.isnan(low):
            entry[1] = low if math.isnan(entry[1]) else min(entry[1], low)
            entry[2] = high if math.isnan(entry[2]) else max(entry[2], high)
        entry[3] = entry[3] or bad

    def described(self) -> List[List[Any]]:
        """For each place and distribution: file, line, name, draws, least scale, largest scale, whether one is none.

        None stands for a scale that is not finite, or that there is not.
        """
        return [
            [file, line, name, count, _finite(low), _finite(high), bad]
            for (file, line, name), (count, low, high, bad) in self.places.items()
        ]

    def _place(self) -> Tuple[str, int]:
        return place_of(self._own, 3)


def place_of(own: Callable[[str], bool], depth: int) -> Tuple[str, int]:
    """The line of the user's code that asks for a draw, so many frames above or further."""
    frame: Optional[FrameType] = sys._getframe(depth)
    first = frame
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        if own(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    assert first is not None
    return first.f_code.co_filename, first.f_lineno


class Lines:
    """The steps from line to line that the user's code takes, as numbers; a context manager for one run."""

    def __init__(self, own: Callable[[str], bool]) -> None:
        self._own = own
        self._numbers: Dict[Tuple[str, int, int], int] = {}
        self._left = 0
        self.taken: Set[int] = set()

    @property
    def reached(self) -> Set[Tuple[str, int]]:
        """The lines to which some runs have come, as (file, line)."""
        return {(file, line) for file, _, line in self._numbers}

    def __enter__(self) -> Set[int]:
        self.taken = set()
        self._left = _MOST_STEPS
        sys.settrace(self._call)
        return self.taken

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if not self._own(code.co_filename):
            return None
        before = -code.co_firstlineno

        def step(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal before
            if event == "line":
                self._left -= 1
                if self._left < 0:
                    sys.settrace(None)
                    return None
                key = (code.co_filename, before, frame.f_lineno)
                before = frame.f_lineno
                self.taken.add(self._numbers.setdefault(key, len(self._numbers)))
            return step

        return step


def _scales(distribution: Distribution, parameters: Mapping[str, Any]) -> Tuple[float, float, bool]:
    """The least and the largest scale of a draw, NaN if it has none, and whether one of them is no scale."""
    if not distribution.scale_parameters:
        return math.nan, math.nan, False
    try:
        scales = np.asarray(distribution.scale(parameters), float)
    except (TypeError, ValueError, ArithmeticError):
        return math.nan, math.nan, True
    if not scales.size:
        return math.nan, math.nan, False
    return float(scales.min()), float(scales.max()), bool((~((scales > 0) & np.isfinite(scales))).any())


def _finite(value: float) -> Optional[float]:
    return value if math.isfinite(value) else None


def _method(base: Any, signature: DrawSignature, note: Note) -> Callable[..., Any]:
    """The method of the real generator, which notes what it is asked for."""
    distribution, draw = of(signature.distribution), getattr(base, signature.method)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        try:
            parameters, _ = signature.read(args, named, any_others=True)
        except Exception:
            return draw(self, *args, **named)  # a call that the method itself refuses
        note(distribution, parameters)
        return draw(self, *args, **named)

    return method


def _watched(base: Any, family: str, note: Note) -> Any:
    draws = draw_signatures(family)
    methods = {name: _method(base, signature, note) for name, signature in draws.items() if hasattr(base, name)}
    return type(f"Watched{base.__name__}", (base,), methods)


class WatchedPatches(GeneratorPatches):
    """Generators that draw from a seed and note what they are asked for, and the replacement of all others by them."""

    def __init__(self, seed: np.random.SeedSequence, note: Note) -> None:
        first, second, third = seed.spawn(3)
        self._note = note
        super().__init__(
            _watched(np.random.Generator, GENERATOR, note)(np.random.SFC64(first)),
            _watched(np.random.RandomState, LEGACY, note)(np.random.MT19937(second)),
            _watched(random.Random, PYTHON, note)(int(third.generate_state(1)[0])),
        )

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in, and `scipy.stats`."""
        return super().library_swaps() + rvs_swaps(self._rvs)

    def _rvs(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """`rvs` of `scipy.stats`, whose scale is an argument of every continuous law."""
        laplace = of("laplace")

        def rvs(self: Any, *args: Any, **named: Any) -> Any:
            rest = {name: value for name, value in named.items() if name != "random_state"}
            try:
                _, _, scale, _ = self._parse_args_rvs(*args, **rest)
            except Exception:
                return draw(self, *args, **named)
            if not hasattr(self, "pmf"):
                note(laplace, {"loc": 0.0, "scale": scale})
            return draw(self, *args, **named)

        note = self._note
        return rvs


def is_own(roots: Sequence[str], is_installed: Callable[[str], bool]) -> Callable[[str], bool]:
    """Whether a file lies in the user's project, installed packages left out."""
    known: Dict[str, bool] = {}

    def own(file: str) -> bool:
        found = known.get(file)
        if found is None:
            found = known[file] = file.startswith(tuple(roots)) and not is_installed(file)
        return found

    return own


_MOST_STEPS_OF_ALL = 100_000
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
        self._left = _MOST_STEPS_OF_ALL
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
