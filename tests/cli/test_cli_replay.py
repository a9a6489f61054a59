"""The command at the end of a violation makes the same runs again."""

import json
import re
import shlex

import pytest

from dplint.cli import main

SOURCE = """from dplint import dp


@dp(epsilon=0.5, neighbors="linf", size=3)
def total(rng, queries):
    return sum(queries) + rng.laplace(scale=2.0)
"""


@pytest.mark.process
def test_a_violation_comes_again_by_its_command(tmp_path, monkeypatch, capsys):
    """The sum moves by 3, and the noise pays for 1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.py").write_text(SOURCE)
    assert main(["check", "sums.py", "--runs", "200000", "--format", "json=first.json", "--format", "rich"]) == 1
    (again,) = re.findall(r"^again: (dplint .*)$", capsys.readouterr().out, re.MULTILINE)
    assert "sums.py::total" in again
    assert main([*shlex.split(again)[1:], "--format", "json=second.json"]) == 1

    first, second = (json.loads((tmp_path / f"{name}.json").read_text())["results"][0] for name in ("first", "second"))
    assert first["counterexample"]["evidence"]["kind"] == "counted"
    assert second["counterexample"] == first["counterexample"]
    assert second["epsilon_lower"] == first["epsilon_lower"]
