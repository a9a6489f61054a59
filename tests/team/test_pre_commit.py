"""pre-commit itself runs our hooks, from a git repository on this disk, on a project with a right and a wrong file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import patience

ROOT = Path(__file__).resolve().parents[2]
WRONG = """from dplint import dp


@dp(epsilon=1.0, neighbors="linf", size=1)
def wrong(rng, answers):
    return answers[0] + rng.laplace(scale=0.1)


@dp(epsilon=0)
def misspelt(rng, answers):
    return 0
"""
MISSING = [
    name
    for name, there in (
        ("git", shutil.which("git")),
        (
            "pre-commit",
            subprocess.run([sys.executable, "-m", "pre_commit", "-V"], capture_output=True, check=False).returncode
            == 0,
        ),
    )
    if not there
]
pytestmark = [pytest.mark.process, pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")]


def git(folder, *arguments):
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A repository of hooks with the files that an installation needs."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "dplint", folder / "dplint", ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "hooks")
    return folder


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nbudget = '2s'\njobs = 1\n")
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "fine.py").write_text("x = 1\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    return tmp_path


def run(project, source, hook, tmp_path_factory, *, path=""):
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: file://{source}\n    rev: HEAD\n    hooks:\n      - id: {hook}\n"
    )
    git(project, "add", "--all")
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True
    ).stdout.strip()
    config = project / ".pre-commit-config.yaml"
    config.write_text(config.read_text().replace("HEAD", revision))
    git(project, "add", "--all")
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(tmp_path_factory.getbasetemp() / "pre-commit"),
        "PATH": f"{path}{os.pathsep}{os.environ['PATH']}" if path else os.environ["PATH"],
    }
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "PYTHONPATH"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"],
        cwd=project, capture_output=True, text=True, timeout=patience(300), check=False, env=environment,
    )  # fmt: skip


@pytest.fixture(scope="module")
def own_dplint(tmp_path_factory):
    """A folder with the command `dplint` of this checkout, as an active environment has one."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "dplint"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m dplint "$@"\n')
    command.chmod(0o755)
    return str(folder)


def test_the_hook_of_ones_own_environment_runs_mechanisms(project, source, own_dplint, tmp_path_factory):
    done = run(project, source, "dplint", tmp_path_factory, path=own_dplint)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "wrong.py:5:5: DP901" in done.stdout
    (project / "wrong.py").write_text(WRONG.replace("scale=0.1", "scale=1.0").replace("epsilon=0", "epsilon=1"))
    done = run(project, source, "dplint", tmp_path_factory, path=own_dplint)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


@pytest.mark.skipif(
    os.environ.get("DPLINT_TEST_INSTALLS", "") in ("", "0") and not os.environ.get("CI"),
    reason="installs dplint with all that it needs: set DPLINT_TEST_INSTALLS=1",
)
@pytest.mark.nightly
def test_the_isolated_hook_runs_nothing(project, source, tmp_path_factory):
    mark = project / "ran"
    (project / "wrong.py").write_text(f"open({str(mark)!r}, 'w')\n{WRONG}")
    done = run(project, source, "dplint-static", tmp_path_factory)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "DP003" in done.stdout
    assert "DP90" not in done.stdout
    assert not mark.exists()
