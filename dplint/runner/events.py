"""The draws that a program recorded, as the runner sees them. Runs in the user's interpreter."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from .literals import decode

_Column = Tuple[bool, Any]


class Event:
    """One recorded draw: `parameters` as (differs by row, value or values), `values` a list or an array by row.

    The other fields are the tape's memory of how the function asks for this draw: see `Tape`.
    """

    __slots__ = ("distribution", "key", "parameters", "ready", "size", "spelling", "types", "values")

    def __init__(self, distribution: str, parameters: Dict[str, _Column], size: Any, values: Any) -> None:
        self.distribution = distribution
        self.parameters = parameters
        self.size = size
        self.values = values
        self.spelling: Any = None
        self.key = b""
        self.types: Any = None
        self.ready: List[Any] = []

    def expected(self, row: int) -> Dict[str, Any]:
        """The parameters in one row."""
        return {name: value[row] if differs else value for name, (differs, value) in self.parameters.items()}


Steps = List[List[Tuple[Event, int]]]


def steps_of(described: List[Dict[str, Any]], body: bytes, runs: int) -> Steps:
    """For each run its draws in order: an event, and the row of the event's columns that is this run's."""
    reader = _Reader(body)
    steps: Steps = [[] for _ in range(runs)]
    for item in described:
        rows = range(runs) if item["rows"] is None else reader.take("<i4", item["rows"]).tolist()
        parameters = {name: reader.column(column) for name, column in item["parameters"]}
        size = None if item["size"] is None else tuple(item["size"])
        event = Event(item["distribution"], parameters, size, reader.column(item["values"])[1])
        for row, run in enumerate(rows):
            steps[run].append((event, row))
    return steps


class _Reader:
    """Takes columns off the front of a request's body."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._offset = 0

    def take(self, dtype: str, *shape: int) -> Any:
        size = int(np.prod(shape))
        array = np.frombuffer(self._body, dtype, size, self._offset) if size else np.empty(0, dtype)
        self._offset += array.nbytes
        return array.reshape(shape)

    def column(self, column: List[Any]) -> _Column:
        kind, what = column
        if kind == "one":
            return False, decode(what)
        if kind == "json":
            return True, [decode(value) for value in what]
        array = self.take(kind, *what)
        return True, array.tolist() if array.ndim == 1 else array
