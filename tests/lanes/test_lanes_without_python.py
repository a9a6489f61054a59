"""What arrays can do is done by arrays: Python is not asked lane by lane, and once where it raises the same in all."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from dplint.program.nodes import Program
from dplint.readings.lanes import (
    CallbackDraws,
    exact_sums,
    objects_of,
    read_block,
    reductions,
    reshaping,
    sorting,
)
from dplint.readings.lanes.lane_values import Lists, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.merging import LaneMerger
from dplint.runner.texts import TextNumbers
from tests.lanes.lane_tools import exact

LANES = 300
BODIES = {
    "sums along axes": "x = np.outer(v, [1.0, 2.0])\n    return x.sum(axis=0), np.mean(x, axis=1), (x > 0).any(axis=1)",
    "sums rounded once": "w = v.tolist()\n    return math.fsum(w), fmean(w), math.fsum([x for x in w if x > 1])",
    "scalars of two types": "x = max(1e-9, v[0])\n    return math.log(x), 2.0 / x, x * 3.5 - x",
    "shapes": "x = v.reshape(-1, 1) * v\n    return x.ravel(), np.max(x, 0)",
    "differences of one": "return len(np.diff(v[:1])), v[0]",
    "orders of texts": "x = [t for t, y in zip('bca', v) if y > 1]\n    return sorted(x), min(f'{v[0]:.0f}', 'b', '0')",
    "texts": "return f'{v[0] * 1e9:.3f} and {round(v[1] * 1e5)}'",
    "numbers of several types": "x = max(v[0], 1e-9)\n    return -x, 3 * x, np.log(x), x > 0.5, 1 / x, x // 2, x**2",
    "clamped": "x = [max(float(y), 0) for y in v]\n    return sum(x), max(x), sorted(x), sorted(x, reverse=True)",
    "default": "x = [y for y in v if y > 1]\n    return max(x, default=0), min(x, default=None)",
    "bounds on one side": "return np.clip(v, 0, None), v.clip(max=2), v.clip(min=1), np.clip(v[0], None, 1)",
    "quantiles": "return np.percentile(v, [25, 50]), np.quantile(v, (0.1, 0.9))",
    "accumulated": "return np.maximum.accumulate(v), np.add.accumulate(v)",
    "tables as lists": "return np.outer(v, v).tolist()",
}
RAISING = {
    "division by zero": "return [float(v[0]) / b, 1 // b, b % b]",
    "position in a list": "return [v[0], 1.0][b * 2 + 1]",
    "position in a constant list": "return [3, 1.0][b * 2 + 1]",
    "store in a list": "x = [v[0], 1.0]\n    x[b * 2] = 0\n    return x",
    "least of nothing": "return min([x for x in v if b > 0 and x < 99])",
    "too short for a partition": "return np.argpartition(v, 5 * len(v)), b",
}


@pytest.fixture
def outcomes(targets):
    def run(body):
        head = "from statistics import fmean\n\ndef m(rng, data):\n    v = data + rng.laplace(size=3)\n"
        source = f"{head}    b = int(rng.integers(2))\n    {body}\n"
        target = targets(source)["m"]
        assert isinstance(target.program, Program), target.program
        generators = [np.random.default_rng(lane) for lane in range(LANES)]

        def draw(lane, node, parameters, size, site):
            return getattr(generators[lane], node.distribution)(**parameters, size=size)

        data = np.array([1.0, 2.0, 4.0])
        block = read_block(
            target.program, {"data": data}, LANES, CallbackDraws(draw), TextNumbers(), sys.version_info[:2]
        )
        scope: dict[str, object] = {"np": np, "math": math}
        exec(source, scope)
        expected = []
        for lane in range(LANES):
            try:
                expected.append(("output", scope["m"](np.random.default_rng(lane), data)))
            except Exception as error:
                expected.append(("raised", type(error).__name__))
        assert exact(objects_of(block)) == exact(expected)
        return expected

    return run


def refusing(name):
    """A method of `Lanes` that is allowed to make draws, which come one by one here, and to look at what is uniform."""
    kept = getattr(Lanes, name)

    def method(self, function, operands, active, **given):
        if given or all(isinstance(one, Uniform) for one in operands):
            return kept(self, function, operands, active, **given)
        raise AssertionError(f"Python is asked: {function}")

    return method


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_python_is_not_asked(monkeypatch, outcomes, body):
    monkeypatch.setattr(Lanes, "each", refusing("each"))
    monkeypatch.setattr(LaneMerger, "_merged_objects", None)

    assert {kind for kind, _ in outcomes(body)} == {"output"}


@pytest.mark.parametrize("body", RAISING.values(), ids=RAISING)
def test_what_is_raised_alike_is_asked_for_once(monkeypatch, outcomes, body):
    monkeypatch.setattr(Lanes, "each", refusing("each"))

    assert "raised" in {kind for kind, _ in outcomes(body)}


def test_what_is_the_same_in_all_lanes_python_says_once():
    """So that it is known to be the same from then on."""
    lanes = Lanes(LANES, TextNumbers())
    everywhere = lanes.everywhere()

    def listed(*items):
        return Lists(lanes.root, tuple(map(Uniform, items)), None, tuples=False)

    table = Lists(lanes.root, (listed(1.0, 2.0), listed(3.0, 4.0)), None, tuples=False)
    assert exact_sums.KNOWN["math.fsum"](lanes, [listed(1.0, 2.0)], {}, everywhere) is None
    assert reshaping.KNOWN["numpy.outer"](lanes, [listed(1.0, 2.0), listed(3.0)], {}, everywhere) is None
    assert reductions.KNOWN["numpy.sum"](lanes, [table, Uniform(1)], {}, everywhere) is None
    assert sorting.KNOWN["sorted"](lanes, [listed("b", "a")], {}, everywhere) is None
