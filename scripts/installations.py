"""How large the kinds of installation are, and how long they take: the table of docs/dependencies.md.

    python -m scripts.installations              all four, each in a new folder for temporary files
    python -m scripts.installations hook all     some of them

Megabytes (of 10^6 bytes) are those of the whole environment, without pip but for the hook's. Seconds
begin with an empty environment; pip keeps nothing of earlier times (`--no-cache-dir`). Those of the hook are what
pre-commit takes for its first run on the last commit, with a check of one file. Beside both stands processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.wheel import MECHANISM, ROOT, new_environment, run

KINDS = {
    "default": (".",),
    "all": (".", "./cluster", "./statdp"),
    "development": (".", "./cluster", "./conformance", "./statdp", "--group", "dev", "--group", "docs"),
}
"""What pip is given, but for the hook."""


def main(arguments: list[str]) -> int:
    """Measure what is named; the exit code."""
    unknown = [kind for kind in arguments if kind not in ("hook", *KINDS)]
    if unknown:
        sys.exit(f"{unknown[0]!r} is no kind of installation: hook, {', '.join(KINDS)}.\n\n{__doc__}")
    print(f"{'installation':<14}{'MB':>6}{'s':>6}{'CPU s':>7}   Python {sys.version.split()[0]}")
    for kind in arguments or ("hook", *KINDS):
        before = os.times()
        with tempfile.TemporaryDirectory() as folder:
            size, seconds = hook(Path(folder)) if kind == "hook" else installation(Path(folder), KINDS[kind])
        busy = sum(os.times()[2:4]) - sum(before[2:4])
        print(f"{kind:<14}{size / 1e6:>6.0f}{seconds:>6.0f}{busy:>7.0f}", flush=True)
    return 0


def installation(folder: Path, what: tuple[str, ...]) -> tuple[int, float]:
    """The bytes of a new environment with this, and the seconds of installing it."""
    _, *install = new_environment(folder)
    started = time.monotonic()
    run(*install, "--no-cache-dir", *what)
    return size_of(folder), time.monotonic() - started


def hook(folder: Path) -> tuple[int, float]:
    """What pre-commit installs for the hook of the source alone, as committed, and the seconds of its first run."""
    (project := folder / "project").mkdir()
    (project / "count.py").write_text(MECHANISM)
    revision = subprocess.run(("git", "rev-parse", "HEAD"), cwd=ROOT, check=True, capture_output=True, text=True).stdout
    (project / ".pre-commit-config.yaml").write_text(
        f"repos: [{{repo: {ROOT}, rev: {revision.strip()}, hooks: [{{id: dplint-static}}]}}]\n"
    )
    for words in (("init", "--quiet"), ("add", ".")):
        subprocess.run(("git", *words), cwd=project, check=True)
    environment = {**os.environ, "PRE_COMMIT_HOME": str(folder / "home"), "PIP_NO_CACHE_DIR": "1"}
    command = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    started = time.monotonic()
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - started
    if "DP101" not in done.stdout:
        sys.exit(f"the hook does not find what it must: {done.stdout}{done.stderr}")
    (made,) = (path for path in folder.rglob("py_env-*") if path.is_dir())
    return size_of(made), seconds


def size_of(folder: Path) -> int:
    """Bytes of all files below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
