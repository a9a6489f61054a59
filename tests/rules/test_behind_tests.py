"""Beside right mechanisms that look alike: what is still found where delta, coins and masks do not excuse it."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in

STABLE = """
from collections import Counter

@dp(epsilon="epsilon", {delta}neighbors="add-remove", domain=["a", "b", "c", "d"])
def stable(rng, words, epsilon):
    bar = 1 + math.log(1 / (2 * 0.02)) / epsilon
    out = {{}}
    for word, c in Counter(words).items():
        noisy = c + rng.laplace(scale=1 / epsilon)
        if {test} > bar:
            out[word] = {value}
    return out
"""
FLIPPED = """
@dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
def flipped(rng, bits, epsilon):
    flip = 1 / (1 + math.exp(epsilon))
    for i in range({whole}):
        if {coin}:
            bits[i] = 1 - bits[i]
    return bits
"""
TESTED = """
@dp(epsilon="epsilon", delta=0.01, neighbors="add-remove", domain=(0, 9))
def tested(rng, values, epsilon):
    total = sum(values)
    if total + rng.laplace(scale=9 / epsilon) > 50:
        return {value}
    return None
"""


def codes(text: str) -> set[str]:
    return {one.code for one in findings_in(text)}


@pytest.mark.parametrize(
    ("delta", "test", "value", "wrong"),
    [
        ("delta=0.02, ", "noisy", "noisy", False),
        ("", "noisy", "noisy", True),  # without delta every key is a loss without bound
        ("delta=0.02, ", "c", "noisy", True),  # the exact count is tested
        ("delta=0.02, ", "noisy", "c", True),  # the exact count is released
    ],
)
def test_keys_behind_a_noisy_threshold(delta: str, test: str, value: str, wrong: bool) -> None:
    assert bool(codes(STABLE.format(delta=delta, test=test, value=value))) is wrong


@pytest.mark.parametrize(
    ("whole", "coin", "wrong"),
    [
        ("len(bits)", "rng.random() < flip", False),
        ("1", "rng.random() < flip", True),  # only one of them
        ("len(bits)", "bits[i] == 1", True),  # no coin
    ],
)
def test_elements_that_coins_replace(whole: str, coin: str, wrong: bool) -> None:
    assert bool(codes(FLIPPED.format(whole=whole, coin=coin))) is wrong


@pytest.mark.parametrize(("value", "wrong"), [("values.index(max(values))", False), ("total", True)])
def test_what_propose_test_release_may_release(value: str, wrong: bool) -> None:
    assert bool(codes(TESTED.format(value=value))) is wrong


def test_noise_that_no_argument_keeps_is_dead() -> None:
    text = """
    @dp(epsilon="epsilon", neighbors="l1")
    def lost(rng, values, epsilon):
        for value in values:
            value += rng.laplace(scale=1 / epsilon)
        return values
    """

    assert "DP305" in codes(text)
