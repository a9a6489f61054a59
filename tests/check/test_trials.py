"""Trials of suggested claims: what each may say, and what it may not."""

import json

import pytest

from dplint.check.suggesting import SuggestedFile, suggest_paths, tried
from dplint.config import Settings, SettingsByFile

pytestmark = pytest.mark.process
RIGHT = """
import numpy as np

def answers(values, epsilon, sensitivity=1.0):
    return np.asarray(values) + np.random.laplace(0, sensitivity / epsilon, len(values))
"""
WRONG = RIGHT.replace("sensitivity / epsilon", "sensitivity / epsilon / 4")
BROKEN = RIGHT.replace("    return", "    values = values.frobnicate()\n    return")


NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for source in (
            "import numpy as np",
            "raise ValueError('a cell that fails')",
            WRONG.partition("np\n\n")[2],
        )
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 4,
}


@pytest.fixture
def trial(tmp_path):
    def made(source, name="noise.py"):
        (tmp_path / "pyproject.toml").touch()
        (tmp_path / name).write_text(source)
        settings = SettingsByFile.fixed(Settings(budget=2.0, seed=1, jobs=1, cache=False))
        (file,) = suggest_paths([tmp_path / name], settings)
        assert isinstance(file, SuggestedFile)
        (one,) = tried(file, settings).suggestions
        (before,) = file.suggestions
        assert one.text == before.text
        return before, one

    return made


def test_a_right_claim_is_said_to_be_proved(trial):
    before, one = trial(RIGHT)

    assert one.trial == "proved under this claim"
    assert (one.confidence, one.doubts) == (before.confidence, before.doubts)


def test_what_is_refuted_says_whose_claim_it_was(trial):
    _, one = trial(WRONG)

    assert one.trial.startswith("refuted under the claim that dplint guessed, by `output")


def test_functions_of_notebooks_are_tried_also_where_a_cell_fails(trial):
    _, one = trial(json.dumps(NOTEBOOK), "noise.ipynb")

    assert one.trial.startswith("refuted under the claim that dplint guessed, by `output")


def test_what_never_runs_is_a_sketch_with_what_is_missing(trial):
    _, one = trial(BROKEN)

    assert str(one.confidence) == "low"
    assert "frobnicate" in one.doubts[-1]
    assert one.trial == ""
