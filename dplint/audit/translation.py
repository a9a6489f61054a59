"""The check of the translation: lanes against the user's own function, on the same draws in the same order.

A program is a translation of the function, and lanes are another one. Before an audit rests on lanes, some of them are
replayed: the runner calls the function with generators that hand out what the lanes drew, and compares what it asks
for. The outputs must be equal, floats bit for bit; where the program sums with NumPy, which may add in another order on
another machine, floats may differ by 4 units in the last place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.program.calls import functions, methods
from dplint.program.nodes import Binary, Call, MethodCall, Program
from dplint.program.walk import walk
from dplint.readings.lanes import Lanes, MadeDraw
from dplint.readings.lanes.lane_values import Arrays, Numbers, Uniform, Value
from dplint.readings.lanes.spaces import Rows
from dplint.runner.batch import Batch, Group, LeafKind
from dplint.runner.client import DrawEvent, PerRun
from dplint.runner.drawn import Column

ULPS = 4
_TEXTUAL = np.zeros(max(LeafKind) + 1, np.bool_)
_TEXTUAL[[LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER]] = True


def tolerance(program: Program) -> int:
    """Units in the last place by which floats may differ: 0, or ULPS where the order of a sum is NumPy's affair."""
    for node in walk(program):
        if (
            (isinstance(node, Call) and node.function in functions("adds"))
            or (isinstance(node, MethodCall) and node.method in methods("adds"))
            or (isinstance(node, Binary) and node.operator == "@")
        ):
            return ULPS
    return 0


def events_of(made: Sequence[MadeDraw], lanes: Lanes, only: int | None = None) -> list[DrawEvent]:
    """The draws that the lanes made, for a replay in which run i is lane i; or in which the only run is lane `only`."""
    events: list[DrawEvent] = []
    for draw in made:
        space = draw.lanes.space
        numbers = np.arange(space.size) if space is lanes.root else space.rows_in(lanes.root)
        rows = np.arange(space.size) if draw.lanes.bits is None else np.flatnonzero(draw.lanes.bits)
        if only is not None:
            rows, numbers = rows[numbers[rows] == only], np.zeros_like(numbers)
            if not len(rows):
                continue
        for size, chosen in _by_size(draw, lanes, rows):
            parameters = []
            for name, parameter in draw.parameters.items():
                here = lanes.at(parameter, space)
                value = here.value if isinstance(here, Uniform) else PerRun(_column(here, lanes, draw, chosen))
                parameters.append((name, value))
            values = _column(lanes.at(draw.value, space), lanes, draw, chosen)
            events.append(
                DrawEvent(draw.node.distribution, tuple(parameters), size, numbers[chosen], values, draw.site)
            )
    return events


def _by_size(draw: MadeDraw, lanes: Lanes, rows: Rows) -> list[tuple[tuple[int, ...] | None, Rows]]:
    """The lanes of a draw, by the size that they ask for."""
    if draw.size is None:
        return [(None, rows)]
    sizes = [_shape(size) for size in lanes.explode(draw.size, draw.lanes.space, rows)]
    return [
        (size, rows[[position for position, other in enumerate(sizes) if other == size]])
        for size in dict.fromkeys(sizes)
    ]


def _shape(size: object) -> tuple[int, ...] | None:
    if size is None:
        return None
    return tuple(int(one) for one in size) if isinstance(size, tuple | list) else (int(size),)  # type: ignore[call-overload]


def _column(value: Value, lanes: Lanes, draw: MadeDraw, rows: Rows) -> Column:
    if isinstance(value, Numbers) and value.data.dtype != np.bool_:
        return np.asarray(value.data[rows])
    if isinstance(value, Arrays) and value.data.dtype != np.bool_:
        return np.ascontiguousarray(np.moveaxis(value.data[..., rows], -1, 0))
    return lanes.explode(value, draw.lanes.space, rows)


def first_difference(lanes: Batch, function: Batch, ulps: int, relative: float = 0.0) -> int | None:
    """The first run whose outputs differ; None if there is none.

    relative: by which floats may differ, too, to the larger one or to 1.
    """
    differing = np.ones(lanes.runs, np.bool_)
    theirs = {group.skeleton: _ordered(group, function) for group in function.groups}
    for group in lanes.groups:
        other = theirs.get(group.skeleton)
        if other is None:
            continue
        mine = _ordered(group, lanes)
        _, here, there = np.intersect1d(mine.rows, other.rows, assume_unique=True, return_indices=True)
        equal = (mine.kinds[here] == other.kinds[there]).all(axis=1)
        equal &= _equal(mine.values[here], other.values[there], mine.kinds[here], ulps, relative).all(axis=1)
        differing[mine.rows[here[equal]]] = False
    return int(differing.argmax()) if differing.any() else None


def _ordered(group: Group, batch: Batch) -> Group:
    """The group with texts instead of their numbers: a hash that both batches share."""
    textual = _TEXTUAL[group.kinds]
    if not textual.any():
        return group
    codes = np.array([float(hash(text) % 2**52) for text in batch.strings], np.float64)
    values = group.values.copy()
    values[textual] = codes[values[textual].astype(np.intp)]
    return Group(group.skeleton, group.rows, group.kinds, values)


def _equal(
    one: NDArray[Any], other: NDArray[Any], kinds: NDArray[np.uint8], ulps: int, relative: float
) -> NDArray[np.bool_]:
    left, right = one.astype(np.float64, copy=False), other.astype(np.float64, copy=False)
    same: NDArray[np.bool_] = (left == right) & (np.signbit(left) == np.signbit(right))
    same |= np.isnan(left) & np.isnan(right)
    if not ulps and not relative:
        return same
    with np.errstate(invalid="ignore"):
        larger = np.maximum(np.abs(left), np.abs(right))
        close = np.abs(left - right) <= ulps * np.spacing(larger) + relative * np.maximum(larger, 1.0)
    return np.asarray(same | (close & (kinds == LeafKind.FLOAT)))
