"""Which python runs the user's code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dplint.config.settings import Settings

_ENVIRONMENTS = (".venv", "venv")
_PYTHONS = ("bin/python", "Scripts/python.exe")


def choose_interpreter(settings: Settings, project_root: str) -> str:
    """Path of the interpreter: the setting, else the project's own `.venv` or `venv`, else the active environment's.

    Where there is none of these, it is the interpreter that runs dplint. Whether it starts, and has NumPy, is not
    promised.
    """
    if settings.interpreter is not None:
        return settings.interpreter
    environments = [Path(project_root) / name for name in _ENVIRONMENTS]
    active = os.environ.get("VIRTUAL_ENV")
    if active:
        environments.append(Path(active))
    found = (path for folder in environments for name in _PYTHONS if (path := folder / name).is_file())
    return str(next(found, sys.executable))
