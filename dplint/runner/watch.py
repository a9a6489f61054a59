"""Runs that are watched: how large the noise of each draw is, and which lines are taken.

Runs in the user's interpreter. A watched run draws as any other, from generators that note what they are asked for, or
it is a run without noise. It is slower than others, and nothing is concluded from its output alone.
"""

from __future__ import annotations

# ruff: noqa: ARG002  (signatures are those of scipy.stats)
import math
import random
import sys
from types import FrameType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

import numpy as np

from ..distributions import GENERATOR, LEGACY, PYTHON, Distribution, DrawSignature, draw_signatures, of
from .generator_patches import GeneratorPatches, Swap

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


class LinesRun:
    """To which lines of the user's code some runs come, as (file, line); a context manager."""

    def __init__(self, own: Callable[[str], bool]) -> None:
        self._own = own
        self._left = _MOST_STEPS
        self.reached: Set[Tuple[str, int]] = set()

    def __enter__(self) -> None:
        sys.settrace(self._call)

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        if not self._own(frame.f_code.co_filename):
            return None
        return self._step

    def _step(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self._left -= 1
            if self._left < 0:
                sys.settrace(None)
                return None
            self.reached.add((frame.f_code.co_filename, frame.f_lineno))
        return self._step


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
        swaps = super().library_swaps()
        scipy = sys.modules.get("scipy.stats._distn_infrastructure")
        if scipy is not None:
            for owner in (scipy.rv_generic, scipy.rv_discrete):
                if "rvs" in vars(owner):
                    swaps.append((owner, "rvs", self._rvs(vars(owner)["rvs"])))
        return swaps

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
