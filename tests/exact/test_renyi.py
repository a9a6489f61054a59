"""Renyi divergences: closed forms of the literature, and SciPy's quadrature, at ten orders."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from dplint.readings.exact import renyi_divergence
from tests.exact.exact_tools import losses, written

ORDERS = (1.01, 1.25, 1.5, 2.0, 2.5, 4.0, 8.0, 16.0, 32.0, 64.0)
WIDTH = 1e-9


def divergences(output, first, second, folder, orders=ORDERS):
    found = losses(written(f"def f(rng, queries):\n    return {output}", folder), first, second)
    return [renyi_divergence(found.laws, order, precision=found.precision) for order in orders]


def holds(bounds, expected):
    assert bounds.low - 1e-12 <= expected <= bounds.high + 1e-12
    assert bounds.high - bounds.low <= WIDTH


def laplace(order, moved):
    """Mironov, CSF 2017, proposition 6, for a scale of 1 / moved."""
    a = order
    return math.log(a / (2 * a - 1) * math.exp((a - 1) * moved) + (a - 1) / (2 * a - 1) * math.exp(-a * moved)) / (
        a - 1
    )


def test_normal_noise(tmp_path):
    """Mironov, CSF 2017, proposition 7."""
    for order, found in zip(
        ORDERS, divergences("queries[0] + rng.normal(0.0, 2.0)", [0.0], [1.0], tmp_path), strict=True
    ):
        holds(found, order / 8)


def test_several_normal_numbers(tmp_path):
    output = "[queries[0] + rng.normal(0.0, 2.0), queries[1] + rng.normal(0.0, 1.0)]"
    for order, found in zip(ORDERS, divergences(output, [0.0, 0.0], [1.0, 0.5], tmp_path), strict=True):
        holds(found, order / 8 + order / 8)


def test_normal_noise_of_two_scales(tmp_path):
    """Against quadrature of the logarithms; infinite from the order on where the mixed variance is not positive."""
    orders = (1.25, 1.5, 2.0, 4.0)
    found = divergences("queries[0] + rng.normal(0.0, queries[1])", [0.0, 1.25], [1.0, 1.0], tmp_path, orders)
    for order, one in zip(orders, found, strict=True):
        mixed = order + (1 - order) * 1.25**2
        if mixed <= 0:
            assert one.low == math.inf
            continue

        def moment(x, order=order):
            logarithm = order * stats.norm.logpdf(x, 0, 1.25) + (1 - order) * stats.norm.logpdf(x, 1, 1)
            return math.exp(logarithm)

        value, _ = integrate.quad(moment, -60, 60, epsabs=1e-13, limit=500, points=[0, 1])
        holds(one, math.log(value) / (order - 1))


@pytest.mark.parametrize("moved", [0.25, 1.0, 3.0])
def test_laplace_noise(moved, tmp_path):
    found = divergences("queries[0] + rng.laplace(0.0, 1.0)", [0.0], [moved], tmp_path)
    for order, one in zip(ORDERS, found, strict=True):
        holds(one, laplace(order, moved))


def test_the_formula_of_laplace_noise_against_quadrature():
    """That what is copied from the paper is right."""
    for order in (1.5, 4.0):

        def moment(x, order=order):
            return 0.5 * math.exp(-order * abs(x) - (1 - order) * abs(x - 1))

        value, _ = integrate.quad(moment, -60, 60, points=[0, 1], epsabs=1e-13, limit=300)
        assert math.log(value) / (order - 1) == pytest.approx(laplace(order, 1.0), abs=1e-10)


def test_geometric_noise(tmp_path):
    """Against the sum over all whole numbers that matter."""
    output = "len(queries) + rng.geometric(0.5) - rng.geometric(0.5)"
    support = np.arange(-900, 901)
    for order, one in zip(ORDERS, divergences(output, [0.0], [0.0, 0.0], tmp_path), strict=True):
        p, q = (-math.log(2) * abs(support - k) + math.log(1 / 3) for k in (1, 2))
        expected = np.logaddexp.reduce(order * p + (1 - order) * q) / (order - 1)
        holds(one, float(expected))


def test_randomised_response(tmp_path):
    output = "queries[0] if rng.random() < 0.75 else 1 - queries[0]"
    for order, one in zip(ORDERS, divergences(output, [0], [1], tmp_path), strict=True):
        expected = math.log(0.75**order * 0.25 ** (1 - order) + 0.25**order * 0.75 ** (1 - order)) / (order - 1)
        holds(one, expected)


def test_the_exponential_mechanism(tmp_path):
    output = "rng.choice(3, p=[queries[0], queries[1], queries[2]])"
    p, q = (np.exp(np.array(scores) / 2) for scores in ([0.0, 1.0, 2.0], [1.0, 0.0, 2.0]))
    p, q = p / p.sum(), q / q.sum()
    p[2], q[2] = 1 - p[0] - p[1], 1 - q[0] - q[1]
    for order, one in zip(ORDERS, divergences(output, list(p), list(q), tmp_path), strict=True):
        expected = math.log(float(np.sum(p**order * q ** (1 - order)))) / (order - 1)
        assert one.low - 1e-11 <= expected <= one.high + 1e-11


def test_a_mixture_of_normal_laws_is_known_from_below(tmp_path):
    """Sampled normal noise: the lower bound comes near, and no upper one is told."""
    output = "queries[0] * (rng.random() < 0.5) + rng.normal(0.0, 1.0)"
    order = 4.0
    (found,) = divergences(output, [1.0], [0.0], tmp_path, (order,))

    def moment(x):
        ratio = 0.5 + 0.5 * math.exp(x - 0.5)
        return stats.norm.pdf(x) * ratio**order

    value, _ = integrate.quad(moment, -40, 40, epsabs=1e-13, limit=500)
    expected = math.log(value) / (order - 1)
    assert 0.97 * expected <= found.low <= expected
    assert found.high == math.inf


def test_what_is_impossible_on_one_side_is_infinite(tmp_path):
    (found,) = divergences("queries[0] + rng.uniform(0.0, 1.0)", [0.0], [0.5], tmp_path, (2.0,))
    assert found.low == math.inf


def test_a_divergence_of_a_law_from_itself_is_nothing(tmp_path):
    for one in divergences("queries[0] + rng.laplace(0.0, 1.0)", [1.0], [1.0], tmp_path):
        assert one.low == 0.0
        assert one.high <= WIDTH
