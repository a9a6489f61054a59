"""What is installed beside an interpreter, read from folders: nothing is run."""

from __future__ import annotations

from pathlib import Path

PACKAGES = ("lib/python*/site-packages", "Lib/site-packages")
"""Where packages lie, below the folder that an interpreter's own folder is in."""


def environment_of(interpreter: str) -> str:
    """The interpreter and the packages that are installed beside it, with their versions."""
    prefix = Path(interpreter).parent.parent
    packages = (found for pattern in PACKAGES for found in prefix.glob(f"{pattern}/*.dist-info"))
    names = sorted(f"{found.parent.parent.name}/{found.name}" for found in packages)
    return "\0".join([Path(interpreter).resolve().name, *names])
