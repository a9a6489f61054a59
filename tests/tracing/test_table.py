"""Operators, functions and methods on values by lane, against Python lane by lane on odd values.

Each may decline, and must never be wrong: of the same type, of the same value to the last bits, or the same exception.
"""

import bisect
import itertools
import math
import operator
import random

import numpy as np
import pytest

from dplint.tracing import calls
from dplint.tracing.each import gathered
from dplint.tracing.lanes import PerLane, tracer
from dplint.tracing.operators import UFUNCS
from dplint.tracing.table import ALWAYS, TABLE
from tests.tracing.running import canonical, differences, first_difference, on_lanes, raised

FLOATS = [0.0, -0.0, 1.5, -2.5, math.nan, math.inf, -math.inf, 1e300, -1e-320, 2.0**53, 2.5, 0.5, 3.0, 1e19, -7.25]
SMALL = [0, 1, -1, 2, 5, -7, 61, 62, 63]
LARGE = [2**62 - 1, 1 - 2**62, 2**61, 3, -1, 0, 2**53 + 1, 2**31]
HUGE = [0, 1, 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), 10**20, -1]
SCALARS = {
    "floats": FLOATS,
    "tame": [0.5, 1.5, 2.0, 3.25, 1.0],
    "small": SMALL,
    "large": LARGE,
    "huge": HUGE,
    "bools": [True, False],
    "numpy floats": list(map(np.float64, FLOATS)),
    "numpy ints": list(map(np.int64, [0, 1, -1, 7, 2**62, 2**63 - 1, -(2**63)])),
    "numpy bools": [np.True_, np.False_],
    "singles": list(map(np.float32, [0.1, -0.0, math.nan, 3e38, 2.5])),
    "mixed": [1, 2.5, True, 0, math.nan, -3, np.float64(1.5), -0.0],
    "with none": [None, 1, 2.5, True],
    "texts": ["a", "", "1.5", "b"],
}
ARRAYS = {
    "arrays": [[0.0, -0.0, 1.5], [math.nan, 1.0, -1.0], [math.inf, -math.inf, 2.5], [1.0, 1.0, 1.0], [-3.5, 2.0, 0.1]],
    "whole arrays": [[0, 1, 2], [2**62, 2**62, -5], [3, -3, 7], [2**63 - 1, 1, 0]],
    "bool arrays": [[True, False, True], [False, False, False], [True, True, True]],
    "empty arrays": [np.zeros(0), np.zeros(0)],
    "tables": [[[1.0, 2.0], [3.0, math.nan]], [[0.0, -1.0], [5.0, 2.0]]],
}
ARRAYS = {name: list(map(np.array, items)) for name, items in ARRAYS.items()}
POOLS = SCALARS | ARRAYS
PLAIN, MASKED, AFTER_A_SPLIT = "plain", "masked", "after a split"


def by_lane(pool, places):
    """The item of the pool in each lane of the path."""
    return gathered([fresh(pool[places[lane]]) for lane in tracer.lanes.tolist()])


def fresh(item):
    return np.array(item) if isinstance(item, np.ndarray) else item


def check(function, pools, mode=PLAIN, lanes=14):
    """Compare a function on arguments by lane, or that are the same in all lanes if their pool is no list."""
    chance = random.Random(f"{pools!r:.80}")
    places = [[chance.randrange(len(pool)) for _ in range(lanes)] if isinstance(pool, list) else None for pool in pools]

    def mine(_):
        args = [pool if where is None else by_lane(pool, where) for pool, where in zip(pools, places, strict=True)]
        here = tracer.lanes % 3 > 0
        if mode == AFTER_A_SPLIT:
            tracer.decide(PerLane(here))
        if mode == MASKED:
            return calls.if_expression("site", PerLane(here), lambda: calls.call(function, *args), lambda: 0)
        return calls.call(function, *args)

    wrong = []
    for lane, found in on_lanes(mine, (), lanes).items():
        args = [pool if where is None else pool[where[lane]] for pool, where in zip(pools, places, strict=True)]
        with np.errstate(all="ignore"):
            try:
                right = "returned", canonical(function(*map(fresh, args)) if mode != MASKED or lane % 3 else 0)
            except Exception as error:
                right = "raised", canonical(raised(error))
        different = first_difference(found.outcome, right)
        if different:
            wrong.append(f"{function} of {args} {mode}: {different}")
    return wrong


BINARY = [
    *(getattr(operator, name, None) or getattr(operator, f"{name}_") for name in UFUNCS),
    *(pow, divmod, math.copysign, max, min, operator.contains, bisect.bisect_left, bisect.bisect_right),
]
OTHERS = (isinstance, hasattr, operator.getitem, operator.setitem)
UNARY = [
    *(known for known in TABLE if known not in (*BINARY, *OTHERS)),
    *(operator.neg, operator.pos, operator.invert, operator.abs, abs, str, repr, bool, type, math.gamma),
    *(len, all, any, sum, sorted, max, min, list, tuple, np.isnan, np.exp, np.sign, np.floor, np.sqrt, np.square),
]
UNARY = [known for known in dict.fromkeys(UNARY) if getattr(known, "__name__", "") != "partial"]
WITHOUT_END = (operator.pow, pow, operator.lshift, operator.mul)
"""Python would work out numbers and texts that no memory holds."""


def ends(function, one, other):
    large = {"huge", "large"}
    endless = other in large or (one in large and other == "texts") or "whole arrays" in (one, other)
    return function not in WITHOUT_END or not endless


CALLED_ELSEWHERE = {"map", "filter", "reduce", "accumulate", "next", "iter", "setattr", "delattr", "print", "range"}


@pytest.mark.parametrize("function", UNARY, ids=lambda one: getattr(one, "__name__", repr(one)))
def test_functions_of_one_value(function):
    for number, pool in enumerate(POOLS.values()):
        mode = (PLAIN, MASKED, AFTER_A_SPLIT)[number % 3]

        assert not check(function, [pool], mode)


def compare_on_pairs(function, *, one_in):
    pools = list(POOLS.items())
    for number, (one, other) in enumerate(itertools.product(pools, repeat=2)):
        if number % one_in != len(function.__name__) % one_in or not ends(function, one[0], other[0]):
            continue
        mode = (PLAIN, MASKED, AFTER_A_SPLIT)[number % 3]
        wrong = check(function, [one[1], other[1]], mode)
        if number % 2:
            wrong += check(function, [one[1], other[1][number % len(other[1])]], mode)
        else:
            wrong += check(function, [one[1][number % len(one[1])], other[1]], mode)

        assert not wrong, f"{one[0]}, {other[0]}: " + "\n".join(wrong[:3])


@pytest.mark.parametrize("function", BINARY, ids=lambda one: one.__name__)
def test_functions_of_two_values(function):
    compare_on_pairs(function, one_in=7)


@pytest.mark.nightly
@pytest.mark.parametrize("function", BINARY, ids=lambda one: one.__name__)
def test_functions_of_all_pairs_of_values(function):
    compare_on_pairs(function, one_in=1)


SORTED = [[0.5, 1.5, 1.5, 2.0], [-3.0, 0.0, 0.0, 7.25], [2.0, 2.0, 2.0, 2.0]]


@pytest.mark.parametrize("mode", [PLAIN, MASKED, AFTER_A_SPLIT])
@pytest.mark.parametrize(
    "function", [bisect.bisect_left, bisect.bisect_right, np.searchsorted], ids=lambda one: one.__name__
)
def test_places_in_sorted_numbers(function, mode):
    arrays = list(map(np.array, SORTED))

    for pool in ("floats", "tame", "small", "mixed", "numpy floats"):
        assert not check(function, [tuple(SORTED[0]), POOLS[pool]], mode)
        assert not check(function, [arrays[1], POOLS[pool]], mode)
    assert not check(function, [arrays, 2.0], mode)
    assert not check(function, [arrays, FLOATS[:9]], mode)


HALVES = [
    0.125,
    2.675,
    1.005,
    0.5,
    1.5,
    2.5,
    -2.675,
    1e15 + 0.3,
    1e22,
    -0.0,
    5e-324,
    0.045,
    1234567.891,
    math.inf,
    math.nan,
]


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 12, 15, -1])
def test_numbers_are_rounded_to_decimal_places_as_python_does(digits):
    chance = random.Random(digits)
    numbers = [
        *HALVES,
        *(chance.uniform(-1e6, 1e6) for _ in range(200)),
        *(chance.randrange(10**6) / 200 for _ in range(400)),
    ]

    assert not check(round, [numbers, digits], lanes=900)
    assert not check(round, [list(map(np.float64, numbers)), digits], lanes=300)
    assert not check(round, [[3, True, 2.675, 0.5, -7, math.inf], digits])


def test_every_entry_is_tried():
    tried = {*UNARY, *BINARY, *OTHERS}

    assert {one.__name__ for one in {*TABLE, *ALWAYS} - tried} <= CALLED_ELSEWHERE | {"partial"}


METHODS = {
    **{name: lambda a, name=name: getattr(a, name)() for name in ("sum", "mean", "max", "min", "argmax", "argmin")},
    **{name: lambda a, name=name: getattr(a, name)() for name in ("any", "all", "std", "var", "prod", "cumsum", "ptp")},
    **{
        name: lambda a, name=name: getattr(a, name)()
        for name in ("ravel", "flatten", "tolist", "copy", "round", "item")
    },
    **{
        name: lambda a, name=name: getattr(a, name)
        for name in ("shape", "size", "ndim", "T", "dtype", "real", "nbytes")
    },
    **{
        f"np.{name}": getattr(np, name)
        for name in ("sum", "median", "sort", "argsort", "diff", "unique", "ravel", "shape")
    },
    **{
        f"np.{name}": getattr(np, name)
        for name in ("average", "nansum", "nanmax", "flip", "array", "asarray", "atleast_1d")
    },
    **{
        f"np.{name}": getattr(np, name)
        for name in ("zeros_like", "cumprod", "count_nonzero", "nan_to_num", "size", "var")
    },
    "axis": lambda a: a.sum(axis=0),
    "last axis": lambda a: a.max(axis=-1),
    "second axis": lambda a: np.sort(a, axis=1),
    "quantile": lambda a: np.quantile(a, 0.3),
    "quantiles": lambda a: np.percentile(a, [10, 50]),
    "clip": lambda a: np.clip(a, 0, 1),
    "clip by none": lambda a: np.clip(a, None, 1),
    "where": lambda a: np.where(a > 0, a, 0),
    "places": lambda a: np.where(a > 0),
    "select": lambda a: np.select([a < 0, a > 2], [-1.0, 1.0], default=0.5),
    "select of arrays": lambda a: np.select([a < 0, np.array([True, False, True])], [a, -a]),
    "astype": lambda a: a.astype(int) if np.isfinite(a).all() else 0,
    "reshape": lambda a: a.reshape(-1),
    "together": lambda a: np.concatenate([a, a]),
    "stacked": lambda a: np.stack([a, a]),
    "dot": lambda a: np.dot(a, a),
    "norm": np.linalg.norm,
    "item": lambda a: a[1],
    "mask": lambda a: a[a > 0],
    "several": lambda a: a[[0, -1]],
    "full": lambda a: np.full(2, a.sum()),
    "length": len,
    "order": sorted,
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("mode", [PLAIN, MASKED, AFTER_A_SPLIT])
def test_methods_and_functions_of_arrays(name, mode):
    for pool in (*ARRAYS.values(), SCALARS["numpy floats"], SCALARS["numpy ints"]):
        wrong = check(METHODS[name], [pool], mode)

        assert not wrong, wrong[0]


@pytest.mark.parametrize(
    "wanted", ["1", "1.0", "True", "np.float64(1.0)", "np.int64(1)", "np.True_", "np.float64(2.0)"]
)
def test_a_number_is_found_among_values_by_lane_whatever_its_type(wanted):
    """`1 == np.float64(1.0)` is a truth value of NumPy, and not `True`."""
    text = (
        f"import numpy as np\ndef f(rng):\n    x = rng.laplace()\n    return {wanted} in [x, 1], {wanted} in (1, x)\n"
    )

    assert differences(text, lanes=24) == []
