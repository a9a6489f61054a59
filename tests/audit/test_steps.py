"""Claims of trainings: what a pair of batches refutes, exactly, and what it does not."""

import json
import math

import numpy as np
import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import NotOverspent, Overspent, Untestable
from tests.audit.conftest import FIXTURES, outcome_of, read_fixtures
from tests.patience import patience

ROWS = {row["function"]: row for row in json.loads((FIXTURES / "steps" / "truth.json").read_text())["functions"]}
SECONDS = 5.0


@pytest.mark.process
@pytest.mark.parametrize("name", ROWS)
def test_wrong_steps_are_refuted_and_right_ones_are_not(name):
    row = ROWS[name]
    found = outcome_of(read_fixtures("steps")[name], max_runs=None, budget=3.0)
    assert isinstance(found, Overspent if row["wrong"] else NotOverspent)
    assert found.effort.seconds < patience(SECONDS)
    assert found.effort.alpha == 0.0  # nothing was left to chance
    spend = found.spend
    if name == "batch_clip":  # how far a sample can turn a clipped sum around takes a search
        assert 1.5 < spend.apart < row["mu"] + 1e-9
    elif row["mu"] is not None:
        assert spend.apart == pytest.approx(float(row["mu"]), rel=1e-7)
    if row["ratio"] is not None:
        assert spend.ratio == pytest.approx(row["ratio"], rel=1e-9)
    assert (spend.epsilon > spend.claimed) == row["wrong"]


HEAD = """
import numpy as np

from dplint import dp

SAMPLES = (-1.0, 1.0)


"""


def outcome(tmp_path, source, **given):
    """Of the only mechanism of a source."""
    (tmp_path / "steps.py").write_text(HEAD + source)
    (target,) = (one for one in load_file(tmp_path / "steps.py", Settings()) if isinstance(one, Target))
    return outcome_of(target, **{"max_runs": 600, **given})


def claimed(claim, *lines, parameters="rng, batch: np.ndarray"):
    body = "".join(f"    {line}\n" for line in lines)
    return f'@dp({claim}, neighbors="add-remove", domain=SAMPLES)\ndef step({parameters}):\n{body}'


@pytest.mark.process
@pytest.mark.parametrize("wider", [1.0, 0.999])
def test_a_thousandth_of_the_noise_is_told(tmp_path, wider):
    """Without sampling mu of 100 steps is ten times that of one: a claim of it is tight."""
    source = claimed("mu=5.0, steps=100", f"return batch.sum() + rng.normal(0.0, {2.0 * wider})")
    found = outcome(tmp_path, source)
    assert isinstance(found, Overspent if wider < 1 else NotOverspent)
    assert found.spend.apart == pytest.approx(0.5 / wider, rel=1e-9)


@pytest.mark.process
def test_the_seed_of_the_audit_does_not_change_what_is_found(tmp_path):
    source = claimed("mu=5.0, steps=100", "return batch.sum() + rng.normal(0.0, 1.7)")
    found = [outcome(tmp_path, source, seed=seed).spend for seed in (1, 2)]
    assert found[0].apart == pytest.approx(found[1].apart, rel=1e-9) == pytest.approx(1 / 1.7, rel=1e-9)


NOT_UNDERSTOOD = {
    "seeded": ["return batch.sum() + np.random.default_rng(3).normal()"],
    "laplace": ["return batch.sum() + rng.laplace()"],
    "square": ["return (batch.sum() + rng.normal()) ** 2"],
    "noise_decides": ["noise = rng.normal(size=2)", "return batch.sum() + noise[0] if noise[1] > 0 else 0.0"],
    "count_by_noise": ["while rng.normal() < 0:", "    pass", "return batch.sum() + rng.normal()"],
    "own_sampling": ["return batch[rng.random(len(batch)) < 0.5].sum() + rng.normal()"],
}


@pytest.mark.process
@pytest.mark.parametrize("name", NOT_UNDERSTOOD)
def test_what_is_no_sum_of_normal_noise_is_said_not_to_be_understood(tmp_path, name):
    found = outcome(tmp_path, claimed("epsilon=0.1, delta=1e-5, steps=10", *NOT_UNDERSTOOD[name]))
    assert isinstance(found, Untestable)
    assert found.reason.startswith("what a step releases is")


@pytest.mark.process
def test_numbers_that_share_their_noise_tell_more_than_each_of_them(tmp_path):
    """A + z and B + z have the difference A - B, which no noise is in."""
    lines = ["noise = rng.normal(0.0, 9.0)", "return batch.sum() + noise, np.abs(batch).sum() + noise"]
    found = outcome(tmp_path, claimed("mu=5.0, steps=1", *lines))
    assert isinstance(found, Overspent)
    assert found.spend.apart == math.inf


@pytest.mark.process
def test_correlated_noise_is_accounted_as_a_whole(tmp_path):
    """(x + a + b, b) tells x + a: a sample of 1 over noise of 0.5, though x + a + b alone has noise of sqrt(9.25)."""
    lines = ["a, b = rng.normal(0.0, 0.5), rng.normal(0.0, 3.0)", "return batch.sum() + a + b, b"]
    found = outcome(tmp_path, claimed("mu=1.0, steps=1", *lines))
    assert isinstance(found, Overspent)
    assert found.spend.apart == pytest.approx(2.0, rel=1e-6)


@pytest.mark.process
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("factor", [1 + 1e-6, 0.98])
def test_noise_that_is_mixed_is_accounted_by_what_it_was(tmp_path, seed, factor):
    """A matrix of full rank, behind the noise, changes nothing: a sample moves by 2, over noise of 3, in 5 steps."""
    chance = np.random.default_rng(seed)
    matrix = chance.normal(size=(5, 3)) * np.exp(3 * chance.normal(size=(5, 1)))
    direction = chance.normal(size=3)
    move = 2 * direction / np.linalg.norm(direction)
    lines = [
        f"matrix, move = np.array({matrix.tolist()}), np.array({move.tolist()})",
        "return matrix @ (batch.sum() * move + rng.normal(0.0, 3.0, 3))",
    ]
    found = outcome(tmp_path, claimed(f"mu={factor * 2 / 3 * math.sqrt(5)}, steps=5", *lines))
    assert isinstance(found, Overspent if factor < 1 else NotOverspent)
    assert found.spend.apart == pytest.approx(2 / 3, rel=1e-5)
    assert found.spend.dims == 3


@pytest.mark.process
def test_the_last_of_many_numbers_is_looked_at(tmp_path):
    """Events look at 4,096 numbers of an output; here the noise is too narrow in number 6,000 alone."""
    lines = ["widths = np.ones(6_000)", "widths[-1] = 0.5"]
    lines += ["return np.full(6_000, batch.sum() / np.sqrt(6_000)) + rng.normal(0.0, widths)"]
    found = outcome(tmp_path, claimed("mu=1.0, steps=1", *lines), max_runs=100)
    assert isinstance(found, Overspent)
    assert found.spend.apart == pytest.approx(math.sqrt((5_999 + 4) / 6_000), rel=1e-9)


@pytest.mark.process
def test_what_changes_by_itself_refutes_nothing(tmp_path):
    """It counts its calls, by tens, and releases that."""
    lines = ["CALLS.append(1)", "return batch.sum() + rng.normal(0.0, 1.0), len(CALLS) // 10"]
    source = "CALLS = []\n\n\n" + claimed("mu=1.0, steps=1", *lines)
    assert not isinstance(outcome(tmp_path, source), Overspent)


@pytest.mark.process
def test_single_precision_is_no_distance(tmp_path):
    """Weights of a million in single precision are rounded by 0.06, which is not put down to the sample."""
    lines = ["weights = np.float32(1e6) + np.zeros(50, np.float32)"]
    lines += ["return weights + np.float32(batch.sum()) * 0 + rng.normal(0.0, 1.0, 50).astype(np.float32)"]
    found = outcome(tmp_path, claimed("mu=0.01, steps=1", *lines))
    assert not isinstance(found, Overspent)


@pytest.mark.process
def test_an_exception_for_some_batches_is_seen(tmp_path):
    lines = ["if len(batch) > 6:", "    raise ValueError", "return batch.sum() + rng.normal(0.0, 2.0)"]
    found = outcome(tmp_path, claimed("mu=5.0, steps=1", *lines))
    assert isinstance(found, Overspent)
    assert (found.spend.apart, found.pair.differences) == (math.inf, ("the output has another form",))


@pytest.mark.process
def test_other_numbers_of_draws_on_either_side_are_no_matter_by_themselves(tmp_path):
    """As many draws as there are samples, scaled so that their sum always has one law: nothing is told by that."""
    lines = ["count = len(batch) + 1", "return batch.sum() + rng.normal(0.0, 2.0 / np.sqrt(count), count).sum()"]
    found = outcome(tmp_path, claimed("mu=0.5, steps=1", *lines))
    assert isinstance(found, NotOverspent)
    assert found.spend.apart == pytest.approx(0.5, rel=1e-6)
    assert isinstance(outcome(tmp_path, claimed("mu=0.45, steps=1", *lines)), Overspent)


@pytest.mark.process
def test_a_claim_over_parameters_is_tested_at_each_of_its_values(tmp_path):
    lines = ["return batch.sum() + rng.normal(0.0, 10.0 / epsilon if epsilon < 1 else 0.1)"]
    source = claimed('epsilon="epsilon", delta=1e-3, steps=1', *lines, parameters="rng, batch: np.ndarray, epsilon")
    assert isinstance(outcome(tmp_path, source, epsilons=(0.2,)), NotOverspent)
    assert isinstance(outcome(tmp_path, source, epsilons=(0.2, 1.5)), Overspent)


@pytest.mark.process
def test_steps_of_networks(tmp_path):
    pytest.importorskip("torch")
    targets = read_fixtures("torch_steps")
    found = {name: outcome_of(target, max_runs=None, budget=3.0) for name, target in targets.items()}
    assert {name for name, one in found.items() if isinstance(one, Overspent)} == {
        "short_noise_convolutional", "actual_size_transformer", "batch_gradient_convolutional",
    }  # fmt: skip
    assert all(isinstance(one, Overspent | NotOverspent) for one in found.values())
    assert found["short_noise_convolutional"].spend.apart == pytest.approx(1.3, rel=1e-4)
    assert found["right_transformer"].spend.apart == pytest.approx(1 / 1.1, rel=1e-3)
    assert found["actual_size_transformer"].spend.ratio == pytest.approx(4 / 3, rel=1e-4)


JAX_STEPS = {
    "right": 1.0, "right_tree": 1.0, "right_mapped": 1.0,
    "short_noise": 1.3 / 1.1, "actual_size": None, "same_key": math.inf, "batch_gradient": None,
}  # fmt: skip
"""How far apart a sample moves them, None where the search may end anywhere."""


@pytest.mark.process
@pytest.mark.parametrize("name", JAX_STEPS)
def test_steps_of_jax(name):
    pytest.importorskip("jax")
    found = outcome_of(read_fixtures("jax_steps")[name], max_runs=200, budget=20.0)
    assert isinstance(found, NotOverspent if name.startswith("right") else Overspent)
    if JAX_STEPS[name] is not None:
        assert found.spend.apart == pytest.approx(JAX_STEPS[name], rel=1e-2)
        assert found.spend.apart <= JAX_STEPS[name] * (1 + 1e-6)
    if name == "actual_size":  # one of n + 1 samples is left out, or comes in
        ratio = min(found.spend.ratio, 1 / found.spend.ratio)
        assert 1 / (1 - ratio) == pytest.approx(round(1 / (1 - ratio)), abs=1e-2)
