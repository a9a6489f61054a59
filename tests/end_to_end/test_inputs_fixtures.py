"""Bugs that only certain data or inputs reach, and their right twins: verdicts against the table of truth.

One pair of most files in every run of the tests, all at night; `benchmarks/inputs.py` has them all by the clock.
"""

import json
from dataclasses import replace
from functools import cache

import pytest

from dplint.check.loading import Target, audit_settings, load_targets
from dplint.config import load_settings
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Proved, Underpowered, Violation
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from tests.end_to_end.conftest import ROOT

FOLDER = ROOT / "fixtures" / "inputs"
ROWS = json.loads((FOLDER / "truth.json").read_text())["pairs"]
NEEDS = {"polars_frames.py": ["polars"], "randomness.py": ["sklearn"], "forms.py": ["pandas"]}
USUAL = {
    "never_empty_leaks",
    "code_leaks",
    "broken_sensor_leaks",
    "descending_leaks",
    "Clipped.total_leaks",
    "counted_leaks",
}
RUNS, USUAL_RUNS = 100_000, (60_000, 10_000)
"""By runs, so that time says nothing. In the usual tests those of leaks, and of twins: these are blatant."""


def targets(files):
    """All mechanisms of these files."""
    found = load_targets([FOLDER / file for file in files], load_settings(FOLDER, {"cache": False}))
    return [one for one in found if isinstance(one, Target)]


def found_of(chosen):
    """The outcomes of such mechanisms, each with so many runs, in the order that they are given in."""
    jobs = []
    for target, runs in chosen:
        settings = audit_settings(load_settings(FOLDER, {"cache": False, "runs": runs, "seed": 1}), target.mechanism)
        jobs.append(AuditJob(mechanism=target.mechanism, program=target.program, settings=replace(settings, seed=1)))
    done = {message.job: message.body.result for message in run_jobs(jobs, 2) if isinstance(message.body, Done)}
    return [done[number] for number in range(len(jobs))]


def names_of(row):
    """Of the leak and of the right twin. Lambdas have no name, and stand in that order."""
    return [row.get(f"{kind}_name", row[kind]) for kind in ("leak", "right")]


@cache
def usual():
    """The outcomes of the usual pairs, by name."""
    chosen = []
    for row in ROWS:
        if row["leak"] in USUAL:
            by_name = {one.mechanism.qualname: one for one in targets([row["file"]])}
            chosen += zip(map(by_name.get, names_of(row)), USUAL_RUNS, strict=True)
    outcomes = found_of(chosen)
    return {target.mechanism.qualname: found for (target, _), found in zip(chosen, outcomes, strict=True)}


@cache
def every(file):
    """The outcomes of all functions of a file, as names and outcomes in the order of the source."""
    for package in NEEDS.get(file, ()):
        pytest.importorskip(package)
    chosen = sorted(targets([file]), key=lambda one: one.mechanism.span)
    outcomes = found_of([(target, RUNS) for target in chosen])
    return [(target.mechanism.qualname, found) for target, found in zip(chosen, outcomes, strict=True)]


def holds(leak, right):
    """Whether the table is right about a pair."""
    assert isinstance(leak, Violation), leak
    assert isinstance(right, NoViolation | Underpowered | Proved), right


@pytest.mark.process
@pytest.mark.parametrize("row", [row for row in ROWS if row["leak"] in USUAL], ids=lambda row: row["leak"])
def test_a_leak_is_found_and_its_twin_is_not_accused(row):
    holds(*(usual()[name] for name in names_of(row)))


@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["leak"])
def test_each_leak_is_found_and_no_twin_is_accused(row):
    leak, right = ([found for name, found in every(row["file"]) if name == one] for one in names_of(row))

    holds(leak[0], right[-1])


@pytest.mark.parametrize("file", sorted({row["file"] for row in ROWS}))
def test_every_function_is_in_the_table(file):
    names = {name for row in ROWS if row["file"] == file for name in names_of(row)}

    assert {target.mechanism.qualname for target in targets([file])} == names


def test_one_pair_of_each_file_that_loads_no_large_library_is_tried_in_every_run():
    slow = {"forms.py", "polars_frames.py", "randomness.py"}
    assert {row["file"] for row in ROWS if row["leak"] in USUAL} == {row["file"] for row in ROWS} - slow
