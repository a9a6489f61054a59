"""A copy of the project to which a test adds something, as somebody does who contributes it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import patience

ROOT = Path(__file__).resolve().parents[2]
ADDITIONS = Path(__file__).parent / "additions"
_FOLDERS = ("dplint", "docs", "scripts", "tests")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc")


@dataclass
class Checkout:
    """A copy of the project. It runs only what is in it."""

    folder: Path

    def __post_init__(self) -> None:
        self._before = self._files()

    def add(self, name: str, package: str) -> None:
        """Put a file of the folder `additions` into a package."""
        shutil.copy(ADDITIONS / name, self.folder / package / name)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert text.count(old) == 1
        (self.folder / name).write_text(text.replace(old, new))

    def python(self, *arguments: str, code: int = 0) -> str:
        """What `python -m ...` prints in the copy; it has to end with this exit code."""
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=patience(300),
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def changed(self) -> set[str]:
        """The files of the project that are new or different."""
        return {name for name, content in self._files().items() if self._before.get(name) != content}

    def _files(self) -> dict[str, bytes]:
        files = (path for folder in _FOLDERS for path in (self.folder / folder).rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files if path.suffix != ".pyc"}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    for folder in _FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / "copy" / folder, ignore=_LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "copy")
    return Checkout(tmp_path / "copy")
