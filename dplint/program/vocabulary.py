"""The functions, methods and distributions that a program may name. A reading may know fewer, never more."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass


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
    ["f-string", "isinstance", "sorted-by", "max-by", "min-by", *(f"attribute.{name}" for name in ATTRIBUTES)]
)
"""What has a node `Call` without being a call of that name.

"f-string" joins the texts of its arguments. "isinstance" takes a value and names of `TYPES`. "sorted-by", "max-by" and
"min-by" take a list and the keys of its items, instead of a function that gives the key. "attribute.shape" and its like
read an attribute.
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


@dataclass(frozen=True, slots=True)
class Signature:
    """How one source spells a draw: the canonical distribution, and its parameters in order with their defaults.

    A parameter without a default has `...`. `dims` marks `rand(2, 3)`, whose positional arguments are the shape.
    `fixed` are canonical parameters that this spelling implies.
    """

    distribution: str
    parameters: tuple[tuple[str, object], ...] = ()
    fixed: tuple[tuple[str, object], ...] = ()
    sized: bool = True
    dims: bool = False


def _location(name: str) -> Signature:
    return Signature(name, (("loc", 0.0), ("scale", 1.0)))


_COMMON = {
    "laplace": _location("laplace"),
    "normal": _location("normal"),
    "gumbel": _location("gumbel"),
    "logistic": _location("logistic"),
    "exponential": Signature("exponential", (("scale", 1.0),)),
    "uniform": Signature("uniform", (("low", 0.0), ("high", 1.0))),
    "geometric": Signature("geometric", (("p", ...),)),
    "binomial": Signature("binomial", (("n", ...), ("p", ...))),
    "poisson": Signature("poisson", (("lam", 1.0),)),
    "standard_normal": Signature("normal", fixed=(("loc", 0.0), ("scale", 1.0))),
    "standard_exponential": Signature("exponential", fixed=(("scale", 1.0),)),
    "random": Signature("random"),
    "permutation": Signature("permutation", (("x", ...),), sized=False),
    "beta": Signature("beta", (("a", ...), ("b", ...))),
    "chisquare": Signature("chisquare", (("df", ...),)),
    "gamma": Signature("gamma", (("shape", ...), ("scale", 1.0))),
    "lognormal": Signature("lognormal", (("mean", 0.0), ("sigma", 1.0))),
    "multinomial": Signature("multinomial", (("n", ...), ("pvals", ...))),
    "negative_binomial": Signature("negative_binomial", (("n", ...), ("p", ...))),
    "standard_cauchy": Signature("standard_cauchy"),
    "standard_gamma": Signature("gamma", (("shape", ...),), fixed=(("scale", 1.0),)),
    "standard_t": Signature("standard_t", (("df", ...),)),
}
GENERATOR: Mapping[str, Signature] = {
    **_COMMON,
    "integers": Signature("integers", (("low", ...), ("high", None)), fixed=(("endpoint", False),)),
    "choice": Signature("choice", (("a", ...), ("size", None), ("replace", True), ("p", None))),
}
"""Methods of `numpy.random.Generator`."""

LEGACY: Mapping[str, Signature] = {
    **_COMMON,
    "randint": Signature("integers", (("low", ...), ("high", None)), fixed=(("endpoint", False),)),
    "random_integers": Signature("integers", (("low", ...), ("high", None)), fixed=(("endpoint", True),)),
    "random_sample": Signature("random"),
    "rand": Signature("random", dims=True),
    "randn": Signature("normal", fixed=(("loc", 0.0), ("scale", 1.0)), dims=True),
    "choice": Signature("choice", (("a", ...), ("size", None), ("replace", True), ("p", None))),
}
"""Functions of `numpy.random`, and methods of `numpy.random.RandomState`."""

PYTHON: Mapping[str, Signature] = {
    "random": Signature("random", sized=False),
    "uniform": Signature("uniform", (("low", ...), ("high", ...)), sized=False),
    "expovariate": Signature("exponential", (("rate", 1.0),), sized=False),
    "gauss": Signature("normal", (("loc", 0.0), ("scale", 1.0)), sized=False),
    "betavariate": Signature("beta", (("a", ...), ("b", ...)), sized=False),
    "gammavariate": Signature("gamma", (("shape", ...), ("scale", ...)), sized=False),
    "lognormvariate": Signature("lognormal", (("mean", ...), ("sigma", ...)), sized=False),
    "normalvariate": Signature("normal", (("loc", 0.0), ("scale", 1.0)), sized=False),
    "randint": Signature("integers", (("low", ...), ("high", ...)), fixed=(("endpoint", True),), sized=False),
    "randrange": Signature("integers", (("low", ...), ("high", None)), fixed=(("endpoint", False),), sized=False),
    "choice": Signature("choice", (("a", ...),), fixed=(("replace", True), ("p", None)), sized=False),
}
"""Functions of `random`, and methods of `random.Random`. The lowering turns the rate of `expovariate` into a scale."""

SCALES: Mapping[str, tuple[str, ...]] = {
    "laplace": ("scale",),
    "normal": ("scale",),
    "gumbel": ("scale",),
    "logistic": ("scale",),
    "exponential": ("scale",),
    "gamma": ("scale",),
    "uniform": ("low", "high"),
}
"""The parameters of a distribution that say how much noise it makes."""
