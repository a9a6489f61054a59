"""Recorded values with the types that real draws have. Runs in the user's interpreter.

A real draw serves as an example, so there is no table of types that some version of NumPy would make wrong.
"""

from __future__ import annotations

import operator
from marshal import dumps
from typing import Any, Dict, Iterable, List, Sequence

import numpy as np

from .alike import same


class Misfit(Exception):
    """The recorded value is none that the function could have got."""


class Fit:
    """Makes recorded values into what one call would have given.

    example: a real result of the call. choices: what it chooses from or arranges, if that is what it does. python:
    whether the call is one of `random`, which chooses from the sequence itself and not from an array made of it.
    several: whether it asks for some number of draws.
    """

    def __init__(self, example: Any, choices: Any = None, python: bool = False, several: bool = False) -> None:
        self._example = example
        self._choices = choices
        self._items: Any = choices if python or choices is None else np.asarray(choices)
        self._python = python
        self._listed = python and several

    def one(self, value: Any) -> Any:
        """The value as a result of the call. Raises Misfit."""
        if self._items is None:
            return _fitted(self._example, value)
        if self._listed:
            listed = value.tolist() if isinstance(value, np.ndarray) else value
            if not isinstance(listed, list) or len(listed) != len(self._example):
                raise Misfit
            return [_picked(self._items, item) for item in listed]
        if self._python:
            return _picked(self._items, value)
        if self._items.ndim == 0:
            made = _fitted(self._example, value)
            self._must_be_below(operator.index(self._choices), made)
            return made
        if self._items.ndim == 1 and not isinstance(self._example, np.ndarray):
            return _picked(self._items, value)
        made = _fitted(self._example, value)
        quick = self._items.ndim == 1 and self._items.dtype != object and np.isin(made, self._items).all()
        for item in () if quick else made.reshape(-1, *self._items.shape[1:]):
            _picked(self._items, item)
        return made

    def all(self, values: Sequence[Any]) -> List[Any]:
        """All values, fresh objects where they can be changed. Raises Misfit."""
        kind = type(self._example)
        if kind is np.ndarray:
            return [self.one(value) for value in values]
        if self._items is None and isinstance(self._example, np.generic):
            return list(_fitted(np.empty(len(values), self._example.dtype), values))
        if self._items is None and all(type(value) is kind for value in values):
            return list(values)
        known: Dict[bytes, Any] = {}
        made = []
        for value in values:
            key = dumps(value, 2)
            if key not in known:
                known[key] = self.one(value)
            made.append(list(known[key]) if self._listed else known[key])
        return made

    @staticmethod
    def _must_be_below(bound: int, made: Any) -> None:
        if np.size(made) and not (np.min(made) >= 0 and np.max(made) < bound):
            raise Misfit


def _fitted(example: Any, value: Any) -> Any:
    if isinstance(example, np.ndarray):
        return _array(example, value)
    kind = type(example)
    if kind is tuple and isinstance(value, list) and len(value) == len(example):
        return tuple(map(_fitted, example, value))
    if type(value) is kind:
        return value
    try:
        made = example.dtype.type(value) if isinstance(example, np.generic) else kind(value)
    except (TypeError, ValueError, OverflowError):
        raise Misfit from None
    if not same(made, value):
        raise Misfit
    return made


def _array(example: Any, value: Any) -> Any:
    try:
        raw = np.asarray(value, dtype=object if example.dtype == object else None)
        made = np.array(raw, dtype=example.dtype)
    except (TypeError, ValueError, OverflowError):
        raise Misfit from None
    if made.shape != example.shape or (raw.dtype != made.dtype and not same(made, value)):
        raise Misfit
    return made


def _picked(items: Iterable[Any], value: Any) -> Any:
    """The first item that is the same as the value, of its type if possible."""
    found = [item for item in items if same(item, value)]
    if not found:
        raise Misfit
    return next((item for item in found if type(item) is type(value)), found[0])
