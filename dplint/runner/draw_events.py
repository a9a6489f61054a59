"""The draws that a program recorded, as the runner sees them. Runs in the user's interpreter."""

from __future__ import annotations

import operator
from typing import Any, Dict, List, Tuple, Union

import numpy as np

from ..distributions import of
from .alike import same
from .literals import decode

_MOST_SHOWN = 80
_Column = Tuple[bool, Any]


class DrawCall:
    """What is asked for in one draw, in canonical names; `size` may be given in any way that NumPy takes."""

    __slots__ = ("distribution", "parameters", "size")

    def __init__(self, distribution: str, parameters: Dict[str, Any], size: Any) -> None:
        self.distribution = distribution
        self.parameters = parameters
        self.size = size if size is None else _shape(size)

    def same_as(self, other: DrawCall, tolerance: float = 0.0) -> bool:
        """Whether both ask for the same draw: to the last bit of each parameter, or to a relative tolerance."""
        return (
            self.distribution == other.distribution
            and self.size == other.size
            and self.parameters.keys() == other.parameters.keys()
            and all(same(value, other.parameters[name], tolerance) for name, value in self.parameters.items())
        )

    def items(self) -> Any:
        """What the draw chooses from or arranges, None if it does neither."""
        # What a function of a library releases has a full name.
        items = None if "." in self.distribution else of(self.distribution).items
        return None if items is None else self.parameters[items]

    def __str__(self) -> str:
        """As one would write it, long values cut."""
        parts = [f"{name}={shown(value)}" for name, value in self.parameters.items()]
        if self.size is not None:
            parts.append(f"size={self.size}")
        return f"{self.distribution}({', '.join(parts)})"


class RecordedDraw:
    """One recorded draw: `parameters` as (differs by row, value or values), `values` a list or an array by row.

    `place`: where the program makes it, in words; empty if that is not known.
    The other fields are the memory of `RecordedDraws` of how the function asks for this draw.
    """

    __slots__ = ("distribution", "key", "method", "parameters", "place", "ready", "size", "types", "values")

    def __init__(self, distribution: str, parameters: Dict[str, _Column], size: Any, values: Any, place: str) -> None:
        self.distribution = distribution
        self.parameters = parameters
        self.size = size
        self.values = values
        self.place = place
        self.method: Any = None
        self.key = b""
        self.types: Any = None
        self.ready: List[Any] = []

    def call(self, row: int) -> DrawCall:
        """The call that one row stands for."""
        parameters = {name: value[row] if differs else value for name, (differs, value) in self.parameters.items()}
        return DrawCall(self.distribution, parameters, self.size)


Steps = List[List[Tuple[RecordedDraw, int]]]


def steps_of(described: List[Dict[str, Any]], reader: Reader, runs: int) -> Steps:
    """For each run its draws in order: an event, and the row of the event's columns that is this run's."""
    steps: Steps = [[] for _ in range(runs)]
    for item in described:
        rows = range(runs) if item["rows"] is None else reader.take("<i4", item["rows"]).tolist()
        parameters = {name: reader.column(column) for name, column in item["parameters"]}
        values = reader.column(item["values"])[1]
        event = RecordedDraw(item["distribution"], parameters, item["size"], values, item["place"])
        for row, run in enumerate(rows):
            steps[run].append((event, row))
    return steps


class Reader:
    """Takes columns off the front of the body of a request or an answer."""

    def __init__(self, body: Union[bytes, bytearray]) -> None:
        self._body = body
        self.offset = 0

    def take(self, dtype: str, *shape: int) -> Any:
        """An array of this type and shape."""
        size = int(np.prod(shape))
        array = np.frombuffer(self._body, dtype, size, self.offset) if size else np.empty(0, dtype)
        self.offset += array.nbytes
        return array.reshape(shape)

    def column(self, column: List[Any]) -> _Column:
        """What a request describes as one value, or as one of each run."""
        kind, what = column
        if kind == "one":
            return False, decode(what)
        if kind == "json":
            return True, [decode(value) for value in what]
        array = self.take(kind, *what)
        return True, array.tolist() if array.ndim == 1 else array


def shown(value: Any) -> str:
    """The value as text, cut if it is long."""
    text = repr(value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _shape(size: Any) -> Tuple[int, ...]:
    try:
        return (operator.index(size),)
    except TypeError:
        return tuple(map(operator.index, size))
