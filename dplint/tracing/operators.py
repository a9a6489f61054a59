"""Operators of Python on values by lane."""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from .array_calls import called_on_arrays, elementwise
from .each import each
from .lanes import PerLane, tracer
from .paths import ARRAY, BOOL, EXACT, FLOAT, INT, NONE, NUMPY, NUMPY_FLOAT, PYTHON, SCALARS
from .recording import operation, operation_named

_LARGE = 2**62
UFUNCS: Dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "pow": np.power,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_RINGS = frozenset({"add", "sub", "mul"})
_DIVISIONS = frozenset({"truediv", "floordiv", "mod"})
_BITS = frozenset({"and", "or", "xor", "lshift", "rshift"})
OPERATORS: Dict[str, Callable[..., Any]] = {
    name: getattr(operator, name, None) or getattr(operator, f"{name}_") for name in UFUNCS
}
Number = Tuple[Any, int, Any]
"""Rows that broadcast, form, and kinds where they are mixed."""


@operation
def operate(name: str, left: Any, right: Any) -> Any:
    """The operator on two values, one of which at least is by lane; NotImplemented where Python is to go on."""
    if _is_array(left) or _is_array(right):
        return _on_arrays(name, left, right)
    one, other = number_of(left), number_of(right)
    if one is None or other is None:
        return _on_objects(name, left, right)
    result = _on_numbers(name, one, other)
    return each(OPERATORS[name], (left, right), {}) if result is None else result


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or (isinstance(value, PerLane) and value.form == ARRAY)


def _on_arrays(name: str, left: Any, right: Any) -> Any:
    for value in (left, right):
        if not isinstance(value, (PerLane, np.ndarray, list, tuple, bool, int, float, complex, np.generic)):
            return NotImplemented
    if name == "pow":  # a power of one number is a root or a square, as arrays work it out, and not `np.power`
        alone = isinstance(right, PerLane) and right.form != ARRAY
        return each(operator.pow, (left, right), {}) if alone else elementwise(operator.pow, (left, right))
    return elementwise(UFUNCS[name], (left, right))


def number_of(value: Any) -> Optional[Number]:
    """A number as rows that broadcast; None for what is none, or too large."""
    if isinstance(value, PerLane):
        rows = tracer.raw(value)
        return None if rows.dtype == object else (rows, value.form, value.kinds)
    kind = type(value)
    if kind is float or kind is bool or (kind is int and -_LARGE < value < _LARGE):
        return np.asarray(value), PYTHON, None
    return (np.asarray(value), NUMPY, None) if isinstance(value, (np.number, np.bool_)) else None


def _on_objects(name: str, left: Any, right: Any) -> Any:
    other = right if isinstance(left, PerLane) else left
    if not isinstance(other, PerLane):
        module = type(other).__module__.partition(".")[0]
        if not isinstance(other, (*SCALARS, complex, bytes, tuple)) and module not in (
            "decimal",
            "fractions",
            "datetime",
        ):
            return NotImplemented
    if name in ("eq", "ne") and _is_text(left) and _is_text(right):
        return PerLane(UFUNCS[name](*(tracer.raw(one) if isinstance(one, PerLane) else one for one in (left, right))))
    return each(OPERATORS[name], (left, right), {})


def _is_text(value: Any) -> bool:
    """Whether a value is a text of Python in each lane."""
    if not isinstance(value, PerLane):
        return type(value) is str
    rows = tracer.raw(value)
    return value.form != ARRAY and rows.dtype == object and set(map(type, rows.tolist())) == {str}


def _on_numbers(name: str, one: Number, other: Number) -> Optional[PerLane]:
    """None where Python has to be asked lane by lane."""
    (left, form, kinds), (right, form2, kinds2) = one, other
    if kinds is not None or kinds2 is not None:
        return _on_mixed(name, one, other)
    if NUMPY in (form, form2):
        return _on_numpy(name, one, other)
    if name in _COMPARISONS:
        if left.dtype != right.dtype and not (_within(left, EXACT) and _within(right, EXACT)):
            return None
        return PerLane(UFUNCS[name](left, right))
    if name in _BITS:
        return _on_bits(name, left, right)
    left, right = _arithmetical(left), _arithmetical(right)
    if name == "pow":
        return _power(left, right)
    if name in _DIVISIONS:
        return _divided(name, left, right)
    if left.dtype == right.dtype == np.int64 and not _stays_whole(name, left, right):
        return None
    return PerLane(UFUNCS[name](left, right))


def _arithmetical(rows: Any) -> Any:
    return rows.astype(np.int64) if rows.dtype == np.bool_ else rows


def _within(rows: Any, limit: int) -> bool:
    return rows.dtype != np.int64 or bool(rows.size == 0 or (rows.max() < limit and rows.min() > -limit))


def _largest(rows: Any) -> int:
    return max(abs(int(rows.max())), abs(int(rows.min()))) if rows.size else 0


def _stays_whole(name: str, left: Any, right: Any) -> bool:
    one, other = _largest(left), _largest(right)
    return (one * other if name == "mul" else one + other) < _LARGE


def _active(rows: Any) -> Any:
    """The rows of the lanes that count."""
    return rows if tracer.mask is None or rows.ndim == 0 else rows[tracer.mask]


def _on_bits(name: str, left: Any, right: Any) -> Optional[PerLane]:
    if "f" in left.dtype.kind + right.dtype.kind:
        return None
    if name in ("lshift", "rshift"):
        left, right = _arithmetical(left), _arithmetical(right)
        if _active(right).min() < 0 or _active(right).max() > 61:
            return None
        if name == "lshift" and _largest(left) << int(_active(right).max()) >= _LARGE:
            return None
        right = np.clip(right, 0, 61)
    return PerLane(UFUNCS[name](left, right))


def _power(left: Any, right: Any) -> Optional[PerLane]:
    base, exponent = _active(left), _active(right)
    if (base.min() if base.size else 1) <= 0 and exponent.dtype.kind == "f":
        return None
    if left.dtype == right.dtype == np.int64:
        if exponent.min() < 0 or exponent.max() > 62 or _largest(base) ** int(exponent.max()) >= _LARGE:
            return None
        return PerLane(np.power(left, np.clip(right, 0, 62)))
    if (base == 0).any() and (exponent < 0).any():
        return None
    result = np.power(left.astype(np.float64), right.astype(np.float64))
    return PerLane(result) if np.isfinite(_active(result)).all() else None


def _divided(name: str, left: Any, right: Any) -> Optional[PerLane]:
    if (_active(right) == 0).any():
        return None
    if name == "truediv":
        if not (_within(left, EXACT) and _within(right, EXACT)):
            return None
        return PerLane(np.true_divide(left, right))
    if left.dtype == right.dtype == np.int64:
        safe = np.where(right == 0, 1, right)
        return PerLane(UFUNCS[name](left, safe)) if _within(left, _LARGE) else None
    if not (np.isfinite(_active(left)).all() and np.isfinite(_active(right)).all()):
        return None
    return PerLane(UFUNCS[name](left, right))


def _on_numpy(name: str, one: Number, other: Number) -> Optional[PerLane]:
    """Scalars of NumPy, which behave as its arrays do; those of Python adapt to their type."""
    (left, form, _), (right, form2, _) = one, other
    common = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_))
    if (
        left.dtype not in common
        or right.dtype not in common
        or (form != form2 and name == "pow" and (left.dtype, right.dtype).count(common[0]) == 0)
    ):
        return None
    if name == "pow" and right.dtype == np.int64 and left.dtype != np.float64:
        if (_active(right) < 0).any():
            return None  # which NumPy refuses
        right = np.maximum(right, 0)  # lanes that do not count may have others
    return PerLane(UFUNCS[name](left, right), NUMPY)


def _on_mixed(name: str, one: Number, other: Number) -> Optional[PerLane]:
    """Numbers of several types: sums, differences, products, quotients and comparisons."""
    (left, _, _), (right, _, _) = one, other
    kinds, kinds2 = kinds_of(one), kinds_of(other)
    if kinds is None or kinds2 is None or (_active(kinds) == NONE).any() or (_active(kinds2) == NONE).any():
        return None
    if name in _COMPARISONS:
        if (_active(kinds) == NUMPY_FLOAT).any() or (_active(kinds2) == NUMPY_FLOAT).any():
            return None  # which are bools of NumPy
        return PerLane(UFUNCS[name](left, right))
    numpy = (kinds == NUMPY_FLOAT) | (kinds2 == NUMPY_FLOAT)
    whole = ~((kinds >= FLOAT) | (kinds2 >= FLOAT))
    if name == "truediv":
        if (_active(right) == 0).any():
            return None
        whole = np.zeros_like(whole)
    elif name not in _RINGS:
        return None
    result = UFUNCS[name](left.astype(np.float64), right.astype(np.float64))
    if (np.abs(_active(result)[_active(np.broadcast_to(whole, result.shape))]) >= EXACT).any():
        return None
    found = np.where(numpy, NUMPY_FLOAT, np.where(whole, INT, FLOAT)).astype(np.uint8)
    return PerLane(result, PYTHON, np.array(np.broadcast_to(found, result.shape)))


def kinds_of(number: Number) -> Any:
    """The types of a number by lane, or one for all; None where they cannot be mixed with others."""
    rows, form, kinds = number
    if kinds is not None:
        return kinds
    if rows.dtype == np.float64:
        return np.asarray(NUMPY_FLOAT if form == NUMPY else FLOAT)
    if form == NUMPY or not _within(rows, EXACT):
        return None
    return np.asarray(BOOL if rows.dtype == np.bool_ else INT)


def _unary(ufunc: Any, python: Callable[[Any], Any]) -> Callable[[PerLane], Any]:
    @operation_named(f"operators.{ufunc.__name__}")
    def unary(value: PerLane) -> Any:
        rows, kinds = tracer.raw(value), value.kinds
        if value.form == ARRAY:
            return PerLane(ufunc(rows), ARRAY if rows.ndim > 1 else NUMPY)
        if kinds is not None and ufunc is not np.invert and not (_active(kinds) == NONE).any():
            # A whole zero has no sign.
            return PerLane(np.where(kinds <= INT, (found := ufunc(rows)) + 0, found), PYTHON, np.maximum(kinds, INT))
        if rows.dtype == object or kinds is not None:
            return each(python, (value,), {})
        if value.form == NUMPY:
            return PerLane(ufunc(rows), NUMPY)
        return PerLane(ufunc(_arithmetical(rows)))

    return unary


def _divmod(value: Any, other: Any) -> Any:
    try:
        return value // other, value % other
    except ArithmeticError:  # in other words than it has
        return each(divmod, (value, other), {})


def _both_ways(name: str) -> Tuple[Callable[..., Any], Callable[..., Any]]:
    return lambda self, other: operate(name, self, other), lambda self, other: operate(name, other, self)


def _install() -> None:
    """Give values by lane the operators of Python."""
    for name in UFUNCS:
        forward, backward = _both_ways(name)
        setattr(PerLane, f"__{name}__", forward)
        if name not in _COMPARISONS:
            setattr(PerLane, f"__r{name}__", backward)
    methods: Dict[str, Callable[..., Any]] = {
        "neg": _unary(np.negative, operator.neg),
        "abs": _unary(np.abs, abs),
        "invert": _unary(np.invert, operator.invert),
        "pos": _unary(np.positive, operator.pos),
        "divmod": _divmod,
        "rdivmod": lambda self, other: _divmod(other, self),
        "matmul": lambda self, other: called_on_arrays(np.matmul, (self, other), {}),
        "rmatmul": lambda self, other: called_on_arrays(np.matmul, (other, self), {}),
    }
    for name, method in methods.items():
        setattr(PerLane, f"__{name}__", method)


_install()
