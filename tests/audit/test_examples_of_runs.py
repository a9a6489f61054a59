"""One run that shows an event: its draws, handed to the user's own function, give an output in the event."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import WrongTranslation
from dplint.events.printed import PrintedEvent
from dplint.runner.client import DataValue
from dplint.sites import noise_words
from tests.mechanisms import Handing

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
    return ResidualRuns(runner, target.mechanism)


def module_of(target):
    """The user's own module, in this process."""
    spec = importlib.util.spec_from_file_location("under_test", target.mechanism.path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", EVENTS)
def test_the_draws_of_an_example_give_an_output_in_the_event(targets, shared_runner, name):
    target, event = targets(MECHANISMS)[name], PrintedEvent(EVENTS[name])
    drawn = runs_of(target, shared_runner).example(DataValue(DATA), {}, event.holds, SEED)

    generator = Handing(one.value for one in drawn)
    try:
        output = getattr(module_of(target), name)(generator, list(DATA))
    except ValueError as error:
        output = error

    assert event.holds(output), output
    assert drawn
    assert generator.left == []


def test_every_draw_of_an_example_tells_its_place(targets, shared_runner):
    found = targets(MECHANISMS)
    lines = module_of(found["m_loop"]).__loader__.get_data(found["m_loop"].mechanism.path).decode().splitlines()
    numbers = {line.strip(): number for number, line in enumerate(lines, 1)}

    drawn = runs_of(found["m_loop"], shared_runner).example(
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
        ("normal", f"the noise of line {told}"),
    ]
    assert 2.0 + drawn[2].value > 1 >= max(1.0 + drawn[0].value, drawn[1].value)

    drawn = runs_of(found["m_helper"], shared_runner).example(DataValue(DATA), {}, lambda output: True, SEED)
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


def test_an_event_that_does_not_happen_has_no_example(targets, shared_runner):
    runs = runs_of(targets(MECHANISMS)["m_helper"], shared_runner)

    assert runs.example(DataValue(DATA), {}, lambda output: False, SEED) == ()


def test_a_run_of_very_many_draws_is_no_example(targets, shared_runner):
    target = targets("def m(rng, queries):\n    return [rng.random() for _ in range(1001)][-1]\n")["m"]

    assert runs_of(target, shared_runner).example(DataValue(DATA), {}, lambda output: True, SEED) == ()


def test_an_example_is_deterministic(targets, shared_runner):
    runs = runs_of(targets(MECHANISMS)["m_array"], shared_runner)
    first, again, other = (
        runs.example(DataValue(DATA), {}, lambda output: output[3] == 1, np.random.SeedSequence(seed))
        for seed in (1, 1, 2)
    )

    assert first == again != other
    assert isinstance(first[0].value, list)
    assert first[1].value == 1


def test_what_the_function_itself_does_not_show_is_no_example(targets, shared_runner):
    """The function sees that it was rewritten, and does something else then."""
    body = "return q + rng.laplace() if '_dplint' in globals() else -(q + rng.laplace())"
    target = targets(f"def m(rng, q):\n    {body}\n")["m"]
    reason = "the replay of a run that shows the event failed: the function's output is not in the event"

    with pytest.raises(WrongTranslation, match=reason):
        runs_of(target, shared_runner).example(DataValue(1.0, "scalar"), {}, lambda output: output > 2, SEED)
