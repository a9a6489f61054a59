"""Proofs by the rule of Gaussian noise are compared in the rule's own arithmetic, so that faults of the rule show."""

from __future__ import annotations

import math

import pytest
from scipy.stats import norm

from dplint.audit.procedures import carry_out
from dplint.audit.proving import compared
from dplint.audit.proving.compared import GaussianReading, delta_of
from dplint.jobs import AuditJob
from dplint.outcomes import Proved
from dplint.proofs.checker import gaussian
from dplint.proofs.checker.coupling import Coupling
from tests.audit.conftest import settings_with
from tests.audit.test_comparing import target_of

pytestmark = pytest.mark.process

SUM = """
@dp(epsilon={epsilon}, delta=1e-5, neighbors="linf", size=2, domain=(0.0, 5.0))
def released(rng, answers):
    noisy = answers[0] + rng.normal(scale={scale})
    return noisy{more}
"""
VECTOR = """
import numpy as np

@dp(epsilon=1.0, delta=1e-5, neighbors="l2", size=3)
def released(rng, answers: np.ndarray):
    return answers + rng.normal(0, 4.0, size=len(answers))
"""
TABLE = """
import numpy as np
import pandas as pd

@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", domain={"pay": (0.0, 10.0)})
def released(rng, staff: pd.DataFrame):
    return staff["pay"].sum() + rng.normal(scale=60.0), len(staff) + rng.normal(loc=0.0, scale=12.0)
"""
ARGUMENT = """
@dp(epsilon="epsilon", delta="delta", neighbors="linf", args={"epsilon": (0.1, 1.0), "delta": (1e-6, 0.1)})
def released(rng, answers, epsilon, delta):
    return rng.normal(answers[0], sqrt(2 * log(1.25 / delta)) / epsilon)
"""


def ended(target, monkeypatch):
    """The outcome of an audit, and how many runs were made with noise that was moved."""
    made = []

    class Counted(GaussianReading):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(compared, "GaussianReading", Counted)
    settings = settings_with(proof_seconds=10.0, max_runs=100)
    job = AuditJob(mechanism=target.mechanism, program=target.program, lowered=target.lowered, settings=settings)
    outcome = carry_out(job, lambda *_: None).outcome
    return outcome, sum(one.moved for one in made)


@pytest.mark.parametrize("text", [SUM.format(epsilon=1.0, scale=4.0, more=""), VECTOR, TABLE, ARGUMENT])
def test_a_right_proof_stands_and_its_noise_was_moved(tmp_path, monkeypatch, text):
    outcome, moved = ended(
        target_of(tmp_path, text, "from math import log, sqrt\nfrom dplint import dp\n"), monkeypatch
    )

    assert isinstance(outcome, Proved), outcome.effort.notes
    assert moved > 0


def test_noise_that_moves_too_far_is_seen_where_the_checker_does_not_add_up(tmp_path, monkeypatch):
    monkeypatch.setattr(gaussian, "_check_size", lambda *_: None)
    outcome, _ = ended(target_of(tmp_path, SUM.format(epsilon=1.0, scale=3.0, more="")), monkeypatch)

    assert not isinstance(outcome, Proved)
    assert any("whose delta at 1 is too large" in note for note in outcome.effort.notes)


def test_so_is_another_output_where_the_checker_does_not_ask_for_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(Coupling, "follows", lambda *_: None)
    outcome, _ = ended(target_of(tmp_path, SUM.format(epsilon=1.0, scale=8.0, more=" + answers[1]")), monkeypatch)

    assert not isinstance(outcome, Proved)
    assert any("its noise is moved and it gives" in note for note in outcome.effort.notes)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("mu", [0.1, 0.5, 2.0])
def test_the_least_delta_is_the_mass_of_the_likelier_outputs_beyond_epsilon(mu, epsilon):
    """P(X > t) - e^epsilon P(X' > t) at the t where the densities of N(mu, 1) and N(0, 1) differ by e^epsilon."""
    at = epsilon / mu + mu / 2
    expected = norm.sf(at - mu) - math.exp(epsilon) * norm.sf(at)

    assert delta_of(mu, epsilon) == pytest.approx(expected, rel=1e-9)
    assert delta_of(0.0, epsilon) == 0
