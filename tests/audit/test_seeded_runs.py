"""Programs with seeded generators: lanes give, bit for bit, what calls of the function give in the user's interpreter.

What is expected is what plain runs of the function give, and where a test names numbers, what NumPy or Python gives.
"""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from dplint.audit.procedures import carry_out
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Failed, Violation
from dplint.runner.batch import SampleRequest
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

DATA = DataValue([1.0, 3.0, 2.5, 7.0])
SEED = np.random.SeedSequence(1)
HELPERS = """
    from scipy import stats
    SIGNS = np.random.RandomState(4).choice([-1.0, 1.0], size=4)
    def _shifted(gen, x):
        return x + gen.laplace()
    def _hashed(x):
        gen = random.Random(x)
        return gen.random() + gen.random()
    class _Noise:
        def __init__(self, seed):
            self.rng = np.random.default_rng(seed)
        def add(self, x):
            return x + self.rng.laplace()
"""
BODIES = {
    "made for one draw": "return np.random.default_rng(3).permutation(len(values)).tolist()",
    "under a name": "gen = np.random.default_rng(42); return [v + gen.normal(0, 2.0) for v in values]",
    "annotated": "gen: np.random.Generator = np.random.default_rng(seed=3); return gen.random(), gen.random(2)",
    "of Python": "gen = random.Random(5); return gen.random(), gen.gauss(0, 1), gen.sample(values, 2)",
    "RandomState": "gen = np.random.RandomState(0); return gen.laplace(0, 2), gen.rand(2), gen.randint(9)",
    "of bits": "gen = np.random.Generator(np.random.PCG64(9)); return gen.integers(10), gen.choice(values, size=2)",
    "RandomState of bits": "return np.random.RandomState(np.random.MT19937(9)).randint(100)",
    "the global one of NumPy": "np.random.seed(2); return np.random.laplace(), np.random.rand(), stats.norm.rvs()",
    "the global one of Python": "random.seed(4); return random.gauss(0, 1), random.choice(values)",
    "seeded twice": "np.random.seed(2); x = np.random.rand(); np.random.seed(2); return x, np.random.rand()",
    "shuffles": "own = list(values); gen = np.random.default_rng(1); gen.shuffle(own); return own, gen.random()",
    "shuffles of arrays": "own = np.array(values); np.random.RandomState(2).shuffle(own); return own.tolist()",
    "shuffles of Python": "own = sorted(values); random.Random(3).shuffle(own); return own",
    "of SciPy": "gen = np.random.default_rng(7); return stats.laplace.rvs(scale=2, random_state=gen), gen.random()",
    "of SciPy, a number": (
        "return stats.norm(1, 2).rvs(random_state=5), stats.expon.rvs(random_state=5, size=2).tolist()"
    ),
    "in a loop": (
        "out = []\n        for i in range(4):\n            gen = random.Random(i)\n        "
        "    out.append(gen.random())\n        return out"
    ),
    "in a comprehension": "return [np.random.default_rng(i).random() for i in range(3)]",
    "one inside of another": "return np.random.default_rng(0).normal(np.random.default_rng(1).random())",
    "handed to a function": "gen = np.random.default_rng(0); return _shifted(gen, 1), _shifted(gen, 2), gen.random()",
    "made by a function": "return _hashed(1), _hashed(2), _hashed(1)",
    "kept by objects": "a, b = 1, 2; one = _Noise(3); two = _Noise(3); return one.add(a), two.add(a), one.add(b)",
    "seen by a lambda": "gen = np.random.default_rng(1); f = lambda x: x + gen.random(); return f(1), f(2)",
    "kept by a module": "return (SIGNS * np.array(values)).tolist()",
    "of data": "return np.random.default_rng(int(sum(values))).random()",
    "a wrong seed": "return np.random.default_rng(-1).random()",
    "a wrong draw": "return np.random.default_rng(1).choice([])",
}


def _on_lanes(targets, runner, source):
    [target] = [one for name, one in targets(source).items() if name == "m"]
    runner.load(target.mechanism)
    return ResidualRuns(runner, target.mechanism)


def _function(body: str, parameters: str = "values") -> str:
    return f"{HELPERS}\n    def m({parameters}):\n        {body}\n"


@pytest.mark.parametrize("name", BODIES)
def test_lanes_give_what_calls_of_the_function_give(targets, shared_runner, name) -> None:
    runs = _on_lanes(targets, shared_runner, _function(BODIES[name]))

    runs.check([DATA], {}, 4, SEED)  # the same draws: there are none but those of the seeds
    [plain] = shared_runner.sample(SampleRequest((DATA,), runs=3, seed=(1, ())))

    expected = [*map(repr, plain.likenesses())]
    assert [*map(repr, runs.sample(DATA, {}, 5, SEED).likenesses())] == [expected[0]] * 5
    assert len(set(expected)) == 1


def test_the_seed_may_be_an_argument_and_noise_is_noise(targets, shared_runner) -> None:
    body = "gen = np.random.default_rng(seed); return gen.random(), rng.laplace()"
    runs = _on_lanes(targets, shared_runner, _function(body, "values, rng, seed=5"))

    for seed in (5, 6):
        runs.check([DATA], {"seed": seed}, 20, SEED)
        outputs = runs.sample(DATA, {"seed": seed}, 50, SEED).outputs()
        assert {first for first, _ in outputs} == {np.random.default_rng(seed).random()}
        assert len({second for _, second in outputs}) == 50


def test_each_block_begins_anew(targets, shared_runner) -> None:
    runs = _on_lanes(targets, shared_runner, _function("random.seed(1); return random.random()"))
    runs.limit(3)

    assert set(runs.sample(DATA, {}, 8, SEED).outputs()) == {random.Random(1).random()}


def test_both_sides_of_a_pair_begin_anew(targets, shared_runner) -> None:
    body = "gen = np.random.default_rng(2); return sum(values) + gen.laplace() + 0 * rng.laplace()"
    runs = _on_lanes(targets, shared_runner, _function(body, "values, rng"))
    noise = np.random.default_rng(2).laplace()

    pair = [DataValue([1.0, 2.0]), DataValue([2.0, 2.0])]
    ((_, together),) = runs.blocks(pair, {}, 4, SEED, TextNumbers())

    assert [set(batch.outputs()) for batch in together] == [{3.0 + noise}, {4.0 + noise}]


PARTING = {
    "in some of the runs": "if rng.random() < 0.5:\n            gen.random()\n        return gen.random()",
    "after some have returned": "if rng.random() < 0.5:\n            return 0.0\n        return _some(gen, rng)",
    "as often as chance says": "while rng.random() < 0.5:\n            gen.random()\n        return gen.random()",
    "of noise": "return gen.laplace(rng.laplace())",
    "an order of noise": "return gen.permutation([rng.laplace(), 1.0]).tolist()",
    "with a seed of noise": "return np.random.default_rng(rng.integers(9)).random()",
    "before the seed": "x = np.random.rand(); np.random.seed(1); return x",
    "after a seed of some": "if rng.random() < 0.5:\n            np.random.seed(1)\n        return np.random.rand()",
    "before there is one": "x = late.random(); late = np.random.default_rng(1); return x",
    "with a seed that is None": "none = None; return np.random.default_rng(none).random()",
}
SOME = "    def _some(gen, rng):\n        if rng.random() < 0.5:\n            return 1.0\n        return gen.random()\n"


SEEN_BY_THE_CHECK = {"after a seed of some", "with a seed of noise"}
"""What many runs at once get wrong or refuse, so that calls of the function take their place."""
APART = {"of noise", "an order of noise"}
"""What a constant generator does with noise is worked out run by run."""


@pytest.mark.parametrize("name", sorted(PARTING.keys() - SEEN_BY_THE_CHECK - APART))
def test_where_runs_part_each_has_what_the_function_has(targets, shared_runner, name) -> None:
    body = f"gen = np.random.default_rng(0)\n        {PARTING[name]}"
    runs = _on_lanes(targets, shared_runner, SOME + _function(body, "values, rng"))

    runs.check([DATA], {}, 40, SEED)

    assert runs.sample(DATA, {}, 40, SEED).runs == 40


@pytest.mark.parametrize("name", sorted(SEEN_BY_THE_CHECK))
def test_what_is_followed_wrong_is_seen_by_the_check(targets, shared_runner, name) -> None:
    body = f"gen = np.random.default_rng(0)\n        {PARTING[name]}"
    runs = _on_lanes(targets, shared_runner, SOME + _function(body, "values, rng"))

    with pytest.raises(NotOnLanes):
        runs.check([DATA], {}, 40, SEED)


@pytest.mark.parametrize("name", sorted(APART))
def test_what_only_single_runs_can_do_is_called(targets, shared_runner, name) -> None:
    body = f"gen = np.random.default_rng(0)\n        {PARTING[name]}"
    runs = _on_lanes(targets, shared_runner, SOME + _function(body, "values, rng"))

    with pytest.raises(NotOnLanes, match="some runs cannot be made together with others"):
        runs.check([DATA], {}, 40, SEED)


def test_those_that_have_raised_draw_no_more(targets, shared_runner) -> None:
    body = (
        "gen = np.random.default_rng(0)\n        if rng.random() < 0.5:\n            raise ValueError\n        "
        "return gen.random()"
    )
    runs = _on_lanes(targets, shared_runner, _function(body, "values, rng"))

    runs.check([DATA], {}, 40, SEED)

    found = runs.sample(DATA, {}, 40, SEED).likenesses()
    assert sum(one == np.random.default_rng(0).random() for one in found) in range(5, 36)


WRONG = {
    "a constant": "gen = np.random.default_rng(42)\n        return sum(values) + gen.laplace(scale=len(values))",
    "of each number": "gen = random.Random(1)\n        return [v + gen.gauss(0, 9) for v in values]",
    "of the library": "np.random.seed(0)\n        return sum(values) + np.random.laplace(scale=len(values))",
    "beside noise": "gen = np.random.default_rng(1)\n        "
    "return sum(values) + gen.laplace(scale=len(values)) + np.random.default_rng().laplace(scale=0.2)",
}


@pytest.mark.process
@pytest.mark.parametrize("name", WRONG)
def test_noise_that_is_the_same_in_every_run_is_refuted_on_lanes(targets, name) -> None:
    target = targets(_function(WRONG[name]))["m"]
    settings = AuditSettings(seed=5, epsilons=(0.7,), budget=2.0, deadline=1000.0, interpreter=sys.executable)

    outcome = carry_out(
        AuditJob(mechanism=target.mechanism, program=target.program, settings=settings), lambda *_: None
    )

    assert isinstance(outcome.outcome, Violation)
    assert not any("every run calls the function" in note for note in outcome.outcome.effort.notes)


@pytest.mark.process
def test_noise_that_scales_a_constant_one_is_audited(targets) -> None:
    body = "gen = np.random.default_rng(1)\n        noise = gen.laplace(scale=9 + rng.laplace())\n        "
    target = targets(_function(f"{body}return sum(values) + noise", "values, rng"))["m"]
    settings = AuditSettings(seed=5, epsilons=(0.7,), budget=2.0, deadline=1000.0, interpreter=sys.executable)

    outcome = carry_out(
        AuditJob(mechanism=target.mechanism, program=target.program, settings=settings), lambda *_: None
    )

    assert not isinstance(outcome.outcome, Failed)
