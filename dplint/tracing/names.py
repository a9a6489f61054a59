"""What recordings may name: functions of libraries without effects, and methods of scalars; and how some of them are
computed for all lanes at once: those of `math`, and looking for a place in sorted numbers.
"""

from __future__ import annotations

import bisect
import math
import operator
import statistics
import types
from typing import Any, Callable, FrozenSet, Iterable, Mapping, Optional, Sequence

import numpy as np

from . import orders  # noqa: F401 - it fills the table
from .array_calls import array_of, rule
from .each import differs
from .lanes import PerLane, tracer
from .operators import OPERATORS
from .paths import ARRAY, NONE, NUMPY, PYTHON
from .recording import nameable, operation_named
from .table import ALWAYS, DECLINED, TABLE, entry, to_float


@rule(np.searchsorted)
def _searchsorted(_: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if len(args) != 2 or set(named) - {"side"} or named.get("side", "left") not in ("left", "right"):
        return None
    rows = _places(args[0], args[1], named.get("side", "left"))
    return None if rows is None else PerLane(rows, ARRAY if rows.ndim > 1 else NUMPY)


def _places(items: Any, wanted: Any, side: str) -> Any:
    """Rows of places; None where these are no sorted numbers, or several are looked for in others in each lane."""
    rows = array_of(items) if differs(items) else np.asarray(items)
    numbers = tracer.raw(wanted) if isinstance(wanted, PerLane) else np.asarray(wanted)
    if rows is None or rows.dtype.kind not in "if" or numbers.dtype.kind not in "if" or np.isnan(numbers).any():
        return None
    if isinstance(wanted, PerLane) and wanted.kinds is not None:
        return None
    if np.isnan(rows).any() or (rows[..., 1:] < rows[..., :-1]).any():
        return None
    if not differs(items):
        return np.searchsorted(rows, numbers, side).astype(np.int64) if rows.ndim == 1 else None  # type: ignore[call-overload]
    if rows.ndim != 2 or numbers.ndim > isinstance(wanted, PerLane):
        return None
    column = numbers[:, None] if numbers.ndim else numbers
    return np.count_nonzero(rows <= column if side == "right" else rows < column, axis=1).astype(np.int64)


def _bisect(side: str) -> Any:
    def known(items: Any, wanted: Any, *others: Any, **named: Any) -> Any:
        if others or named or not isinstance(items, (list, tuple)):
            return DECLINED
        rows = _places(items, wanted, side)
        return DECLINED if rows is None else PerLane(rows, PYTHON)

    return known


entry(bisect.bisect_left)(_bisect("left"))
entry(bisect.bisect_right, bisect.bisect)(_bisect("right"))


def _math(function: Any, on_rows: Callable[[Any], Any], outside: Optional[Callable[[Any], Any]] = None) -> None:
    """A function of `math` of one number. outside: where it raises, of the numbers that count."""

    def call_(value: Any) -> Any:
        rows = tracer.raw(value)
        if value.form == ARRAY or rows.dtype == object or value.kinds is not None:
            return DECLINED
        rows = rows.astype(np.float64)
        active = rows if tracer.mask is None else rows[tracer.mask]
        if not np.isfinite(active).all() or (outside is not None and outside(active).any()):
            return DECLINED
        found = on_rows(rows)
        return PerLane(found)

    TABLE[nameable(function, f"math.{function.__name__}")] = operation_named(f"math.{function.__name__}")(call_)


_TOO_LARGE = 709.7
_math(math.exp, np.exp, lambda rows: rows > _TOO_LARGE)
_math(math.expm1, np.expm1, lambda rows: rows > _TOO_LARGE)
_math(math.sqrt, np.sqrt, lambda rows: rows < 0)
_math(math.log, np.log, lambda rows: rows <= 0)
_math(math.log2, np.log2, lambda rows: rows <= 0)
_math(math.log10, np.log10, lambda rows: rows <= 0)
_math(math.log1p, np.log1p, lambda rows: rows <= -1)
for _name, _ufunc in (("sin", np.sin), ("cos", np.cos), ("atan", np.arctan), ("tanh", np.tanh)):
    _math(getattr(math, _name), _ufunc)
for _name in ("isnan", "isinf", "isfinite"):

    def _told(value: Any, name: str = _name) -> Any:
        rows = tracer.raw(value)
        if value.form == ARRAY or rows.dtype == object or (value.kinds is not None and (value.kinds == NONE).any()):
            return DECLINED
        return PerLane(getattr(np, name)(rows.astype(np.float64)))

    TABLE[nameable(getattr(math, _name), f"math.{_name}")] = operation_named(f"math.{_name}")(_told)


@entry(math.copysign)
def _copysign(size: Any, sign: Any) -> Any:
    parts = [to_float(one) if isinstance(one, PerLane) else one for one in (size, sign)]
    if any(one is DECLINED or not isinstance(one, (PerLane, float, int)) for one in parts):
        return DECLINED
    rows = [tracer.rows(one) if isinstance(one, PerLane) else float(one) for one in parts]
    return PerLane(np.copysign(rows[0], rows[1]))


@entry(divmod)
def _divmod(value: Any, other: Any) -> Any:
    return DECLINED if isinstance(value, (str, bytes)) else divmod(value, other)


@entry(pow)
def _pow(base: Any, exponent: Any, *modulo: Any) -> Any:
    return DECLINED if modulo else base**exponent


def words(text: str) -> FrozenSet[str]:
    """The names in a text."""
    return frozenset(text.split())


_PURE_OF_NUMPY = words(
    """
    searchsorted select argpartition partition digitize bincount histogram unique nonzero flatnonzero argwhere
    interp roll repeat tile tensordot cross corrcoef cov isin union1d intersect1d setdiff1d setxor1d array_equal
    allclose convolve correlate rot90 gradient ediff1d column_stack dstack fliplr flipud lexsort take
    take_along_axis extract compress delete insert resize unravel_index ravel_multi_index trapezoid diag trace pad
    split array_split atleast_2d expand_dims squeeze moveaxis swapaxes diagonal vdot kron triu_indices tril_indices
    isposinf isneginf float32 float16 int32 int16 int8 uint8 uint16 uint32 uint64 intp bool_ empty zeros ones eye
    identity arange linspace logspace geomspace zeros_like
    """
)
"""Functions of NumPy without effects that recordings may name beside those that there are rules for."""
_ASKING = frozenset({"map", "filter", "reduce", "partial", "accumulate", "setattr", "delattr", "print", "iter", "next"})
"""Those that call others, or have effects."""
_PURE_OF_LINALG = words(
    """
    cholesky inv pinv solve svd eigh eigvalsh eig qr det slogdet matrix_rank lstsq matrix_power
    """
)
_PURE_METHODS = words(
    """
    repeat dot take searchsorted argpartition reshape transpose trace diagonal squeeze swapaxes compress choose
    round argsort nonzero conj sum mean std var min max argmin argmax cumsum cumprod prod any all ptp clip item
    tolist copy
    """
)
"""Methods of arrays that give something and change nothing."""
PLAIN_FUNCTIONS: Any = (
    *(pow, divmod, str, repr, format, ord, chr, hash, int, float, round, len, bytes, complex, ascii, hex, bin, oct),
)
"""Functions of Python without effects, which look into what they are given."""


def _named(names: Iterable[Any]) -> None:
    for function in names:
        nameable(function, f"{function.__module__}.{function.__name__}")


def _of_modules() -> None:
    for module in (math, statistics, bisect):
        for name, function in vars(module).items():
            if name[0] != "_" and isinstance(function, (types.BuiltinFunctionType, types.FunctionType)):
                nameable(function, f"{module.__name__}.{name}")
    for name, function in vars(np).items():
        # Not `isinstance`, which would load modules that are loaded when they are used.
        if type(function) is np.ufunc or name in _PURE_OF_NUMPY:
            nameable(function, f"numpy.{name}")

    for name in _PURE_OF_LINALG:
        nameable(getattr(np.linalg, name), f"numpy.linalg.{name}")
    for name in _PURE_METHODS:
        if hasattr(np.ndarray, name):
            nameable(getattr(np.ndarray, name), f"ndarray.{name}")


def _of_scalars() -> None:
    for kind in (str, int, float, bool):
        for name, method in vars(kind).items():
            if isinstance(method, types.MethodDescriptorType):
                nameable(method, f"{kind.__name__}.{name}")


_named((*PLAIN_FUNCTIONS, operator.mod, *OPERATORS.values()))
_named(function for function in (*TABLE, *ALWAYS) if getattr(function, "__name__", "") not in _ASKING)
_of_modules()
_of_scalars()
