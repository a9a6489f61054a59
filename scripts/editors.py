"""Editors for the tests of the language server: say which are there, and install them where that disturbs nobody.

A test that has no editor is skipped. On a machine of a CI, which is thrown away afterwards, they are installed from
Debian: as root, and if the environment variable CI is set, or DPLINT_EDITORS is `install`.
"""

from __future__ import annotations

import os
import shutil
import subprocess

PROGRAMS = {
    "node": "the JSON-RPC reader of VS Code",
    "npm": "the JSON-RPC reader of VS Code",
    "nvim": "Neovim",
    "emacs": "Emacs with eglot",
    "vim": "Vim with ALE",
}
PACKAGES = ("neovim", "emacs-nox", "elpa-eglot", "vim", "vim-ale")
_SECONDS = 300


def provide() -> None:
    """Install what is missing, if that is wanted, and say which tests will be skipped; nothing here is an error."""
    if missing() and wanted():
        install()
    for program in missing():
        print(f"# {program} is not installed: tests with {PROGRAMS[program]} are skipped", flush=True)


def missing() -> list[str]:
    """The programs that are not there."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


def wanted() -> bool:
    """Whether packages may be installed here."""
    asked = os.environ.get("CI", "") not in ("", "0", "false") or os.environ.get("DPLINT_EDITORS") == "install"
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return asked and root and shutil.which("apt-get") is not None


def install() -> None:
    """By apt, within some minutes; what goes wrong is said, and costs the tests of the editors."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ("apt-get", "update", "-qq"),
        ("apt-get", "install", "-qq", "--yes", "--no-install-recommends", *PACKAGES),
    ):
        print("$", *command, flush=True)
        try:
            done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False, timeout=_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"# no editors were installed: {error}", flush=True)
            return
        if done.returncode:
            print(f"# {command[1]} failed: {done.stderr.strip()[-500:]}", flush=True)


if __name__ == "__main__":
    provide()
