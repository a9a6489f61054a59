"""What is installed beside an interpreter, read from folders: nothing is run."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import dplint

PACKAGES = ("lib/python*/site-packages", "Lib/site-packages")
"""Where packages lie, below the folder that an interpreter's own folder is in."""


def environment_of(interpreter: str) -> str:
    """The interpreter and the packages that are installed beside it, with their versions."""
    prefix = Path(interpreter).parent.parent
    packages = (found for pattern in PACKAGES for found in prefix.glob(f"{pattern}/*.dist-info"))
    names = sorted(f"{found.parent.parent.name}/{found.name}" for found in packages)
    return "\0".join([Path(interpreter).resolve().name, *names])


def environment_digest(environment: str) -> str:
    """Of what `environment_of` has written, which is long."""
    return hashlib.sha256(environment.encode()).hexdigest()


@cache
def code_digest(home: Path | None = None) -> str:
    """Of the code in a folder, this dplint's by default: one version number of a repository has many states."""
    whole, home = hashlib.sha256(), home or Path(dplint.__file__).parent
    for file in sorted(home.rglob("*.py")):
        whole.update(f"{file.relative_to(home).as_posix()}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
