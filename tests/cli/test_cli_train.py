"""`dplint train` as users see it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from dplint.cli import main

SOURCE = """
import numpy as np

from dplint import dp

CLICKS = {"item": (0, 499), "clicked": [1]}
GENERATOR = np.random.default_rng()


def total(data):
    return np.bincount(data[:, 0].astype(int), data[:, 1], 500)


@dp(mu=0.3, neighbors="add-remove", domain=CLICKS)
def right(rng, data: np.ndarray, steps=9):
    for _ in range(steps):
        yield total(data) + rng.normal(0.0, 10.0, 500)


@dp(mu=0.3, neighbors="add-remove", domain=CLICKS)
def wrong(rng, data: np.ndarray):
    return {"weights": total(data) + rng.normal(0.0, 0.5, 500)}


@dp(epsilon=0.5, delta=1e-5, neighbors="add-remove", domain=CLICKS)
def noisy(data: np.ndarray):
    return [total(data) + GENERATOR.normal(0.0, 0.6, 500)]


@dp(epsilon=1.0, neighbors="add-remove", domain=CLICKS)
def counted(rng, data: np.ndarray):
    return len(data) + rng.laplace()


@dp(mu=1.0, neighbors="replace-one", domain=CLICKS)
def replacing(rng, data: np.ndarray):
    return total(data) + rng.normal(0.0, 1.0, 500)


def batches():
    yield np.zeros((1, 2)), np.zeros((2, 2))


@dp(mu=1.0, neighbors=batches)
def by_pairs(rng, data: np.ndarray):
    return {"weights": total(data) + rng.normal(0.0, 0.2, 500)}


@dp(mu=1.0, neighbors="add-remove", domain=CLICKS)
def raising(rng, data: np.ndarray):
    yield total(data)
    raise RuntimeError("out of luck")


@dp(mu=1.0, neighbors="add-remove", domain=CLICKS)
def thresholded(rng, data: np.ndarray):
    noisy = total(data) + rng.normal(0.0, 1.0, 500)
    return np.where(noisy > 5.0, 1.0, 0.0)


@dp(mu=1.0, steps=400, neighbors="add-remove", domain=(-1.0, 1.0))
def step(batch: np.ndarray):
    return batch.sum() + GENERATOR.normal(0.0, 1.0)
"""
OWN = """
import numpy as np


def records():
    return np.zeros((3, 2))


def canaries():
    for item in range(0, 500, 2):
        yield [item, 1]


def as_array():
    return np.array(list(canaries()))


def score(model, canary):
    return model["weights"][canary[0]]


def failing(model, canary):
    return model["biases"]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trainings.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    return tmp_path


def trained(capsys, name, *options):
    """The exit code, and the document."""
    code = main(["train", f"trainings.py::{name}", "--format", "json", "--seed", "1", *options])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.process
def test_a_training_with_a_fraction_of_its_noise_is_refuted(module, capsys):
    """mu is 2, and 0.3 is claimed."""
    code, document = trained(capsys, "wrong")
    found = document["training"]
    assert (code, found["refutes"], found["code"], found["whole"]) == (1, True, "DP916", True)
    assert 0.3 < found["mu_lower"] < 2.0
    assert found["canaries"] + found["left_out"] == 500
    assert [look["releases"] for look in found["looks"]] == [1]


@pytest.mark.process
def test_a_right_one_is_not_refuted_and_not_called_private(module, capsys):
    assert main(["train", "trainings.py::right", "--seed", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "at least, with 95% confidence: 0.3 claimed: not refuted" in said
    assert "a lower bound: what was not told by these canaries may be told by others" in said
    assert "private" not in said
    assert "prove" not in said


@pytest.mark.process
def test_what_is_yielded_is_looked_at_on_the_way(module, capsys):
    """After 1, 2, 4 and 8 releases and at the end, each look at a level of its own."""
    _, document = trained(capsys, "right", "--plot", "bound.svg")
    assert [look["releases"] for look in document["training"]["looks"]] == [1, 2, 4, 8, 9]
    drawing = ET.parse(module / "bound.svg").getroot()
    assert "0.3 claimed" in "".join(drawing.itertext())


@pytest.mark.process
def test_a_claim_in_epsilon_is_held_against_what_holds_for_any_noise(module, capsys):
    """mu is 1.67, which is epsilon = 8 with this delta; what follows from normal noise is told, and used on demand."""
    _, document = trained(capsys, "noisy")
    free = document["training"]
    code, document = trained(capsys, "noisy", "--normal")
    assert free["epsilon_lower"] < free["normal_epsilon_lower"] < 8.1
    assert (code, document["training"]["refutes"]) == (1, True)
    assert free["refutes"] == (free["epsilon_lower"] > 0.5)


@pytest.mark.process
def test_canaries_of_the_project_that_it_scores(module, capsys):
    own = ("--canaries", "own:canaries", "--records", "own:as_array", "--score", "own:score")
    code, document = trained(capsys, "wrong", *own)
    assert code == 2
    assert "the training raised TypeError" in document["results"][0]["message"]  # it takes an array, and no list

    code, document = trained(capsys, "wrong", "--canaries", "own:as_array", "--records", "own:records", *own[4:])
    found = document["training"]
    assert (code, found["canaries"], found["learnt"], found["left_out"]) == (1, 250, False, 0)


@pytest.mark.process
def test_a_claim_with_pairs_of_its_own_takes_canaries_that_are_named(module, capsys):
    code, document = trained(capsys, "by_pairs", "--canaries", "own:as_array", "--records", "own:records")
    assert (code, document["training"]["canaries"]) == (1, 250)
    assert "a neighbour function of its own" in " ".join(document["training"]["notes"])


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("replacing", (), "canaries are records that are added or not"),
        ("by_pairs", (), "nothing says which records could be canaries"),
        ("counted", (), "do not hide each other, which is too few"),
        ("thresholded", (), "no canary moves what is released without noise"),
        ("raising", (), "the training raised RuntimeError: out of luck"),
        ("wrong", ("--canaries", "own:as_array", "--score", "own:failing"), "the score raised KeyError"),
        ("wrong", ("--canaries", "own:missing"), "'own:missing', which --canaries names, is not to be found"),
    ],
)
def test_where_there_is_no_bound_the_reason_is_told(module, capsys, name, options, why):
    code, document = trained(capsys, name, *options)
    assert (code, document["training"]) == (2, None)
    assert why in document["results"][0]["message"]


@pytest.mark.process
def test_steps_have_coins_of_their_own(module, capsys):
    """mu of a step is 1, so that of 400 without sampling it is 20, where 1 is claimed. The generator is the module's:
    were its noise the same in each step, all guesses would be right or wrong alike.
    """
    code, document = trained(capsys, "step", "--normal")
    found = document["training"]
    assert (code, found["canaries"], found["looks"][-1]["releases"]) == (1, 1, 400)
    assert 0.5 < found["mu_lower"] < 1.0
    right, made = found["looks"][-1]["right"][1], found["looks"][-1]["made"][1]
    assert 0.6 < right / made < 0.78  # Phi(1 / 2) = 0.69


@pytest.mark.process
def test_the_seed_decides_all(module, capsys):
    first, again, other = (trained(capsys, "wrong", "--seed", seed)[1]["training"]["looks"] for seed in ("3", "3", "4"))
    assert first == again != other
