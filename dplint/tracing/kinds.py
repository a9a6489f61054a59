"""What scalars are in lanes, and why a path ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from .recording import nameable

PYTHON, NUMPY, ARRAY = range(3)
"""What a value is in each lane: a scalar of Python, a scalar of NumPy, an array of NumPy."""
BOOL, INT, FLOAT, NUMPY_FLOAT, NONE = range(5)
"""The types of scalars that one value by lane may mix."""
EXACT = 2**53
SCALARS = (bool, int, float, str, type(None), np.generic)
UNKNOWN = nameable(object(), "unknown")


class Restart(BaseException):
    """The path is given up; the lanes that it stood for are queued."""


class AtSide(BaseException):
    """What is tried beside the path would have lanes begin again."""


class NotTraced(BaseException):
    """The function cannot be followed for many runs at once, for the reason in words."""


class CannotJoin(Exception):
    """Two values have no common representation by lane."""


def told_by(value: Any) -> Any:
    """What is equal for values that no program can tell apart."""
    return (type(value), value.hex()) if isinstance(value, float) else (type(value), value)


def restored(value: float, kind: int) -> Any:
    """A number of mixed ones as what it is by its kind."""
    if kind == FLOAT:
        return value
    if kind == INT:
        return int(value)
    if kind == BOOL:
        return bool(value)
    return None if kind == NONE else np.float64(value)


def objects(values: Any) -> Any:
    """An array of objects of one dimension, whatever the objects are."""
    listed = list(values)
    array = np.empty(len(listed), object)
    for number, value in enumerate(listed):  # at once, items that have a length would be taken for rows
        array[number] = value
    return array


class Draw:
    """One draw of a path: what was drawn in each lane, and in which lanes.

    mask: None for all lanes. asked: the distribution, its parameters and the size, as `tracer.draw` got them.
    """

    __slots__ = ("asked", "mask", "value")

    def __init__(self, value: Any, mask: Any, asked: Any) -> None:
        self.value, self.mask, self.asked = value, mask, asked
