"""Real editors for tests: a project with a bug and a misspelling, blocks of docs/editors.md, and what an editor saw."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs" / "editors.md"
PATIENCE = 240.0
"""Seconds that an editor may take in all; its scripts wait for less, and say for what."""

MECHANISMS = """\
import numpy as np
from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def wrong_histogram(rng, counts, epsilon):
    return [count + rng.laplace(scale=epsilon) for count in counts]


@dp(epsilon="epsilom", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [count + rng.laplace(scale=1 / epsilon) for count in counts]
"""
FIXES = ['Replace "epsilom" by "epsilon"', "Explain DP007", "Ignore DP007 here"]
"""What can be done about the misspelling."""


@dataclass(frozen=True)
class Project:
    """A folder with a project, one with the command `dplint`, and an empty home."""

    folder: Path
    programs: Path
    home: Path

    @property
    def file(self):
        return self.folder / "mechanisms.py"

    def run(self, *command, **environment):
        """Run an editor, which finds `dplint` on its path and no settings but those of a test."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        path = f"{self.programs}{os.pathsep}{kept['PATH']}"
        given = {**kept, "PATH": path, "HOME": str(self.home), "TERM": "xterm", **environment}
        # A session of its own: an editor that opens a terminal takes none that is ours.
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
            start_new_session=True,
        )


def make_project(root):
    """The project, under version control, as editors look for that to find its root."""
    folder, programs, home = root / "project", root / "programs", root / "home"
    for one in (folder, programs, home):
        one.mkdir(parents=True)
    # What static rules and exact losses say of the same bug has tests of its own.
    ignore = 'ignore = ["DP1", "DP2", "DP3", "DP4", "DP5", "DP6"]'
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "sample"\nversion = "1"\n[tool.dplint]\nexact = false\n{ignore}\n'
    )
    (folder / "mechanisms.py").write_text(MECHANISMS)
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    command = programs / "dplint"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dplint "$@"\n')
    command.chmod(0o755)
    return Project(folder, programs, home)


def block(heading):
    """The first block to paste below a heading of docs/editors.md."""
    text = DOCS.read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, f"docs/editors.md has no heading {heading!r}"
    code = re.search(r"^```\w+\n(.*?)^```$", found[1], flags=re.MULTILINE | re.DOTALL)
    assert code, f"docs/editors.md has no block below {heading!r}"
    return code[1]


def has(program):
    """Whether a program is there."""
    return shutil.which(program) is not None


def story_of(project, done, file):
    """What an editor has written down, which is complete only if its script came to its end."""
    assert file.is_file(), f"the editor wrote nothing down (exit code {done.returncode}):\n{done.stdout}"
    story = json.loads(file.read_text(encoding="utf-8"))
    assert "failed" not in story, f"{story['failed']}\n{json.dumps(story, indent=1)}\n{done.stdout}"
    return story


def check_story(story, project):
    """What every editor has to show: both problems, then one, then none, and the text that the fix has made."""
    before = {item["code"]: item for item in story["before"]}

    assert sorted(before) == ["DP007", "DP901"]
    assert before["DP901"]["line"] == 6
    assert before["DP007"]["line"] == 10
    assert "`wrong_histogram` is not " in before["DP901"]["message"]
    assert "epsilom" in before["DP007"]["message"]
    assert story["after_fix"] == ["DP901"]
    assert story["text"] == MECHANISMS.replace('"epsilom"', '"epsilon"').splitlines()
    assert story["after_save"] == []
    assert project.file.read_text() == MECHANISMS.replace("epsilom", "epsilon").replace(
        "scale=epsilon", "scale=1 / epsilon"
    )
