"""Mechanisms with helpers in other modules, on lanes: the check by the real functions passes, and names their files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.printed import PrintedEvent
from dplint.program.nodes import Program
from dplint.runner.client import DataValue

CENSUS = Path(__file__).parents[2] / "fixtures" / "realistic" / "src" / "census"
SEED = np.random.SeedSequence(4)


@pytest.mark.parametrize(
    ("file", "name", "data", "arguments"),
    [
        ("counts.py", "residents", [30.0, 70.0, 12.0], {}),
        ("counts.py", "residents_from", [30.0, 70.0, 12.0], {"age": 18}),
        ("means.py", "mean_income", [30.0, 70_000.0, 12.0], {}),
        ("means.py", "mean_of_noisy_sum", [30.0, 70_000.0, 12.0], {}),
        ("means.py", "mean_within_range", [30.0, 70_000.0, 12.0], {}),
        ("means.py", "district_means_by_helper", [30.0, 70_000.0, 12.0], {}),
    ],
)
def test_the_census_runs_on_lanes(shared_runner, file, name, data, arguments):
    found = [one for one in load_file(CENSUS / file, Settings()) if isinstance(one, Target)]
    target = next(one for one in found if one.mechanism.qualname == name)
    shared_runner.load(target.mechanism)
    assert isinstance(target.program, Program)

    ResidualRuns(shared_runner, target.mechanism).check([DataValue(data)], {"epsilon": 0.5, **arguments}, 500, SEED)


def test_exceptions_of_the_project_have_their_names_and_texts(shared_runner, tmp_path):
    """The check compares both with those of the function, run by run."""
    (tmp_path / "lanes_full.py").write_text(
        "from dplint import dp\n"
        "class Full(ValueError):\n    pass\n"
        "class Empty(Full): ...\n"
        "@dp(epsilon=1.0, neighbors='l1')\n"
        "def total(rng, values):\n"
        "    noisy = sum(values) + rng.laplace()\n"
        "    if noisy > 4:\n        raise Full('more than', 4)\n"
        "    if noisy < 3:\n        raise Empty\n"
        "    return noisy\n"
    )
    (target,) = load_file(tmp_path / "lanes_full.py", Settings())
    assert isinstance(target.program, Program)
    shared_runner.load(target.mechanism)
    runs, data = ResidualRuns(shared_runner, target.mechanism), DataValue([1.0, 2.5])

    runs.check([data], {}, 300, SEED)

    for text in ("type(output).__name__ == 'Empty'", "str(output) == \"('more than', 4)\""):
        assert runs.example(data, {}, PrintedEvent(text).holds, SEED), text
