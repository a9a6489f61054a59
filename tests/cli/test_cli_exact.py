"""`dplint inspect exact`: the losses of a pair, from the source, compared with the function where it may be run."""

from __future__ import annotations

import json
import math

import pytest

from dplint.cli import main

SOURCE = """
from dplint import dp

IMPORTED = open("imported", "w")


@dp(epsilon="epsilon", neighbors="linf")
def noisy(rng, queries, epsilon, T):
    return queries[0] + rng.laplace(scale=2 / epsilon) > T


@dp(epsilon="epsilon", neighbors="linf")
def rounded(rng, queries, epsilon):
    return round(queries[0] + rng.laplace(scale=1 / epsilon))
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def document(capsys):
    return json.loads(capsys.readouterr().out)


@pytest.mark.process
def test_a_pair_that_is_asked_for(module, capsys):
    """P(1 + X > 1) = 1/2 and P(0 + X > 1) = e**(-epsilon / 2) / 2 for Laplace noise of scale 2 / epsilon."""
    call = [
        "inspect",
        "exact",
        "module.py::noisy",
        "--d1",
        "[1.0]",
        "--d2",
        "[0.0]",
        "--arg",
        "epsilon=0.5",
        "--arg",
        "T=1.0",
    ]
    assert main([*call, "--format", "json", "--static-only"]) == 0
    table = document(capsys)["table"]
    assert (table["d1"], table["d2"]) == ([1.0], [0.0])
    assert table["neighbours"]
    (worst, other) = table["d1_over_d2"]
    assert worst["output"] == "True"
    assert worst["p1"][0] <= 0.5 <= worst["p1"][1]
    low = math.exp(-0.25) / 2
    assert worst["p2"][0] - 1e-15 <= low <= worst["p2"][1] + 1e-15
    assert table["loss"][0] == pytest.approx(0.25, abs=1e-12)
    assert table["loss"][1] - table["loss"][0] < 1e-12
    assert other["loss"][0] == pytest.approx(math.log(0.5 / (1 - low)), abs=1e-12)
    # delta at epsilon = 0 is the total variation
    assert table["deltas"][0]["delta"][0] == pytest.approx(0.5 - low, abs=1e-12)
    assert table["deltas"][-1]["delta"][1] == pytest.approx(0.0, abs=1e-9)
    assert table["not_compared"] == "nothing was run"


@pytest.mark.process
def test_a_table_is_compared_with_the_function_where_that_can_be_run(module, capsys):
    call = [
        "inspect",
        "exact",
        "module.py::noisy",
        "--d1",
        "[1.0]",
        "--d2",
        "[0.0]",
        "--arg",
        "epsilon=0.5",
        "--arg",
        "T=1.0",
    ]
    assert main([*call, "--format", "json"]) == 0
    assert document(capsys)["table"]["not_compared"] == ""  # what is not allowed is left out of the import

    (module / "module.py").write_text(SOURCE.replace('IMPORTED = open("imported", "w")\n', ""), encoding="utf-8")
    assert main([*call, "--format", "json"]) == 0
    assert document(capsys)["table"]["not_compared"] == ""
    assert main(call) == 0
    assert "what is read was compared with the function" in " ".join(capsys.readouterr().out.split())


@pytest.mark.process
def test_the_worst_pair_of_the_claim_as_text(module, capsys):
    assert main(["inspect", "exact", "module.py::noisy", "--arg", "epsilon=0.5", "--arg", "T=1.0"]) == 0
    text = capsys.readouterr().out
    assert "of 0.5 claimed, on this pair" in text
    assert "in exact arithmetic" in " ".join(text.split())


@pytest.mark.process
def test_what_loses_more_than_is_claimed_ends_with_1(module, capsys):
    """Scale 2 / epsilon for a pair whose one answer differs by 3: a loss of 1.5 epsilon on output True in the tail."""
    call = [
        "inspect",
        "exact",
        "module.py::noisy",
        "--d1",
        "[3.0]",
        "--d2",
        "[0.0]",
        "--arg",
        "epsilon=0.5",
        "--arg",
        "T=3.0",
    ]
    assert main(call) == 0
    assert "the claim does not speak of this pair" in " ".join(capsys.readouterr().out.split())


@pytest.mark.process
def test_what_cannot_be_computed_says_why_and_where(module, capsys):
    assert main(["inspect", "exact", "module.py::rounded", "--format", "json"]) == 2
    found = document(capsys)
    assert found["table"] is None
    (result,) = found["results"]
    assert result["verdict"] == "untestable"
    assert "`round` of a noisy value at line 14" in result["message"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--d1", "[1.0]"], "belong together"),
        (["--d1", "[1.0", "--d2", "[2.0]"], "no Python literal"),
        (["--arg", "T"], "NAME=VALUE"),
    ],
)
def test_wrong_usage(module, options, words, capsys):
    assert main(["inspect", "exact", "module.py::noisy", *options]) == 2
    assert words in capsys.readouterr().err
