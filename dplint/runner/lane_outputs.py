"""Outputs of many runs at once as columns, as `encode.Columns` makes of single ones. Runs in the user's interpreter."""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from typing import Any, Dict, List, Tuple

import numpy as np

from ..tracing.each import by_lane
from ..tracing.kinds import ARRAY, EXACT
from ..tracing.kinds import BOOL as LANE_BOOL
from ..tracing.kinds import NONE as LANE_NONE
from ..tracing.lanes import PerLane, tracer
from .flatten import BIGINT, BOOL, FLOAT, INT, LEAF, MOST_LEAVES, NAN, NONE, OTHER, STRING, Flattener, Strings

_KINDS = np.array([BOOL, INT, FLOAT, FLOAT, NONE], np.uint8)
"""The kinds of leaves of the types that a value by lane may mix, in their order in `lanes`."""
BY_HAND = ("TypeError", "AttributeError")
"""What functions that do not know of lanes raise when they are given a value by lane."""
TEXTUAL = (STRING, BIGINT, OTHER)
assert LANE_BOOL == 0
assert LANE_NONE == 4


class NoColumn(Exception):
    """An output has to be taken lane by lane."""


class LaneFlattener(Flattener):
    """Flattens one output that may differ by lane: of a leaf by lane, kinds and values are arrays."""

    def __init__(self, strings: Strings) -> None:
        super().__init__(strings)
        self._strings = strings

    def take_lanes(self, output: Any) -> Any:
        """The signature, which is the same in all lanes. Raises NoColumn where it is not."""
        self.kinds.clear()
        self.values.clear()
        self._nodes = 0
        return self._node(output, 0)

    def _node(self, value: Any, depth: int) -> Any:
        if not isinstance(value, PerLane):
            return super()._node(value, depth)
        if value.form == ARRAY:
            return self._rows(tracer.rows(value))
        self._column(value)
        return LEAF

    def _column(self, value: PerLane) -> None:
        is_object = value.kinds is None and tracer.raw(value).dtype == object
        kinds, numbers = self._objects(value) if is_object else column_of(value)
        self.kinds.append(np.full(len(numbers), kinds, np.uint8) if isinstance(kinds, int) else kinds)
        self.values.append(numbers.astype(np.float64))

    def _objects(self, value: PerLane) -> Tuple[Any, Any]:
        single = Flattener(self._strings)
        kinds, numbers = np.empty(tracer.count, np.uint8), np.empty(tracer.count)
        for lane, item in enumerate(tracer.items(value)):
            if single.take(item) != LEAF:
                raise NoColumn
            kinds[lane], numbers[lane] = single.kinds[0], single.values[0]
        return kinds, numbers

    def _rows(self, rows: Any) -> Any:
        if rows.dtype.kind not in "biuf" or rows.ndim == 1:
            raise NoColumn
        flat = rows.reshape(len(rows), -1)
        room = MOST_LEAVES - len(self.kinds)
        for column in np.moveaxis(flat[:, :room], 1, 0):
            self._column(PerLane(column))
        return ("s", "array", rows.shape[1:], min(flat.shape[1], room))


def column_of(value: PerLane) -> Tuple[Any, Any]:
    """The kinds of a number by lane, one for all where they agree, and the values. Raises NoColumn."""
    rows = tracer.raw(value)
    if value.kinds is not None:
        kinds = _KINDS[value.kinds]
        rows = np.where(value.kinds == LANE_NONE, 0.0, rows) + 0.0  # whole numbers have no zero with a sign
        return np.where(np.isnan(rows) & (kinds == FLOAT), NAN, kinds).astype(np.uint8), rows
    kind = rows.dtype.kind
    if kind == "b":
        return BOOL, rows
    if kind in "iu":
        if rows.size and max(abs(int(rows.max())), abs(int(rows.min()))) > EXACT:
            raise NoColumn
        return INT, rows
    if kind != "f":
        raise NoColumn
    nan = np.isnan(rows)
    return (np.where(nan, NAN, FLOAT).astype(np.uint8) if nan.any() else FLOAT), rows


Part = Tuple[Any, Any, Any, Any]
"""Outputs of one shape: signature, numbers of lanes, kinds and values, a row for each lane."""


def parts_of(output: Any, strings: Strings) -> List[Part]:
    """The output of the path in hand, of all its lanes. Lanes may be split here: then nothing was kept."""
    tracer.go_on()
    lanes = tracer.lanes.astype(np.int32)
    flattener = LaneFlattener(strings)
    try:
        signature = flattener.take_lanes(with_plain_keys(output))
    except NoColumn:
        return _lane_by_lane(output, lanes, strings)
    shape = (len(lanes), len(flattener.kinds))
    kinds, values = np.empty(shape, np.uint8), np.empty(shape)
    for place, (kind, value) in enumerate(zip(flattener.kinds, flattener.values)):
        kinds[:, place], values[:, place] = kind, value
    return [(signature, lanes, kinds, values)]


def _lane_by_lane(output: Any, lanes: Any, strings: Strings) -> List[Part]:
    own, flattener = by_lane(output), Flattener(strings)
    groups: Dict[Any, Tuple[List[int], List[Any], List[Any]]] = {}
    for place, lane in enumerate(lanes.tolist()):
        numbers, kinds, values = groups.setdefault(flattener.take(own(place)), ([], [], []))
        numbers.append(lane)
        kinds.append(list(flattener.kinds))
        values.append(list(flattener.values))
    return [
        (signature, np.array(numbers, np.int32), np.array(kinds, np.uint8), np.array(values, np.float64))
        for signature, (numbers, kinds, values) in groups.items()
    ]


def with_plain_keys(output: Any) -> Any:
    """Keys and items of sets are the same in all lanes, and may be values by lane in spite of that."""
    if type(output) in (list, tuple):
        return type(output)(map(with_plain_keys, output))
    if type(output) is dict:
        return {tracer.choose(key): with_plain_keys(value) for key, value in output.items()}
    if isinstance(output, (set, frozenset)):
        return type(output)(map(tracer.choose, output))
    if isinstance(output, dict) and any(isinstance(key, PerLane) for key in output):
        return {tracer.choose(key): with_plain_keys(value) for key, value in output.items()}
    return output


Rows = Dict[int, Tuple[Any, List[int], List[Any]]]
"""By lane the signature, kinds and values of its output, texts as themselves."""


def leaves_of(header: Dict[str, Any], buffers: List[Any], wanted: List[int]) -> Rows:
    """The outputs of some runs, taken from the columns that are sent."""
    texts, found = header["strings"], {}
    asked = np.array(sorted(wanted))
    for number, group in enumerate(header["groups"]):
        rows, kinds, values = buffers[3 * number : 3 * number + 3]
        for place in np.flatnonzero(np.isin(rows, asked)).tolist():
            leaves = [
                texts[int(value)] if kind in TEXTUAL else value
                for kind, value in zip(kinds[place].tolist(), values[place].tolist())
            ]
            found[int(rows[place])] = (group["signature"], kinds[place].tolist(), leaves)
    return found
