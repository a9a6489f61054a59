"""`dplint inspect loss`: the smallest epsilon of a function that claims nothing."""

import json

import pytest

from dplint.main import main

BARE = """import numpy as np


def total(rng, value: float):
    return value + rng.laplace(scale=4.0)


def scaled(rng, counts, epsilon):
    return [count + rng.laplace(scale=0.5 / epsilon) for count in counts]


def raw(rng, counts, epsilon):
    return counts[0]
"""


@pytest.fixture
def bare(tmp_path, monkeypatch):
    (tmp_path / "bare.py").write_text(BARE)
    monkeypatch.chdir(tmp_path)


def answer(capsys, *arguments):
    code = main(["inspect", "loss", *arguments, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)["results"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("function", "relation", "least"),
    [("total", "l1", 0.25), ("scaled", "l1", 2.0)],  # 1 over the scale, in multiples of 1 or of epsilon
)
def test_the_smallest_epsilon_is_found_and_proved(bare, capsys, function, relation, least):
    code, (result,) = answer(capsys, f"bare.py::{function}", "--neighbors", relation)

    assert (code, result["verdict"]) == (0, "proved")
    claimed = result["claim"]["epsilon"]
    times = claimed if isinstance(claimed, float) else eval(claimed, {"epsilon": 1.0})
    assert times * result["spend"]["high"] == pytest.approx(least, rel=1e-3)
    assert result["spend"]["tight"]


@pytest.mark.process
def test_nothing_is_proved_of_data_without_noise(bare, capsys):
    code, (result,) = answer(capsys, "bare.py::raw", "--neighbors", "linf")

    assert (code, result["verdict"], result["spend"]["low"]) == (2, "violation", "inf")


def test_a_domain_that_is_no_literal_is_a_usage_error(bare, capsys):
    assert main(["inspect", "loss", "bare.py::total", "--neighbors", "l1", "--domain", "(0, x)"]) == 2
    assert "no Python literal" in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize(
    ("function", "relation", "claim"),
    # 1 over the scale of 4. Under linf any number of counts may move: no multiple of epsilon is for every length.
    [
        ("total", "l1", "proved for all neighbours: ε = 0.25,"),
        pytest.param("scaled", "linf", None, marks=pytest.mark.nightly),
    ],
)
def test_a_picture_has_what_is_computed_and_what_is_proved_for_all(bare, capsys, tmp_path, function, relation, claim):
    more = [] if claim else ["--arg", "epsilon=1.0"]
    code, _ = answer(capsys, f"bare.py::{function}", "--neighbors", relation, *more, "--plot", "delta.svg")

    text = (tmp_path / "delta.svg").read_text(encoding="utf-8")
    assert code == (0 if claim else 2)
    assert "computed: the pair that loses most" in text
    assert claim in text if claim else "proved" not in text


@pytest.mark.process
def test_without_an_exact_delta_there_is_no_picture_and_the_report_is_told(bare, capsys, tmp_path):
    (tmp_path / "odd.py").write_text("import os\n\n\ndef odd(rng, value: float):\n    return os.getpid()\n")
    assert main(["inspect", "loss", "odd.py::odd", "--neighbors", "l1", "--plot", "odd.svg"]) in (1, 2)

    told = capsys.readouterr()
    assert "there is no picture, for no delta can be computed" in told.err
    assert "odd" in told.out
    assert not (tmp_path / "odd.svg").exists()
