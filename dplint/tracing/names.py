"""What recordings may name: functions of libraries without effects, and methods of scalars."""

from __future__ import annotations

import bisect
import math
import operator
import statistics
import types
from typing import Any, Iterable, List

import numpy as np

from . import math_table, orders, searching  # noqa: F401 - they fill the table
from .operators import OPERATORS
from .recording import nameable
from .table import ALWAYS, TABLE


def _words(text: str) -> List[str]:
    return text.split()


_PURE_OF_NUMPY = _words(
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
_PURE_OF_LINALG = _words(
    """
    cholesky inv pinv solve svd eigh eigvalsh eig qr det slogdet matrix_rank lstsq matrix_power
    """
)
_PURE_METHODS = _words(
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
