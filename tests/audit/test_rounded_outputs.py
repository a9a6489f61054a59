"""Discrete noise on broken numbers: what floats round differently is no violation of a claim about real numbers.

`k` has discrete Laplace noise of scale `exp(-epsilon * step)`, so that a sum moved by one loses epsilon at most (Ghosh,
Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms", STOC 2009); with half the noise it
loses twice that. In floats `1.0 + 7 * 0.1` and `2.0 - 3 * 0.1` are different, and each is impossible on one input.
"""

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import load_file
from dplint.claims import Numerics
from dplint.config import Settings
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Violation
from tests.audit.conftest import settings_with

pytestmark = pytest.mark.process
SOURCE = """
import numpy as np
from dplint import dp


def noise(rng, decay):
    return rng.geometric(1 - np.exp(-decay)) - rng.geometric(1 - np.exp(-decay))


@dp(epsilon=1.0, neighbors="linf")
def tens(rng, amount: float):
    return round(amount, 1) + noise(rng, FACTOR * 0.1) * 0.1


@dp(epsilon=1.0, neighbors="linf")
def of_steps(rng, amount: float):
    step = 0.05
    return max(step * round(amount / step) + step * noise(rng, FACTOR * 0.05), 0.0)


@dp(epsilon=1.0, neighbors="linf")
def thirds(rng, count: int):
    return count / 3 + noise(rng, FACTOR * 1.0) / 3


@dp(epsilon=1.0, neighbors="linf")
def as_list(rng, count: int):
    third = count / 3 + noise(rng, FACTOR * 1.0) / 3
    return [third, third * 3, third - 0.1]


@dp(epsilon=1.0, neighbors="linf")
def few_values(rng, count: int):
    return min(max(count / 10 + noise(rng, FACTOR * 1.0) / 10, 0.1 + 0.2), 0.6)
"""
NAMES = ("tens", "of_steps", "thirds", "as_list", "few_values")


def outcome_of(folder, name, factor, **settings):
    """Of an audit with 60,000 runs, the function's noise so many times as thin as it should be."""
    (folder / "module.py").write_text(SOURCE.replace("FACTOR", str(factor)))
    (target,) = (one for one in load_file(folder / "module.py", Settings()) if one.mechanism.qualname == name)
    given = settings_with(max_runs=60_000, **settings)
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=given)
    return carry_out(job, lambda *_: None).outcome


@pytest.mark.parametrize("name", NAMES)
def test_last_digits_refute_nothing(tmp_path, name):
    outcome = outcome_of(tmp_path, name, 1.0)

    assert isinstance(outcome, NoViolation)
    assert outcome.effort.runs > 50_000
    noted = any("last digits alone" in note for note in outcome.effort.notes)
    assert noted or name == "few_values", "its broken numbers are rare"


@pytest.mark.parametrize("name", NAMES)
def test_half_the_noise_is_found_by_what_real_numbers_tell(tmp_path, name):
    outcome = outcome_of(tmp_path, name, 2.0)

    assert isinstance(outcome, Violation)
    assert outcome.counterexample.evidence.count2 > 0, "it is no output that rounding makes impossible"


def test_a_claim_about_machine_numbers_is_refuted_by_last_digits(tmp_path):
    assert isinstance(outcome_of(tmp_path, "thirds", 1.0, numerics=Numerics.MACHINE), Violation)
