"""Numbers, data and places as JSON."""

from __future__ import annotations

import json
import math
from typing import TypeAlias

from dplint.claims import Literal, Span
from dplint.source.cell_names import split_cell

VERSION = 3
"""Of all documents that dplint prints."""
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def json_text(document: dict[str, Json]) -> str:
    """A document as text."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def number_json(value: float | None) -> Json:
    """A number that JSON can hold: null for NaN, "inf" for infinity."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def value_json(value: Literal) -> Json:
    """Data as JSON: tuples become lists, and floats that JSON cannot hold become "nan", "inf" and "-inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [value_json(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): value_json(entry) for key, entry in value.items()}
    return value


def span_json(span: Span) -> dict[str, Json]:
    """The keys of a range: lines and columns count from 1, the end is exclusive; with "file" in another module only."""
    return {**(file_json(span.file) if span.file else {}), **_range(span)}


def place_json(file: str, span: Span) -> dict[str, Json]:
    """The keys of a range in a file; of one in another module, with that one's."""
    return {**file_json(span.within(file)), **_range(span)}


def _range(span: Span) -> dict[str, Json]:
    return {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}


def file_json(name: str) -> dict[str, Json]:
    """The file, and in a notebook the cell that lines count from."""
    path, cell = split_cell(name)
    return {"file": path, **({} if cell is None else {"cell": cell})}
