"""Environments of Python, made for a test."""

from __future__ import annotations

import venv
from pathlib import Path


def bare_python(folder: Path) -> Path:
    """The interpreter of a new environment without packages."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    return folder / "bin" / "python"
