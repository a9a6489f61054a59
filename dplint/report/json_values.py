"""Numbers, data and places as JSON, and fields of records by their types."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TypeAlias

from dplint.claims import Literal, Span
from dplint.outcomes import Argument, Bounds, ExactDelta, Impossible, Observation, SingleOutput, UnequalVanishing
from dplint.outcomes.counterexample import OutputEvent
from dplint.source.cell_names import split_cell

VERSION = 3
"""Of all documents that dplint prints."""
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
_DATA = frozenset({"d1", "d2", "value"})
"""Fields that hold data of users, in which infinity and NaN are texts."""


def json_text(document: dict[str, Json]) -> str:
    """A document as text."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def fields(record: object, names: str) -> dict[str, Json]:
    """The fields of these names, in this order, each as its type is written; `name=key` for one with another key."""
    found: dict[str, Json] = {}
    for name in names.split():
        attribute, _, key = name.partition("=")
        value = getattr(record, attribute)
        found[key or attribute] = value_json(value) if attribute in _DATA else _by_type(value)
    return found


def _by_type(value: object) -> Json:
    """A value as JSON, by its type."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return number_json(value)
        case str():
            return str(value)  # of a name in a list of names its text
        case Bounds(low, high):
            return [number_json(low), number_json(high)]
        case Argument() | ExactDelta():
            return fields(value, "name value why" if isinstance(value, Argument) else "epsilon delta")
        case Impossible(mass):
            return {"kind": "impossible", "mass": _by_type(mass)}
        case UnequalVanishing():
            return {"kind": "unequal-vanishing", **fields(value, "order1 order2")}
        case SingleOutput() | OutputEvent():
            return observation_json(value)
        case list() | tuple():
            return [_by_type(one) for one in value]
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


def number_json(value: float | None) -> Json:
    """A number that JSON can hold: null for NaN, "inf" for infinity."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def bounds_json(bounds: Bounds) -> Json:
    """The two ends of an interval, low and high."""
    return _by_type(bounds)


def value_json(value: Literal) -> Json:
    """Data as JSON: tuples become lists, and floats that JSON cannot hold become "nan", "inf" and "-inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [value_json(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): value_json(entry) for key, entry in value.items()}
    return value


def observation_json(observation: Observation) -> dict[str, Json]:
    """An event, as Python over `output`; of a single output, `output` is that alone, and else there is no such key."""
    if isinstance(observation, SingleOutput):
        return {"event": observation.expression, "output": value_json(observation.value)}
    return {"event": observation.expression}


def arguments_json(arguments: Sequence[Argument]) -> Json:
    """Arguments in the order of the parameters, each with who chose it."""
    return _by_type(tuple(arguments))


def span_json(span: Span) -> dict[str, Json]:
    """The keys of a range: lines and columns count from 1, the end is exclusive; with "file" in another module only."""
    return {**(file_json(span.file) if span.file else {}), **fields(span, "line column end_line end_column")}


def place_json(file: str, span: Span) -> dict[str, Json]:
    """The keys of a range in a file; of one in another module, with that one's."""
    return {**file_json(span.within(file)), **fields(span, "line column end_line end_column")}


def file_json(name: str) -> dict[str, Json]:
    """The file, and in a notebook the cell that lines count from."""
    path, cell = split_cell(name)
    return {"file": path, **({} if cell is None else {"cell": cell})}
