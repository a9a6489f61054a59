"""The best composition against the closed form of the paper, and amplification against simulation of its definition."""

import math
from fractions import Fraction

import pytest

from dplint.contracts.tree import Standing, composed_delta, sampled_epsilon
from tests.contracts.budgets import budget

CLAIM = '@dp(epsilon={}, delta={}, neighbors="add-remove", domain=(0, 100))'


def by_theorem(epsilon, delta, k, i):
    """Kairouz, Oh and Viswanath, theorem 3.3: the epsilon and the delta of k calls, for i in 0..k/2."""
    terms = (math.comb(k, j) * (math.exp((k - j) * epsilon) - math.exp((k - 2 * i + j) * epsilon)) for j in range(i))
    single = sum(terms) / (1 + math.exp(epsilon)) ** k
    return (k - 2 * i) * epsilon, 1 - (1 - delta) ** k * (1 - single)


@pytest.mark.parametrize(("k", "i"), [(2, 0), (2, 1), (5, 2), (30, 10), (30, 15)])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_equal_parts(k, i, delta):
    epsilon, expected = by_theorem(0.25, delta, k, i)

    found = composed_delta([(Fraction("0.25"), Fraction(str(delta)), k)], Fraction(str(epsilon)))

    assert found == pytest.approx(expected, rel=1e-7, abs=1e-15)


def test_different_parts():
    """Two randomised responses: the outputs that lose more than 1 are both truths, and that by 0.5."""
    p, q = (math.exp(e) / (1 + math.exp(e)) for e in (1.0, 0.5))
    expected = p * q - math.e * (1 - p) * (1 - q)

    assert composed_delta([(Fraction(1), Fraction(0), 1), (Fraction("0.5"), Fraction(0), 1)], Fraction(1)) == (
        pytest.approx(expected, rel=1e-8)
    )


def test_too_many_parts():
    assert composed_delta([(Fraction(1, 10), Fraction(0), 10_000)], Fraction(1)) is None


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.3, 1.0])
def test_sampling(rate):
    """Randomised response of whether somebody is there, and of the coin: its exact loss is the bound, rounded up."""
    epsilon = 0.8
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    loss = math.log((rate * truth + (1 - rate) * (1 - truth)) / (1 - truth))

    found = sampled_epsilon(Fraction("0.8"), Fraction(str(rate)))

    assert float(found) == pytest.approx(loss, rel=1e-7)
    assert float(found) >= loss - 1e-15


MANY = "return [rough_count(rng, rows, 0.1, 1e-7) for _ in range(30)]"


def test_claims_with_numbers(tmp_path):
    """Thirty times 0.1 adds up to 3; with a delta of 1e-5 about 2.4 suffices, by the theorem above."""
    epsilon = next(e for i in range(15, -1, -1) for e, d in [by_theorem(0.1, 1e-7, 30, i)] if d <= 1e-5)
    assert epsilon < 2.7

    assert budget(tmp_path, MANY, CLAIM.format(round(epsilon, 10) + 0.01, 1e-5)).standing is Standing.WITHIN
    assert budget(tmp_path, MANY, CLAIM.format(1.0, 1e-5)).standing is Standing.UNDECIDED


def test_what_answers_decide_is_added_up(tmp_path):
    body = """
    answers = []
    for _ in range(30):
        if not answers or answers[-1] > 0:
            answers.append(rough_count(rng, rows, 0.1, 1e-7))
    return answers
    """

    assert budget(tmp_path, body, CLAIM.format(2.8, 1e-5)).standing is Standing.UNDECIDED
    assert budget(tmp_path, body, CLAIM.format(3.0, 1e-5)).standing is Standing.WITHIN


SAMPLED = """
batch = [row for row in rows if rng.random() < {rate}]
{rest}
"""
ONCE = "return count(rng, batch, 1.0)"
PURE = '@dp(epsilon={}, neighbors="{}", domain=(0, 100))'


@pytest.mark.parametrize(
    ("rate", "rest", "claimed", "relation", "standing"),
    [
        ("0.1", ONCE, 0.16, "add-remove", "within"),  # ln(1 + 0.1 * (e - 1)) = 0.1586
        ("0.1", ONCE, 0.15, "add-remove", "undecided"),
        ("len(rows) / 1000", ONCE, 0.16, "add-remove", "undecided"),
        ("epsilon", ONCE, 0.16, "add-remove", "undecided"),
        ("0.1", ONCE, 1.0, "replace-one", "undecided"),
        ("0.1", "return count(rng, batch, 1.0), count(rng, batch, 1.0)", 0.32, "add-remove", "undecided"),
        ("0.1", "return count(rng, batch, 1.0), count(rng, batch, 1.0)", 1.16, "add-remove", "within"),
        ("0.1", "return [count(rng, batch, 1.0) for _ in range(3)]", 0.48, "add-remove", "undecided"),
    ],
)
def test_sampled_records(tmp_path, rate, rest, claimed, relation, standing):
    """A second call on the same sample is not cheaper: both know who is in it."""
    body = SAMPLED.format(rate=rate, rest=rest)

    assert budget(tmp_path, body, PURE.format(claimed, relation)).standing.value == standing
