"""Budgets of claims in rho: what adds up, and that no point of a curve is taken for the claim."""

from __future__ import annotations

import pytest

from dplint.contracts.tree import Standing
from tests.contracts.budgets import PARTS, budgets_of, written

OURS = (
    PARTS
    + """
@dp(rho="rho", neighbors="add-remove", domain=(0, 100))
def noisy_count(rng, rows, rho):
    return len(rows) + rng.normal(scale=math.sqrt(1 / (2 * rho)))

@dp(mu="mu", neighbors="add-remove", domain=(0, 100))
def normal_count(rng, rows, mu):
    return len(rows) + rng.normal(scale=1 / mu)

"""
)
CASES = {
    "two halves": ('rho="rho"', "noisy_count(rng, rows, rho / 2), noisy_count(rng, rows, rho / 2)", Standing.WITHIN),
    "two wholes": ('rho="rho"', "noisy_count(rng, rows, rho), noisy_count(rng, rows, rho)", Standing.OVERSPENT),
    "in a loop": ('rho="rho"', "[noisy_count(rng, rows, rho / 4) for _ in range(4)]", Standing.WITHIN),
    "once too often": ('rho="rho"', "[noisy_count(rng, rows, rho / 4) for _ in range(5)]", Standing.OVERSPENT),
    "disjoint parts": (
        'rho="rho"',
        "noisy_count(rng, [r for r in rows if r < 9], rho), noisy_count(rng, [r for r in rows if r >= 9], rho)",
        Standing.WITHIN,
    ),
    "epsilon in rho": ('rho="rho**2 / 2"', "count(rng, rows, rho)", Standing.WITHIN),
    "epsilon in less rho": ('rho="rho**2 / 4"', "count(rng, rows, rho)", Standing.UNDECIDED),
    "epsilon as rho": ('rho="rho"', "count(rng, rows, rho)", Standing.UNDECIDED),
    "a part with a delta": ("rho=1", "rough_count(rng, rows, 0.01, 1e-9)", Standing.UNDECIDED),
    "mu in rho": ("rho=1", "normal_count(rng, rows, 0.1)", Standing.UNDECIDED),
    "mu in mu": ("mu=1", "normal_count(rng, rows, 0.1)", Standing.UNDECIDED),
    "rho in renyi": ("renyi=(2, 1)", "noisy_count(rng, rows, 0.1)", Standing.UNDECIDED),
    "rho with a delta": ("rho=1, delta=1e-6", "noisy_count(rng, rows, 0.1)", Standing.UNDECIDED),
    "mu in epsilon": ("epsilon=3, delta=1e-5", "normal_count(rng, rows, 0.5)", Standing.WITHIN),
}


def budget_of(tmp_path, claim, result):
    source = f'@dp({claim}, neighbors="add-remove", domain=(0, 100))\ndef release(rng, rows, rho):\n    return {result}'
    return budgets_of(written(tmp_path, source, OURS))["release"]


@pytest.mark.parametrize("name", CASES)
def test_what_adds_up(name, tmp_path):
    claim, result, standing = CASES[name]
    found = budget_of(tmp_path, claim, result)
    assert found.standing is standing, found


def test_what_is_spent_is_in_rho(tmp_path):
    found = budget_of(tmp_path, *CASES["two wholes"][:2])
    assert found.currency == "rho"
    assert str(found.spent) == "2 * rho"


def test_a_replaced_record_is_no_two_steps_of_rho(tmp_path):
    """Two steps are four times rho."""
    source = '@dp(rho="4 * rho", neighbors="replace-one", domain=(0, 100))\ndef release(rng, rows, rho):\n'
    found = budgets_of(written(tmp_path, f"{source}    return noisy_count(rng, rows, rho)", OURS))["release"]
    assert found.standing is Standing.UNDECIDED
