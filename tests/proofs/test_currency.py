"""Claims in rho, mu and Renyi divergences: what the checker proves, and what it must not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dplint.claims import Claim, Promise
from dplint.proofs.checker.currency import follows
from dplint.proofs.searching import search
from dplint.proofs.spending import proves
from tests.proofs.proof_tools import of_text, searched

NORMAL = "return [answer + rng.normal(0.0, {scale}) for answer in answers]"
LAPLACE = "return answers[0] + rng.laplace(0.0, {scale})"


def found(tmp_path, claim, body, parameters="rng, answers"):
    return searched(tmp_path, f"@dp({claim})\ndef release({parameters}):\n    {body}\n", 20.0)


PROVED = {
    "rho": ('rho=0.125, neighbors="l2"', NORMAL.format(scale=2.0)),
    "mu": ('mu=0.5, neighbors="l2"', NORMAL.format(scale=2.0)),
    "one order": ('renyi=(4, 0.5), neighbors="l2"', NORMAL.format(scale=2.0)),
    "two orders": ('renyi=[(2, 0.25), (4, 0.5)], neighbors="l2"', NORMAL.format(scale=2.0)),
    "all orders": ('renyi="alpha / 8", neighbors="l2"', NORMAL.format(scale=2.0)),
    "rho by epsilon": ('rho=0.5, neighbors="linf", size=1', LAPLACE.format(scale=1.0)),
    "mu by epsilon": ('mu=1.233, neighbors="linf", size=1', LAPLACE.format(scale=1.0)),
    "an order by epsilon": ('renyi=(2, 1.0), neighbors="linf", size=1', LAPLACE.format(scale=1.0)),
    "with a delta to spare": ('rho=0.125, delta=1e-6, neighbors="l2"', NORMAL.format(scale=2.0)),
}
NOT_PROVED = {
    "rho": ('rho=0.1249, neighbors="l2"', NORMAL.format(scale=2.0)),
    "mu": ('mu=0.499, neighbors="l2"', NORMAL.format(scale=2.0)),
    "one order": ('renyi=(4, 0.49), neighbors="l2"', NORMAL.format(scale=2.0)),
    "two orders": ('renyi=[(2, 0.25), (4, 0.49)], neighbors="l2"', NORMAL.format(scale=2.0)),
    "all orders": ('renyi="alpha / 9", neighbors="l2"', NORMAL.format(scale=2.0)),
    "rho by epsilon": ('rho=0.499, neighbors="linf", size=1', LAPLACE.format(scale=1.0)),
    "mu by epsilon": ('mu=1.231, neighbors="linf", size=1', LAPLACE.format(scale=1.0)),
    "two that move": ('rho=0.125, neighbors="linf", size=2', NORMAL.format(scale=2.0)),
    "a twice as large sensitivity": ('rho=0.125, neighbors="l2", sensitivity=2.0', NORMAL.format(scale=2.0)),
    "no noise": ('mu=0.5, neighbors="l2"', "return answers[0]"),
    "decided by noise": (
        'rho=0.125, neighbors="linf", size=1',
        "return answers[0] + rng.normal(0.0, 2.0) > 0 or answers",
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved(name, tmp_path):
    proof = found(tmp_path, *PROVED[name]).proof
    assert proof is not None
    assert proof.scope.promised
    assert proof.scope.sizes is not None


@pytest.mark.parametrize("name", NOT_PROVED)
def test_what_is_not_proved(name, tmp_path):
    assert found(tmp_path, *NOT_PROVED[name]).proof is None


@pytest.mark.parametrize(
    ("claim", "scale", "right"),
    [
        ('rho="rho"', "np.sqrt(1 / (2 * rho))", True),
        ('rho="rho"', "np.sqrt(1 / (2.1 * rho))", False),
        ('rho="rho"', "1 / (2 * rho)", False),  # enough for rho <= 1/2 alone
        ('mu="rho"', "1 / rho", True),
        ('mu="rho"', "0.99 / rho", False),
        ('rho="rho**2 / 2"', "1 / rho", True),
        ('rho="rho**2 / 4"', "1 / rho", False),
        ('renyi="alpha * rho"', "np.sqrt(1 / (2 * rho))", True),
        ('renyi="alpha**2 * rho"', "np.sqrt(1 / (2 * rho))", True),
        ('renyi="rho"', "np.sqrt(1 / (2 * rho))", False),
        ('renyi=(8, "rho")', "np.sqrt(4 / rho)", True),
        ('renyi=(8, "rho")', "np.sqrt(3.9 / rho)", False),
    ],
)
def test_over_all_values_of_a_parameter(claim, scale, right, tmp_path):
    proof = found(tmp_path, f'{claim}, neighbors="l2"', NORMAL.format(scale=scale), "rng, answers, rho").proof
    assert (proof is not None) is right


def test_laplace_noise_over_all_epsilons(tmp_path):
    body, claim = LAPLACE.format(scale="1 / epsilon"), 'neighbors="linf", size=1'
    assert found(tmp_path, f'rho="epsilon**2 / 2", {claim}', body, "rng, answers, epsilon").proof is not None
    assert found(tmp_path, f'rho="epsilon**2 / 8", {claim}', body, "rng, answers, epsilon").proof is None


CHOICE = """weights = np.exp({factor} * (np.array(scores) - max(scores)))
    return rng.choice(len(scores), p=weights / np.sum(weights))"""
CHOOSING = "rng, scores, epsilon"


@pytest.mark.parametrize(
    ("claim", "factor", "right"),
    [
        ('rho="epsilon**2 / 8"', "epsilon / 2", True),
        ('rho="epsilon**2 / 2"', "epsilon", True),
        ('renyi="alpha * epsilon**2 / 8"', "epsilon / 2", True),
        ('rho="epsilon**2 / 8"', "epsilon", False),
        ('rho="epsilon**2 / 8"', "epsilon / 1.9", False),
        ('rho="epsilon**2 / 9"', "epsilon / 2", False),
        ('mu="epsilon / 2"', "epsilon / 2", False),  # no rule says so
    ],
)
def test_the_range_of_a_choice_by_weights(claim, factor, right, tmp_path):
    claim = f'{claim}, neighbors="linf"'
    proof = found(tmp_path, claim, CHOICE.format(factor=factor), CHOOSING).proof
    assert (proof is not None) is right


def test_the_range_is_no_rule_for_other_noise(tmp_path):
    """A noisy maximum keeps epsilon, and no range of it: the bug of 2026."""
    body = "noisy = [score + rng.laplace(0.0, 2 / epsilon) for score in scores]\n    return noisy.index(max(noisy))"
    whole, eighth = (f'rho="epsilon**2 / {part}", neighbors="linf", size=2' for part in (2, 8))
    assert found(tmp_path, whole, body, CHOOSING).proof is not None
    assert found(tmp_path, eighth, body, CHOOSING).proof is None


BASE = Claim(epsilon=5.0, delta=1e-6, relation="l2", promise=Promise("rho", (0.5,)))


def test_no_claim_follows_from_another_one():
    pure = replace(BASE, epsilon=1.0, delta=0.0, promise=None)
    assert follows(BASE, pure)
    assert follows(BASE, replace(pure, epsilon=2.0, promise=Promise("range", (2.0,))))
    for wrong in (
        replace(pure, epsilon=1.001),
        replace(pure, delta=1e-9),
        replace(pure, sensitivity=0.5),
        replace(pure, relation="l1"),
        replace(pure, domain=None, size=(1,)),
        replace(pure, epsilon=0.5, promise=Promise("rho", (0.4,))),  # of another amount than it says
        replace(pure, epsilon=0.6, promise=Promise("rho", (0.6,))),
        replace(pure, epsilon=0.9, promise=Promise("mu", (0.9,))),  # that is not how rho is shown
        replace(pure, epsilon=0.4, promise=Promise("rho", (0.4, 1e-5))),
        replace(pure, epsilon=2.001, promise=Promise("range", (2.001,))),
    ):
        assert not follows(BASE, wrong)


def test_rules_of_other_claims_are_no_rules_of_these(tmp_path):
    """Sampling makes epsilon smaller by a formula that rho does not have, and a share of rho is no share of epsilon."""
    text = '@dp(rho=0.03, neighbors="add-remove", domain=(0.0, 1.0))\ndef release(rng, rows):\n'
    text += "    kept = [row for row in rows if rng.random() < 0.5]\n    return sum(kept) + rng.normal(0.0, 2.0)\n"
    assert searched(tmp_path, text).proof is None
    head = "from dplint import dp\n\n"
    text = f'{head}@dp(rho=0.125, neighbors="l2")\ndef release(rng, answers):\n    {NORMAL.format(scale=2.0)}\n'
    program, mechanism = of_text(tmp_path, text, "release")
    whole = search(program, mechanism, 20.0)
    assert whole.proof is not None
    assert not proves(program, mechanism, whole, Fraction(1), 20.0)
