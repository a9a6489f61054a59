"""What Python's operations mean on noisy values: those that are known to be followed exactly, and no others.

Without noise everything is Python's own. With noise an operation must stand in one of these tables; what does not is
refused, since Python would do something with the objects that stand for noise, and that need not be what it does with
numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dplint.program.meaning import BINARY, COMPARE
from dplint.readings.exact.affine import Affine, NotFollowed, array_of, is_noisy, mapped, noisy_values, of_kind

_SORTED = 5
"""How many noisy values are put in order, at most: there are as many ways as permutations."""
_ARITHMETIC = {"+", "-", "*", "/"}
_ORDER = {"==", "!=", "<", "<=", ">", ">="}


def binary(symbol: str, left: Any, right: Any) -> Any:
    """`left symbol right`, with noise in one of them at least."""
    if symbol == "+" and type(left) is type(right) and isinstance(left, list | tuple):
        return left + right
    if symbol == "*" and isinstance(left, list | tuple) and isinstance(right, int):
        return left * right
    if symbol not in _ARITHMETIC or not (_is_numeric(left) and _is_numeric(right)):
        raise NotFollowed(f"`{symbol}` with a noisy value", "noise may be added, scaled and compared")
    return tidy(BINARY[symbol](left, right))


def compare(symbol: str, left: Any, right: Any) -> Any:
    """One comparison."""
    if symbol in ("is", "is not") and (left is None or right is None):
        return symbol == "is not"
    if symbol not in _ORDER or not (_is_numeric(left) and _is_numeric(right)):
        raise NotFollowed(f"`{symbol}` with a noisy value", "compare noisy numbers one by one")
    return tidy(COMPARE[symbol](left, right))


def unary(symbol: str, operand: Any) -> Any:
    """`-x` and `+x`."""
    if symbol not in ("-", "+") or not _is_numeric(operand):
        raise NotFollowed(f"`{symbol}` of a noisy value")
    return tidy(-operand) if symbol == "-" else operand


def truth(value: Any) -> bool:
    """Python's truth: of noise, which is not 0; of a container, whether it is not empty."""
    if isinstance(value, np.ndarray):
        raise NotFollowed("the truth of an array")
    return bool(value)


def subscript(value: Any, index: Any) -> Any:
    """`value[index]`, where the index has no noise."""
    if is_noisy(index):
        raise NotFollowed("a noisy index")
    return tidy(value[index])


def changed_item(value: Any, index: Any, item: Any) -> Any:
    """A copy with another item."""
    if is_noisy(index):
        raise NotFollowed("a noisy index")
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or not (isinstance(item, Affine) or np.isscalar(item)):
            raise NotFollowed("a change of an array that is not one number")
        if isinstance(index, bool | np.bool_):
            raise NotFollowed("a truth value as an index, for all items or none")
        items = value.tolist()
        items[operator.index(index)] = item
        return array_of(items, value.shape)
    copied = value.copy()
    copied[index] = item
    return copied


_UPDATES = {"append", "clear", "extend", "insert", "pop", "reverse", "setdefault", "update"}


def updated(value: Any, method: str, arguments: Sequence[Any]) -> Any:
    """A copy, changed by a method that looks at no element."""
    if method not in _UPDATES:
        raise NotFollowed(f"`{method}` of a list with noise in it")
    copied = value.copy()
    getattr(copied, method)(*arguments)
    return copied


# A union is made anew each time that it is written, which costs more than the question.
_NUMERIC = (Affine, bool, int, float, np.number, np.bool_, np.ndarray)


def _is_numeric(value: Any) -> bool:
    return isinstance(value, _NUMERIC)


def tidy(value: Any) -> Any:
    """An array of objects without noise is made one of numbers."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return array_of(value.ravel().tolist(), value.shape)
    return value


# functions and methods


def _float(value: Any) -> Any:
    if not isinstance(value, Affine):
        raise NotFollowed("`float` of something noisy that is no number")
    return of_kind(value, numpy=False)


def _whole(name: str) -> Callable[[Any], Any]:
    """Of whole numbers, which it leaves as they are."""

    def same(value: Any) -> Any:
        if not isinstance(value, Affine) or not value.is_whole:
            raise NotFollowed(f"`{name}` of a noisy value", "noise may be added, scaled and compared")
        return of_kind(value, numpy=False)

    return same


def _array(value: Any, **keywords: Any) -> Any:
    """`numpy.array` of noisy numbers, in lists that may be nested."""
    if keywords and keywords.get("dtype") not in (float, None):
        raise NotFollowed("an array of noise with another type")
    if isinstance(value, np.ndarray):
        return value.copy()
    if not isinstance(value, list | tuple) or not all(_is_numeric(x) and not isinstance(x, np.ndarray) for x in value):
        raise NotFollowed("an array of noise with several dimensions")
    return array_of([x if isinstance(x, Affine) else float(x) for x in value], (len(value),))


def _flat(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray) and value.ndim != 1:
        raise NotFollowed("a function of noise in an array that is no vector")
    items = value.tolist() if isinstance(value, np.ndarray) else list(value)
    if not all(_is_numeric(x) and not isinstance(x, np.ndarray) for x in items):
        raise NotFollowed("a function of noise in nested lists")
    return items


def _sum(value: Any, start: Any = 0) -> Any:
    total = start
    for item in _flat(value):
        total = total + item
    return total


def _mean(value: Any) -> Any:
    items = _flat(value)
    return _sum(items) / len(items)


def _cumsum(value: Any) -> Any:
    items = _flat(value)
    return array_of([_sum(items[: i + 1]) for i in range(len(items))], (len(items),))


def _diff(value: Any) -> Any:
    items = _flat(value)
    return array_of([b - a for a, b in pairwise(items)], (max(0, len(items) - 1),))


def _dot(left: Any, right: Any) -> Any:
    one, two = _flat(left), _flat(right)
    if len(one) != len(two):
        raise NotFollowed("a product of vectors of different lengths")
    return _sum([a * b for a, b in zip(one, two, strict=True)])


def _concatenate(values: Any) -> Any:
    parts = list(values)
    if not all(isinstance(part, np.ndarray | list | tuple) and np.ndim(np.empty(len(part))) == 1 for part in parts):
        raise NotFollowed("`concatenate` of something noisy that is no vector")
    items = [item for part in parts for item in _flat(part)]
    return array_of(items, (len(items),))


def _append(values: Any, more: Any) -> Any:
    items = [*_flat(values), *(_flat(more) if isinstance(more, np.ndarray | list | tuple) else [more])]
    return array_of(items, (len(items),))


def _apply(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for each element of arrays of one shape, or numbers."""

    def applied(*values: Any) -> Any:
        shapes = {value.shape for value in values if isinstance(value, np.ndarray)}
        if any(isinstance(value, list | tuple) for value in values) or len(shapes) > 1:
            raise NotFollowed("a function of noisy values of different shapes")
        if not shapes:
            return function(*values)
        (shape,) = shapes
        count = int(np.prod(shape))
        columns = [value.ravel().tolist() if isinstance(value, np.ndarray) else [value] * count for value in values]
        found = array_of([function(*row) for row in zip(*columns, strict=True)], shape)
        # What is left without noise may be whole numbers, in an array that was one of floats.
        whole = found.dtype == object or all(noise.is_whole for noise in noisy_values(values))
        return found if whole else found.astype(float)

    return applied


def larger(left: Any, right: Any) -> Any:
    """The larger of two numbers."""
    return left if left >= right else right


def smaller(left: Any, right: Any) -> Any:
    """The smaller of two numbers."""
    return left if left <= right else right


def _clip(value: Any, low: Any, high: Any) -> Any:
    """Between two limits; None is no limit."""
    above = value if low is None else larger(value, low)
    return above if high is None else smaller(above, high)


def _sorted(value: Iterable[Any], *, reverse: bool = False) -> list[Any]:
    items = list(value)
    if sum(map(is_noisy, items)) > _SORTED:
        raise NotFollowed(f"more than {_SORTED} noisy values put in order")
    if not all(isinstance(x, Affine | int | float | np.number) for x in items):
        raise NotFollowed("noise in tuples put in order")
    return sorted(items, reverse=reverse)


def _argsort(value: Any) -> Any:
    items = _flat(value)
    if sum(map(is_noisy, items)) > _SORTED:
        raise NotFollowed(f"more than {_SORTED} noisy values put in order")
    return np.array(sorted(range(len(items)), key=items.__getitem__), np.int64)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": _apply(operator.abs),
    "bool": truth,
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "float": _float,
    "int": _whole("int"),
    "len": len,
    "list": list,
    "round": _whole("round"),
    "reversed": lambda items: list(reversed(items)),
    "sorted": _sorted,
    "sum": _sum,
    "tuple": tuple,
    "zip": lambda *lists: list(zip(*lists, strict=False)),
    "print": lambda *_, **__: None,
    "math.ceil": _whole("math.ceil"),
    "math.fabs": operator.abs,
    "math.floor": _whole("math.floor"),
    "math.fsum": _sum,
    "math.trunc": _whole("math.trunc"),
    "statistics.mean": _mean,
    "statistics.fmean": _mean,
    "attribute.size": operator.attrgetter("size"),
    "attribute.shape": operator.attrgetter("shape"),
    "attribute.ndim": operator.attrgetter("ndim"),
    "numpy.abs": _apply(operator.abs),
    "numpy.absolute": _apply(operator.abs),
    "numpy.fabs": _apply(operator.abs),
    "numpy.add": _apply(operator.add),
    "numpy.subtract": _apply(operator.sub),
    "numpy.multiply": _apply(operator.mul),
    "numpy.divide": _apply(operator.truediv),
    "numpy.negative": _apply(operator.neg),
    "numpy.maximum": _apply(larger),
    "numpy.minimum": _apply(smaller),
    "numpy.clip": _apply(_clip),
    "numpy.float64": lambda value: of_kind(_float(value), numpy=True),
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.append": _append,
    "numpy.argsort": _argsort,
    "numpy.concatenate": _concatenate,
    "numpy.cumsum": _cumsum,
    "numpy.diff": _diff,
    "numpy.dot": _dot,
    "numpy.mean": _mean,
    "numpy.sort": lambda value: array_of(_sorted(_flat(value)), np.shape(value)),
    "numpy.sum": _sum,
}
"""By the names of `vocabulary.FUNCTIONS`."""
METHODS: Mapping[str, Callable[..., Any]] = {
    "argsort": _argsort,
    "clip": _apply(_clip),
    "copy": lambda value: value.copy(),
    "cumsum": _cumsum,
    "dot": _dot,
    "flatten": lambda value: value.flatten(),
    "item": lambda value: of_kind(value.item(), numpy=False),
    "mean": _mean,
    "ravel": lambda value: value.flatten(),
    "sum": _sum,
    "tolist": lambda value: mapped(value.tolist(), lambda one: of_kind(one, numpy=False)),
    "items": lambda value: list(value.items()),
    "keys": lambda value: list(value.keys()),
    "values": lambda value: list(value.values()),
    "get": lambda value, key, default=None: value.get(key, default),
}
EXTREMES: Mapping[str, tuple[int, bool]] = {
    "max": (1, False),
    "min": (-1, False),
    "numpy.max": (1, False),
    "numpy.amax": (1, False),
    "numpy.min": (-1, False),
    "numpy.amin": (-1, False),
    "numpy.argmax": (1, True),
    "numpy.argmin": (-1, True),
    "argmax": (1, True),
    "argmin": (-1, True),
}
"""Functions and methods that look for the largest or smallest: the sign, and whether they give its index.

They have one way for each of n values, where a comparison after the other would have 2**(n - 1).
"""


def extreme_items(arguments: Sequence[Any]) -> list[Any]:
    """What is compared by a function of `EXTREMES`."""
    return _flat(arguments[0]) if len(arguments) == 1 else _flat(list(arguments))


def is_mutable(value: Any) -> bool:
    """Whether it can be changed in place."""
    return isinstance(value, list | dict | np.ndarray)


def refuse_rows(value: Any) -> None:
    """A row of an array is a view of it, which the program does not tell from an item of a list."""
    if isinstance(value, np.ndarray) and value.ndim > 1:
        raise NotFollowed("a change in place of an array of rows", "make a new array")
