"""The weight of the path that a run takes is the joint density of what it drew, by SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import ctx
from scipy import stats

from dplint.program.evaluator import evaluate
from dplint.readings.exact.computing import FIRST_PRECISION, kept
from dplint.readings.exact.following import Ended, Followed
from dplint.readings.exact.interpretation import Limits
from dplint.readings.exact.paths import Value
from tests.exact.exact_tools import written
from tests.exact.recorded_runs import Recorder, fixture_runs
from tests.examples import one_in

DENSITIES = {
    "laplace": lambda x, loc=0.0, scale=1.0: stats.laplace.pdf(x, loc, scale),
    "normal": lambda x, loc=0.0, scale=1.0: stats.norm.pdf(x, loc, scale),
    "gumbel": lambda x, loc=0.0, scale=1.0: stats.gumbel_r.pdf(x, loc, scale),
    "exponential": lambda x, scale=1.0: stats.expon.pdf(x, scale=scale),
    "uniform": lambda x, low=0.0, high=1.0: stats.uniform.pdf(x, low, high - low),
    "random": stats.uniform.pdf,
    "geometric": stats.geom.pmf,
    "binomial": stats.binom.pmf,
    "integers": lambda x, low, high=None, endpoint=False: np.full(
        np.shape(x), 1 / ((low if high is None else high - low) + bool(endpoint))
    ),
    "choice": lambda x, a, p=None, replace=True: np.vectorize(
        lambda one: sum(
            1 / len(a) if p is None else q for item, q in zip(a, a if p is None else p, strict=True) if item == one
        )
    )(x),
}


class Weighed(Followed):
    """Keeps the weight of the path at its end; no draw has been integrated out."""

    density = math.nan

    def returned(self, value, active, span):
        if self.path in self.leaves(active):
            weight = self.weights[self.path]
            found = weight.number
            for draw in weight.functions:
                found *= weight.function(draw).at(self.numbers[draw])
            self.density = float(found)
        super().returned(value, active, span)


def densities(program, arguments, seed):
    """That of the reading, and that of the draws."""
    recorder = Recorder(seed)
    interpretation = Weighed(recorder, 100, Limits())
    kept.turn_to(program)
    with ctx.workprec(FIRST_PRECISION), pytest.raises(Ended):
        evaluate(program, interpretation, {name: Value(arguments[name]) for name in program.parameters})
    right = math.prod(
        float(np.prod(DENSITIES[drawn.node.distribution](drawn.value, **drawn.parameters))) for drawn in recorder.draws
    )
    return interpretation.density, right


@pytest.mark.parametrize("part", one_in(4, range(12)))
def test_of_the_mechanisms_of_the_fixtures(part):
    compared = 0
    for one in fixture_runs()[::2][part::12]:
        for seed in range(2):
            found, right = densities(one.program, one.arguments, seed)
            assert math.isnan(found) or found == pytest.approx(right, rel=1e-9), one.name
            compared += not math.isnan(found)
    assert compared > 5


@pytest.mark.parametrize(
    "draws",
    [
        ["rng.laplace(1, 2)", "rng.exponential(3)", "rng.uniform(-1, 2)", "rng.random()"],
        ["rng.normal(1, 2)", "rng.gumbel(0, 3)"],
        ["rng.geometric(0.3)", "rng.binomial(5, 0.2)"],
        ["rng.integers(2, 7)", "rng.integers(0, 9000)", "rng.choice([1, 2, 4])"],
        ['rng.choice(["a", "b"], p=[0.25, 0.75])', "rng.laplace(size=3)", "rng.geometric(0.5, size=2)"],
        ["rng.laplace([1.0, 2.0], scale=[1.0, 3.0])", "rng.integers(0, 3, size=2)", "rng.binomial(2, 0.5, size=2)"],
    ],
)
def test_of_draws_and_a_comparison(draws, tmp_path):
    lines = [f"x{i} = {draw}" for i, draw in enumerate(draws)]
    names = ", ".join(f"x{i}" for i in range(len(draws)))
    body = "\n    ".join([*lines, "if queries[0] + rng.laplace() > rng.laplace(0, 2):", f"    return [{names}]"])
    mechanism = written(f"def f(queries, rng):\n    {body}\n    return 0", tmp_path)

    for seed in range(8):
        found, right = densities(mechanism, {"queries": [0.5]}, seed)
        assert found == pytest.approx(right, rel=1e-9)
