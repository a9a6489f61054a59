"""The functions and methods that a program may name, but for draws, which `dplint.distributions` names.

An interpretation may know fewer, never more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping


def _words(text: str) -> list[str]:
    return text.split()


BUILTINS = frozenset(
    _words(
        """
        abs all any bool chr dict divmod enumerate float format int len list max min ord pow print range repr reversed
        round sorted str sum tuple zip
        """
    )
)
MATH = frozenset(
    f"math.{name}"
    for name in _words(
        """
        acos asin atan atan2 ceil comb copysign cos cosh degrees dist erf erfc exp expm1 fabs factorial floor fmod fsum
        gamma gcd hypot isclose isfinite isinf isnan isqrt ldexp lgamma log log10 log1p log2 nextafter perm pow prod
        radians sin sinh sqrt tan tanh trunc ulp
        """
    )
)
STATISTICS = frozenset(["statistics.fmean", "statistics.mean", "statistics.median"])
NUMPY = frozenset(
    f"numpy.{name}"
    for name in _words(
        """
        abs absolute add all allclose amax amin any append arange argmax argmin argsort argwhere around array
        array_equal asarray average bincount cbrt ceil clip concatenate copysign cos count_nonzero cumprod cumsum diff
        digitize divide dot equal exp exp2 expm1 eye fabs flatnonzero flip float64 float_power floor floor_divide fmax
        fmin full full_like geomspace greater greater_equal heaviside histogram hstack hypot inner int64 interp
        intersect1d isclose isfinite isin isinf isnan isneginf isposinf less less_equal linalg.norm linspace log log10
        log1p log2 logaddexp logical_and logical_not logical_or logical_xor logspace max maximum mean median min minimum
        mod multiply nan_to_num nanmax nanmean nanmin nansum negative nonzero not_equal ones ones_like outer partition
        percentile power prod ptp quantile ravel remainder repeat reshape rint roll round searchsorted setdiff1d sign
        sin sort sqrt square stack std subtract sum tan tanh tile trunc union1d unique var vstack where zeros zeros_like
        """
    )
)
FUNCTIONS = BUILTINS | MATH | STATISTICS | NUMPY
"""What a source may call by these names."""

ATTRIBUTES = frozenset(["ndim", "shape", "size"])
"""Attributes of arrays that a program may read."""
TYPES = frozenset(
    _words("bool dict float int list numbers.Integral numbers.Number numbers.Real numpy.bool_ numpy.floating")
    + _words("numpy.integer numpy.ndarray str tuple")
)
"""Types that a program may ask for."""
SPECIAL = frozenset(
    [
        *("f-string", "isinstance", "json.loads", "map", "max-by", "min-by", "numbers-in", "sorted-by", "type-name"),
        "words-in",
        *(f"attribute.{name}" for name in ATTRIBUTES),
    ]
)
"""What has a node `Call` without being a call of that name.

"f-string" joins the texts of its arguments. "isinstance" takes a value and names of `TYPES`. "sorted-by", "max-by" and
"min-by" take a list and the keys of its items, instead of a function that gives the key. "attribute.shape" and its like
read an attribute. "map" takes the name of a function and what to apply it to, and gives a list. "type-name" is
`type(x).__name__`. "numbers-in" gives the numbers inside of a text as floats, "words-in" the text with "#" for each of
them, and "json.loads" what a text says in JSON. Programs of mechanisms have none of the last five, and events may read
any attribute.
"""

CONSTANTS: Mapping[str, float | int] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "numpy.pi": math.pi,
    "numpy.e": math.e,
    "numpy.inf": math.inf,
    "numpy.nan": math.nan,
    "math.tau": math.tau,
    "numpy.euler_gamma": 0.5772156649015329,
    "sys.float_info.epsilon": sys.float_info.epsilon,
    "sys.float_info.max": sys.float_info.max,
    "sys.float_info.min": sys.float_info.min,
    "sys.maxsize": sys.maxsize,
}

METHODS = frozenset(
    _words(
        """
        all any argmax argmin argsort astype capitalize clip copy count cumsum dot endswith find flatten format get
        index isalpha isdigit isnumeric item items join keys lower lstrip max mean min nonzero prod ravel repeat replace
        reshape rfind round rstrip searchsorted split startswith std strip sum title tolist upper values var zfill
        """
    )
)
"""Methods that leave their receiver as it is, of lists, tuples, dicts, strings and arrays."""

UPDATES = frozenset(["append", "clear", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update"])
"""Methods that change a list or dict, with positional arguments, allowed as statements of their own.

The lowering writes `sort(reverse=True)` as Python does it: reverse, sort, reverse.
"""

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
"""A number inside of a text, as a regular expression."""

EXCEPTIONS = frozenset(
    [
        "ArithmeticError",
        "AssertionError",
        "Exception",
        "IndexError",
        "KeyError",
        "LookupError",
        "NotImplementedError",
        "OverflowError",
        "RuntimeError",
        "TypeError",
        "ValueError",
        "ZeroDivisionError",
    ]
)
