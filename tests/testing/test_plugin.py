"""`pytest --dplint`, and the functions that tests call: each with real audits, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.patience import patience

PROJECT = {
    "pyproject.toml": "[tool.dplint]\nruns = 50000\n",
    "release.py": """
from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def right(rng, counts, epsilon):
    return [c + rng.laplace(scale=1 / epsilon) for c in counts]

@dp(epsilon=1.0, neighbors="linf", size=5)
def wrong(rng, counts):
    return [c + rng.laplace(scale=0.5) for c in counts]

@dp(epsilon="epsilom")
def misspelt(rng, counts, epsilon):
    return counts

class Kept:
    def __init__(self, rows):
        self.rows = rows

    @dp(epsilon="epsilon", neighbors="l1")
    def held(self, counts, rng, epsilon):
        return [c + rng.laplace(scale=1 / epsilon) for c in counts]

def plain(rng, x, epsilon):
    return len(x) + rng.laplace(scale=1 / epsilon)

def pairs():
    yield [0, 0], [0, 0, 0]

def tiny(epsilon):
    return 1e-3 * 2.0 ** -epsilon
""",
    "test_release.py": """
import math, pytest
from dplint.testing import NotCheckedError, PrivacyViolation, assert_private, find_violation
from release import pairs, plain, right, tiny

def test_a_right_one():
    assert not assert_private(plain, epsilon="epsilon", neighbors="add-remove", domain=(0, 1)).violated

def test_a_wrong_one():
    with pytest.raises(PrivacyViolation, match="DP901") as caught:
        assert_private(plain, epsilon="epsilon / 4", neighbors=pairs, data="x", args={"epsilon": 4.0})
    assert 1 < caught.value.verdict.epsilon_lower < 4.0001

def test_a_curve():
    with pytest.raises(PrivacyViolation, match="private by the claimed curve"):
        assert_private(plain, curve=tiny, neighbors=pairs, data="x", args={"epsilon": 4.0})

def test_the_claim_that_it_bears():
    assert find_violation(right).result.mechanism.claim.relation == "l1"

def test_a_wrong_claim():
    with pytest.raises(NotCheckedError, match="epsilom"):
        assert_private(plain, epsilon="epsilom")
    with pytest.raises(NotCheckedError, match="DP014|already has a claim"):
        assert_private(right, epsilon=1.0)
    with pytest.raises(NotCheckedError, match="give epsilon"):
        assert_private(right, domain=(0, 1))
""",
}


def run(folder: Path, *arguments: str) -> str:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "DPLINT_", "COV_"))}
    environment = ours | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "100"}
    # pytest-lsp looks for fixtures in every item, whatever it is.
    plugins = [part for name in ("dplint.testing.plugin", "xdist", "pytest_lsp") for part in ("-p", name)]
    command = [sys.executable, "-m", "pytest", *plugins, "-q", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=patience(300), check=False
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("project")
    for name, text in PROJECT.items():
        (path / name).write_text(text)
    return path


@pytest.fixture(scope="module")
def first(folder: Path) -> str:
    return run(folder, "--dplint", "--junitxml=junit.xml", "-n", "1", "-rfs", "release.py")


@pytest.mark.process
def test_each_claim_is_a_test(first: str) -> None:
    assert "2 failed, 1 passed, 1 skipped" in first
    assert "dplint: wrong" in first
    assert "release.py:9:5 DP901 wrong is not 1-private: " in first
    assert "FAILED release.py::wrong - release.py:9:5 DP901 wrong is not 1-private" in first, "the summary says it, too"
    assert "DP007 epsilon names 'epsilom'" in first
    assert "Kept" in first.partition("SKIPPED")[2]
    assert "Traceback" not in first


@pytest.mark.process
def test_junit_has_epsilon(first: str, folder: Path) -> None:
    cases = ET.parse(folder / "junit.xml").getroot().iter("testcase")
    found = {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}

    assert found["right"] == {"dplint_epsilon_claimed": "epsilon"}
    assert found["wrong"]["dplint_epsilon_claimed"] == "1.0"
    # five answers that all move by 1, with noise 0.5: exactly 10
    assert 1 < float(found["wrong"]["dplint_epsilon_lower"]) <= 10


@pytest.mark.process
def test_a_second_run_is_answered_from_the_cache(first: str, folder: Path) -> None:
    assert "from the cache" not in first
    assert "1 from the cache" in run(folder, "--dplint", "release.py::wrong")


FAILING = """
from dplint.testing import assert_private
from release import plain

def test_it():
    assert_private(plain, epsilon="epsilon / 50", neighbors="add-remove", domain=(0, 1), runs=100000)

def test_the_fixture(dp_audit):
    dp_audit(plain, epsilon="epsilon / 50", neighbors="add-remove", domain=(0, 1))
"""


@pytest.mark.process
def test_a_traceback_ends_at_the_line_of_the_test_and_the_summary_has_the_message(folder: Path) -> None:
    (folder / "failing.py").write_text(FAILING)
    text = run(folder, "--dplint-runs", "100000", "failing.py")
    body, summary = text.split("short test summary info")

    assert body.count("failing.py:6: ") == 1
    assert body.count("failing.py:9: ") == 1
    assert "functions.py" not in body
    assert summary.count(" - plain is not ") == 2


@pytest.mark.process
def test_functions_for_tests_and_no_claims_without_the_option(folder: Path) -> None:
    assert "5 passed" in run(folder, ".")


def test_pytest_finds_the_plugin_by_itself() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]

    assert project["entry-points"]["pytest11"] == {"dplint": "dplint.testing.plugin"}


@pytest.mark.process
def test_a_pytest_without_claims_does_not_get_slower() -> None:
    code = "import sys, dplint.testing.plugin; print(*({'numpy', 'libcst', 'click'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=patience(60), check=True
    )

    assert not done.stdout.strip()
