"""The place of the largest of any number of noisy numbers in a list or an array; mutants are refuted by quadrature."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from dplint.outcomes import Sizes
from dplint.proofs.checker.places import check_places
from dplint.proofs.checker.values import NotProved
from dplint.proofs.scopes import scopes
from tests.proofs.proof_tools import of_text, searched
from tests.proofs.test_whole_noise import loss_of_places

LISTED = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, scores, epsilon):
    noisy = [score + rng.laplace(scale=2 / epsilon) for score in scores]
    return noisy.index(max(noisy))
"""
FILLED = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, scores, epsilon):
    noisy = []
    for score in scores:
        noisy.append(score + rng.exponential(scale=2 / epsilon))
    return int(np.argmax(noisy))
"""
GUMBEL = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, scores: np.ndarray, epsilon):
    return int(np.argmax(epsilon * scores / 2 + rng.gumbel(size=len(scores))))
"""
MONOTONE = """@dp(epsilon="epsilon", neighbors="linf-monotone")
def release(rng, scores: np.ndarray, epsilon):
    noisy = scores + rng.gumbel(0, 1 / epsilon, size=len(scores))
    return noisy.argmax()
"""
SMALLEST = LISTED.replace("max(", "min(")
WHOLE = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, scores: list[int], epsilon):
    p = 1 - math.exp(-epsilon / 2)
    return int(np.argmax([score + rng.geometric(p) for score in scores]))
"""


@pytest.mark.parametrize("text", [LISTED, FILLED, GUMBEL, MONOTONE, SMALLEST, WHOLE])
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    """Dwork and Roth, 2014, claim 3.9; McKenna and Sheldon, 2020, for exponential noise."""
    found = searched(tmp_path, text)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full


def loss(law, size, up=1.0, others=1.0):
    """The log ratio of the chances that the first of `size` numbers wins: it is `up` ahead, or so far behind."""

    def wins(ahead):
        return integrate.quad(
            lambda x: law.pdf(x) * law.cdf(x + ahead) ** (size - 1), -60, 200, points=[0.0, -ahead], limit=800
        )[0]

    return math.log(wins(up) / wins(-others))


LAPLACE, NINE = stats.laplace(0, 2), stats.laplace(0, 1.8)
MUTANTS = {
    "nine tenths of the noise": (LISTED.replace("=2 /", "=1.8 /"), loss(NINE, 3000)),
    "nine tenths, exponential": (FILLED.replace("=2 /", "=1.8 /"), loss(stats.expon(0, 1.8), 3000)),
    "nine tenths, Gumbel": (GUMBEL.replace("/ 2 +", "/ 1.8 +"), loss(stats.gumbel_r(0, 1.8), 3000)),
    "nine tenths, one way": (MONOTONE.replace("1 / eps", "0.9 / eps"), loss(stats.gumbel_r(0, 0.9), 3000, 0.0)),
    "half of the sensitivity": (LISTED.replace('"linf"', '"linf", sensitivity=2'), loss(LAPLACE, 300, 2.0, 2.0)),
    "both ways": (MONOTONE.replace("linf-monotone", "linf"), loss(stats.gumbel_r(0, 1), 300)),
    "half, of whole numbers": (WHOLE.replace("epsilon / 2", "epsilon"), loss_of_places(1.0)),
    "the smallest of what has noise on one side": (FILLED.replace("argmax", "argmin"), math.inf),
    "the number itself": (LISTED.replace("noisy.index(max(noisy))", "max(noisy)"), math.inf),
    "both": (LISTED.replace("return ", "return max(noisy), "), math.inf),
    "the number at the place": (LISTED.replace("noisy.index", "scores[noisy.index").replace("))", "))]"), math.inf),
    "two places": (LISTED.replace("return ", "return noisy.index(min(noisy)), "), 2 * loss(LAPLACE, 300)),
    "one draw for all": (GUMBEL.replace("size=len(scores)", ""), math.inf),
    "without noise": (GUMBEL.replace("rng.gumbel(size=len(scores))", "rng.gumbel(scale=0)"), math.inf),
    "a place that decides": (
        LISTED.replace("return ", "place = ").rstrip() + "\n    return scores[0] if place else 0\n",
        math.inf,
    ),
}
"""Text, and its loss for epsilon = 1: infinite where an output tells the data, or is possible on one side alone."""


@pytest.mark.parametrize(("text", "lost"), MUTANTS.values(), ids=MUTANTS)
def test_no_mutant_is_proved(tmp_path, text, lost):
    assert lost > 1.001

    found = searched(tmp_path, text)

    assert found.proof is None or not found.proof.scope.full


def test_the_right_ones_keep_their_claims():
    """So that the mutants are wrong by themselves, and not for what is computed."""
    for law in (LAPLACE, stats.expon(0, 2), stats.gumbel_r(0, 2)):
        assert loss(law, 300) <= 1 + 1e-6
    assert np.isclose(loss(stats.gumbel_r(0, 2), 3000), 1.0, atol=1e-3)


def test_the_checker_wants_a_move_that_suffices_and_is_paid_for(tmp_path):
    program, mechanism = of_text(tmp_path, f"import numpy as np\n\nfrom dplint import dp\n\n\n{LISTED}", "release")
    (scope, *_) = scopes(program, mechanism, Sizes(0, None))

    check_places(program, mechanism, scope, Fraction(2))
    for times in (Fraction(-2), Fraction(0), Fraction(1), Fraction(19, 10), Fraction(21, 10)):
        with pytest.raises(NotProved):
            check_places(program, mechanism, scope, times)
    with pytest.raises(NotProved):
        check_places(program, mechanism, replace(scope, sizes=Sizes(0, 5)), Fraction(2))
