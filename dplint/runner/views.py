"""Values that are seen through something: tables, dates, decimals, and what else is no plain value or container.

A view is a way that whoever holds the output has to look at it, such as `float(output)` or `output.to_dict('list')`.
Events say it in these words, so the set of views is closed: `dplint.events.places` spells each of them. Runs in the
user's interpreter.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import io
import pathlib
import uuid
from collections.abc import Mapping as AbstractMapping
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

VIEWS = frozenset(
    [
        *("astype", "columns", "decode", "float", "getvalue", "isoformat", "item", "length", "list", "name", "series"),
        *("ravel", "sorted", "str", "timestamp", "to_dict", "toarray", "toordinal", "total_seconds", "values"),
        *("denominator", "index", "json", "numbers", "words"),
    ]
)
"""All views. The last three are of texts, which the worker looks into (`dplint.events.texts`)."""
ATTRIBUTES = frozenset(["denominator", "name"])
"""Views that are attributes."""
_MOST_LABELS = 64
_TEXTUAL_BYTES = frozenset([*range(32, 127), *b"\t\n\r"])
_OPAQUE_MODULES = frozenset(["builtins", "functools", "threading", "_thread", "logging", "numpy.random"])


class Views(NamedTuple):
    """What a value looks like through its views. length: what `len` says of it, None if it has none."""

    type_name: str
    length: Optional[int]
    seen: List[Tuple[str, Any]]


def views_of(value: Any) -> Optional[Views]:
    """How a value is seen that is neither a plain value nor a container of Python or NumPy; None if no view is known.

    Runs methods of the value, which may raise anything.
    """
    for kind, look in _BY_TYPE:
        if isinstance(value, kind):
            return Views(type(value).__name__, None, look(value))
    if isinstance(value, enum.Enum):
        return Views(type(value).__name__, None, [("name", value.name)])
    return _of_libraries(value)


def attributes_of(value: Any) -> Optional[Dict[str, Any]]:
    """The attributes of an object of a class of the user's, in their order; None if it has none that hold anything.

    Those of `__dict__`, and those that `__slots__` of its class and of the classes above name. Names with two
    underscores at either end are Python's own. Of an estimator in scikit-learn's shape only what `fit` has learnt,
    whose names end with an underscore: all else is its parameters and tools.
    """
    kind = type(value)
    if callable(value) or isinstance(value, type) or kind.__module__ in _OPAQUE_MODULES:
        return None
    names = [name for above in reversed(kind.__mro__) for name in _slots(above)]
    found = {name: getattr(value, name) for name in names if hasattr(value, name)}
    found.update(getattr(value, "__dict__", {}))
    kept = {name: item for name, item in found.items() if name.isidentifier() and not name.endswith("__")}
    if hasattr(kind, "fit") and hasattr(kind, "get_params"):
        kept = {name: item for name, item in kept.items() if name.endswith("_") and not name.startswith("_")}
    return kept or None


def _slots(kind: type) -> List[str]:
    slots = kind.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    hidden = f"_{kind.__name__.lstrip('_')}"
    return [f"{hidden}{name}" if name.startswith("__") and not name.endswith("__") else name for name in names]


def bytes_views(value: Any) -> Optional[Views]:
    """Bytes that spell a text, seen as that text; None for others."""
    if value and _TEXTUAL_BYTES.issuperset(value):
        return Views(type(value).__name__, len(value), [("decode", bytes(value).decode("ascii"))])
    return None


def _of_libraries(value: Any) -> Optional[Views]:
    """Tables and series of pandas and polars, sparse matrices, single tensors, mappings that are no dicts, numbers."""
    name, module = type(value).__name__, type(value).__module__.partition(".")[0]
    if module == "pandas" and name == "DataFrame":
        return Views(name, len(value), [("columns", _columns(value)), *_index(value.index)])
    if module == "pandas" and name == "Series":
        labels = list(value.index) if len(value) <= _MOST_LABELS else []
        if labels and all(isinstance(label, str) for label in labels) and len(set(labels)) == len(labels):
            return Views(name, len(value), [("to_dict", value.to_dict())])
        return Views(name, len(value), [("list", list(value)), *_index(value.index)])
    if module == "polars" and name == "DataFrame":
        return Views(name, len(value), [("series", value.to_dict(as_series=False))])
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return Views(name, None, [("item", value.item())])
    if hasattr(value, "toarray"):
        return Views(name, None, [("toarray", np.asarray(value.toarray()))])
    if isinstance(value, AbstractMapping):
        return Views(name, len(value), [("list", list(value)), ("values", list(value.values()))])
    if hasattr(type(value), "__float__") and not hasattr(value, "__dict__") and _slot_count(type(value)) < 2:
        return Views(name, None, [("float", float(value))])  # a number with nothing beside it, as of mpmath
    return None


def _slot_count(kind: type) -> int:
    return sum(len(_slots(above)) for above in kind.__mro__)


def _columns(table: Any) -> Dict[Any, List[Any]]:
    """What `table.to_dict("list")` gives, six times as fast."""
    return {name: column.tolist() for name, column in table.items()}


def _index(index: Any) -> List[Tuple[str, Any]]:
    """The labels of rows, unless they only count."""
    return [] if type(index).__name__ == "RangeIndex" else [("index", list(index))]


def _dated(value: datetime.datetime) -> List[Tuple[str, Any]]:
    try:
        return [("timestamp", value.timestamp())]
    except (OverflowError, OSError, ValueError):
        return [("toordinal", value.toordinal())]


_BY_TYPE: Tuple[Tuple[Any, Callable[[Any], List[Tuple[str, Any]]]], ...] = (
    (decimal.Decimal, lambda value: [("float", float(value))]),
    (fractions.Fraction, lambda value: [("float", float(value)), ("denominator", value.denominator)]),
    (datetime.datetime, _dated),
    (datetime.date, lambda value: [("toordinal", value.toordinal())]),
    (datetime.time, lambda value: [("isoformat", value.isoformat())]),
    (datetime.timedelta, lambda value: [("total_seconds", value.total_seconds())]),
    ((np.datetime64, np.timedelta64), lambda value: [("astype", float(value.astype("int64")))]),
    ((io.StringIO, io.BytesIO), lambda value: [("getvalue", value.getvalue())]),
    ((pathlib.PurePath, uuid.UUID), lambda value: [("str", str(value))]),
)
