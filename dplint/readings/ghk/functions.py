"""What functions mean on numbers of one path, where Python's own would ask for a float."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dplint.readings.ghk.noisy import Noisy


def has_noisy(value: Any) -> bool:
    """Whether there is such a number in it."""
    if isinstance(value, list | tuple):
        return any(map(has_noisy, value))
    if isinstance(value, dict):
        return any(map(has_noisy, value.values()))
    return isinstance(value, Noisy) or (isinstance(value, np.ndarray) and value.dtype == object)


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    """For each element of arrays and lists, or of numbers."""

    def applied(*values: Any) -> Any:
        if not any(isinstance(one, np.ndarray | list | tuple) for one in values):
            return function(*values)
        arrays = np.broadcast_arrays(*[one if isinstance(one, np.ndarray) else array_of(one) for one in values])
        found = np.empty(arrays[0].size, object)
        for index, row in enumerate(zip(*[one.ravel().tolist() for one in arrays], strict=True)):
            found[index] = function(*row)
        return found.reshape(arrays[0].shape)

    return applied


def array_of(value: Any, **_: Any) -> Any:
    """`numpy.array` that leaves these numbers as they are."""
    if isinstance(value, list | tuple):
        found = np.empty(len(value), object)
        found[:] = list(value)
        return found
    if isinstance(value, np.ndarray):
        return value.copy()
    found = np.empty((), object)
    found[()] = value
    return found


def _mean(items: Any) -> Any:
    listed = list(items)
    return sum(listed) / len(listed)


def _clip(value: Any, low: Any, high: Any) -> Any:
    above = value if low is None else max(value, low)
    return above if high is None else min(above, high)


def _own(name: str) -> Callable[[Any], Any]:
    """A method of a number, or NumPy's function of a plain one."""
    plain = getattr(np, name)
    return _each(lambda value: getattr(value, name)() if isinstance(value, Noisy) else plain(value))


def _same(value: Any) -> Any:
    return value


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "float": _same,
    "numpy.float64": _same,
    "isinstance": lambda _, *names: bool({"float", "numbers.Number", "numbers.Real"} & set(names)),
    "math.exp": _own("exp"),
    "math.log": _own("log"),
    "math.sqrt": _own("sqrt"),
    "math.fabs": operator.abs,
    "math.fsum": sum,
    "statistics.mean": _mean,
    "statistics.fmean": _mean,
    "numpy.array": array_of,
    "numpy.asarray": array_of,
    "numpy.exp": _own("exp"),
    "numpy.log": _own("log"),
    "numpy.sqrt": _own("sqrt"),
    "numpy.abs": _each(operator.abs),
    "numpy.absolute": _each(operator.abs),
    "numpy.fabs": _each(operator.abs),
    "numpy.maximum": _each(max),
    "numpy.minimum": _each(min),
    "numpy.clip": _each(_clip),
    "numpy.sum": sum,
    "numpy.mean": _mean,
}
"""By the names of `vocabulary.FUNCTIONS`; other functions are Python's own."""
