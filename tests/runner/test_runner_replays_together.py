"""Several replays in one request: each with its own data, draws, complaints and lines."""

from __future__ import annotations

import pytest
from replay_tools import laplace

from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, ReplayRequest, RunnerError

pytestmark = pytest.mark.process

BY_DATA = """
import random
def m(rng, x):
    if x == 2.0:
        random._inst.random()
    noisy = x + rng.laplace(scale=2.0)
    if noisy > 10:
        return "far"
    return noisy
"""
"""With the data 2 it draws from a generator that a replay does not reach."""


def requests(*data_and_draws, **how):
    return [
        ReplayRequest(DataValue(data, "scalar"), {}, len(draws), [laplace(draws, scale=2.0)], **how)
        for data, draws in data_and_draws
    ]


def test_each_has_its_own_data_draws_and_runs(shared_runner, write):
    shared_runner.load(write(BY_DATA))
    first, second = shared_runner.replays(requests((0.0, [1.0, 3.0]), (5.0, [1.5])))

    assert first.batch.outputs() == [1.0, 3.0]
    assert second.batch.outputs() == [6.5]
    assert (first.wrong_runs, second.wrong_runs) == (0, 0)


def test_a_draw_that_is_not_reached_is_a_complaint_of_its_own_replay_alone(shared_runner, write):
    shared_runner.load(write(BY_DATA))
    before, bypassing, after = shared_runner.replays(requests((1.0, [1.0]), (2.0, [1.0]), (3.0, [1.0])))

    assert [one.wrong_runs for one in (before, bypassing, after)] == [0, 1, 0]
    assert "does not reach" in bypassing.complaints[0]
    assert before.complaints == after.complaints == ()


def test_a_wrong_one_leaves_the_next_as_it_is(shared_runner, write):
    shared_runner.load(write(BY_DATA))
    wrong = ReplayRequest(DataValue(0.0, "scalar"), {}, 1, [laplace([1.0], scale=3.0)])
    first, second = shared_runner.replays([wrong, *requests((0.0, [1.0]))])

    assert (first.wrong_runs, second.wrong_runs) == (1, 0)
    assert second.batch.outputs() == [1.0]


def test_lines_are_those_of_each(shared_runner, write):
    shared_runner.load(write(BY_DATA))
    near, far = shared_runner.replays(requests((0.0, [1.0]), (0.0, [20.0]), lines=True))

    assert len(near.lines - far.lines) == len(far.lines - near.lines) == 1


def test_no_request_is_no_answer(shared_runner, write):
    shared_runner.load(write(BY_DATA))

    assert shared_runner.replays([]) == []


def test_the_input_with_which_the_process_died_is_named(own_runner, write):
    own_runner.load(
        write("import os\ndef m(rng, x):\n    if x == 2.0:\n        os._exit(3)\n    return rng.laplace(scale=2.0)")
    )
    with pytest.raises(RunnerError, match=r"data = 2\.0") as died:
        own_runner.replays(requests((1.0, [1.0]), (2.0, [1.0])))

    assert died.value.kind is not FailureKind.INTERNAL
