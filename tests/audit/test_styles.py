"""The mechanisms of `fixtures/styles` and `unseen` are read or listed; many runs of them at once pass the replay."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes
from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
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


@cache
def targets(file: Path) -> dict[str, Target]:
    """The mechanisms of a file by their qualified names."""
    found = [item for item in load_file(file, Settings()) if isinstance(item, Target)]
    return {target.mechanism.qualname: target for target in found}


def claimed(folder: str) -> Iterator[tuple[Path, str]]:
    """Files of a folder and qualified names that bear a claim, by the syntax: dplint takes seconds to read them all."""
    for file in sorted((FIXTURES / folder / "src").rglob("*.py")):
        body = ast.parse(file.read_text()).body
        inner = ((f"{one.name}.", two) for one in body if isinstance(one, ast.ClassDef) for two in one.body)
        for prefix, node in [*(("", one) for one in body), *inner]:
            if isinstance(node, ast.FunctionDef) and any("dp" in ast.unparse(one) for one in node.decorator_list):
                yield file, prefix + node.name


def listed(folder: str) -> frozenset[str]:
    """Those that are not read, by its table."""
    text = (FIXTURES / folder / "README.md").read_text()
    return frozenset(re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE))


CALLED = {
    **dict.fromkeys(
        ["coin_of_scipy", "two_sided_geometric", "by_bits", "warner"], "cannot be made together with others"
    ),
    "without_repeats": "its runs part more often than they go together",
    "discrete_laplace_by_coins": "it has too many paths",
    "p_values": "it works with cdf",
}
"""Why run by run is called what has no residual program."""
STYLES, UNSEEN = list(claimed("styles")), list(claimed("unseen"))
UNREAD = {(folder, name) for folder in ("styles", "unseen") for name in listed(folder)}


def test_the_names_are_those_of_all_mechanisms() -> None:
    files = {file for folder in ("styles", "unseen") for file in (FIXTURES / folder / "src").rglob("*.py")}
    assert {(file, name) for file in files for name in targets(file)} == {*STYLES, *UNSEEN}


def test_most_are_read() -> None:
    """What is left out is listed with its construct: a module for each would be needed, and runs do not want it.

    With `try` and seeds they were programs that exact losses and proofs refuse.
    """
    assert {name for _, name in STYLES} > listed("styles")
    assert len(listed("styles")) <= 0.15 * len(STYLES)


def test_of_unseen_code_those_that_are_not_read_are_listed() -> None:
    assert {name for file, name in UNSEEN if obstacles(targets(file)[name])} == listed("unseen")


@pytest.mark.parametrize(("file", "name"), [*STYLES, *UNSEEN], ids=[name for _, name in [*STYLES, *UNSEEN]])
def test_many_runs_at_once_are_those_of_the_function(file: Path, name: str, shared_runner) -> None:
    target = targets(file)[name]
    mechanism = target.mechanism
    folder = file.relative_to(FIXTURES).parts[0]
    assert bool(obstacles(target)) is ((folder, mechanism.qualname) in UNREAD)
    shared_runner.load(mechanism)
    runs = ResidualRuns(shared_runner, mechanism)

    given = {"epsilon": 0.5} if mechanism.parameter("epsilon") is not None else {}

    if name in CALLED:
        with pytest.raises(NotOnLanes, match=CALLED[name]):
            runs.check([DATA[str(mechanism.data)]], given, 300, np.random.SeedSequence(1))
        return
    runs.check([DATA[str(mechanism.data)]], given, 300, np.random.SeedSequence(1))

    assert runs.sample(DATA[str(mechanism.data)], given, 40, np.random.SeedSequence(2)).runs == 40
