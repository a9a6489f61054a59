"""The draws of a program as data: what the worker asks a runner to replay through the user's own function.

A request is a header and columns of numbers; `draw_events` decodes them in the runner. And what a runner tells of the
draws that runs have made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplint.claims import Literal
from dplint.runner.batch import Batch, DataValue
from dplint.runner.literals import encode
from dplint.sites import DrawSite, noise_words

MOST_DRAWS = 400
"""Numbers of one run that a trace keeps where nobody asks for more."""


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


Column: TypeAlias = Sequence[Literal] | NDArray[Any]
"""One value a row; of an array, the first axis counts the rows."""


@dataclass(frozen=True, slots=True, eq=False)
class PerRun:
    """Values of a parameter that differ between the runs: one for each row of the event."""

    values: Column


@dataclass(frozen=True, slots=True, eq=False)
class DrawEvent:
    """One draw of a program, in some of the runs.

    distribution and the names of the parameters: canonical, as in `dplint.distributions`, after the lowering's
    normalisation (a rate is a scale, `integers(n)` runs from 0 to n). All parameters are there, defaults too.
    size: None for a draw without one; () is a size. rows: which runs make this draw, ascending; None for all.
    values: what was drawn, one for each row; lists, or further axes, for draws that are arrays. site: where the program
    makes this draw, so that complaints can name the place; None if that is not known.
    """

    distribution: str
    parameters: tuple[tuple[str, Literal | PerRun], ...]
    size: tuple[int, ...] | None
    rows: Sequence[int] | NDArray[Any] | None
    values: Column
    site: DrawSite | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ReplayRequest:
    """Run the mechanism `runs` times, run i with the draws of those events that have row i, in the events' order.

    tolerance: by which the parameters of draws may differ, relative to the larger one, or to 1. lines: whether it is
    noted which lines of the project the runs come to. others: whether the function may make draws between the recorded
    ones, which are then really made.
    """

    data: DataValue
    arguments: Mapping[str, Literal]
    runs: int
    events: Sequence[DrawEvent]
    tolerance: float = 0.0
    lines: bool = False
    others: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay gave.

    batch: the outputs, one for each run; Raised("ReplayEnded") where a run could not go on after a complaint.
    complaints: the first of a run, for at most five runs. Runs count from 0, as rows; draws of a run from 1, with
    their place in words where the event has its site.
    wrong_runs: how many runs had a complaint. Draws that bypass the replay are the complaint of all runs.
    lines: of the project, by file, to which a run came, where that was asked for.
    unlike_runs: where others were allowed, those that made a draw like one that is left over, with other parameters.
    """

    batch: Batch
    complaints: tuple[str, ...]
    wrong_runs: int
    lines: frozenset[tuple[str, int]] = frozenset()
    unlike_runs: int = 0


def described_events(events: Sequence[DrawEvent], runs: int) -> tuple[list[Any], list[Any]]:
    """The events for the header of a request, and the buffers of its body.

    Raises ValueError for events that do not fit the runs, TypeError for values that are not plain.
    """
    if runs < 0:
        raise ValueError(f"runs = {runs}")
    buffers: list[Any] = []
    described = []
    # One for each place is enough to tell which line has several.
    places = {event.site.span: event.site for event in events if event.site is not None}
    for number, event in enumerate(events):
        try:
            described.append(_event(event, runs, buffers, list(places.values())))
        except (TypeError, ValueError) as error:
            raise type(error)(f"event {number}, {event.distribution}: {error}") from None
    return described, buffers


def _event(event: DrawEvent, runs: int, buffers: list[Any], places: Sequence[DrawSite]) -> dict[str, Any]:
    count = runs if event.rows is None else len(event.rows)
    if event.rows is not None:
        rows = np.asarray(event.rows, dtype="<i4")
        if count and (rows[0] < 0 or rows[-1] >= runs or np.any(rows[1:] <= rows[:-1])):
            raise ValueError(f"its rows must ascend from 0 to at most {runs - 1}")
        buffers.append(rows)
    parameters = []
    for name, value in event.parameters:
        if isinstance(value, PerRun):
            parameters.append([name, _column(name, value.values, count, buffers)])
        else:
            parameters.append([name, ["one", encode(_plain(value))]])
    return {
        "distribution": event.distribution,
        "parameters": parameters,
        "size": None if event.size is None else [int(length) for length in event.size],
        "rows": None if event.rows is None else count,
        "values": _column("the draws", event.values, count, buffers),
        "place": "" if event.site is None else noise_words(event.site, places),
    }


def _column(name: str, values: Column, count: int, buffers: list[Any]) -> list[Any]:
    """Numbers go into a buffer; the header says their type and shape. Everything else is JSON."""
    if len(values) != count:
        raise ValueError(f"{name} must have {count} values, one a row, not {len(values)}")
    numbers = values if isinstance(values, np.ndarray) else _numbers(values)
    if numbers is None or numbers.dtype.kind not in "fi" or numbers.dtype.itemsize > 8:
        return ["json", [encode(_plain(value)) for value in values]]
    kind = "<f8" if numbers.dtype.kind == "f" else "<i8"
    buffers.append(np.ascontiguousarray(numbers, dtype=kind))
    return [kind, list(numbers.shape)]


def _numbers(values: Sequence[Literal]) -> NDArray[Any] | None:
    """The values as an array, if that keeps all they are: floats only or integers only, in rows of the same shape."""
    kinds = _leaf_types(values)
    if kinds not in ({float}, {int}):
        return None
    try:
        return np.array(values, dtype="<f8" if kinds == {float} else "<i8")
    except (OverflowError, ValueError):
        return None


def _leaf_types(values: Any) -> set[type]:
    kinds = set(map(type, values))
    if list not in kinds:
        return kinds
    if kinds != {list}:
        return {object}
    return set().union(*map(_leaf_types, values))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [_plain(item) for item in value] if type(value) is list else value
