"""Outputs for a picture: of a counterexample's input, on lanes or by calls, with objects of the user's own pairs."""

import sys
from dataclasses import replace

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.inputs.forms import as_settled
from dplint.jobs import PictureJob
from dplint.outcomes import Distributions, Failed, FailureKind, OutputEvent, Untestable, Violation
from tests.audit.conftest import outcome_of, settings_with

pytestmark = pytest.mark.process

SOURCE = """
import numpy as np
from dplint import dp

class Survey:
    def __init__(self, total):
        self.total = total
    def __repr__(self):
        return f"Survey({self.total})"

def surveys():
    for total in (0, 3):
        yield Survey(total), Survey(total + 1)

@dp(epsilon=0.5, neighbors=surveys)
def own_pairs(survey, rng):
    return survey.total + rng.laplace(scale=0.2)

@dp(epsilon=0.5, neighbors="l1", size=3, domain=(0.0, 2.0))
def raises(counts, rng):
    if sum(counts) > 2.5:
        raise ValueError("too many")
    return counts[0] + rng.laplace()

@dp(epsilon=0.5, neighbors="l1", size=3)
def wants_an_array(counts, rng):
    return list(map(float, (counts * 1.0).clip(0, 9) + rng.laplace(scale=0.2, size=len(counts))))

@dp(epsilon=0.5, neighbors="any", domain=(0.0, 1.0))
def on_lanes(value: float, rng):
    return value + rng.laplace(scale=0.5)

@dp(epsilon=0.5, neighbors="any", domain=(0.0, 1.0))
def never_ends(value: float, rng):
    while value < 2:
        pass
"""


@pytest.fixture(scope="module")
def mechanisms(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "mechanisms.py"
    path.write_text(SOURCE)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


def drawn(target, violation, **given):
    return carry_out(
        PictureJob(
            mechanism=as_settled(target.mechanism, violation.effort.notes),
            program=target.program,
            settings=settings_with(),
            witness=violation.counterexample.witness,
            **{"runs": 3000, **given},
        ),
        lambda *_: None,
    )


@pytest.mark.parametrize("name", ["own_pairs", "raises", "wants_an_array", "on_lanes"])
def test_the_event_has_the_share_of_the_outputs_that_the_counterexample_says(mechanisms, name):
    violation = outcome_of(mechanisms[name])
    assert isinstance(violation, Violation), violation

    found = drawn(mechanisms[name], violation)
    assert isinstance(found, Distributions), found
    bars = [*found.bars, *found.others]
    evidence = violation.counterexample.evidence
    for number, p in ((1, evidence.p1), (2, evidence.p2)):
        inside = sum(getattr(bar, f"inside{number}") for bar in bars)
        assert sum(getattr(bar, f"count{number}") for bar in bars) == 3000
        # Six standard errors of 3,000 runs; the seed is fixed.
        assert abs(inside / 3000 - p) < 6 * (0.25 / 3000) ** 0.5
    assert [note for note in found.notes if "every run calls the function" in note] == list(found.notes)
    assert bool(found.notes) == (name == "own_pairs")


def test_the_same_job_makes_the_same_picture(mechanisms):
    violation = outcome_of(mechanisms["on_lanes"])

    assert drawn(mechanisms["on_lanes"], violation) == drawn(mechanisms["on_lanes"], violation)


def test_a_pair_that_the_users_function_does_not_yield_any_more_is_told(mechanisms, tmp_path):
    violation = outcome_of(mechanisms["own_pairs"])
    found = drawn(mechanisms["own_pairs"], violation, source_text=SOURCE.replace("(0, 3)", "(7,)"))

    assert isinstance(found, Failed)
    assert found.kind is FailureKind.INPUT
    assert "pair of the counterexample" in found.reason


def test_an_event_that_dplint_does_not_print_is_refused_and_nothing_runs(mechanisms, tmp_path):
    violation = outcome_of(mechanisms["on_lanes"])
    mark = tmp_path / "was_run"
    evil = f"open({str(mark)!r}, 'w')"
    counterexample = violation.counterexample
    witness = replace(counterexample.witness, observation=OutputEvent(evil))
    found = drawn(mechanisms["on_lanes"], replace(violation, counterexample=replace(counterexample, witness=witness)))
    assert isinstance(found, Failed)
    assert not mark.exists()


def test_a_function_that_does_not_end_is_given_up(mechanisms):
    witness = outcome_of(mechanisms["on_lanes"]).counterexample.witness
    target = mechanisms["never_ends"]
    job = PictureJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=settings_with(deadline=1.0),
        witness=witness,
    )

    found = carry_out(job, lambda *_: None)
    assert isinstance(found, Failed)
    assert found.kind is FailureKind.DEADLINE


def test_what_cannot_be_run_is_not(mechanisms):
    target = mechanisms["on_lanes"]
    violation = outcome_of(target)
    untestable = Target(replace(target.mechanism, untestable="it is a closure"), target.lowered)

    assert drawn(untestable, violation) == Untestable(reason="it is a closure")
    assert sys.modules.get("mechanisms") is None
