"""Bugs that only certain data or inputs reach, and their right twins: verdicts against the table of truth."""

import json
from functools import cache

import pytest

from tests.end_to_end.conftest import ROOT, run_check

pytestmark = pytest.mark.process

FOLDER = ROOT / "fixtures" / "inputs"
ROWS = json.loads((FOLDER / "truth.json").read_text())["pairs"]
NEEDS = {"polars_frames.py": ["polars"], "randomness.py": ["sklearn"], "forms.py": ["pandas"]}
NOT_ACCUSED = {"no-violation", "underpowered", "proved", "proved-in-part"}
SLOW = {"forms.py", "polars_frames.py"}
"""Tables make a few thousand runs a second."""


@cache
def verdicts(file):
    """What each function of the file is found to be, in the order of the source; by runs, so that time says nothing."""
    for package in NEEDS.get(file, ()):
        pytest.importorskip(package)
    runs = 100_000
    report = run_check(FOLDER / file, "--runs", runs, "--seed", 1)
    return [(one["function"], one["verdict"], one) for one in report.document["results"]]


def verdict(row, kind):
    """Of the leak or of the right twin: lambdas have no name, and stand in that order."""
    name = row.get(f"{kind}_name", row[kind])
    found = [(verdict, one) for function, verdict, one in verdicts(row["file"]) if function == name]
    return found[0 if kind == "leak" else -1]


def params():
    return [
        pytest.param(row, id=row["leak"], marks=[pytest.mark.nightly] if row["file"] in SLOW else []) for row in ROWS
    ]


@pytest.mark.parametrize("row", params())
def test_a_leak_is_found(row):
    found, result = verdict(row, "leak")

    assert found == "violation", result


@pytest.mark.parametrize("row", params())
def test_its_twin_is_not_accused(row):
    found, result = verdict(row, "right")

    assert found in NOT_ACCUSED, result


@pytest.mark.parametrize("file", [f for f in sorted({row["file"] for row in ROWS}) if f not in SLOW])
def test_every_function_is_in_the_table(file):
    names = {row.get(f"{kind}_name", row[kind]) for row in ROWS if row["file"] == file for kind in ("leak", "right")}

    assert {function for function, _, _ in verdicts(file)} == names
