"""What an engine of Opacus spends, in the budget of a function that bears a claim: read, and nothing is imported."""

import pytest

from dplint.contracts.tree import Standing
from tests.contracts.budgets import budgets_of

HEAD = """
import torch
from opacus import PrivacyEngine
from opacus.utils.batch_memory_manager import BatchMemoryManager
from torch.utils.data import DataLoader
from tqdm import tqdm
from dplint import dp

@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def count(rng, rows, epsilon):
    return len(rows) + rng.laplace(scale=1 / epsilon)

@dp(epsilon=EPSILON, delta=1e-5, neighbors="NEIGHBORS", data="dataset", domain=(0, 1), size=60000, args={"epochs": 10})
def train(dataset, model, loss_function, epochs, rng=None):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(dataset, batch_size=256, shuffle=True)
    engine = PrivacyEngine()
"""
MADE = """
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
"""
LOOP = """
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss_function(model(features), labels).backward()
            optimizer.step()
    return model.state_dict()
"""


def train(tmp_path, body, epsilon=1.0, neighbors="add-remove", head=HEAD):
    path = tmp_path / "training.py"
    path.write_text(head.replace("EPSILON", str(epsilon)).replace("NEIGHBORS", neighbors) + body)
    return budgets_of(path)["train"]


def test_the_steps_of_an_engine_are_compared_with_the_claim(tmp_path):
    """60,000 records in batches of 256 are 235 batches, the last one short. The reference is dp-accounting's.

    `PLDAccountant` of dp-accounting 0.6 has epsilon 0.91752 for 2,350 Gaussian steps of noise 1.1 sampled at 1/235.
    """
    found = train(tmp_path, MADE + LOOP)
    part = found.tree

    assert found.standing is Standing.WITHIN
    assert part.name == "make_private"
    assert part.remark == "noise multiplier 1.1, 2,350 steps at rate 1/235, with epochs = 10"
    assert 0.91752 <= float(part.epsilon.value) <= 0.9186
    assert str(part.delta) == "1e-05"
    assert train(tmp_path, MADE + LOOP, epsilon=0.9).standing is Standing.UNDECIDED


def test_an_engine_and_another_part_are_composed(tmp_path):
    """0.918 and 0.5 are within 1.42; together they spend more than the engine does by itself."""
    both = MADE + LOOP.replace("return model.state_dict()", "return model.state_dict(), count(rng, dataset, 0.5)")

    assert train(tmp_path, both, epsilon=1.42).standing is Standing.WITHIN
    assert train(tmp_path, both, epsilon=0.95).standing is Standing.UNDECIDED


TARGET = MADE.replace("make_private", "make_private_with_epsilon").replace(
    "noise_multiplier=1.1", "target_epsilon=3.0, target_delta=1e-5, epochs=EPOCHS"
)


def test_a_target_counts_as_what_it_is(tmp_path):
    assert train(tmp_path, TARGET.replace("EPOCHS", "epochs") + LOOP, epsilon=3.0).standing is Standing.WITHIN
    assert train(tmp_path, TARGET.replace("EPOCHS", "12") + LOOP, epsilon=3.0).standing is Standing.WITHIN
    assert train(tmp_path, TARGET.replace("EPOCHS", "10") + LOOP, epsilon=2.9).standing is Standing.UNDECIDED
    more = train(tmp_path, TARGET.replace("EPOCHS", "9") + LOOP, epsilon=3.0)
    assert more.standing is Standing.UNDECIDED
    assert "its target is for `9` epochs, and whether `10` are no more" in more.unclear[0].reason


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (MADE + LOOP.replace("range(epochs)", "range(9)"), "2,115 steps at rate 1/235"),
        (MADE + LOOP.replace("range(epochs)", "range(1, epochs + 1)"), "2,350 steps"),
        (MADE + LOOP.replace("in loader", "in tqdm(loader)"), "2,350 steps"),
        (MADE.replace("loader = engine", "private = engine") + LOOP.replace("in loader", "in private"), "2,350 steps"),
        (
            MADE.replace("model, optimizer, loader =", "made =") + "    model, optimizer, loader = made\n" + LOOP,
            "2,350",
        ),
        (
            MADE
            + LOOP.replace(
                "        for features, labels in loader:",
                "        with BatchMemoryManager(data_loader=loader, optimizer=optimizer) as few:"
                "\n          for features, labels in few:",
            ),
            "2,350 steps",
        ),
        (MADE + LOOP + LOOP.replace("return", "return 1,"), "2,350 steps"),
        (MADE + LOOP.partition("    return")[0] + LOOP, "4,700 steps"),
        (MADE.replace("noise_multiplier=1.1", "noise_multiplier=2") + LOOP, "noise multiplier 2,"),
    ],
)
def test_steps_are_counted_by_the_loops_around_them(tmp_path, body, words):
    found = train(tmp_path, body, epsilon=2.0)

    assert not found.unclear
    assert words in found.tree.remark


@pytest.mark.parametrize(
    "body",
    [
        MADE
        + LOOP.replace(
            ".backward()",
            ".backward()\n            for raw in DataLoader(dataset, 8):\n                model(raw).backward()",
        ),
        MADE + LOOP.replace("model(features)", "model(dataset)"),
        "    kept = []\n"
        + MADE
        + LOOP.replace("model(features)", "model(kept[0])").replace(
            "optimizer.zero", "kept.append(features)\n            optimizer.zero"
        ),
        "    kept = 0\n"
        + MADE
        + LOOP.replace("model(features)", "model(kept)").replace(
            "optimizer.step()", "optimizer.step()\n            kept = features"
        ),
        MADE + "    for early, _ in loader:\n        pass\n" + LOOP.replace("model(features)", "model(early)"),
        MADE + LOOP.replace("optimizer.step()", "optimizer.step()\n            model(features).sum().backward()"),
    ],
    ids=["another loader", "all data", "kept in a list", "kept by name", "an earlier loop", "behind the step"],
)
def test_a_step_pays_for_its_own_batch_alone(tmp_path, body):
    """A record of another batch would be in the step with certainty, or twice."""
    found = train(tmp_path, body, epsilon=50.0)

    assert found.standing is Standing.UNDECIDED
    assert any("not of the batch of the next step" in one.reason for one in found.unclear), found.unclear


STEP = "            optimizer.step()\n"
BACKWARD = "            loss_function(model(features), labels).backward()\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (MADE + LOOP.replace(STEP, 2 * STEP), "one plain step for each batch"),
        (MADE + LOOP.replace(STEP, "            if epochs > 3:\n    " + STEP), "one plain step for each batch"),
        (MADE + LOOP.replace(STEP, "            for _ in (1, 2):\n    " + STEP), "one plain step for each batch"),
        (
            MADE + LOOP.replace(BACKWARD, "            if features.isnan():\n                continue\n"),
            "one plain step",
        ),
        (MADE + LOOP.replace("step()", "step(lambda: 1)"), "one plain step"),
        (
            MADE + LOOP.replace("for features, labels in loader:", "for features, labels in [next(loader)]:"),
            "plain step",
        ),
        (MADE + LOOP.replace(STEP, "            loss_function.advance(optimizer)\n"), "may make steps of its own"),
        (MADE + LOOP.replace(STEP, STEP + "            [optimizer].pop().step()\n"), "may make steps of its own"),
        (MADE.replace("model, optimizer, loader =", "model, private, loader =") + LOOP, "may make steps of its own"),
        (MADE + "    optimizer.noise_multiplier = 0.1\n" + LOOP, "its optimizer is changed by hand"),
        (
            MADE + LOOP.replace(STEP, "            optimizer.signal_skip_step()\n" + STEP),
            "what `signal_skip_step` makes",
        ),
        (MADE + LOOP.replace(STEP, ""), "no step of its optimizer is seen"),
        (MADE + LOOP.replace("range(epochs)", "iter(range, 3)"), "how often the loops around its steps turn"),
        (MADE + LOOP.replace("range(epochs)", "range(loss_function)"), "how much `"),
        (MADE.replace("noise_multiplier=1.1", "noise_multiplier=loss_function") + LOOP, "its noise multiplier"),
        (MADE.replace("noise_multiplier=1.1", "noise_multiplier=0") + LOOP, "its noise multiplier"),
        (MADE.replace("max_grad_norm", "poisson_sampling=False, max_grad_norm") + LOOP, "without Poisson sampling"),
        (MADE.replace("max_grad_norm", "noise_generator=rng, max_grad_norm") + LOOP, "noise is that of a generator"),
        (MADE.replace("noise_multiplier=1.1", "noise_multiplier=len(dataset)") + LOOP, "depends on the data"),
        ("    loader = DataLoader(dataset, batch_size=rng)\n" + MADE + LOOP, "how many batches the loader has"),
        ("    loader = DataLoader(dataset, 256, sampler=rng)\n" + MADE + LOOP, "how many batches the loader has"),
        ("    loader = DataLoader([r + dataset[0] for r in dataset], 256)\n" + MADE + LOOP, "how far the data"),
        ("    loader = rng.batches(dataset)\n" + MADE + LOOP, "how far the data of the loader moves"),
    ],
)
def test_what_is_not_known_is_named(tmp_path, body, words):
    found = train(tmp_path, body, epsilon=50.0)

    assert found.standing is Standing.UNDECIDED
    assert any(words in one.reason for one in found.unclear), found.unclear


@pytest.mark.parametrize(
    "body",
    [
        MADE + LOOP.replace("model.state_dict()", "model.state_dict(), [p.grad for p in model.parameters()]"),
        MADE + LOOP.replace("model.state_dict()", "[getattr(p, 'grad') for p in model.parameters()]"),
        MADE + LOOP.replace("model.state_dict()", "optimizer.summed_grad"),
        MADE + LOOP.replace("return model.state_dict()", "return features"),
        MADE + LOOP.replace("return model.state_dict()", "return model(dataset)"),
        MADE + LOOP.replace("return model.state_dict()", "return next(iter(loader))"),
        MADE + LOOP.replace(BACKWARD, BACKWARD + "            model.last = features\n"),
        MADE + LOOP.replace(BACKWARD, BACKWARD + "            model.load_state_dict(features)\n"),
        "    losses = []\n"
        + MADE
        + LOOP.replace(BACKWARD, "            losses.append(loss_function(model(features), labels))\n").replace(
            "model.state_dict()", "losses"
        ),
        "    loss_function.fit(model, dataset)\n" + MADE + LOOP,
        "    plain = model\n" + MADE + LOOP.replace(BACKWARD, "            plain.fit(features)\n"),
        MADE
        + LOOP.replace("return model", "for batch in DataLoader(dataset, 8):\n        model(batch)\n    return batch"),
    ],
)
def test_what_the_engine_does_not_pay_for_is_not_within(tmp_path, body):
    assert train(tmp_path, body, epsilon=50.0).standing is Standing.UNDECIDED


def test_what_the_claim_does_not_allow_for(tmp_path):
    """An engine counts records that come and go, and has a delta; the size of the data is the claim's."""
    replaced = train(tmp_path, MADE + LOOP, neighbors="replace-one", epsilon=50.0)
    assert "records that are added or removed, not 'replace-one'" in replaced.unclear[0].reason
    pure = train(tmp_path, MADE + LOOP, epsilon=50.0, head=HEAD.replace("delta=1e-5, neighbors", "neighbors"))
    assert "epsilon and a delta" in pure.unclear[0].reason
    unsized = train(tmp_path, MADE + LOOP, epsilon=50.0, head=HEAD.replace("size=60000, ", ""))
    assert "how many batches the loader has is not known" in unsized.unclear[0].reason
    any_number = train(tmp_path, MADE + LOOP, epsilon=50.0, head=HEAD.replace(', args={"epochs": 10}', ""))
    assert "how much `235 * epochs` is" in any_number.unclear[0].reason


def test_nothing_is_said_of_an_engine_that_is_not_opacus(tmp_path):
    found = train(tmp_path, MADE + LOOP, epsilon=50.0, head=HEAD.replace("from opacus import", "from mine import"))

    assert not any("engine" in one.reason for one in found.unclear)
    assert found.standing is Standing.LEAF


def test_an_engine_on_public_data_spends_nothing(tmp_path):
    body = MADE.replace("data_loader=loader", "data_loader=DataLoader(rng, 8)") + LOOP.replace("in loader", "in rng")

    assert train(tmp_path, body).standing is Standing.LEAF


def test_a_number_of_batches_is_rounded_as_the_loader_does(tmp_path):
    """59,904 of 60,000 records fill 234 batches of 256: `drop_last` leaves the rest out, and the rate is larger."""
    dropped = train(tmp_path, "    loader = DataLoader(dataset, 256, drop_last=True)\n" + MADE + LOOP)

    assert "2,340 steps at rate 1/234" in dropped.tree.remark
