"""Discrete Gaussian noise: closed forms of Canonne, Kamath and Steinke (NeurIPS 2020), and sums of its definition."""

from __future__ import annotations

import math

import pytest

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import renyi_divergence
from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.deltas import hockey_stick
from tests.exact.exact_tools import largest, losses, written

ORDERS = (1.01, 1.25, 1.5, 2.0, 2.5, 4.0, 8.0, 16.0, 32.0, 64.0)
HEAD = "from tmlt.core.random.discrete_gaussian import sample_dgauss\n\n\n"
REACH = 400
"""What is further from 0 than this has no part in any sum here."""


def computed(output, first, second, folder):
    return losses(written(f"{HEAD}def f(queries):\n    return {output}", folder), first, second)


def masses(square, centre=0):
    whole = math.fsum(math.exp(-k * k / (2 * square)) for k in range(-REACH, REACH + 1))
    return {k: math.exp(-((k - centre) ** 2) / (2 * square)) / whole for k in range(-REACH, REACH + 1)}


def divergence(order, square, moved, other=None):
    """By logarithms of the terms, so that none is lost far out."""
    one, two = square, square if other is None else other

    def norm(v):
        return math.log(math.fsum(math.exp(-k * k / (2 * v)) for k in range(-REACH, REACH + 1)))

    terms = [
        order * (-((k - moved) ** 2) / (2 * one) - norm(one)) + (1 - order) * (-k * k / (2 * two) - norm(two))
        for k in range(-2 * REACH, 2 * REACH + 1)
    ]
    most = max(terms)
    return (most + math.log(math.fsum(math.exp(term - most) for term in terms))) / (order - 1)


def holds(bounds, expected):
    assert bounds.low - 1e-9 <= expected <= bounds.high + 1e-9
    assert bounds.high - bounds.low <= 1e-9


@pytest.mark.parametrize(("square", "moved"), [(4.0, 1), (2.25, 3), (0.25, 1), (100.0, 7)])
def test_divergences_of_ten_orders(square, moved, tmp_path):
    """Proposition 5 and theorem 4: rho is moved**2 / (2 sigma**2), which whole orders reach; sums of the definition."""
    found = computed(f"queries[0] + sample_dgauss({square})", [moved], [0], tmp_path)
    rho = moved * moved / (2 * square)
    for order in ORDERS:
        bounds = renyi_divergence(found.laws, order, precision=found.precision)
        holds(bounds, divergence(order, square, moved))
        assert bounds.low <= rho * order
        if order.is_integer():
            holds(bounds, rho * order)


def test_noise_of_two_sigmas(tmp_path):
    """From the order on where the mixed exponent bends upwards there is no sum."""
    found = computed("sample_dgauss(queries[0])", [4.0], [3.0], tmp_path)
    for order in (1.5, 2.0, 3.0):
        holds(renyi_divergence(found.laws, order, precision=found.precision), divergence(order, 4.0, 0, 3.0))
    assert renyi_divergence(found.laws, 4.5, precision=found.precision).low == math.inf


def test_several_numbers_add_up(tmp_path):
    output = "[queries[0] + sample_dgauss(4.0), queries[1] + sample_dgauss(9.0)]"
    found = computed(output, [1, 0], [0, 3], tmp_path)
    for order in (2.0, 8.0):
        holds(renyi_divergence(found.laws, order, precision=found.precision), order * (1 / 8 + 9 / 18))


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize(
    ("output", "one", "other"),
    [
        ("queries[0] + sample_dgauss(2.25)", (2.25, 2), (2.25, 0)),
        ("sample_dgauss(queries[0])", (4.0, 0), (2.0, 0)),
        ("sample_dgauss(queries[0])", (2.0, 0), (4.0, 0)),
    ],
)
def test_deltas(output, one, other, epsilon, tmp_path):
    """The sum of what is positive of p - e**epsilon q, term by term."""
    by_sigma = output.startswith("sample")
    found = computed(output, [one[0] if by_sigma else one[1]], [other[0] if by_sigma else other[1]], tmp_path)
    p, q = masses(*one), masses(*other)
    expected = math.fsum(max(p[k] - math.exp(epsilon) * q[k], 0.0) for k in p)
    holds(hockey_stick(found.laws, epsilon, precision=found.precision), expected)


def test_no_epsilon_is_kept_by_noise_that_moves(tmp_path):
    found = computed("queries[0] + sample_dgauss(4.0)", [1], [0], tmp_path)

    assert largest(found.forwards) == (math.inf, math.inf)


def test_the_loss_of_a_narrower_law_is_largest_in_the_middle(tmp_path):
    found = computed("sample_dgauss(queries[0])", [2.0], [4.0], tmp_path)
    p, q = masses(2.0), masses(4.0)
    low, high = largest(found.forwards)

    assert low == pytest.approx(math.log(p[0] / q[0]), abs=1e-12)
    assert high == pytest.approx(low, abs=1e-9)


def test_outputs_that_are_cut_off(tmp_path):
    """Of `max(0, noise)` the tail below is one output."""
    found = computed("max(0, queries[0] + sample_dgauss(4.0))", [1], [0], tmp_path)
    p, q = masses(4.0, 1), masses(4.0)

    def cut(law):
        return {k: law[k] if k else math.fsum(law[j] for j in law if j <= 0) for k in range(REACH)}

    first, second = cut(p), cut(q)
    bounds = hockey_stick(found.laws, 0.2, precision=found.precision)
    expected = math.fsum(max(first[k] - math.exp(0.2) * second[k], 0.0) for k in first)

    assert bounds.low <= expected <= bounds.high + 1e-12


def test_numbers_that_are_no_whole_distance_apart(tmp_path):
    """No output of the one is possible for the other."""
    found = computed("queries[0] + sample_dgauss(4.0)", [0.5], [0], tmp_path)

    assert renyi_divergence(found.laws, 2.0, precision=found.precision).low == math.inf


@pytest.mark.parametrize(
    "output",
    [
        "2 * sample_dgauss(4.0) + 3 * sample_dgauss(4.0)",
        "sample_dgauss(1e12)",
        "sample_dgauss(4.0) + sample_dgauss(4.0)",
    ],
)
def test_what_is_not_followed_is_refused(output, tmp_path):
    with pytest.raises((NotFollowed, UnsupportedConstruct)):
        computed(output, [0], [1], tmp_path)
