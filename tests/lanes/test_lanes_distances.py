"""`math.hypot` and `math.dist` on lanes are those of Python, to the last bit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from dplint.readings.lanes import distances
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.lane_values import Lists, Numbers, Tag, Uniform, Value
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers

LANES, AT_NIGHT = 1_000, 300_000
ODD = [0.0, -0.0, 1.0, -1.0, 3.0, 4.0, 5e-324, 1e-310, 1e308, 2.0**-400, 2.0**400, math.inf, -math.inf, math.nan]
Shape = tuple[int, int]
Generator = np.random.Generator
KINDS: dict[str, Callable[[Generator, Shape], np.ndarray]] = {
    "normal": lambda generator, shape: generator.standard_normal(shape),
    "any bits": lambda generator, shape: generator.integers(0, 2**64, shape, np.uint64).view(np.float64),
    "of several sizes": lambda generator, shape: (
        generator.normal(size=shape) * 2.0 ** generator.integers(-60, 60, shape)
    ),
    "odd": lambda generator, shape: generator.choice(ODD, shape),
    "whole": lambda generator, shape: generator.integers(-40, 40, shape).astype(float),
    "large whole": lambda generator, shape: generator.integers(-(2**53), 2**53, shape).astype(float),
    "equal": lambda generator, shape: np.repeat(generator.standard_normal((1, shape[1])), shape[0], 0),
    "subnormal": lambda generator, shape: generator.integers(0, 2**52, shape).view(np.float64),
    "large": lambda generator, shape: generator.normal(size=shape) * 2.0 ** generator.integers(380, 1000, shape),
    "small": lambda generator, shape: generator.normal(size=shape) * 0.5 ** generator.integers(380, 1060, shape),
    "next to one": lambda generator, shape: 1 + generator.integers(-3, 4, shape) * 2.0**-52,
    # The square of the second number is half of the last digit of the first one's: roots in the middle of two floats.
    "in the middle": lambda generator, shape: np.vstack(
        [np.ones((1, shape[1])), 2.0**-26 * (1 + generator.integers(-50, 50, shape) * 2.0**-52)]
    )[: shape[0]],
}


def agrees(columns: np.ndarray) -> None:
    """Both have the same bits; of NaN there is one."""
    found = distances.norms(list(columns), np.ones(columns.shape[1], np.bool_))
    expected = np.array(list(map(math.hypot, *columns.tolist())))
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    known = ~np.isnan(expected)
    assert np.array_equal(found[known].view(np.int64), expected[known].view(np.int64))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("numbers", [1, 2, 3, 6, 16])
def test_norms_have_the_bits_of_python(kind: str, numbers: int):
    agrees(KINDS[kind](np.random.default_rng(7), (numbers, LANES)))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("numbers", [1, 2, 3, 4, 5, 6])
def test_millions_of_norms_have_the_bits_of_python(kind: str, numbers: int):
    agrees(KINDS[kind](np.random.default_rng(11), (numbers, AT_NIGHT)))


def test_python_is_asked_for_few(monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr(distances.math, "hypot", lambda *given: asked.append(given) or 0.0)
    distances.norms(list(np.random.default_rng(5).normal(size=(2, 100_000))), np.ones(100_000, np.bool_))
    assert len(asked) < 20
    asked.clear()
    distances.norms(list(np.zeros((2, 1000))), np.ones(1000, np.bool_))
    distances.norms([np.full(1000, np.nan)], np.zeros(1000, np.bool_))
    assert not asked


def called(name: str, *columns: np.ndarray | list[np.ndarray | float]) -> Result | None:
    """The function on lanes, of numbers and of lists of numbers."""
    lanes = Lanes(len(np.atleast_1d(columns[0][0] if isinstance(columns[0], list) else columns[0])), TextNumbers())

    def value(one: np.ndarray | float) -> Value:
        if not isinstance(one, np.ndarray):
            return Uniform(one)
        whole = one.dtype.kind == "i"
        return Numbers(lanes.root, one, Tag.INT if whole else Tag.FLOAT, int(np.abs(one).max()) if whole else 1)

    given = [
        Lists(lanes.root, tuple(map(value, one)), None, tuples=False) if isinstance(one, list) else value(one)
        for one in columns
    ]
    return distances.KNOWN[name](lanes, given, {}, Mask(lanes.root, None))


def test_calls_are_those_of_python():
    generator = np.random.default_rng(2)
    x, y, n = generator.normal(size=LANES), generator.normal(size=LANES), generator.integers(-9, 9, LANES)
    for found, expected in (
        (called("math.hypot", x, y, n), map(math.hypot, x, y, n.tolist())),
        (called("math.hypot", x), map(math.hypot, x)),
        (called("math.hypot", x, 2), (math.hypot(one, 2) for one in x)),
        (
            called("math.dist", [x, n], [y, 1]),
            (math.dist([a, b], [c, 1]) for a, b, c in zip(x, n.tolist(), y, strict=True)),
        ),
    ):
        assert found is not None
        assert isinstance(found.value, Numbers)
        assert found.value.tag is Tag.FLOAT
        assert found.value.data.tolist() == list(expected)


def test_what_arrays_do_not_know_is_left_to_python():
    x = np.arange(3.0)
    assert called("math.dist", [x, x], [x]) is None
    assert called("math.dist", [x], ["1"]) is None
    assert called("math.hypot", x, "1") is None
    assert called("math.hypot", x, 2**53 + 1) is None
    assert called("math.hypot", *[x] * 17) is None


def test_another_algorithm_is_not_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(distances.math, "hypot", lambda *given: math.sqrt(sum(one * one for one in given)))
    distances._is_of_python.cache_clear()
    try:
        assert called("math.hypot", np.arange(3.0), np.arange(3.0)) is None
    finally:
        distances._is_of_python.cache_clear()
