"""Running maxima and minima for every length, and mutants that quadrature shows wrong."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dplint.outcomes import Sizes
from dplint.proofs.checker.places import check_places
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proving import NoProof, prove_places
from dplint.proofs.scopes import scopes
from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, of_text, targets

HEAD = "import math\n\nfrom dplint import dp\n\n\n"
LARGEST = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries, epsilon):
    best, place = None, 0
    for i, value in enumerate(queries):
        noisy = value + rng.exponential(2 / epsilon)
        if i == 0 or noisy > best:
            best, place = noisy, i
    return place
"""
INFINITY = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries, epsilon):
    best = float("-inf")
    place = -1
    for i in range(len(queries)):
        noisy = queries[i] + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best = noisy
            place = i
    return place
"""
SMALLEST = INFINITY.replace("-inf", "inf").replace("> best", "< best")
ONE_WAY = INFINITY.replace("linf", "linf-monotone").replace("laplace(scale=2", "gumbel(scale=1")
WHOLE = LARGEST.replace("queries,", "queries: list[int],").replace(
    "exponential(2 / epsilon)", "geometric(1 - math.exp(-epsilon / 2))"
)
IN_FRONT = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries, epsilon):
    place = 0
    best = queries[0] + rng.laplace(scale=2 / epsilon)
    for i in range(1, len(queries)):
        noisy = queries[i] + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best = noisy
            place = i
    return place
"""
MORE_IN_FRONT = IN_FRONT.replace("laplace(scale=2", "laplace(scale=3", 1)
RIGHT = {
    "the first in front": IN_FRONT,
    "the first in front with more noise": MORE_IN_FRONT,
    "the first in front, smallest": IN_FRONT.replace("> best", "< best"),
    "exponential": LARGEST,
    "laplace": INFINITY,
    "smallest": SMALLEST,
    "one way": ONE_WAY,
    "geometric": WHOLE,
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    """Dwork and Roth, 2014, claim 3.9, for Laplace; McKenna and Sheldon, NeurIPS 2020, for exponential noise."""
    found = search(*of_text(tmp_path, HEAD + text, "release"), 20.0)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full


def test_that_of_checkdp():
    found = search(*targets(FIXTURES / "checkdp" / "noisy_max.py")["noisy_max"], 20.0)

    assert found.proof is not None
    assert found.proof.scope.full


LAWS = {
    "laplace": lambda x, b: (
        np.exp(-np.abs(x) / b) / (2 * b),
        np.where(x < 0, np.exp(-np.abs(x) / b) / 2, 1 - np.exp(-np.abs(x) / b) / 2),
    ),
    "exponential": lambda x, b: (np.where(x >= 0, np.exp(-x / b) / b, 0), np.where(x >= 0, 1 - np.exp(-x / b), 0)),
    "gumbel": lambda x, b: (np.exp(-x / b - np.exp(-x / b)) / b, np.exp(-np.exp(-x / b))),
}


def loss(law, scale, moves=(1, -1), size=5):
    """That the first of some numbers wins, which is 20 below all others, before and after they move.

    The log ratio, by the trapezoidal rule.
    """
    x = np.linspace(-60, 200, 400_001)

    def chance(first, others):
        with np.errstate(over="ignore"):
            return np.trapezoid(LAWS[law](x - first, scale)[0] * LAWS[law](x - others, scale)[1] ** (size - 1), x)

    return float(np.log(chance(moves[0] - 20, moves[1]) / chance(-20, 0)))


def test_the_right_ones_are_within_their_claims():
    assert loss("laplace", 2) <= 1.0 + 1e-6
    assert loss("exponential", 2) <= 1.0 + 1e-6
    assert loss("gumbel", 1, (1, 0)) <= 1.0 + 1e-6


WRONG = {
    "nine tenths, laplace": (INFINITY.replace("scale=2", "scale=1.8"), loss("laplace", 1.8)),
    "nine tenths, smallest": (SMALLEST.replace("scale=2", "scale=1.8"), loss("laplace", 1.8)),
    "nine tenths, exponential": (LARGEST.replace("(2 /", "(1.8 /"), loss("exponential", 1.8)),
    "nine tenths, one way": (ONE_WAY.replace("scale=1", "scale=0.9"), loss("gumbel", 0.9, (1, 0))),
    "nine tenths, geometric": (WHOLE.replace("epsilon / 2", "epsilon / 1.8"), loss("exponential", 1.8)),
    "half of the sensitivity": (INFINITY.replace('"linf"', '"linf", sensitivity=2'), loss("laplace", 2, (2, -2))),
    "both ways": (ONE_WAY.replace("-monotone", ""), loss("gumbel", 1)),
    "the number itself": (INFINITY.replace("return place", "return best"), np.inf),
    "both": (INFINITY.replace("return place", "return place, best"), np.inf),
    "an answer without noise": (INFINITY.replace("best = noisy", "best = queries[i]"), np.inf),
    "a comparison with the answer": (INFINITY.replace("if noisy >", "if queries[i] >"), np.inf),
    "less noise in front": (IN_FRONT.replace("scale=2", "scale=1", 1), 2.0),
    "no noise in front": (IN_FRONT.replace("queries[0] + rng.laplace(scale=2 / epsilon)", "queries[0]"), np.inf),
    "the first twice": (IN_FRONT.replace("range(1, ", "range("), 2.0),
    "the first in every turn": (IN_FRONT.replace("queries[i] +", "queries[i] - queries[0] +"), 1.5),
    "the first is counted in": (IN_FRONT.replace("if noisy > best", "if noisy > best + queries[0]"), 1.5),
    "the noise in front is used again": (
        IN_FRONT.replace("best = queries[0] + ", "kept = ")
        .replace("    for", "    best = queries[0] + kept\n    for")
        .replace("if noisy > best", "if noisy + kept > best"),
        4.0,
    ),
    "less noise in each turn": (INFINITY.replace("2 / epsilon", "2 / (epsilon * (i + 1))"), 5.0),
    "the first is no noisy number": (IN_FRONT.replace("best = queries[0] + rng", "best = 0.0 * rng"), 2.0),
    "the second for the first": (IN_FRONT.replace("best = queries[0]", "best = 2 * queries[0]"), 1.5),
    "one draw for all": (
        INFINITY.replace("    for i", "    kept = rng.laplace(scale=2 / epsilon)\n    for i").replace(
            "queries[i] + rng.laplace(scale=2 / epsilon)", "queries[i] + kept"
        ),
        np.inf,
    ),
    "a place that tells the item": (INFINITY.replace("place = i\n", "place = i + (queries[i] > 3)\n"), np.inf),
    "noise for some": (INFINITY.replace("rng.laplace", "(i > 0) * rng.laplace"), np.inf),
}
"""Text, and its loss for epsilon = 1. Geometric noise of rate 1/b is exponential noise rounded up, and far in the tail
the shares of both shrink alike. Of the first in front: far below all others its own density falls by its scale, and
that of the larger of two draws twice as fast; where it is counted in, two numbers differ by 3; of five, four draws have
to be below what moves by 2 where all share one. With less noise in each turn it is the place of the fifth, whose scale
is a fifth; where the first number is 0 it is place 0, for which four draws stay low. Infinite where an output shows
numbers that move, or a number that bears no noise."""


@pytest.mark.parametrize(("text", "lost"), WRONG.values(), ids=WRONG)
def test_no_mutant_is_proved_for_every_length(tmp_path, text, lost):
    assert lost > 1.001
    program, mechanism = of_text(tmp_path, HEAD + text, "release")

    for scope in scopes(program, mechanism, Sizes(0, None)):
        assert isinstance(prove_places(program, mechanism, scope), NoProof)


def test_a_comparison_that_is_turned_costs_as_many_draws_as_there_are(tmp_path):
    """Exponential noise moves up alone: for the smallest of n all others move by 2, which is n - 1 times the claim."""
    program, mechanism = of_text(tmp_path, HEAD + LARGEST.replace("> best", "< best"), "release")

    for scope in scopes(program, mechanism, Sizes(0, None)):
        assert isinstance(prove_places(program, mechanism, scope), NoProof)


@pytest.mark.parametrize("times", [0, 1, Fraction(3, 2), 3, -2])
def test_noise_that_moves_by_another_number_of_times(times):
    """Twice: once for what its own number moves, and once for what all others do."""
    program, mechanism = targets(FIXTURES / "checkdp" / "noisy_max.py")["noisy_max"]
    (scope, *_) = scopes(program, mechanism, Sizes(0, None))
    check_places(program, mechanism, scope, Fraction(2))

    with pytest.raises(NotProved):
        check_places(program, mechanism, scope, Fraction(times))
    with pytest.raises(NotProved):
        check_places(program, mechanism, replace(scope, sizes=Sizes(1, 5)), Fraction(2))
