"""Geometric noise: what is proved of it, and mutants that exact sums over whole numbers show wrong."""

import math

import numpy as np
import pytest
from scipy import stats

from tests.proofs.proof_tools import searched

COUNTS = """@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values: list[int], epsilon):
    p = 1 - math.exp(-epsilon)
    return [value + rng.geometric(p) - rng.geometric(p) for value in values]
"""
HOW_MANY = """@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def release(rng, values: list[int], epsilon):
    p = 1 - 1 / math.exp(epsilon)
    noise = rng.geometric(p) - rng.geometric(p)
    return len([value for value in values if value > 3]) + noise
"""
LARGEST = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, values: list[int], epsilon):
    best, place = None, 0
    for i, value in enumerate(values):
        noisy = value + rng.geometric(1 - math.exp(-epsilon / 2))
        if i == 0 or noisy > best:
            best, place = noisy, i
    return place
"""
VECTOR = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries: list[int], epsilon, T: int, N: int):
    p = 1 - math.exp(-epsilon / 2)
    r = 1 - math.exp(-epsilon / (4 * N))
    threshold = T + rng.geometric(p) - rng.geometric(p)
    output = []
    count = 0
    for query in queries:
        if query + rng.geometric(r) - rng.geometric(r) >= threshold:
            output.append(True)
            count += 1
            if count >= N:
                break
        else:
            output.append(False)
    return output
"""
EXPONENTIALS = """@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values, epsilon):
    return [value + (rng.exponential(1 / epsilon) - rng.exponential(1 / epsilon)) for value in values]
"""


@pytest.mark.parametrize(
    "text",
    [
        COUNTS,
        COUNTS.replace("1 - math.exp(-epsilon)", "-math.expm1(-epsilon)"),
        COUNTS.replace("rng.geometric(p) - rng.geometric(p)", "(rng.geometric(p) - rng.geometric(p))"),
        HOW_MANY,
        LARGEST,
        VECTOR,
        EXPONENTIALS,
    ],
    ids=["counts", "expm1", "difference", "how many", "largest", "sparse vector", "exponentials"],
)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    """Ghosh, Roughgarden and Sundararajan (STOC 2009) for counts; the others are as with noise of real numbers."""
    found = searched(tmp_path, text)

    assert found.proof is not None, found.reason
    assert found.settled


def two_sided(rate):
    """The probabilities of the difference of two geometric draws, from -400 to 400, by the sum over the second one."""
    one = stats.geom.pmf(np.arange(1, 2000), -math.expm1(-rate))
    return {k: float(np.dot(one[abs(k) :], one[: len(one) - abs(k)])) for k in range(-400, 401)}


def loss_of_counts(rate, noise=two_sided):
    """For counts 0 and 1, the largest log ratio of the two probabilities of an output."""
    law = noise(rate)
    return max(
        math.log(law[k] / law[k - 1]) if law.get(k - 1) else math.inf for k in range(-20, 21) if law.get(k, 0) > 0
    )


def one_sided(rate):
    return {k: math.exp(-rate * k) * math.expm1(rate) for k in range(1, 100)}


def loss_of_places(rate, size=12):
    """The first of some values wins, the others have been larger by 1; they are smaller by 1 on its neighbour."""

    def wins(ahead):
        law = one_sided(rate)
        below = {k: sum(share for other, share in law.items() if other <= k) for k in range(-2, 102)}
        return sum(share * below[k + ahead] ** (size - 1) for k, share in law.items() if k + ahead >= 1)

    return math.log(wins(1) / wins(-1))


def loss_of_vector(rate, size=60):
    """Answers below the threshold and one above it at the end, N = 1: 0 and then 1, or 1 and then 0; the worst T."""
    law, own = two_sided(0.5), two_sided(rate)
    at_least = {k: sum(share for other, share in own.items() if other >= k) for k in range(-300, 301)}

    def chance(low, last, threshold):
        return sum(
            share * (1 - at_least[threshold + k - low]) ** size * at_least[threshold + k - last]
            for k, share in law.items()
            if -200 < k < 200
        )

    return max(math.log(chance(0, 1, t) / chance(1, 0, t)) for t in (5, 10, 20, 30))


def test_the_right_ones_keep_their_claims():
    """So that the mutants below are wrong by themselves, and not for what is computed."""
    assert loss_of_counts(1.0) == pytest.approx(1.0)
    assert loss_of_places(0.5) <= 1.0
    assert loss_of_vector(0.25) <= 1.0


MUTANTS = {
    "counts with nine tenths of the noise": (COUNTS.replace("-epsilon)", "-epsilon / 0.9)"), 1 / 0.9, loss_of_counts),
    "counts with half of the sensitivity": (
        COUNTS.replace('"l1"', '"l1", sensitivity=2'),
        1.0,
        lambda rate: 2 * loss_of_counts(rate),
    ),
    "counts with noise on one side": (
        COUNTS.replace(" - rng.geometric(p)", ""),
        1.0,
        lambda rate: loss_of_counts(rate, one_sided),
    ),
    "counts of real numbers": (COUNTS.replace("list[int]", "list[float]"), 1.0, lambda _rate: math.inf),
    "how many with nine tenths of the noise": (
        HOW_MANY.replace("math.exp(epsilon)", "math.exp(epsilon / 0.9)"),
        1 / 0.9,
        loss_of_counts,
    ),
    "the largest with half of the noise": (LARGEST.replace("epsilon / 2", "epsilon"), 1.0, loss_of_places),
    "the largest itself": (LARGEST.replace("return place", "return best"), 0.5, lambda _rate: math.inf),
    "a sparse vector with half of the noise": (VECTOR.replace("(4 * N)", "(2 * N)"), 0.5, loss_of_vector),
}
"""Text, the rate of its noise for epsilon = 1, and its loss there: infinite where one side alone can give an output."""


@pytest.mark.parametrize(("text", "rate", "loss"), MUTANTS.values(), ids=MUTANTS)
def test_no_mutant_is_proved(tmp_path, text, rate, loss):
    assert loss(rate) > 1.001

    assert searched(tmp_path, text).proof is None


def test_a_comparison_that_is_turned(tmp_path):
    """The smallest of three wins: noise on one side pays for a shift in one direction alone, so both others move."""
    law = one_sided(0.5)
    at_least = {k: sum(share for other, share in law.items() if other >= k) for k in range(-10, 110)}
    first = [sum(share * at_least[k + by] ** 2 for k, share in law.items()) for by in (3, 1)]
    assert math.log(first[1] / first[0]) == pytest.approx(2.0)

    assert searched(tmp_path, LARGEST.replace("noisy > best", "noisy < best")).proof is None
