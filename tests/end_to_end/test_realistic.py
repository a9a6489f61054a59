"""A package as an analyst would write one: verdicts against its table of truth, and all three forms of the claim."""

import json

import pytest

from tests.end_to_end.conftest import ROOT, run_check

pytest.importorskip("pandas", reason="one mechanism of the package takes a DataFrame")

FOLDER = ROOT / "fixtures" / "realistic"
TRUTH = {m["function"]: m for m in json.loads((FOLDER / "truth.json").read_text())["mechanisms"]}


@pytest.fixture(scope="module")
def report():
    return run_check(FOLDER, "--runs", 300_000, "--seed", 1)


def test_every_claim_is_found(report):
    assert set(report.results) == set(TRUTH)
    assert report.code == 1


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_the_verdict_agrees_with_the_truth(report, name):
    expected = {True: "no-violation", False: "violation", None: "untestable"}[TRUTH[name]["right"]]

    assert report.results[name]["verdict"] == expected
