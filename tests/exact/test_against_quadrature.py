"""Losses against the independent laws of `tests/fixtures/statdp_exact.py`: closed forms and quadrature, by NumPy alone.

For discrete outputs these are exact to rounding. For a continuous output they are a maximum over the nodes of a
quadrature, hence no more than the supremum.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from tests.exact.exact_tools import largest, losses, probabilities, program, quadrature, written
from tests.fixtures.statdp_exact import LAWS, patterns

FILES = {"noisy": "statdp/noisy_max.py", "histo": "statdp/histogram.py", "svt": "statdp/sparse_vector.py"}
DISCRETE = ("noisy_max_v1a", "noisy_max_v2a", "svt", "isvt1", "isvt2", "isvt3")
CONTINUOUS = ("noisy_max_v1b", "noisy_max_v2b", "histogram", "histogram_eps", "isvt4")
SIZE, EPSILON, THRESHOLD = 4, 0.7, 0.5


def rows(names):
    for name in names:
        relation = "l1" if name.startswith("histogram") else "linf"
        for label, d1, d2 in patterns(SIZE, relation):
            yield pytest.param(name, d1, d2, id=f"{name}-{label}-{d1}")


def both(name, d1, d2):
    file = next(path for start, path in FILES.items() if start in name)
    found = losses(program(file, name), list(d1), list(d2), epsilon=EPSILON, T=THRESHOLD, N=1)
    return found, LAWS[name](d1, d2, EPSILON, THRESHOLD)


@pytest.mark.parametrize(("name", "d1", "d2"), list(rows(DISCRETE)))
def test_a_discrete_mechanism(name, d1, d2):
    found, law = both(name, d1, d2)
    low, high = largest(found.forwards)
    assert high - low < 1e-12 or low == high == math.inf
    assert low == pytest.approx(law.loss(), abs=1e-9)


@pytest.mark.parametrize(("name", "d1", "d2"), list(rows(CONTINUOUS)))
def test_a_continuous_mechanism(name, d1, d2):
    found, law = both(name, d1, d2)
    low, high = largest(found.forwards)
    assert high - low < 1e-8 or low == high == math.inf
    if low == math.inf:
        assert found.forwards[0].infinite is not None
        assert law.loss() > 3 or law.loss() == math.inf
    else:
        # Nodes lie within a few hundredths of a scale of everything.
        assert law.loss() - 1e-9 <= high <= law.loss() + 0.02


def scipy_argmax(distribution, centres, scale):
    """P(argmax = i) of independent noise, by adaptive quadrature."""

    def mass(i):
        def integrand(x):
            others = [distribution.cdf(x, c, scale) for j, c in enumerate(centres) if j != i]
            return distribution.pdf(x, centres[i], scale) * math.prod(others)

        points = [*centres, *(c + k * scale for c in centres for k in (-6, -2, 2, 6, 40))]
        ends = sorted({*points, min(centres) - 40 * scale, max(centres) + 60 * scale})
        return quadrature(integrand, ends)

    return [mass(i) for i in range(len(centres))]


NOISE = {
    "laplace": stats.laplace,
    "normal": stats.norm,
    "gumbel": stats.gumbel_r,
    "logistic": stats.logistic,
    "exponential": stats.expon,
}


@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("centres", [(1.0, 1.0, 1.0), (2.0, 0.0, 1.0), (0.3, 3.7, -1.25)])
def test_the_index_of_the_largest_with_any_noise(name, centres, tmp_path):
    source = f"""
    def f(rng, queries):
        noisy = np.asarray(queries) + rng.{name}(scale=1.5, size=3)
        return int(np.argmax(noisy))
    """
    found = probabilities(written(source, tmp_path), list(centres))
    expected = scipy_argmax(NOISE[name], centres, 1.5)
    assert [found[repr(i)] for i in range(3)] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("name", ["normal", "gumbel", "logistic", "laplace"])
def test_a_comparison_of_two_draws(name, tmp_path):
    """P(1 + X > 0.25 + Y) for noise of different scales, by quadrature."""
    source = f"""
    def f(rng, queries):
        return queries[0] + rng.{name}(scale=2.0) > queries[1] + rng.{name}(scale=0.5)
    """
    found = probabilities(written(source, tmp_path), [1.0, 0.25])
    law = NOISE[name]
    ends = [-100, -20, -5, -1, 0, 0.25, 1, 2, 5, 20, 100]
    expected = quadrature(lambda y: law.pdf(y, 0.25, 0.5) * law.sf(y, 1.0, 2.0), ends)
    assert found["True"] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("one", "other"), [("laplace", "laplace"), ("laplace", "exponential"), ("uniform", "laplace")])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_sum_of_two_draws(one, other, scale, tmp_path):
    """P(X + Y > 0.75) by quadrature over X; equal scales make powers, others do not."""
    calls = {"laplace": "laplace(scale={})", "exponential": "exponential({})", "uniform": "uniform(0.0, {})"}
    laws = {"laplace": stats.laplace, "exponential": stats.expon, "uniform": stats.uniform}
    first, second = calls[one].format(1.0), calls[other].format(scale)
    source = f"""
    def f(rng, queries):
        return queries[0] + rng.{first} + rng.{second} > 0.75
    """
    found = probabilities(written(source, tmp_path), [0.0])
    ends = sorted({-80.0, -20.0, -5.0, 0.0, 0.25, 0.75, 1.0, 5.0, 20.0, 80.0, 0.75 - scale})
    expected = quadrature(lambda x: laws[one].pdf(x) * laws[other].sf(0.75 - x, 0, scale), ends)
    assert found["True"] == pytest.approx(expected, abs=1e-10)


def test_a_hidden_draw_between_two_others(tmp_path):
    """P(X < Y < Z), with Y hidden and tied to two draws, for shifted Laplace noise: by double quadrature on a grid."""
    source = """
    def f(rng, queries):
        noisy = [q + rng.laplace() for q in queries]
        return noisy[0] < noisy[1] and noisy[1] < noisy[2]
    """
    found = probabilities(written(source, tmp_path), [0.5, 0.0, 1.0])
    ends = [-50, -10, -2, 0, 0.5, 1, 2, 10, 50]
    expected = quadrature(lambda y: stats.laplace.pdf(y) * stats.laplace.cdf(y, 0.5) * stats.laplace.sf(y, 1.0), ends)
    assert found["True"] == pytest.approx(expected, abs=1e-9)


def test_an_order_that_needs_a_case_for_each_tightest_bound(tmp_path):
    """All 24 orders of four shifted draws, each by nested quadrature on a fine grid; they add up to 1."""
    source = """
    def f(rng, queries):
        noisy = [q + rng.laplace() for q in queries]
        return [int(i) for i in np.argsort(noisy)]
    """
    centres = [0.0, 0.5, 1.0, -0.5]
    found = probabilities(written(source, tmp_path), centres)
    assert len(found) == 24
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    grid = np.linspace(-30, 30, 240_001)
    for order in ([0, 1, 2, 3], [3, 0, 1, 2], [2, 1, 0, 3]):
        below = np.ones_like(grid)
        for i in order:  # P(the first ones in order, all below x)
            density = stats.laplace.pdf(grid, centres[i]) * below
            below = integrate.cumulative_trapezoid(density, grid, initial=0.0)
        assert found[repr(order)] == pytest.approx(below[-1], abs=1e-7)


# discrete noise, by enumeration


def test_choices_and_whole_numbers(tmp_path):
    source = """
    def f(rng, queries):
        a = rng.choice([1, 2, 5], p=[0.5, 0.25, 0.25])
        b = rng.integers(0, 3)
        c = rng.binomial(4, 0.3)
        return int(queries[0] + a * b + c)
    """
    found = probabilities(written(source, tmp_path), [10])
    expected: dict[str, float] = {}
    for (a, p), b, c in itertools.product([(1, 0.5), (2, 0.25), (5, 0.25)], range(3), range(5)):
        key = repr(10 + a * b + c)
        expected[key] = expected.get(key, 0.0) + p / 3 * stats.binom.pmf(c, 4, 0.3)
    assert found == {key: pytest.approx(value, abs=1e-14) for key, value in expected.items()}


@pytest.mark.parametrize("count", [1, 10, 50])
def test_randomised_response_counts(count, tmp_path):
    """The sum of n randomised bits: merged to one path for each count, a sum of two binomials."""
    source = """
    def f(rng, queries):
        total = 0
        for q in queries:
            bit = 1 if q > 0.5 else 0
            total += bit if rng.random() < 0.75 else 1 - bit
        return total
    """
    ones = count // 3
    data = [1.0] * ones + [0.0] * (count - ones)
    found = probabilities(written(source, tmp_path), data)
    law = np.convolve(
        stats.binom.pmf(range(ones + 1), ones, 0.75), stats.binom.pmf(range(count - ones + 1), count - ones, 0.25)
    )
    assert {int(key) for key in found} == set(range(count + 1))
    assert [found[repr(k)] for k in range(count + 1)] == pytest.approx(list(law), rel=1e-9, abs=1e-15)


def test_bits_that_are_certain_on_one_side_only(tmp_path):
    source = """
    def f(rng, queries):
        report = []
        for q in queries:
            if q + rng.uniform(0.0, 1.0) > 1.5:
                report.append(True)
            else:
                report.append(False)
        return report
    """
    mechanism = written(source, tmp_path)
    found = losses(mechanism, [2.0, 1.0], [1.0, 1.0])
    # D1 always has True first, D2 with probability 1/2: log 2, and backwards an impossible output of probability 1/2.
    assert largest(found.forwards)[0] == pytest.approx(math.log(2), abs=1e-12)
    assert largest(found.forwards)[1] == pytest.approx(math.log(2), abs=1e-12)
    worst = found.backwards[0]
    assert worst.loss.low == math.inf
    assert worst.output[0] is False


def test_a_running_maximum_from_minus_infinity_on(tmp_path):
    """P(the largest of four > 1), the first compared with what stands for none: 1 - the product of the CDFs."""
    source = """
    def f(rng, queries):
        best = -math.inf
        for q in queries:
            best = max(best, q + rng.laplace())
        return best > 1.0
    """
    found = probabilities(written(source, tmp_path), [0.0, 1.0, 2.0, 0.5])
    expected = 1 - math.prod(stats.laplace.cdf(1.0, [0.0, 1.0, 2.0, 0.5]))
    assert found["True"] == pytest.approx(expected, abs=1e-12)
