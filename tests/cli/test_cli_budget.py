"""`dplint budget`: a tree for people, JSON for programs, a picture."""

import json

import pytest
from click.testing import CliRunner

from dplint.cli.app import app
from tests.contracts.budgets import CLAIM, written

SOURCE = f"""
{CLAIM}
def halves(rng, rows, epsilon):
    young = [row for row in rows if row < 18]
    return count(rng, rows, epsilon / 2), count(rng, young, epsilon / 2)

{CLAIM}
def twice(rng, rows, epsilon):
    return count(rng, rows, epsilon), count(rng, rows, epsilon)

{CLAIM}
def shown(rng, rows, epsilon):
    return len(rows), count(rng, rows, epsilon)
"""


@pytest.fixture
def reports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return written(tmp_path, SOURCE).name


def run(*arguments):
    return CliRunner().invoke(app, ["budget", *arguments], standalone_mode=False)


def test_the_tree(reports):
    result = run(reports)

    assert result.return_value == 1
    assert "reports.py::halves  spends epsilon of epsilon" in result.output
    assert "records with `record < 18`" in result.output
    assert "overspends: 2 * epsilon of epsilon" in result.output
    assert "not understood: line" in result.output
    assert "1 within, 1 overspent, 1 not decided, 3 without claimed parts" in result.output


def test_json(reports):
    found = {one["mechanism"]: one for one in json.loads(run(reports, "--format", "json").output)["budgets"]}

    assert found["reports.py::halves"]["standing"] == "within"
    assert [one["epsilon"] for one in found["reports.py::halves"]["tree"]["items"]] == ["0.5 * epsilon"] * 2
    assert found["reports.py::twice"]["overspent"]["spent"] == "2 * epsilon"
    assert found["reports.py::shown"]["not_understood"][0]["line"] > 0


ENGINE = """import torch
from dplint import dp
from opacus import PrivacyEngine
from torch.utils.data import DataLoader

@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="dataset", domain=(0, 1), size=60000)
def train(dataset, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=DataLoader(dataset, 256), noise_multiplier=1.1, max_grad_norm=1.0
    )
    for _ in range(10):
        for batch in loader:
            model(batch).backward()
            optimizer.step()
    return model
"""


def test_an_engine_is_a_part_with_its_line(tmp_path, monkeypatch):
    """dp-accounting 0.6 has 0.91752 for these steps."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(ENGINE)
    result = run("train.py")

    assert result.return_value == 0
    assert "✓ train.py::train  spends 0.918 (delta 1e-05) of 1, delta 1e-05" in result.output
    told = "make_private 0.918 (delta 1e-05), noise multiplier 1.1, 2,350 steps at rate 1/235, line 9"
    assert told in " ".join(result.output.split())
    (found,) = json.loads(run("train.py", "--format", "json").output)["budgets"]
    assert found["tree"]["remark"] == "noise multiplier 1.1, 2,350 steps at rate 1/235"


def test_what_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text("import dplint\ndef (")

    result = run("wrong.py")

    assert result.return_value == 2
    assert "wrong.py:2" in result.output


def test_the_finding_at_the_call(reports, tmp_path):
    result = CliRunner().invoke(app, ["check", reports, "--static-only", "--format", "json"], standalone_mode=False)
    findings = [one for one in json.loads(result.output)["findings"] if one["code"].startswith("DP40")]
    lines = (tmp_path / reports).read_text().split("\n")

    assert [one["code"] for one in findings] == ["DP407"]
    (place,) = findings
    line = place.get("line") or place["span"]["line"]
    assert "count(rng, rows, epsilon), count" in lines[line - 1]
