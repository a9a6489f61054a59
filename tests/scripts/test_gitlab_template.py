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


def run(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a project; its first line installs."""
    install, *script = TEMPLATE["dplint"]["script"]
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
def test_nothing_to_check_fails(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text("x = 1\n")

    assert run(tmp_path).returncode == 2
