"""The mechanisms of `fixtures/styles` run on lanes and pass the check of the translation; the others are listed."""

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

FOLDER = Path(__file__).parents[2] / "fixtures" / "styles"
DATA = {
    "ages": DataValue([30.0, 70.0, 12.0]),
    "values": DataValue([1.0, 3.0, 2.5]),
    "labels": DataValue(["north", "south", "north"]),
    "codes": DataValue([0, 2, 2]),
    "bit": DataValue(1, "scalar"),
    "label": DataValue("north", "scalar"),
    "rows": DataValue([[1.0, 2.0], [3.0, 0.5]], "scalar"),
}
TARGETS = [
    item
    for file in sorted((FOLDER / "src").rglob("*.py"))
    for item in load_file(file, Settings())
    if isinstance(item, Target)
]
UNREAD = frozenset(re.findall(r"^\| `(\w+)` \|", (FOLDER / "README.md").read_text(), flags=re.MULTILINE))


def test_nearly_all_are_read() -> None:
    assert {target.mechanism.qualname for target in TARGETS} > UNREAD
    assert len(UNREAD) <= 0.05 * len(TARGETS)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.mechanism.qualname)
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
