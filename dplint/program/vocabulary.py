"""The functions, methods and distributions that a program may name. A reading may know fewer, never more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "divmod",
        "enumerate",
        "float",
        "int",
        "len",
        "list",
        "max",
        "min",
        "pow",
        "print",
        "range",
        "reversed",
        "round",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
        "dict",
    ]
)
MATH = frozenset(
    f"math.{name}"
    for name in [
        "ceil",
        "copysign",
        "cos",
        "exp",
        "expm1",
        "fabs",
        "floor",
        "fsum",
        "isclose",
        "isfinite",
        "isinf",
        "isnan",
        "log",
        "log10",
        "log1p",
        "log2",
        "pow",
        "sin",
        "sqrt",
        "tan",
        "tanh",
        "trunc",
    ]
)
NUMPY = frozenset(
    f"numpy.{name}"
    for name in [
        "abs",
        "absolute",
        "all",
        "any",
        "append",
        "arange",
        "argmax",
        "argmin",
        "argsort",
        "around",
        "array",
        "asarray",
        "bincount",
        "ceil",
        "clip",
        "concatenate",
        "cumsum",
        "diff",
        "dot",
        "exp",
        "flatnonzero",
        "floor",
        "full",
        "histogram",
        "int64",
        "float64",
        "isfinite",
        "isinf",
        "isnan",
        "linspace",
        "log",
        "log10",
        "log1p",
        "log2",
        "max",
        "maximum",
        "mean",
        "median",
        "min",
        "minimum",
        "nonzero",
        "ones",
        "percentile",
        "power",
        "prod",
        "quantile",
        "repeat",
        "round",
        "searchsorted",
        "sign",
        "sort",
        "sqrt",
        "square",
        "std",
        "sum",
        "tile",
        "unique",
        "var",
        "where",
        "zeros",
        "zeros_like",
        "ones_like",
        "exp2",
        "expm1",
    ]
)
FUNCTIONS = BUILTINS | MATH | NUMPY

CONSTANTS: Mapping[str, float] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "numpy.pi": math.pi,
    "numpy.e": math.e,
    "numpy.inf": math.inf,
    "numpy.nan": math.nan,
}

METHODS = frozenset(
    [
        "count",
        "index",
        "get",
        "items",
        "keys",
        "values",
        "copy",
        "sum",
        "mean",
        "max",
        "min",
        "argmax",
        "argmin",
        "cumsum",
        "tolist",
        "round",
        "std",
        "var",
        "any",
        "all",
        "clip",
        "astype",
        "item",
        "lower",
        "upper",
        "strip",
        "startswith",
        "endswith",
        "argsort",
    ]
)
"""Methods that leave their receiver as it is, of lists, tuples, dicts, strings and arrays."""

UPDATES = frozenset(["append", "extend", "insert", "remove", "reverse", "clear"])
"""Methods that change a list, allowed as statements of their own."""

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
    "uniform": ("low", "high"),
}
"""The parameters of a distribution that say how much noise it makes."""
