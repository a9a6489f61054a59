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
LISTED = """
@dp(epsilon="epsilon", {delta}neighbors="add-remove", domain={domain})
def listed(rng, words, epsilon):
    out = []
    for word in {words}:
        noisy = {test} + rng.laplace(scale=1 / epsilon)
        if noisy > 1 + math.log(1 / (2 * 0.02)) / epsilon:
            out.append({item})
    return {result}
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


COUNT = "words.count(word)"


@pytest.mark.parametrize(
    ("words", "test", "item", "result", "wrong"),
    [
        ("sorted(set(words))", COUNT, "word", "out", False),
        ("np.unique(words)", COUNT, "(word, noisy)", "sorted(out)", False),
        (
            "set(words)",
            COUNT,
            "word",
            f"out, [word for word in set(words) if {COUNT} + rng.laplace(scale=1 / epsilon) > 9]",
            False,
        ),
        ("set(words)", COUNT, f"(word, {COUNT})", "out", True),  # the exact count is released
        ("set(words)", COUNT, "word", f"out, [word for word in set(words) if {COUNT} > 9]", True),  # and tested
        ("words", "word", "word", "out", True),  # a record is released, not a category
    ],
)
def test_categories_that_are_listed_behind_a_noisy_threshold(words, test, item, result, wrong) -> None:  # type: ignore[no-untyped-def]
    domain = "(0, 9)" if test == "word" else '["a", "b"]'
    given = {"words": words, "test": test, "item": item, "result": result, "domain": domain}

    assert bool(codes(LISTED.format(delta="delta=0.02, ", **given))) is wrong
    assert codes(LISTED.format(delta="", **given))  # without delta every category is a loss without bound


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
