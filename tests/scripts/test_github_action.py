"""The action of GitHub: its steps, run as the runner runs them, but for the installation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.patience import patience

ACTION = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8"))
RIGHT = "def count(x: list[bool], rng):\n    return len(x) + rng.laplace(scale=1)\n"
CLAIM = '# dplint: dp(epsilon={epsilon}, neighbors="add-remove")\n'


def check(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step `Check` with these inputs, and the defaults of the others."""
    (step,) = (one for one in ACTION["runs"]["steps"] if one["name"] == "Check")
    given = {name: one["default"] for name, one in ACTION["inputs"].items()} | inputs
    names = {f"${{{{ inputs.{name} }}}}": value for name, value in given.items()}
    environment = {name: names[value] for name, value in step["env"].items()}
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DPLINT_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # as for `shell: bash`
        cwd=folder,
        env={
            **ours,
            **environment,
            "PATH": path,
            "RUNNER_TEMP": str(folder),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        },
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )


@pytest.mark.process
def test_a_violation_is_an_annotation_and_fails(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(CLAIM.format(epsilon=0.1) + RIGHT)
    done = check(tmp_path, paths="counts.py", options="--runs 50000 --no-cache")

    assert done.returncode == 1
    assert "::error title=dplint DP901,file=counts.py" in done.stdout
    (result,) = json.loads((tmp_path / ACTION["outputs"]["sarif"]["value"]).read_text())["runs"][0]["results"]
    assert result["ruleId"] == "DP901"
    assert "counts.py:2:5: DP901" in (tmp_path / "summary.md").read_text()


@pytest.mark.process
def test_paths_have_spaces_and_what_is_known_is_kept_under_the_key(tmp_path: Path) -> None:
    (tmp_path / "my counts").mkdir()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "my counts" / "a b.py").write_text(CLAIM.format(epsilon=1.0) + RIGHT)
    given = {"paths": "my counts\n", "cache-key": "of sixteen bytes", "options": "--runs 20000"}
    assert check(tmp_path, **given).returncode == 0
    assert (tmp_path / "dplint-key").stat().st_mode & 0o777 == 0o600

    done = check(tmp_path, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 from the cache" in done.stdout
    assert check(tmp_path, **(given | {"cache-key": "of others, longer"})).stdout.count("from the cache") == 0


@pytest.mark.process
def test_nothing_to_check_fails_unless_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(RIGHT)

    assert check(tmp_path).returncode == 2
    assert check(tmp_path, **{"require-claims": "false"}).returncode == 0


def test_it_installs_what_it_is_part_of() -> None:
    (step,) = (one for one in ACTION["runs"]["steps"] if one["name"] == "Install dplint")

    assert step["run"] == 'python -m pip install "$DPLINT_ACTION"'
    assert ACTION["runs"]["using"] == "composite"
    assert all(one["shell"] == "bash" for one in ACTION["runs"]["steps"] if "run" in one)
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one["uses"]) for one in ACTION["runs"]["steps"] if "uses" in one)


def test_no_step_but_the_comment_sees_the_token() -> None:
    seeing = [one["name"] for one in ACTION["runs"]["steps"] if "token" in json.dumps(one).lower()]
    assert seeing == ["Comment"]


@pytest.mark.process
def test_of_a_change_only_that_is_reported_and_there_is_a_comment(tmp_path: Path) -> None:
    """Two claims, of which one is loosened: the comment names that alone."""
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    (tmp_path / "kept.py").write_text(CLAIM.format(epsilon=1.0) + RIGHT)
    (tmp_path / "loose.py").write_text(CLAIM.format(epsilon=1.0) + RIGHT)
    for words in (["init", "-q"], ["add", "kept.py", "loose.py"], ["commit", "-q", "-m", "work"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    (tmp_path / "loose.py").write_text(CLAIM.format(epsilon=2.0) + RIGHT)

    done = check(tmp_path, **{"diff-base": "HEAD", "options": "--static-only"})
    assert done.returncode == 1, done.stdout + done.stderr
    comment = (tmp_path / "dplint-comment.md").read_text()
    assert "**worse:** claim loosened: epsilon from 1 to 2" in comment
    assert "kept" not in comment
    (run,) = json.loads((tmp_path / "dplint.sarif").read_text())["runs"]
    assert [one["file"] for one in run["properties"]["changes"]["mechanisms"]] == ["loose.py"]
