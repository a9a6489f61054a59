"""Audits whose runs are those of the function itself, many at once, because no program is known of it."""

import math
import sys

import numpy as np
import pytest

from dplint.audit.run_blocks import NotOnLanes
from dplint.audit.traced_runs import TracedRuns
from dplint.outcomes import NoViolation, Violation
from dplint.program.refusals import Unsupported
from dplint.runner.batch import DataValue
from dplint.runner.client import Runner
from dplint.runner.texts import TextNumbers
from tests.audit.conftest import outcome_of

SOURCE = '''
import random
import sys

import numpy as np

class Report:
    """What is released, behind a second name."""

    def __init__(self):
        self.values = []

def m_right(rng, queries):
    exec("")
    report = Report()
    values = report.values
    for query in queries:
        values.append(query + rng.laplace(scale=1.0))
    return report.values

def m_wrong(rng, queries):
    exec("")
    report = Report()
    values = report.values
    for query in queries:
        values.append(query + rng.laplace(scale=0.4))
    return report.values

def m_branches(rng, queries):
    exec("")
    total = queries[0] + rng.laplace(scale=1.0)
    if rng.random() < 0.5:
        total = total + rng.laplace(scale=1.0)
    return total if total > 0 else None

def m_looks_at_itself(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return noisy if "_dplint" in globals() else -noisy

def m_by_itself(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return float(str(noisy)) if sys.getsizeof(noisy) else noisy

def m_of_the_system(queries):
    return queries[0] + random.SystemRandom().gauss(0.0, 1.0) + int.from_bytes(__import__("os").urandom(1), "big")

def m_large(rng, queries):
    noise = rng.laplace(size=100_000)
    return queries[0] + noise[0]

def m_counts_its_runs(rng, queries, calls=[]):
    calls.append(1)
    return queries[0] + rng.laplace(scale=1.0) + (len(calls) > 100)
'''
DATA = DataValue([1.0, 1.0])
SEED = np.random.SeedSequence(7)


@pytest.fixture
def found(targets):
    return targets(SOURCE, 'epsilon=1.0, neighbors="l1", size=2')


@pytest.fixture
def runs_of(found):
    """Traced runs of a mechanism, by its name."""
    with Runner(sys.executable, deadline=60.0, memory_mib=2048) as runner:

        def runs(name):
            runner.load(found[name].mechanism)
            return TracedRuns(runner)

        yield runs


def outputs_of(runs, count, seed=SEED):
    return np.array(runs.sample(DATA, {}, count, seed).outputs(), dtype=float)


@pytest.mark.process
def test_the_right_one_passes_and_the_wrong_one_is_found_by_runs_that_calls_confirm(found):
    right, wrong = (outcome_of(found[name], max_runs=200_000) for name in ("m_right", "m_wrong"))

    assert isinstance(found["m_right"].program, Unsupported)
    assert isinstance(right, NoViolation)
    assert isinstance(wrong, Violation)
    assert wrong.confirmation is not None
    assert wrong.confirmation.agrees
    assert 1.0 < wrong.epsilon_lower <= 2.5, "the loss at scale 0.4 is 2.5"
    assert right.effort.notes == wrong.effort.notes == ()


@pytest.mark.process
def test_they_have_the_law_of_the_function(runs_of):
    """Of 40,000 runs, means within six standard errors: they fail by chance once in 10**8."""
    values = outputs_of(runs_of("m_right"), 40_000)

    assert values.shape == (40_000, 2)
    assert np.abs(values.mean(axis=0) - 1.0).max() < 6 * math.sqrt(2 / 40_000)
    assert abs(np.abs(values - 1.0).mean() - 1.0) < 6 * math.sqrt(1 / 80_000)


@pytest.mark.process
def test_data_values_that_share_lanes_keep_their_own_outputs(runs_of):
    """Means within six standard errors of each of their own; lengths that differ are no hindrance."""
    data = [DataValue(value) for value in ([1.0, 1.0], [5.0, 1.0], [1.0, 9.0], [3.0], [1.0, 1.0])]
    ((count, batches),) = runs_of("m_right").blocks(data, {}, 5_000, SEED, TextNumbers())

    assert count == 5_000
    for value, batch in zip(data, batches, strict=True):
        means = np.array(batch.outputs()).mean(axis=0)
        assert means.shape == (len(value.value),)
        assert np.abs(means - value.value).max() < 6 * math.sqrt(2 / 5_000)
    assert batches[0].outputs() != batches[4].outputs(), "each draws for itself"


@pytest.mark.process
def test_a_branch_may_draw_and_lanes_may_differ_in_type(runs_of):
    runs = runs_of("m_branches").sample(DATA, {}, 40_000, SEED).outputs()
    positive = [value for value in runs if value is not None]

    # 1 + X or 1 + X + Y: P(> 0) is 1 - e**-1 / 2, or 1 - (1 + 1/2) * e**-1 / 2.
    expected = 1 - (0.5 * math.exp(-1) + 0.75 * math.exp(-1)) / 2
    assert abs(len(positive) / 40_000 - expected) < 6 * math.sqrt(0.25 / 40_000)
    assert min(positive) > 0


@pytest.mark.process
def test_the_same_seed_gives_the_same_runs_and_another_one_others(runs_of):
    runs = runs_of("m_right")

    assert (outputs_of(runs, 500) == outputs_of(runs, 500)).all()
    assert (outputs_of(runs, 500) != outputs_of(runs, 500, np.random.SeedSequence(8))).all()


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("m_looks_at_itself", "the check of its lanes failed"),
        ("m_by_itself", "its runs part more often than they go together"),
        ("m_of_the_system", "urandom|operating system"),
        ("m_counts_its_runs", ""),
        ("m_large", "too much memory"),
    ],
)
def test_what_is_not_the_function_or_cannot_be_followed_is_refused(runs_of, name, told):
    with pytest.raises(NotOnLanes, match=told):
        outputs_of(runs_of(name), 5_000)


@pytest.mark.process
def test_where_calls_are_as_fast_runs_are_calls(runs_of, monkeypatch):
    runs = runs_of("m_right")
    runs._is_timed = True
    runs.seconds = 1e6

    with pytest.raises(NotOnLanes, match="calls are as fast"):
        outputs_of(runs, 6_000)
