"""What is said of a call that makes an engine, in six shapes of code; and that nothing is said of other engines."""

from pathlib import Path

import pytest

from dplint.check.engine_notes import engine_notes
from dplint.config import Settings

HEAD = """
import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader, Subset, TensorDataset
from torchvision import datasets

EPOCHS = 10
RECORDS = 60_000
"""
FUNCTION = """
def train(model, labels, epochs=3):
    dataset = TensorDataset(torch.randn(RECORDS, 28), labels)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(dataset, batch_size=256)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    for epoch in range(epochs):
        for features, targets in loader:
            model(features).backward()
            optimizer.step()
    return engine.get_epsilon(delta=1e-5)
"""
SCRIPT = """
def one_epoch(model, loader, optimizer):
    for step, (features, targets) in enumerate(loader):
        model(features).backward()
        optimizer.step()

def main():
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(datasets.MNIST("data", train=True), batch_size=256)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    for epoch in range(1, EPOCHS + 1):
        one_epoch(model, loader, optimizer)
        print(engine.get_epsilon(delta=1e-5))

if __name__ == "__main__":
    main()
"""
TRAINER = """
class Trainer:
    def __init__(self, model, dataset):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.engine = PrivacyEngine()
        self.model, self.optimizer, self.loader = self.engine.make_private(
            module=model, optimizer=optimizer, noise_multiplier=1.1, max_grad_norm=1.0,
            data_loader=DataLoader(Subset(dataset, range(RECORDS)), batch_size=256),
        )

    def fit(self, epochs: int = EPOCHS):
        for epoch in range(10):
            self.epoch()
        return self.engine.get_epsilon(delta=1e-5)

    def epoch(self):
        for features, targets in self.loader:
            self.model(features).backward()
            self.optimizer.step()
"""


def notes(source, head=HEAD):
    return [text for _, text in engine_notes(Path("/project/training.py"), head + source, Settings())]


EPSILON_OF_TEN = (0.91752, 0.9186)
"""dp-accounting 0.6: 2,350 steps of noise 1.1, sampled at 1/235; above, the most that rounding to thousandths adds."""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FUNCTION.replace("=3", "=10"), "2,350 steps at rate 1/235, with epochs = 10 (Poisson sampling)."),
        (SCRIPT, "2,350 steps at rate 1/235 (Poisson sampling)."),
        (TRAINER, "2,350 steps at rate 1/235, in one call of `Trainer.fit` (Poisson sampling)."),
        (FUNCTION.replace("range(epochs)", "range(EPOCHS)"), "2,350 steps at rate 1/235 (Poisson sampling)."),
        (FUNCTION.replace("range(epochs)", "range(RECORDS // 6000)"), None),
    ],
    ids=["function", "script", "class", "constant", "not understood"],
)
def test_the_epsilon_of_ten_epochs(text, words):
    (note,) = notes(text)

    if words is None:
        assert note.startswith("What this engine spends is not known. line ")
        assert "epsilon" not in note
        return
    low, high = EPSILON_OF_TEN
    assert note.startswith("Epsilon 0.91")
    assert low <= float(note.split()[1]) <= high
    assert "at most for delta 1e-05: noise multiplier 1.1, " in note
    assert note.endswith(words)


def test_a_delta_that_nobody_asks_for_is_an_example():
    (note,) = notes(FUNCTION.replace("engine.get_epsilon(delta=1e-5)", "model"))

    assert "for delta 1e-05" in note
    assert note.endswith("; the source asks for no delta (Poisson sampling).")
    (note,) = notes(FUNCTION.replace("delta=1e-5", "delta=1e-7"))
    assert "for delta 1e-07" in note
    assert "the source asks" not in note


def test_a_default_that_divides_by_nothing_is_no_number():
    text = FUNCTION.replace("epochs=3", "epochs=3, part=0").replace("noise_multiplier=1.1", "noise_multiplier=1 / part")
    (note,) = notes(text)

    assert "its noise multiplier is not known in numbers" in note


def test_epochs_from_an_argument_are_its_default_and_else_named():
    (default,) = notes(FUNCTION)
    assert "705 steps at rate 1/235, with epochs = 3 " in default
    (note,) = notes(FUNCTION.replace("epochs=3", "epochs"))
    assert "how much `235 * epochs` is" in note


def test_a_number_of_records_that_is_not_known_is_asked_for():
    (note,) = notes(FUNCTION.replace("TensorDataset(torch.randn(RECORDS, 28), labels)", "read(labels)"))

    assert "how many batches the loader has is not known, and so are rate and steps" in note
    assert "the number of records has to be written in the file, or as `size` in the claim" in note


def test_without_poisson_sampling_an_epoch_is_one_normal_mechanism():
    """Three of mu 1/1.1 are one of mu 1.5746: epsilon 7.474 by the formula of Balle and Wang (ICML 2018, theorem 8)."""
    (note,) = notes(FUNCTION.replace("max_grad_norm", "poisson_sampling=False, max_grad_norm"))

    assert note.startswith("Without Poisson sampling the bound by sampling does not hold")
    assert "left blank in its place" in note
    assert "epsilon 7.474 at most for delta 1e-05: noise multiplier 1.1, 3 epochs, with epochs = 3." in note


def test_a_target_is_told_as_it_is():
    asked = "target_epsilon=3.5, target_delta=1e-6, epochs=epochs"
    text = FUNCTION.replace("make_private", "make_private_with_epsilon").replace("noise_multiplier=1.1", asked)

    assert notes(text) == [
        "Epsilon 3.5 at most for delta 1e-06: the target of its noise, for `3` epochs, with epochs = 3 "
        "(Poisson sampling)."
    ]
    (more,) = notes(text.replace("range(epochs)", "range(4)"))
    assert "its target is for `3` epochs, and whether `4` are no more is not known" in more


def test_the_dearest_call_is_told_and_one_that_is_not_known_before_it():
    calls = "\nfirst = train(torch.nn.Linear(2, 2), [], 3)\nsecond = train(torch.nn.Linear(2, 2), [], 10)\n"
    (note,) = notes(FUNCTION + calls)
    assert "2,350 steps" in note
    (note,) = notes(FUNCTION.replace("=3", "") + calls + "third = train(1, [], first)\n")
    assert note.startswith("What this engine spends is not known.")


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace("from opacus import", "from mine import"),
        HEAD.replace("from opacus import PrivacyEngine", "class PrivacyEngine:\n    pass"),
        HEAD.replace("from opacus import PrivacyEngine", ""),
    ],
    ids=["another library", "a class", "nothing"],
)
@pytest.mark.parametrize("text", [FUNCTION, SCRIPT, TRAINER], ids=["function", "script", "class"])
def test_nothing_is_said_of_an_engine_that_is_not_opacus(head, text):
    assert notes(text, head) == []


def test_a_text_that_does_not_parse_has_no_notes():
    assert notes(FUNCTION + "def (") == []


def test_what_a_claim_says_is_taken_over():
    of_data = 'neighbors="add-remove", data="labels", domain=(0, 1), size=6000'
    claim = f'@dp(epsilon=1.0, delta=1e-6, {of_data}, args={{"epochs": 2}})\n'
    text = FUNCTION.replace("def train", claim + "def train").replace("DataLoader(dataset", "DataLoader(labels")
    (note,) = notes(text, HEAD + "from dplint import dp\n")

    assert "for delta 1e-06: noise multiplier 1.1, 48 steps at rate 1/24, with epochs = 2" in note
