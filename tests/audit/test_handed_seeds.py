"""Functions that get a seed for each run: run on lanes, and compared with their proofs, its generator replaced."""

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.outcomes import Proved
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest
from tests.audit.conftest import audited

pytestmark = pytest.mark.process

HANDED = {
    "of NumPy": "gen = np.random.default_rng(seed); return values[0] + gen.laplace()",
    "of NumPy's older ones": "gen = np.random.RandomState(seed); return values[0] + gen.laplace(0, 1)",
    "of Python": "gen = random.Random(seed); return values[0] + gen.expovariate(1) * gen.choice([-1, 1])",
}


@pytest.fixture(params=HANDED.values(), ids=HANDED)
def target(request, targets):
    return targets(f"def m(seed, values):\n    {request.param}\n")["m"]


def test_many_runs_at_once_are_those_of_the_function(target, shared_runner):
    shared_runner.load(target.mechanism)
    ResidualRuns(shared_runner, target.mechanism).check(
        [DataValue([1.0, 3.0]), DataValue([2.0, 0.0])], {}, 100, np.random.SeedSequence(3)
    )


def test_a_program_that_leaves_the_seed_out_can_be_replayed(targets, shared_runner):
    """So a proof about draws of any generator can be compared with the function: 1 + 0.5."""
    target = targets(f"def m(seed, values):\n    {HANDED['of NumPy']}\n")
    shared_runner.load(target["m"].mechanism)
    draw = DrawEvent("laplace", (("loc", 0.0), ("scale", 1.0)), None, None, [0.5], None)

    replayed = shared_runner.replay(ReplayRequest(DataValue([1.0]), {}, 1, [draw]))

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [1.5]


def test_a_proof_is_told_though_some_data_is_too_short_for_a_draw(targets):
    """A place among no records raises in the generator, which is no fault of the reading."""
    source = """
        def m(rng, ages):
            start = rng.integers(len(ages))
            return start, sum(ages) + rng.laplace(scale=100)
    """
    target = targets(source, 'epsilon=1.0, neighbors="replace-one", domain=(0, 100)')["m"]

    assert isinstance(audited(target, max_runs=20_000, proof_seconds=20.0).outcome, Proved)
