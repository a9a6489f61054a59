"""The mechanisms of `fixtures/styles` and `unseen` run on lanes and pass the check of the translation or are listed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns
from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
from dplint.program.nodes import Program
from dplint.runner.client import DataValue

FIXTURES = Path(__file__).parents[2] / "fixtures"
DATA = {
    "ages": DataValue([30.0, 70.0, 12.0]),
    "values": DataValue([1.0, 3.0, 2.5]),
    "labels": DataValue(["north", "south", "north", "west"]),
    "codes": DataValue([0, 2, 2]),
    "bit": DataValue(1, "scalar"),
    "label": DataValue("north", "scalar"),
    "value": DataValue(2, "scalar"),
    "answer": DataValue("b", "scalar"),
    **dict.fromkeys(["array", "sample", "scores", "answers"], DataValue([1.0, 3.0, 2.5])),
    "rows": DataValue([[1.0, 2.0], [3.0, 0.5]], "scalar"),
}


def targets(folder: str) -> list[Target]:
    """The mechanisms of a folder of fixtures."""
    files = sorted((FIXTURES / folder / "src").rglob("*.py"))
    return [item for file in files for item in load_file(file, Settings()) if isinstance(item, Target)]


def listed(folder: str) -> frozenset[str]:
    """Those that are not read, by its table."""
    text = (FIXTURES / folder / "README.md").read_text()
    return frozenset(re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE))


STYLES, UNSEEN = targets("styles"), targets("unseen")
UNREAD = listed("styles") | listed("unseen")


def test_nearly_all_are_read() -> None:
    assert {target.mechanism.qualname for target in STYLES} > listed("styles")
    assert len(listed("styles")) <= 0.05 * len(STYLES)


def test_of_unseen_code_those_that_are_not_read_are_listed() -> None:
    assert {target.mechanism.qualname for target in UNSEEN if obstacles(target)} == listed("unseen")


@pytest.mark.parametrize("target", [*STYLES, *UNSEEN], ids=lambda target: target.mechanism.qualname)
def test_it_runs_on_lanes_as_the_function_does(target: Target, lanes_runner) -> None:
    mechanism = target.mechanism
    if mechanism.qualname in UNREAD:
        assert obstacles(target)
        return
    assert not obstacles(target)
    assert isinstance(target.program, Program)
    lanes_runner.load(mechanism)
    runs = LaneRuns(target.program, mechanism, lanes_runner)

    given = {"epsilon": 0.5} if mechanism.parameter("epsilon") is not None else {}

    runs.check(DATA[str(mechanism.data)], given, 300, np.random.SeedSequence(1))

    assert runs.sample(DATA[str(mechanism.data)], given, 40, np.random.SeedSequence(2)).runs == 40
