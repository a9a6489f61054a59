"""Budgets of claims in rho, mu and renyi: what adds up, and that no point of a curve is taken for the claim."""

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

@dp(renyi=(2, 0.5), neighbors="add-remove", domain=(0, 100))
def bounded_count(rng, rows):
    return len(rows) + rng.normal(scale=math.sqrt(2))

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
    "mu in rho": ("rho=0.5", "normal_count(rng, rows, 1)", Standing.WITHIN),
    "mu in less rho": ("rho=0.49", "normal_count(rng, rows, 1)", Standing.UNDECIDED),
    "squares of mu": ("mu=1", "normal_count(rng, rows, 0.6), normal_count(rng, rows, 0.8)", Standing.WITHIN),
    "more squares of mu": ("mu=1", "normal_count(rng, rows, 0.7), normal_count(rng, rows, 0.8)", Standing.OVERSPENT),
    "mu by a parameter": ('mu="5 * rho"', "[normal_count(rng, rows, rho) for _ in range(25)]", Standing.WITHIN),
    "mu once too often": ('mu="5 * rho"', "[normal_count(rng, rows, rho) for _ in range(26)]", Standing.OVERSPENT),
    "rho in mu": ("mu=1", "noisy_count(rng, rows, 0.1)", Standing.UNDECIDED),
    "epsilon in mu": ("mu=1", "count(rng, rows, 0.1)", Standing.UNDECIDED),
    "rho in renyi": ("renyi=(2, 1)", "noisy_count(rng, rows, 0.5)", Standing.WITHIN),
    "more rho in renyi": ("renyi=(2, 1)", "noisy_count(rng, rows, 0.6)", Standing.UNDECIDED),
    "renyi in renyi": ("renyi=(2, 1)", "bounded_count(rng, rows), bounded_count(rng, rows)", Standing.WITHIN),
    "too much renyi": ("renyi=(2, 0.9)", "bounded_count(rng, rows), bounded_count(rng, rows)", Standing.OVERSPENT),
    "renyi of another order": ("renyi=(3, 1)", "bounded_count(rng, rows)", Standing.UNDECIDED),
    "renyi of two orders": ("renyi=[(2, 1), (3, 1)]", "bounded_count(rng, rows)", Standing.UNDECIDED),
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


@pytest.mark.parametrize(
    ("claim", "call", "standing"),
    [
        ('rho="4 * rho"', "noisy_count(rng, rows, rho)", Standing.WITHIN),
        ('rho="3 * rho"', "noisy_count(rng, rows, rho)", Standing.UNDECIDED),
        ('mu="2 * rho"', "normal_count(rng, rows, rho)", Standing.WITHIN),
        ("renyi=(2, 9)", "bounded_count(rng, rows)", Standing.UNDECIDED),
    ],
)
def test_a_replaced_record_is_two_steps(tmp_path, claim, call, standing):
    """Two steps are four times rho, and twice mu; of one order of Renyi nothing follows."""
    source = f'@dp({claim}, neighbors="replace-one", domain=(0, 100))\ndef release(rng, rows, rho):\n'
    found = budgets_of(written(tmp_path, f"{source}    return {call}", OURS))["release"]
    assert found.standing is standing, found
