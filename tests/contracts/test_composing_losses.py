"""Deltas of parts together, against closed forms: never below them, and hardly above those at a smaller epsilon."""

from __future__ import annotations

import math

import pytest
from scipy import optimize, stats

from dplint.contracts.composing import Dominated, composed_delta_of, composed_epsilon_of
from dplint.contracts.tree import Standing
from tests.contracts.budgets import PARTS, budget
from tests.contracts.test_composing import by_theorem

CLOSE = 2e-5
"""In epsilon, for thousands of parts."""


def gaussian(mu, epsilon):
    """Balle and Wang, ICML 2018, theorem 8."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)


def sampled(mu, rate, epsilon):
    """One normal number of sampled records: the larger of both directions (Balle, Barthe and Gaboardi, NeurIPS 2018).

    With the record against without it delta is rate times that at ln(1 + (e**epsilon - 1) / rate). The other way it is
    1 - e**epsilon + e**epsilon times that of the first at -epsilon.
    """
    with_it = rate * gaussian(mu, math.log1p(math.expm1(epsilon) / rate))
    inner = math.expm1(-epsilon) / rate + 1
    below = 1 - math.exp(-epsilon) if inner <= 0 else rate * gaussian(mu, math.log(inner))
    return max(with_it, 1 - math.exp(epsilon) + math.exp(epsilon) * below)


def holds(parts, epsilon, expected):
    """expected: what is exact, as a function of epsilon."""
    found = composed_delta_of(parts, epsilon)
    assert expected(epsilon) * (1 - 1e-9) - 1e-16 <= found <= expected(epsilon - CLOSE) * (1 + CLOSE) + 1e-14


@pytest.mark.parametrize(("mu", "times"), [(1.0, 1), (0.5, 4), (0.1, 100), (0.02, 3000), (3.0, 2)])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0, 6.0])
def test_normal_numbers_add_up_to_one(mu, times, epsilon):
    """Of n with mu the curve is that of mu * sqrt(n) (Dong, Roth and Su 2022, corollary 2)."""
    holds([Dominated(mu=mu, times=times)], epsilon, lambda e: gaussian(mu * math.sqrt(times), e))


def test_normal_numbers_of_two_sizes():
    parts = [Dominated(mu=0.3, times=5), Dominated(mu=0.7), Dominated(mu=0.1, times=30)]
    holds(parts, 1.5, lambda e: gaussian(math.sqrt(5 * 0.09 + 0.49 + 0.3), e))


@pytest.mark.parametrize(("k", "i"), [(2, 1), (5, 2), (30, 10), (30, 15)])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_equal_epsilons(k, i, delta):
    epsilon, expected = by_theorem(0.25, delta, k, i)
    holds([Dominated(epsilon=0.25, delta=delta, times=k)], epsilon, lambda _: expected)


@pytest.mark.parametrize("rate", [0.001, 0.1, 0.5])
@pytest.mark.parametrize(("mu", "epsilon"), [(1.0, 0.05), (1.0, 1.0), (3.0, 0.3), (0.2, 0.003)])
def test_one_call_on_a_sample(mu, rate, epsilon):
    holds([Dominated(mu=mu, rate=rate)], epsilon, lambda e: sampled(mu, rate, e))


def test_pure_epsilon_on_a_sample():
    """The worst loss is ln(1 + q (e^epsilon - 1)), so that nothing is left beyond it; below, by the formulas above."""
    most = math.log1p(0.1 * math.expm1(1.0))
    assert composed_delta_of([Dominated(epsilon=1.0, rate=0.1)], most + 1e-3) == 0.0
    up = math.e / (1 + math.e)
    mixed = 0.9 * (1 - up) + 0.1 * up  # of the answer that the record makes likelier
    holds([Dominated(epsilon=1.0, rate=0.1)], 0.1, lambda e: mixed - math.exp(e) * (1 - up))


def test_a_thousand_steps_of_training():
    """Above what a million simulated losses show, less five of their standard errors; below the sum in rho by far."""
    import numpy as np  # noqa: PLC0415

    rng, mu, rate, steps, epsilon = np.random.default_rng(7), 1.0, 0.01, 1000, 1.0
    losses = np.zeros(20_000)
    for _ in range(steps):
        z = rng.normal(size=losses.size) + mu * (rng.random(losses.size) < rate)
        losses += np.log1p(rate * np.expm1(mu * z - mu**2 / 2))
    seen = np.maximum(-np.expm1(epsilon - losses), 0.0)
    found = composed_delta_of([Dominated(mu=mu, rate=rate, times=steps)], epsilon)
    error = 5 * seen.std() / math.sqrt(losses.size)
    assert seen.mean() - error <= found <= seen.mean() + error


def test_with_rho_all_is_counted_in_rho():
    """rho 0.1 and epsilon 0.2 are rho 0.12; the conversion of Bun and Steinke 2016, proposition 1.3, is less tight."""
    found = composed_delta_of([Dominated(rho=0.1), Dominated(epsilon=0.2, delta=1e-7)], 1.5)
    assert 1e-7 < found <= 1e-7 + math.exp(-((1.5 - 0.12) ** 2) / (4 * 0.12))


@pytest.mark.parametrize(
    "part",
    [
        Dominated(mu=-1.0),
        Dominated(mu=60.0),
        Dominated(rate=0.0),
        Dominated(epsilon=math.inf),
        Dominated(epsilon=1.0, delta=0.1, rate=0.5),
    ],
)
def test_nothing_is_said_of_what_is_no_claim(part):
    assert composed_delta_of([part], 1.0) is None


@pytest.mark.parametrize(("mu", "delta"), [(0.25, 1e-5), (1.0, 1e-5), (1.5746, 1e-5), (2.0, 1e-9), (0.01, 0.1)])
def test_the_epsilon_of_a_delta(mu, delta):
    """Not below the root of the closed form, and at most a thousandth, and what the grid adds, above it."""
    found = float(composed_epsilon_of((Dominated(mu=mu),), delta))
    root = 0.0 if gaussian(mu, 0.0) <= delta else optimize.brentq(lambda e: gaussian(mu, e) - delta, 0.0, 40.0)
    assert root <= found <= root + 0.001 + CLOSE


def test_no_epsilon_is_told_of_what_cannot_be_added_up():
    assert composed_epsilon_of((Dominated(mu=60.0),), 1e-5) is None
    assert composed_epsilon_of((Dominated(epsilon=1.0, delta=1e-4),), 1e-5) is None


NORMAL = """
@dp(mu=1.0, neighbors="add-remove", domain=(0, 1))
def normal(rng, rows):
    return sum(rows) + rng.normal(0.0, 1.0)

"""
TRAINED = """
out = []
for _ in range(1000):
    batch = [row for row in rows if rng.random() < 0.01]
    out.append(normal(rng, batch))
return out
"""


@pytest.mark.parametrize(
    ("body", "epsilon", "relation", "standing"),
    [
        (TRAINED, 1.829, "add-remove", Standing.WITHIN),  # 1.82824 by dp-accounting 0.6
        (TRAINED, 1.827, "add-remove", Standing.UNDECIDED),
        (TRAINED, 1.829, "replace-one", Standing.UNDECIDED),
        (
            TRAINED.replace("normal(rng, batch)", "normal(rng, batch), normal(rng, batch)"),
            1.829,
            "add-remove",
            Standing.UNDECIDED,
        ),
        ("return normal(rng, rows), normal(rng, rows)", 6.7, "add-remove", Standing.WITHIN),  # mu = 1.414: 6.6
        ("return normal(rng, rows), normal(rng, rows)", 6.5, "add-remove", Standing.UNDECIDED),
    ],
)
def test_programs(tmp_path, monkeypatch, body, epsilon, relation, standing):
    monkeypatch.setattr("tests.contracts.budgets.written.__defaults__", (PARTS + NORMAL,))
    claim = f'@dp(epsilon={epsilon}, delta=1e-5, neighbors="{relation}", domain=(0, 1))'
    assert budget(tmp_path, body, claim).standing is standing
