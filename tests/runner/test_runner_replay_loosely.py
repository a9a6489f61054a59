"""Replays by a reading in exact numbers: to a tolerance, between other draws, and with the lines that ran."""

from __future__ import annotations

import pytest
from replay_tools import laplace

from dplint.runner.client import DataValue, ReplayRequest

pytestmark = pytest.mark.process

THIRD = "def m(rng, x): return rng.laplace(scale=1 / 3)"
BESIDE = "def m(rng, x): return round(rng.random()) * 0 + rng.laplace(scale=2.0)"
BRANCH = """
def m(rng, x):
    noisy = x + rng.laplace(scale=2.0)
    if noisy > 10:
        return "far"
    return "near"
"""


@pytest.fixture
def replayed(shared_runner, write):
    """Replays a function with one draw."""

    def replay(source, event, **how):
        shared_runner.load(write(source))
        return shared_runner.replay(ReplayRequest(DataValue(0.0, "scalar"), {}, 1, [event], **how))

    return replay


def test_parameters_may_differ_by_a_tolerance(replayed):
    almost = laplace([5.0], scale=0.3333333333)
    assert replayed(THIRD, almost).wrong_runs == 1
    near = replayed(THIRD, almost, tolerance=1e-7)
    assert (near.wrong_runs, near.batch.outputs()) == (0, [5.0])
    assert replayed(THIRD, laplace([5.0], scale=0.3334), tolerance=1e-7).wrong_runs == 1


def test_other_draws_may_stand_between(replayed):
    assert replayed(BESIDE, laplace([5.0], scale=2.0)).wrong_runs == 1
    among = replayed(BESIDE, laplace([5.0], scale=2.0), others=True)
    assert (among.wrong_runs, among.batch.outputs()) == (0, [5.0])
    # What is recorded has to be asked for all the same.
    assert replayed(BESIDE, laplace([5.0], scale=3.0), others=True).wrong_runs == 1


def test_the_lines_that_ran_are_told(replayed):
    def lines(drawn, **how):
        return {line for _, line in replayed(BRANCH, laplace([drawn], scale=2.0), **how).lines}

    near, far = lines(1.0, lines=True), lines(20.0, lines=True)
    assert len(near - far) == len(far - near) == 1
    assert max(far) < max(near)
    assert lines(1.0) == set()
