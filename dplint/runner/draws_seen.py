"""What watched and traced runs have shown of draws. Part of the worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.runner.batch import Batch


@dataclass(frozen=True, slots=True)
class SeenDraws:
    """The draws of some runs from one distribution at one line.

    low, high: the least and the largest scale, None for draws without one. vanishing: whether some scale was zero,
    negative or not finite.
    """

    file: str
    line: int
    distribution: str
    count: int
    low: float | None
    high: float | None
    vanishing: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Some watched runs of one data value. lines: the steps from line to line, by numbers of the same request.

    passed_over: number and text of the lines of the mechanism's file that no run of the request took, of any data;
    empty if it is not known.
    """

    batch: Batch
    draws: tuple[SeenDraws, ...]
    lines: frozenset[int]
    passed_over: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TracedDraws:
    """What one run has drawn: for each number its law (`law_keys`), (value - location) / scale, and the scale.

    documented: some laws are what the documentation of a library says, and no generator has drawn from them. opaque:
    other draws were made, of vectors or choices, which are independent of these. places: file and line of each draw, in
    the first run of a trace.
    """

    laws: tuple[str, ...]
    values: tuple[float, ...]
    scales: tuple[float, ...] = ()
    documented: bool = False
    opaque: bool = False
    places: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GivenNoise:
    """What runs are to draw: the laws in their order, and for each run the standardized numbers, shape (runs, laws)."""

    laws: tuple[str, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trace:
    """Some traced runs of one data value. draws: of each run, None where it made a draw without such numbers."""

    batch: Batch
    draws: tuple[TracedDraws | None, ...]


def seen_draws(entry: list[Any]) -> SeenDraws:
    """What an answer tells of draws at one line. Raises TypeError, ValueError for what is none."""
    file, line, distribution, count, low, high, bad = entry
    return SeenDraws(str(file), int(line), str(distribution), int(count), low, high, bool(bad))


def traced_draws(run: list[Any] | None) -> TracedDraws | None:
    """What an answer tells of the draws of one run. Raises TypeError, ValueError for what is none."""
    if run is None:
        return None
    laws, values, scales, documented, opaque, places = run
    if not len(laws) == len(values) == len(scales):
        raise ValueError(f"{len(laws)} laws and {len(scales)} scales for {len(values)} numbers")
    return TracedDraws(
        laws=tuple(map(str, laws)),
        values=tuple(map(float, values)),
        scales=tuple(map(float, scales)),
        documented=bool(documented),
        opaque=bool(opaque),
        places=tuple((str(file), int(line)) for file, line in places),
    )
