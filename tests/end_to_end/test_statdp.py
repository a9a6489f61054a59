"""The eleven mechanisms of StatDP: every wrong one is flagged, no right one, with counterexamples that hold."""

import importlib.util
import json
import math

import numpy as np
import pytest

from tests.end_to_end.conftest import ROOT, run_check

pytestmark = pytest.mark.process
FOLDER = ROOT / "fixtures" / "statdp"
TRUTH = {m["function"]: m for m in json.loads((FOLDER / "truth.json").read_text())["mechanisms"]}
RIGHT = sorted(name for name, m in TRUTH.items() if m["right"])
WRONG = sorted(name for name, m in TRUTH.items() if not m["right"])


EFFORTS = {
    "anytime": ("--method", "anytime", "--runs", 1_000_000),
    "anytime, long": ("--method", "anytime", "--runs", 20_000_000),
    "statdp": ("--method", "statdp", "--profile", "commit"),
}
"""How much each method may spend; counted in runs, so that the report does not depend on the machine."""


@pytest.fixture(
    scope="module",
    params=["anytime", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("anytime, long", "statdp"))],
)
def report(request):
    """One check of the folder with a fixed seed by each method."""
    return run_check(FOLDER, *EFFORTS[request.param], "--seed", 2018)


def test_all_eleven_are_checked_and_the_exit_code_says_violation(report):
    assert set(report.results) == set(TRUTH)
    assert report.code == 1
    assert report.document["errors"] == []
    assert not [finding for finding in report.document["findings"] if finding["code"].startswith("DP0")]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_mechanism_is_not_flagged(report, name):
    assert report.results[name]["verdict"] == "no-violation"


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_mechanism_is_flagged_where_it_is_wrong(report, name):
    result = report.results[name]

    assert result["verdict"] == "violation"
    assert result["code"] == "DP901"
    assert result["evidence"] == "statistical"
    assert result["epsilon_tested"] in TRUTH[name]["wrong_at"]


@pytest.mark.parametrize("name", WRONG)
def test_the_lower_bound_lies_between_claim_and_truth(report, name):
    """Above the claim, or the report would contradict itself; never above the true epsilon."""
    result = report.results[name]
    chosen = {a["name"]: a["value"] for a in result["counterexample"]["witness"]["arguments"]}
    truth = dict(zip((0.2, 0.7, 1.5), TRUTH[name]["true_epsilon"]["values"], strict=True))[result["epsilon_tested"]]
    if name == "isvt3":
        truth = (1 + 6 * chosen["N"]) / 4 * result["epsilon_tested"]

    assert result["epsilon_tested"] - 1e-5 < result["epsilon_lower"] <= (math.inf if truth == "inf" else truth)


@pytest.mark.parametrize("name", WRONG)
def test_the_counterexample_holds_outside_of_dplint(report, name):
    """The function itself, called here, and the printed event, evaluated as Python: six standard errors."""
    example = report.results[name]["counterexample"]
    function = load(TRUTH[name]["file"], name)
    runs = 20_000
    witness, evidence = example["witness"], example["evidence"]
    arguments = {argument["name"]: argument["value"] for argument in witness["arguments"]}
    for data, share, counted in (
        (witness["d1"], evidence["p1"], evidence["runs1"]),
        (witness["d2"], evidence["p2"], evidence["runs2"]),
    ):
        rng = np.random.default_rng(7)
        outputs = (function(rng, list(data), **arguments) for _ in range(runs))
        hits = sum(bool(eval(witness["event"], {}, {"output": output})) for output in outputs)
        spread = math.sqrt(max(share * (1 - share), 1 / counted) * (1 / runs + 1 / counted))
        assert abs(hits / runs - share) < 6 * spread + 1 / runs


def load(file, name):
    spec = importlib.util.spec_from_file_location(f"statdp_{file[:-3]}", FOLDER / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def test_the_solver_chose_threshold_and_count(report):
    """T and N have neither a value nor a default; the report says why they are what they are."""
    for name in ("isvt1", "isvt2", "isvt3", "isvt4"):
        arguments = {a["name"]: a for a in report.results[name]["counterexample"]["witness"]["arguments"]}
        assert {"T"} <= set(arguments)
        assert all("simple value" not in a["why"] for a in arguments.values())


@pytest.mark.parametrize(
    "effort", [("--runs", 200_000), ("--method", "statdp", "--profile", "editor")], ids=lambda e: e[0]
)
@pytest.mark.parametrize(
    "path", [FOLDER / "noisy_max.py", pytest.param(FOLDER, marks=pytest.mark.nightly)], ids=lambda p: p.stem
)
def test_the_same_seed_gives_the_same_report_whatever_the_number_of_processes(path, effort):
    def stable(document):
        for result in document["results"]:
            del result["seconds"]
        del document["summary"]["seconds"]
        return document

    first = run_check(path, *effort, "--seed", 3, "--jobs", 1)
    second = run_check(path, *effort, "--seed", 3, "--jobs", 2)

    assert stable(first.document) == stable(second.document)
