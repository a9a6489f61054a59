"""`math.log`, `exp`, `log1p`, `expm1`, `pow`, `copysign` and `bisect` on lanes are those of Python, to the last bit."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dplint.readings.lanes import elementary, searching
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.lane_values import Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers

LANES = 20_000
PYTHON: dict[str, Callable[..., Any]] = {
    "math.log": math.log,
    "math.exp": math.exp,
    "math.log1p": math.log1p,
    "math.expm1": math.expm1,
    "math.copysign": math.copysign,
    "math.pow": math.pow,
    "bisect.bisect": bisect.bisect,
    "bisect.bisect_left": bisect.bisect_left,
    "bisect.bisect_right": bisect.bisect_right,
}
KNOWN = {**elementary.KNOWN, **searching.KNOWN}


def called(name: str, *given: Any, active: np.ndarray | None = None) -> Result | None:
    """The function on lanes; arrays have a number for each lane."""
    size = next(len(one) for one in given if isinstance(one, np.ndarray))
    lanes = Lanes(size, TextNumbers())
    values = []
    for one in given:
        if isinstance(one, np.ndarray):
            tag = Tag.INT if one.dtype.kind == "i" else Tag.FLOAT
            values.append(Numbers(lanes.root, one, tag, int(np.abs(one).max()) if tag is Tag.INT else 1))
        else:
            values.append(Uniform(one))
    return KNOWN[name](lanes, values, {}, Mask(lanes.root, active))


def agrees(name: str, *given: Any) -> None:
    """Where Python raises something, the lane has failed; else both have the same number, of the same type."""
    found = called(name, *given)
    assert found is not None
    assert isinstance(found.value, Numbers)
    failed = np.zeros(len(found.value.data), bool) if found.failed is None else found.failed
    for lane, (value, wrong) in enumerate(zip(found.value.data.tolist(), failed.tolist(), strict=True)):
        arguments = [one[lane].item() if isinstance(one, np.ndarray) else one for one in given]
        try:
            expected = PYTHON[name](*arguments)
        except (ValueError, OverflowError):
            assert wrong, arguments
            continue
        assert not wrong, arguments
        assert repr(value) == repr(expected), arguments


ODD = [0.0, -0.0, 1.0, -1.0, 5e-324, 1e308, 710.0, -800.0, 709.782712893384, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("name", ["math.log", "math.exp", "math.log1p", "math.expm1"])
def test_elementary_functions(name: str):
    generator = np.random.default_rng(3)
    agrees(name, generator.laplace(scale=20.0, size=LANES))
    agrees(name, 10.0 ** generator.uniform(-300, 2, LANES))
    agrees(name, np.array(ODD))
    agrees(name, np.arange(-5, 500))


def test_signs():
    generator = np.random.default_rng(3)
    agrees("math.copysign", np.array(ODD), np.array(ODD[::-1]))
    agrees("math.copysign", generator.random(LANES), generator.normal(size=LANES))
    agrees("math.copysign", 1.0, generator.normal(size=LANES))


PAIRS = np.array(list(itertools.product([*ODD, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5], repeat=2))).T


def test_powers():
    generator = np.random.default_rng(3)
    agrees("math.pow", *PAIRS)
    agrees("math.pow", generator.lognormal(sigma=9, size=LANES), generator.normal(size=LANES))
    agrees("math.pow", generator.normal(size=LANES), generator.integers(-5, 6, LANES))
    agrees("math.pow", 2, generator.normal(size=LANES))


@pytest.mark.parametrize("numpy", ["", "left", "right"])
@pytest.mark.parametrize("exponent", [None, 2, 2.0, 0.5, -1, 0])
def test_powers_by_the_operator(numpy: str, exponent: float | None):
    """As Python gives it: a float; and it is asked where it raises, or gives a complex number."""
    generator = np.random.default_rng(4)
    bases = np.concatenate([PAIRS[0], generator.normal(size=2_000), generator.lognormal(sigma=9, size=2_000)])
    exponents = np.concatenate([PAIRS[1], generator.integers(-5, 6, 2_000), generator.normal(size=2_000)])
    for base, other in zip(bases, exponents if exponent is None else [exponent] * len(bases), strict=True):
        left = base if numpy == "left" else float(base)
        right = other if exponent is not None else np.float64(other) if numpy == "right" else float(other)
        lanes = Lanes(1, TextNumbers())
        with np.errstate(all="ignore"):
            found = elementary.power(lanes, lanes.implode([left], lanes.root, None), Uniform(right), lanes.everywhere())
            try:
                expected = left**right
            except (ZeroDivisionError, OverflowError):
                assert found.failed is not None
                continue
        if isinstance(expected, complex):
            assert found.failed is not None
            continue
        assert found is not None
        assert found.failed is None
        assert repr(lanes.explode(found.value, lanes.root, None)[0]) == repr(expected)


def test_powers_of_whole_numbers_are_left_to_python():
    lanes = Lanes(2, TextNumbers())
    whole = lanes.implode([2, 3], lanes.root, None)
    assert elementary.power(lanes, whole, Uniform(2), lanes.everywhere()) is None
    assert elementary.power(lanes, whole, Uniform("2"), lanes.everywhere()) is None


@pytest.mark.parametrize("name", ["bisect.bisect", "bisect.bisect_left", "bisect.bisect_right"])
@pytest.mark.parametrize("edges", [[-1.5, 0, 0, 2.0, 7], (), (0.0, -0.0, 1), [-math.inf, 0.0, math.inf]])
def test_bisections(name: str, edges: Any):
    data = np.concatenate([np.random.default_rng(3).laplace(size=LANES), [-0.0, 0.0, 2.0, 7.0, math.inf, -math.inf]])
    agrees(name, edges, data)
    agrees(name, edges, np.arange(-3, 9))


@pytest.mark.parametrize("edges", [[1.0, 0.0], [0.0, math.nan], [0.0, "1"], [0.0, 2**53 + 1], [True, 2.0]])
def test_edges_that_arrays_cannot_be_sure_of_are_left_to_python(edges: Any):
    assert called("bisect.bisect", edges, np.arange(5.0)) is None


def test_nan_is_left_to_python():
    assert called("bisect.bisect_left", [0.0, 1.0], np.array([0.5, math.nan])) is None


def test_what_only_inactive_lanes_do_raises_nothing():
    found = called("math.log", np.array([1.0, -1.0, 0.0]), active=np.array([True, False, False]))
    assert found is not None
    assert found.failed is None


def test_a_library_with_other_results_is_not_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(elementary, "boxcox", lambda data, _: np.nextafter(np.log(data), np.inf))
    elementary._is_of_python.cache_clear()
    try:
        assert called("math.log", np.array([1.0, 2.0])) is None
    finally:
        elementary._is_of_python.cache_clear()
