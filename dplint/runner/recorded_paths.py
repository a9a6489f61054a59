"""The paths of the user's function on one input as operations (`tracing.recording`). Runs in the user's interpreter."""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from typing import Any, Dict, List

from ..tracing.kinds import ARRAY
from ..tracing.lanes import PerLane, tracer
from ..tracing.recording import Json, NotRecorded, Recording, Values, current, restored, shape_of
from .flatten import LEAF, MOST_LEAVES, TEXTUAL, Flattener, Raised, Strings

_BY_HAND = ("TypeError", "AttributeError")
"""What functions that do not know of lanes raise when they are given a value by lane."""
_COLUMN, _MORE = -1, -2
"""In place of the kind of a leaf: it is by lane; it belongs to the array before it."""


class RecordedFlattener(Flattener):
    """Flattens an output that may differ by lane: leaves by lane are told by the numbers of their values."""

    def __init__(self, recording: Recording) -> None:
        self._strings = Strings()
        super().__init__(self._strings)
        self._recording = recording

    def told(self, output: Any) -> Json:
        """The signature and the leaves: a kind and a value, or a number of a value by lane. Raises NotRecorded."""
        signature = self._node(output, 0)
        texts, leaves = self._strings.all(), []
        for kind, value in zip(self.kinds, self.values):
            if kind == _COLUMN:
                leaves.append(value)
            elif kind != _MORE:
                leaves.append([kind, texts[int(value)] if kind in TEXTUAL else float(value).hex()])
        return [signature, leaves]

    def _node(self, value: Any, depth: int) -> Any:
        if not isinstance(value, PerLane):
            return super()._node(value, depth)
        number = self._recording.values.number(value)
        if number is None:
            raise NotRecorded("an output comes from where nothing is recorded")
        if value.form != ARRAY:
            self._column(number, 1)
            return LEAF
        shape = shape_of(value)[-1]
        count = 1
        for length in shape:
            count *= length
        if not shape:
            raise NotRecorded("an output is an array without dimensions")
        room = min(count, MOST_LEAVES - len(self.kinds))
        self._column(number, room)
        return ("s", "array", tuple(shape), room)

    def _column(self, number: int, count: int) -> None:
        self.kinds += [_COLUMN] * bool(count) + [_MORE] * (count - 1)
        self.values += [[number, count]] * count


class RecordedPaths:
    """The paths of one request. lost: why some are missing."""

    def __init__(self) -> None:
        self.recording = Recording()
        self.paths: List[Json] = []
        self.lost: List[str] = []

    def __enter__(self) -> "RecordedPaths":
        current[0] = self.recording
        return self

    def __exit__(self, *_: Any) -> None:
        current[0] = None

    def take(self, output: Any) -> None:
        """The output of the path in hand."""
        tracer.go_on()
        if isinstance(output, Raised) and output.name in _BY_HAND:
            raise tracer.singly()
        recording = self.recording
        try:
            told = RecordedFlattener(recording).told(_with_plain_keys(output))
        except NotRecorded as reason:
            recording.lost = recording.lost or str(reason)
        if recording.lost:
            self.lost.append(recording.lost)
        else:
            self.paths.append([recording.steps, told])

    def answer(self) -> Dict[str, Any]:
        """The header of the answer."""
        alone = ["some runs cannot be made together with others"] * bool(tracer.left_out)
        return {"paths": self.paths, "lost": [*sorted(set(self.lost)), *alone]}


def made_of(described: List[Json]) -> List[Any]:
    """Draws that lanes have made, as `Tracer.run` takes them."""
    values = Values()
    return [(*(None if part is None else restored(part, values) for part in draw), None) for draw in described]


def _with_plain_keys(output: Any) -> Any:
    """Keys and items of sets are the same in all lanes, and may be values by lane in spite of that."""
    if type(output) in (list, tuple):
        return type(output)(map(_with_plain_keys, output))
    if type(output) is dict:
        return {tracer.choose(key): _with_plain_keys(value) for key, value in output.items()}
    if isinstance(output, (set, frozenset)):
        return type(output)(map(tracer.choose, output))
    if isinstance(output, dict) and any(isinstance(key, PerLane) for key in output):
        return {tracer.choose(key): _with_plain_keys(value) for key, value in output.items()}
    return output
