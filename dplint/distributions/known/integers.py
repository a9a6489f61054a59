"""The discrete uniform distribution: the whole numbers from `low` up to `high`, which is within if `endpoint`."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter
from ..signatures import (
    GENERATOR,
    LEGACY,
    OS,
    PYTHON,
    SECRETS,
    SIZE,
    Argument,
    DrawSignature,
    arguments,
    outside,
    python,
    scipy,
    sized,
    torch,
)

_BELOW, _WITHIN = (("endpoint", False),), (("endpoint", True),)
_BOUNDS = ("low", ("high", None))


def _last(high: Any, endpoint: Any) -> Any:
    return high - (1 - endpoint)


DISTRIBUTION = Distribution(
    name="integers",
    parameters=(
        Parameter("low", whole=True),
        Parameter("high", whole=True),
        Parameter("endpoint", False, low=0.0, high=1.0, whole=True),
    ),
    draws=(
        DrawSignature(
            GENERATOR,
            "integers",
            arguments(*_BOUNDS, ("size", None), Argument("dtype", None, "int64"), ("endpoint", False)),
            first=0,
            numpy_scalar=True,
        ),
        DrawSignature(
            LEGACY,
            "randint",
            arguments(*_BOUNDS, ("size", None), Argument("dtype", None, "int")),
            fixed=_BELOW,
            first=0,
        ),
        sized(LEGACY, "random_integers", *_BOUNDS, fixed=_WITHIN, first=1, numpy_scalar=True),
        *python("randint", "a=low", "b=high", fixed=_WITHIN),
        *python("randrange", "start=low", ("stop=high", None), Argument("step", None, 1), fixed=_BELOW, first=0),
        *outside(PYTHON, "getrandbits", "k"),
        *outside(PYTHON, "randbytes", "n"),
        *outside(GENERATOR, "bytes", "length"),
        *outside(LEGACY, "bytes", "length"),
        *outside(LEGACY, "tomaxint", ("size", None)),
        *scipy("randint", "low", "high", discrete=True),
        *torch("randint", "low", ("high", None), ("size", None)),
        *outside(SECRETS, "randbelow", "exclusive_upper_bound=high"),
        *outside(SECRETS, "randbits", "k"),
        *outside(SECRETS, "token_bytes", ("nbytes=size", None)),
        *outside(OS, "urandom", Argument("size", SIZE)),
    ),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda low, high, endpoint: (low + _last(high, endpoint)) // 2,  # the middle, rounded down
        support=lambda low, high, endpoint: (low, _last(high, endpoint)),
        bulk=lambda low, high, endpoint: (low, _last(high, endpoint)),
    ),
    condition=lambda low, high, endpoint: low <= _last(high, endpoint),
)
