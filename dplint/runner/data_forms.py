"""Data as the function wants it: a list of numbers or records as an array, a table, a dict, a set, objects of a class.

Runs in the user's interpreter.

Values of users as they are sent to be shown: literals, else texts. Runs in the user's interpreter.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import pickle
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .failures import IMPORT, INPUT, Failure, summary
from .literals import decode, encode

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_Table = Callable[[Sequence[Any]], Any]
"""Makes one table of all records, so that columns and types do not depend on which of them are in it."""


class DataForms:
    """Makes data, and remembers what a table looks like that has no records.

    An empty side of a pair must have the columns and types of the other side, or it would be told apart by a KeyError.
    """

    def __init__(self) -> None:
        self._templates: Dict[str, Any] = {}
        self._make_record: Optional[Callable[..., Any]] = None
        self._annotation = ""
        self._plain = False
        self._apart: List[Tuple[str, str, Optional[Callable[[List[Any]], Any]]]] = []

    def load(self, function: Any, data: Optional[str], apart: Sequence[Sequence[str]], plain: bool) -> None:
        """Records of a class are made by the class that annotates the data of this function.

        apart: parameters that take a column apart, with the column; the data is then a pair: it, and a dict of these.
        plain: whether one column is left then, as plain values.
        """
        self._templates.clear()
        self._plain = plain
        self._apart = [(name, column, _column_form(function, name)) for name, column in apart]
        self._make_record, self._annotation = _record_class(function, data)

    def build(self, specs: Sequence[Mapping[str, Any]], objects: Sequence[Any]) -> List[Any]:
        """The data values that the specs of a request describe. Raises Failure for one that cannot be made."""
        built: List[Any] = []
        tables: Dict[str, List[int]] = {}
        apart: Dict[int, Dict[str, Any]] = {}
        for number, spec in enumerate(specs):
            if spec["handle"] is not None:
                if not 0 <= spec["handle"] < len(objects):
                    raise Failure(INPUT, f"there is no object number {spec['handle']}: {len(objects)} were made")
                built.append(objects[spec["handle"]])
                continue
            form, value = spec["form"], decode(spec["value"])
            if self._apart:
                form, value, apart[number] = self._taken_apart(form, value)
            if form in _TABLES:
                tables.setdefault(form, []).append(number)
            elif form in ("list of objects", "tuple of objects"):
                value = [self._object(record) for record in value]
                value = tuple(value) if form == "tuple of objects" else value
            elif form == "object":
                value = self._object(value)
            else:
                value = _FORMS.get(form, _as_it_is)(value)
            built.append(value)
        for form, numbers in tables.items():
            for number, table in zip(numbers, self._tables(form, [built[number] for number in numbers])):
                built[number] = table
        return [(value, apart[number]) if number in apart else value for number, value in enumerate(built)]

    def _taken_apart(self, form: str, value: Any) -> Tuple[str, Any, Dict[str, Any]]:
        """The form and the data without the columns that other parameters take, and what these get."""
        columns = {column for _, column, _ in self._apart}

        def left(record: Mapping[str, Any]) -> Any:
            kept = {name: item for name, item in record.items() if name not in columns}
            return next(iter(kept.values())) if self._plain else kept

        if isinstance(value, dict):
            return form, left(value), {name: value[column] for name, column, _ in self._apart}
        rest = [left(record) for record in value]
        if self._plain:
            form = _OF_PLAIN.get(form, "list" if form.startswith("list of") else form)
        alike = _tensor if form == "tensor" else _FORMS.get(form, list)
        alike = np.array if form in {*_OF_PLAIN, *_OF_PLAIN.values()} else alike
        others = {name: (make or alike)([record[column] for record in value]) for name, column, make in self._apart}
        return form, rest, others

    def _tables(self, form: str, values: Sequence[List[Any]]) -> List[Any]:
        """One table for each list of records, cut from a table of all."""
        make, cut = _TABLES[form]
        records = [record for value in values for record in value]
        if records:
            everything = make(records)
            self._templates[form] = cut(everything, 0, 0)
        else:
            everything = self._templates[form] if form in self._templates else make([])
        tables = []
        start = 0
        for value in values:
            tables.append(cut(everything, start, start + len(value)))
            start += len(value)
        return tables

    def _object(self, record: Any) -> Any:
        if self._make_record is None:
            return record
        if not isinstance(record, dict):
            raise Failure(
                INPUT, f"the data is annotated {self._annotation}, whose records have columns: name them in domain"
            )
        try:
            return self._make_record(**record)
        except Exception as error:
            raise Failure(
                INPUT,
                f"the data is annotated {self._annotation}, and the call with the columns of the domain failed: "
                f"{summary(error)}; name its fields in domain, or let neighbors be a function that yields pairs",
            ) from None


def _column_form(function: Any, name: str) -> Optional[Callable[[List[Any]], Any]]:
    """How a column is handed over, by the annotation of its parameter; None where that does not say."""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    text = str(getattr(plain, "__annotations__", {}).get(name, ""))
    if "Series" in text:
        return _polars_series if "polars" in text or "pl." in text else _pandas_series
    by_word: Dict[str, Callable[[List[Any]], Any]] = {"list": list, "ndarray": np.array, "tensor": _tensor}
    return next((make for word, make in by_word.items() if word in text.lower()), None)


def _record_class(function: Any, data: Optional[str]) -> Tuple[Optional[Callable[..., Any]], str]:
    """The class of the records, or of the one record, by the annotation of the data; None where it is no class."""
    if function is None or data is None:
        return None, ""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    try:
        hints = typing.get_type_hints(plain)
    except Exception:
        hints = dict(getattr(plain, "__annotations__", {}))
    annotation = hints.get(data)
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, dict(getattr(plain, "__globals__", {})))
        except Exception:
            return None, ""
    inside = [one for one in typing.get_args(annotation) if isinstance(one, type)]
    element = inside[0] if inside else annotation
    if not isinstance(element, type) or element.__module__ == "builtins":
        return None, ""
    return element, element.__name__


def _as_it_is(value: Any) -> Any:
    return value


def _keyed(value: List[Any]) -> Dict[str, Any]:
    """Named entries: "a", "b", ..., "z", "a1", ..."""
    return {_LETTERS[i % 26] + (str(i // 26) if i >= 26 else ""): item for i, item in enumerate(value)}


_FORMS: Dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": lambda value: np.array(value, dtype=None if len(value) else float),
    "set": set,
    "frozenset": frozenset,
    "dict": _keyed,
    "numbered dict": lambda value: dict(enumerate(value)),
    "list of tuples": lambda value: [tuple(record.values()) for record in value],
    "list of lists": lambda value: [list(record.values()) for record in value],
}


def _library(name: str, what: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        reason = f"the data parameter wants {what}, but {name} cannot be imported: {summary(error)}"
        raise Failure(IMPORT, reason) from None


def _pandas_frame(records: Sequence[Any]) -> Any:
    return _library("pandas", "a DataFrame").DataFrame(records if records else None)


def _pandas_series(records: Sequence[Any]) -> Any:
    return _library("pandas", "a Series").Series(records, dtype=None if records else float)


def _polars_frame(records: Sequence[Any]) -> Any:
    return _library("polars", "a DataFrame of polars").DataFrame(records)


def _polars_series(records: Sequence[Any]) -> Any:
    return _library("polars", "a Series of polars").Series("data", records)


def _matrix(records: Sequence[Any]) -> Any:
    rows = [list(record.values()) if isinstance(record, dict) else record for record in records]
    return np.array(rows) if rows else np.empty((0, 0))


def _cut_pandas(table: Any, start: int, stop: int) -> Any:
    return table.iloc[start:stop].reset_index(drop=True)


def _cut(table: Any, start: int, stop: int) -> Any:
    return table[start:stop]


def _tensor(records: Sequence[Any]) -> Any:
    rows = [list(record.values()) if isinstance(record, dict) else record for record in records]
    return _library("torch", "a tensor of PyTorch").tensor(rows)


_OF_PLAIN = {"matrix": "array", "frame": "series", "polars frame": "polars series"}
"""The forms of plain values, by those of records with columns."""
_TABLES: Dict[str, Tuple[_Table, Callable[[Any, int, int], Any]]] = {
    "frame": (_pandas_frame, _cut_pandas),
    "series": (_pandas_series, _cut_pandas),
    "polars frame": (_polars_frame, _cut),
    "polars series": (_polars_series, _cut),
    "matrix": (_matrix, _cut),
    "tensor": (_tensor, _cut),
}


MOST_SHOWN = 1000
"""Characters of a text."""


def shown_as(value: Any) -> Any:
    """The value as a literal, and whether that is all of it; else its text."""
    with contextlib.suppress(TypeError):
        return {"literal": encode(value), "plain": True}
    if isinstance(value, np.generic):
        value = value.item()
    try:
        return {"literal": encode(without_numpy(value))}
    except TypeError:
        return {"repr": text_of(value)}


def without_numpy(value: Any) -> Any:
    """The value with NumPy's numbers as those of Python, which are written as literals."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(without_numpy(item) for item in value)
    if type(value) is dict:
        return {key: without_numpy(item) for key, item in value.items()}
    return value


def text_of(value: Any) -> str:
    """Its repr, cut; what that raises, if it does."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {summary(error)}>"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def first_of_equals(objects: Sequence[Any]) -> List[int]:
    """For each object the number of the first one that is the same, as far as that can be told."""
    first: Dict[Any, int] = {}
    return [first.setdefault(_told_by(one), number) for number, one in enumerate(objects)]


def _told_by(value: Any) -> Any:
    """What is equal for equal objects of one type: their pickle, else who they are."""
    try:
        return hashlib.sha256(pickle.dumps(value)).digest()
    except Exception:
        return id(value)
