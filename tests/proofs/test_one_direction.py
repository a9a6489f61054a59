"""Answers that all move up, or all down: half of the noise does for them (Lyu, Su and Li, VLDB 2017, section 4.3)."""

from dataclasses import replace

import numpy as np
import pytest

from dplint.proofs.checker.loops import check_loop
from dplint.proofs.checker.values import NotProved
from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, for_every_length, searched, targets

VECTOR = """@dp(epsilon="epsilon", neighbors="linf-monotone")
def release(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    output = []
    count = 0
    for query in queries:
        if query + rng.laplace(scale=2 * N / epsilon) >= threshold:
            output.append(1)
            count += 1
            if count >= N:
                break
        else:
            output.append(0)
    return output
"""
LARGEST = """@dp(epsilon="epsilon", neighbors="linf-monotone")
def release(rng, queries, epsilon):
    best, place = None, 0
    for i, value in enumerate(queries):
        noisy = value + rng.exponential(1 / epsilon)
        if i == 0 or noisy > best:
            best, place = noisy, i
    return place
"""


def laplace_tail(x, scale):
    """P(noise >= x)."""
    return np.where(x > 0, np.exp(-np.abs(x) / scale) / 2, 1 - np.exp(-np.abs(x) / scale) / 2)


def loss(threshold_scale, answer_scale, d2, d1=(9.0,) * 6 + (-9.0,)):
    """Of 0, ..., 0, 1 for epsilon = 1, T = 0 and N = 1, by the trapezoidal rule over the noise of the threshold."""
    t = np.linspace(-80, 80, 160_001)
    density = np.exp(-np.abs(t) / threshold_scale)

    def chance(answers):
        below = np.prod([1 - laplace_tail(t - one, answer_scale) for one in answers[:-1]], axis=0)
        return np.trapezoid(density * below * laplace_tail(t - answers[-1], answer_scale), t)

    return abs(float(np.log(chance(d1) / chance(d2))))


@pytest.mark.parametrize("name", ["svt_increasing", "svt_decreasing"])
def test_those_of_checkdp_for_every_length(name):
    program, mechanism = targets(FIXTURES / "checkdp" / "sparse_vector.py")[name]

    found = search(program, mechanism, 20.0)

    assert found.proof is not None
    assert found.proof.scope.full


def test_the_largest_of_some_values(tmp_path):
    """With noise of scale 1 / epsilon: Dwork and Roth, 2014, section 3.3, report noisy max of monotone counts."""
    assert searched(tmp_path, LARGEST).proof.scope.full


UP = (10.0,) * 6 + (-9.0,)
MUTANTS = {
    "nine tenths of all noise": (VECTOR.replace("scale=2", "scale=1.8"), loss(1.8, 1.8, UP)),
    "half of the noise of answers": (VECTOR.replace("2 * N", "N"), loss(2, 1, UP)),
    "nine tenths of the noise of the threshold": (VECTOR.replace("scale=2 /", "scale=1.8 /"), loss(1.8, 2, UP)),
    "half of the sensitivity": (
        VECTOR.replace('monotone"', 'monotone", sensitivity=2.0'),
        loss(2, 2, (11.0,) * 6 + (-9.0,)),
    ),
    "answers that move both ways": (VECTOR.replace("linf-monotone", "linf"), loss(2, 2, (10.0,) * 6 + (-10.0,))),
}


def test_the_right_one_is_within_its_claim():
    assert loss(2, 2, UP) <= 1.0


@pytest.mark.parametrize(("text", "lost"), MUTANTS.values(), ids=MUTANTS)
def test_no_mutant_is_proved_for_every_length(tmp_path, text, lost):
    assert lost > 1.001

    found = searched(tmp_path, text)

    assert found.proof is None or not found.proof.scope.full


def test_a_certificate_for_one_direction_alone_is_refused():
    program, mechanism = targets(FIXTURES / "checkdp" / "sparse_vector.py")["svt_increasing"]
    certificate, scope = for_every_length(program, mechanism)
    check_loop(program, mechanism, scope, certificate)

    for damaged in (
        replace(certificate, downward=None),
        replace(certificate.downward, downward=certificate),
        replace(certificate, downward=replace(certificate, downward=None)),
    ):
        with pytest.raises(NotProved):
            check_loop(program, mechanism, scope, damaged)
