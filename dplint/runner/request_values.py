"""The data and arguments of a request as objects, and fresh copies for every run.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from copy import deepcopy
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from .failures import IMPORT, INPUT, Failure, summary
from .literals import decode

_ATOMS = (bool, int, float, str, bytes, complex, type(None))


class Frames:
    """Makes DataFrames whose columns and types do not depend on which records are in them.

    An empty side of a pair must have the columns of the other side, or it would be told apart by a KeyError.
    """

    def __init__(self) -> None:
        self._template: Any = None

    def make(self, values: Sequence[List[Any]]) -> List[Any]:
        """One DataFrame for each list of records (dicts). Raises Failure without pandas."""
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415
        except ImportError as error:
            raise Failure(
                IMPORT, f"the data parameter wants a DataFrame, but pandas cannot be imported: {summary(error)}"
            ) from None
        records = [record for value in values for record in value]
        if records:
            everything = pandas.DataFrame(records)
            self._template = everything.iloc[:0]
        elif self._template is not None:
            everything = self._template
        else:
            everything = pandas.DataFrame()
        frames = []
        start = 0
        for value in values:
            frames.append(everything.iloc[start : start + len(value)].reset_index(drop=True))
            start += len(value)
        return frames


def build(specs: Sequence[Mapping[str, Any]], frames: Frames, objects: Sequence[Tuple[Any, Any]]) -> List[Any]:
    """The data values that the specs of a request describe. Raises Failure for one that cannot be made."""
    built: List[Any] = []
    for spec in specs:
        if spec["handle"] is not None:
            index, side = spec["handle"]
            if not 0 <= index < len(objects):
                raise Failure(INPUT, f"there is no pair number {index}: {len(objects)} were made")
            built.append(objects[index][side])
            continue
        value = decode(spec["value"])
        built.append(_FORMS.get(spec["form"], _as_it_is)(value))
    framed = [i for i, spec in enumerate(specs) if spec["handle"] is None and spec["form"] == "frame"]
    if framed:
        for i, frame in zip(framed, frames.make([built[i] for i in framed])):
            built[i] = frame
    return built


def _as_it_is(value: Any) -> Any:
    return value


_FORMS: Dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "array": lambda value: np.array(value, dtype=None if len(value) else float),
}


def copy_expression(name: str, value: Any) -> str:
    """Source text that makes a fresh copy of the value called `name`, as cheaply as its type allows."""
    kind = type(value)
    if kind in _ATOMS or (kind is tuple and _flat(value)):
        return name
    if kind is list:
        if _flat(value):
            return f"{name}[:]"
        if all(type(item) is dict and _flat(item.values()) for item in value):
            return f"[{{**record}} for record in {name}]"
        if all(type(item) is list and _flat(item) for item in value):
            return f"[record[:] for record in {name}]"
        if all(type(item) is tuple and _flat(item) for item in value):
            return f"{name}[:]"
    if kind is dict and _flat(value.values()):
        return f"{{**{name}}}"
    if (kind is np.ndarray and value.dtype != object) or kind.__name__ in ("DataFrame", "Series"):
        return f"{name}.copy()"
    try:
        deepcopy(value)
    except Exception:
        # An object that cannot be copied is shared by all runs; the mechanism's own doing.
        return name
    return f"deepcopy({name})"


def _flat(values: Any) -> bool:
    return all(type(value) in _ATOMS for value in values)
