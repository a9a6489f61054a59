"""Check the extension for VS Code: types, lint, unit tests, bundles, and that it packs.

Needs Node 20 or newer and npm, and says so where they are missing: who works on Python alone need not have them. On
machines of a CI (see scripts/editors.py) that is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent / "vscode-extension"
_OLDEST = 20


def check() -> int:
    """Run its checks; the exit code is that of the first that fails."""
    missing = what_is_missing()
    if missing is not None:
        print(f"# {missing}: the extension for VS Code is not checked", flush=True)
        return 1 if on_ci() else 0
    return run("ci") or run("run", "check")


def what_is_missing() -> str | None:
    """Why it cannot be checked here, None if it can."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "Node and npm are not installed"
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = found.removeprefix("v").partition(".")[0]
    return None if major.isdecimal() and int(major) >= _OLDEST else f"Node {found} is older than {_OLDEST}"


def on_ci() -> bool:
    """Whether everything has to be checked."""
    return os.environ.get("CI", "") not in ("", "0", "false") or os.environ.get("DPLINT_EDITORS") == "install"


def run(*words: str) -> int:
    """Run npm in the folder of the extension and return its exit code."""
    command = (str(shutil.which("npm")), *words)
    print("$ npm", *words, flush=True)
    return subprocess.run(command, cwd=HOME, check=False).returncode


if __name__ == "__main__":
    sys.exit(check())
