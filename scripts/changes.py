"""What differs from a commit, and the text of a checkout: what git knows of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

_WITH_MODULES = ("dplint/", "conformance/", "cluster/", "statdp/", "tests/", "scripts/", "benchmarks/")
ELSEWHERE = "vscode-extension/"
"""What the tests in Python do not look at."""


def changed_files(root: Path, base: str) -> list[str]:
    """The files that differ from where this branch left a commit, deleted and untracked ones too; paths from the root.

    Raises SystemExit if git does not know the commit.
    """
    differing = _git(root, "diff", "--name-only", "--no-renames", "-z", "--merge-base", base, "--")
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted({*differing, *untracked})


def checkout(root: Path, changed: Iterable[str]) -> dict[str, str | None]:
    """The text of each module of the checkout, None for other files; a deleted one is there with an empty text."""
    tracked = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return {
        path: _text(root / path) if path.endswith(".py") and path.startswith(_WITH_MODULES) else None
        for path in sorted({*tracked, *changed})
        if not path.startswith(ELSEWHERE)
    }


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return [path for path in done.stdout.split("\0") if path]
