"""One run that shows an event: its draws, handed to the user's own function, give an output in the event."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns, WrongTranslation
from dplint.audit.translation import events_of
from dplint.events.printed import PrintedEvent
from dplint.readings.lanes import KeptDraws, SampledDraws, read_block
from dplint.runner.client import DataValue, ReplayRequest
from dplint.runner.texts import TextNumbers
from dplint.sites import noise_words
from tests.lanes.lane_tools import Handing

SEED = np.random.SeedSequence(3)
DATA = [1.0, 0.0, 2.0]
MECHANISMS = """
def _noisy(rng, x, scale):
    return x + rng.laplace(scale=scale)

def m_loop(rng, queries, k=2):
    found = []
    for q in queries:
        if q + rng.laplace() > 1:
            found.append(q + rng.normal())
            if len(found) == k:
                break
        else:
            found.append(None)
    return found

def m_helper(rng, queries):
    return max([_noisy(rng, q, 2.0) for q in queries]) + _noisy(rng, 0, 1)

def m_rejection(rng, queries):
    while True:
        noisy = queries[0] + rng.exponential()
        if noisy < 1.5:
            return noisy

def m_array(rng, queries):
    return (np.asarray(queries) + rng.laplace(size=3)).tolist() + [int(rng.integers(0, 4))]

def m_choice(rng, queries):
    return (rng.choice(["a", "b", "c"]), rng.random() < 0.5)

def m_raises(rng, queries):
    if rng.random() < 0.1:
        raise ValueError("no luck")
    return rng.gumbel()
"""
EVENTS = {
    "m_loop": "len(output) == 3 and output[0] is None and output[2] is not None",
    "m_helper": "output >= 9.0",
    "m_rejection": "output < 1.1",
    "m_array": "output[3] == 2 and output[1] < -2.0",
    "m_choice": "output[0] == 'b' and output[1]",
    "m_raises": "isinstance(output, Exception)",
}


def runs_of(target, runner):
    runner.load(target.mechanism)
    return LaneRuns(target.program, target.mechanism, runner)


def module_of(target):
    """The user's own module, in this process."""
    spec = importlib.util.spec_from_file_location("under_test", target.mechanism.path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", EVENTS)
def test_the_draws_of_an_example_give_an_output_in_the_event(targets, lanes_runner, name):
    target, event = targets(MECHANISMS)[name], PrintedEvent(EVENTS[name])
    drawn = runs_of(target, lanes_runner).example(DataValue(DATA), {}, event.holds, SEED)

    generator = Handing(one.value for one in drawn)
    try:
        output = getattr(module_of(target), name)(generator, list(DATA))
    except ValueError as error:
        output = error

    assert event.holds(output), output
    assert drawn
    assert generator.left == []


def test_every_draw_of_an_example_tells_its_place(targets, lanes_runner):
    found = targets(MECHANISMS)
    lines = module_of(found["m_loop"]).__loader__.get_data(found["m_loop"].mechanism.path).decode().splitlines()
    numbers = {line.strip(): number for number, line in enumerate(lines, 1)}

    drawn = runs_of(found["m_loop"], lanes_runner).example(
        DataValue(DATA),
        {},
        PrintedEvent("output[0] is None and output[1] is None and output[2] is not None").holds,
        SEED,
    )
    looked, told = numbers["if q + rng.laplace() > 1:"], numbers["found.append(q + rng.normal())"]
    assert [(one.distribution, noise_words(one.site)) for one in drawn] == [
        ("laplace", f"the noise of line {looked} in the first turn"),
        ("laplace", f"the noise of line {looked} in the second turn"),
        ("laplace", f"the noise of line {looked} in the third turn"),
        ("normal", f"the noise of line {told} in the third turn"),
    ]
    assert 2.0 + drawn[2].value > 1 >= max(1.0 + drawn[0].value, drawn[1].value)

    drawn = runs_of(found["m_helper"], lanes_runner).example(DataValue(DATA), {}, lambda output: True, SEED)
    here, call = (
        numbers["return x + rng.laplace(scale=scale)"],
        numbers["return max([_noisy(rng, q, 2.0) for q in queries]) + _noisy(rng, 0, 1)"],
    )
    assert [noise_words(one.site) for one in drawn] == [
        f"the noise of line {here} (called in line {call}) in the first turn",
        f"the noise of line {here} (called in line {call}) in the second turn",
        f"the noise of line {here} (called in line {call}) in the third turn",
        f"the noise of line {here} (called in line {call})",
    ]


def test_an_event_that_does_not_happen_has_no_example(targets, lanes_runner):
    runs = runs_of(targets(MECHANISMS)["m_helper"], lanes_runner)

    assert runs.example(DataValue(DATA), {}, lambda output: False, SEED) == ()


def test_a_run_of_very_many_draws_is_no_example(targets, lanes_runner):
    target = targets("def m(rng, queries):\n    return [rng.random() for _ in range(1001)][-1]\n")["m"]

    assert runs_of(target, lanes_runner).example(DataValue(DATA), {}, lambda output: True, SEED) == ()


def test_an_example_is_deterministic(targets, lanes_runner):
    runs = runs_of(targets(MECHANISMS)["m_array"], lanes_runner)
    first, again, other = (
        runs.example(DataValue(DATA), {}, lambda output: output[3] == 1, np.random.SeedSequence(seed))
        for seed in (1, 1, 2)
    )

    assert first == again != other
    assert isinstance(first[0].value, list)
    assert first[1].value == 1


WRONG = {
    "return q + rng.laplace(scale=2.0)": r"run 0, draw 1, the noise of line \d+: the function asked for laplace",
    "return -(q + rng.laplace())": "the function's output is not in the event",
}


@pytest.mark.parametrize("body", WRONG)
def test_what_the_function_itself_does_not_show_is_no_example(targets, lanes_runner, body):
    source = f"def m_lanes(rng, q):\n    return q + rng.laplace()\n\ndef m_real(rng, q):\n    {body}\n"
    found = targets(source)
    lanes_runner.load(found["m_real"].mechanism)
    runs = LaneRuns(found["m_lanes"].program, found["m_real"].mechanism, lanes_runner)

    with pytest.raises(WrongTranslation, match=f"the replay of a run that shows the event failed: {WRONG[body]}"):
        runs.example(DataValue(1.0, "scalar"), {}, lambda output: output > 2, SEED)


def test_the_draws_of_one_lane_are_those_that_it_made_among_all(targets, lanes_runner):
    """A lane that is replayed alone is that run of a replay of all of them."""
    target = targets(MECHANISMS)["m_loop"]
    lanes_runner.load(target.mechanism)
    kept = KeptDraws(SampledDraws(SEED))
    block = read_block(target.program, {"queries": DATA, "k": 2}, 40, kept, TextNumbers(), (3, 11), least=4)
    together = lanes_runner.replay(ReplayRequest(DataValue(DATA), {}, 40, events_of(kept.made, block))).batch.outputs()

    for lane in range(40):
        alone = lanes_runner.replay(ReplayRequest(DataValue(DATA), {}, 1, events_of(kept.made, block, lane)))
        assert alone.complaints == ()
        assert alone.batch.outputs() == [together[lane]]
