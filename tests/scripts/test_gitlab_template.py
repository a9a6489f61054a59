"""The template of GitLab: the lines of its script, run as a runner runs them, but for the installation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.patience import patience

TEMPLATE = yaml.safe_load((Path(__file__).parents[2] / "dplint.gitlab-ci.yml").read_text(encoding="utf-8"))
COUNT = """
# dplint: dp(epsilon={epsilon}, neighbors="add-remove")
def count(x: list[bool], rng):
    return len(x) + rng.laplace(scale=1)
"""


def run(folder: Path, job: str = "dplint", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a job in a project; its first line installs."""
    install, *script = TEMPLATE[job]["script"]
    assert install == 'python -m pip install . "$PRIVACY_DPLINT"'
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DPLINT_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "\n".join(script)],
        cwd=folder,
        env={**ours, **TEMPLATE["variables"], **variables, "PATH": path},
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )


@pytest.mark.process
def test_a_violation_fails_and_is_in_both_reports(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\n")
    (tmp_path / "counts.py").write_text(COUNT.format(epsilon=0.1))
    done = run(tmp_path, PRIVACY_PATHS="counts.py", PRIVACY_OPTIONS="--runs 50000 --require-claims")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "DP901" in done.stdout
    reports = TEMPLATE["dplint"]["artifacts"]["reports"]
    (problem,) = json.loads((tmp_path / reports["codequality"]).read_text())
    assert (problem["check_name"], problem["location"]["path"]) == ("DP901", "counts.py")
    suite = ElementTree.parse(tmp_path / reports["junit"]).getroot()
    assert [one.get("name") for one in suite.iter("testcase") if one.find("failure") is not None] == ["count"]
    assert (tmp_path / TEMPLATE["dplint"]["cache"]["paths"][0]).is_dir()


@pytest.mark.process
def test_of_a_merge_request_only_the_change_is_reported(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    for name in ("kept.py", "loose.py"):
        (tmp_path / name).write_text(COUNT.format(epsilon=1.0))
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "work"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    (tmp_path / "loose.py").write_text(COUNT.format(epsilon=2.0))

    cache = TEMPLATE["dplint-change"]["variables"]["XDG_CACHE_HOME"].replace("$CI_PROJECT_DIR", str(tmp_path))
    change = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD", "PRIVACY_OPTIONS": "--static-only", "XDG_CACHE_HOME": cache}
    done = run(tmp_path, "dplint-change", **change)
    assert done.returncode == 1, done.stdout + done.stderr
    for name in TEMPLATE["dplint-change"]["artifacts"]["paths"]:
        assert "claim loosened: epsilon from 1 to 2" in (tmp_path / name).read_text()
    assert "kept" not in (tmp_path / "dplint-comment.md").read_text()
    kept = TEMPLATE["dplint-change"]["cache"]["paths"]
    assert (tmp_path / kept[1] / "bases").is_dir(), "the commit that was compared with is kept for the next run"


def test_the_job_that_comments_checks_nothing() -> None:
    """Code that is checked may read what its job is given, and the token is given to this environment alone."""
    job = TEMPLATE["dplint-comment"]
    assert job["environment"] == {"name": "dplint-comment", "action": "access"}
    assert job["variables"] == {"GIT_STRATEGY": "none"}
    assert not any("dplint check" in line for line in job["script"])
    assert "environment" not in TEMPLATE["dplint-change"]


@pytest.mark.process
def test_nothing_to_check_fails(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text("x = 1\n")

    assert run(tmp_path).returncode == 2
