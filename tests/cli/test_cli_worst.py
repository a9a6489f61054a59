"""`dplint inspect worst`: the input that loses most, from the source alone."""

from __future__ import annotations

import json

import pytest

from dplint.cli import main

SOURCE = """
from dplint import dp

IMPORTED = open("imported", "w")


@dp(epsilon=1.0, neighbors="linf", size=3, domain=(0.0, 10.0))
def gated(rng, values):
    bonus = 2.0 if values[0] > values[1] + 8 else 0.0
    if values[1] < -1:
        return values[1]
    return values[2] + bonus + rng.laplace(scale=1.5)


@dp(epsilon="epsilon", neighbors="linf")
def rounded(rng, queries, epsilon):
    return round(queries[0] + rng.laplace(scale=1 / epsilon))
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.mark.process
def test_the_worst_input_with_its_branches(module, capsys):
    """Behind the lead of 8 the centre moves by 2 + 1, and the noise has scale 1.5: a loss of 2."""
    assert main(["inspect", "worst", "module.py::gated", "--budget", "1s", "--format", "json", "--static-only"]) == 1
    found = json.loads(capsys.readouterr().out)["worst"]
    assert found["loss"][0] == pytest.approx(2.0, abs=1e-9)
    assert found["loss"][1] <= 2.0 + 1e-9
    d1, d2 = found["d1"], found["d2"]
    assert (d1[0] > d1[1] + 8) != (d2[0] > d2[1] + 8)
    assert all(abs(a - b) <= 1 and 0 <= a <= 10 and 0 <= b <= 10 for a, b in zip(d1, d2, strict=True))
    lead, below = found["branches"]
    assert (lead["line"], lead["taken"], lead["told_apart"], lead["impossible"]) == (9, "both", True, [])
    assert (below["line"], below["taken"], below["impossible"]) == (10, "only_false", [True])
    losses = [step["loss"] for step in found["steps"]]
    assert losses == sorted(losses)
    assert found["not_compared"] == "nothing was run"


@pytest.mark.process
def test_what_cannot_be_computed_is_counted(module, capsys):
    """A rounded answer loses its epsilon at most."""
    assert main(["inspect", "worst", "module.py::rounded", "--epsilon", "0.7", "--budget", "1s"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "not computed exactly" in told
    assert "by 100,000 runs on each side with confidence 0.999999, on arrays" in told


@pytest.mark.process
@pytest.mark.parametrize("function", ["gated", "rounded"])
def test_the_worst_input_is_compared_with_the_function(module, capsys, function):
    (module / "module.py").write_text(SOURCE.replace('IMPORTED = open("imported", "w")\n', ""), encoding="utf-8")
    main(["inspect", "worst", f"module.py::{function}", "--budget", "1s", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["worst"]["not_compared"] == ""


@pytest.mark.process
def test_what_is_no_program_is_told(module, capsys):
    (module / "module.py").write_text(
        "from dplint import dp\n\n@dp(epsilon=1.0, neighbors='linf')\ndef f(rng, queries):\n    return open(queries)\n"
    )
    assert main(["inspect", "worst", "module.py::f", "--budget", "1s"]) == 2
    assert "a call of open" in " ".join(capsys.readouterr().out.split())


def test_a_file_alone_is_no_target(module):
    assert main(["inspect", "worst", "module.py"]) == 2
