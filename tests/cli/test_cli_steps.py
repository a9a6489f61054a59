"""Claims of trainings as users see them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from dplint.cli import main
from dplint.report import json_document

SCHEMA = json.loads(Path(json_document.__file__).with_name("dplint-report.schema.json").read_text(encoding="utf-8"))
SOURCE = """
import numpy as np

from dplint import dp


@dp(mu=2.0, steps=4, neighbors="add-remove", domain=(-1.0, 1.0))
def wrong(rng, batch: np.ndarray):
    return batch.sum() + rng.normal(0.0, 0.5)


@dp(mu=2.0, steps=4, neighbors="add-remove", domain=(-1.0, 1.0))
def right(rng, batch: np.ndarray):
    return batch.sum() + rng.normal(0.0, 1.0)


@dp(mu=2.0, neighbors="add-remove", domain=(-1.0, 1.0))
def train(rng, batch: np.ndarray):
    return [right(rng, batch) for _ in range(4)]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def told(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.process
def test_a_refuted_claim_says_what_a_step_spends_and_what_all_do(module, capsys):
    """Noise of 0.5 under samples of 1: mu = 2 a step, 4 in four of them, which implies epsilon = 19.24 at this delta:
    Phi(2 - 19.24 / 4) - exp(19.24) * Phi(-2 - 19.24 / 4) = 0.00137.
    """
    assert main(["check", "steps.py::wrong"]) == 1
    said = told(capsys)
    assert "DP915 wrong spends more than its claim: a step spends mu = 2; 4 steps come to epsilon = 19.2" in said
    assert "output on D2 without noise: " in said
    assert "told apart as normal laws at a distance of 2 standard deviations" in said
    assert "1 mechanism: 1 overspent" in said
    assert "false alarm" not in said


@pytest.mark.process
def test_what_is_not_refuted_is_not_called_private(module, capsys):
    assert main(["check", "steps.py::right"]) == 0
    said = told(capsys)
    assert "right is not refuted: " in said
    assert "of the furthest a step spends mu = 1; " in said
    assert "Not refuted does not mean stable or private" in said
    assert "proved" not in said


@pytest.mark.process
def test_the_document_of_both(module, capsys):
    assert main(["check", "steps.py::wrong", "steps.py::right", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    wrong, right = document["results"]
    assert (wrong["verdict"], wrong["code"], right["verdict"], right["code"]) == (
        "overspent", "DP915", "not-refuted", None,
    )  # fmt: skip
    assert wrong["claim"]["training"] == {"sample_rate": 1.0, "steps": 4}
    assert wrong["evidence"] is None  # neither counted nor certain: runs with given noise tell what there is
    assert wrong["steps"]["apart"] == pytest.approx(2.0)
    assert wrong["steps"]["epsilon"] > wrong["steps"]["claimed"]
    assert right["steps"]["apart"] == pytest.approx(1.0)
    assert (wrong["effort"]["alpha"], document["summary"]["overspent"]) == (0.0, 1)


@pytest.mark.process
def test_a_comment_silences_it(module, capsys):
    text = SOURCE.replace(
        "def wrong(rng, batch: np.ndarray):", "def wrong(rng, batch: np.ndarray):  # dplint: ignore[DP915] known"
    )
    (module / "steps.py").write_text(text, encoding="utf-8")
    assert main(["check", "steps.py::wrong"]) == 0
    assert "1 silenced by comments" in told(capsys)


@pytest.mark.process
@pytest.mark.parametrize("form", ["markdown", "sarif", "html", "junit", "github"])
def test_every_format_tells_it(module, capsys, form):
    assert main(["check", "steps.py::wrong", "--format", form]) == 1
    assert "spends more than its claim" in told(capsys)


@pytest.mark.process
def test_what_all_steps_spend_is_not_added_up_for_each_call(module, capsys):
    """A claim of four steps is none of one call."""
    main(["budget", "steps.py::train"])
    assert "exceed" not in told(capsys)
    main(["check", "steps.py::train", "--static-only"])
    assert "DP401" not in told(capsys)
