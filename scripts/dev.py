"""Set up dplint on a machine that has Python and nothing else, and do one of its jobs.

    python3 scripts/dev.py demo    check the mechanisms of fixtures/statdp
    python3 scripts/dev.py quick   within a minute: lint, types, and tests that what has changed can reach
    python3 scripts/dev.py test    lint, types, the documentation, all tests; with Node, the extension for VS Code.
                                   `test --nightly` leaves nothing out, and takes hours
    python3 scripts/dev.py docs    build the documentation into site/; `docs serve` also serves it to this machine

Everything is installed into the folders .venv and vscode-extension/node_modules of this checkout; nothing else is
touched, but that on machines of a CI the editors of some tests are installed (see scripts/editors.py). Arguments after
the job are handed on: to `dplint check`, to scripts/quick.py, to pytest, or to scripts/site_build.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
HOME = ROOT / ".venv"
BIN = HOME / ("Scripts" if os.name == "nt" else "bin")
WITH_EXTRAS = ("-e", ".", "-e", "conformance", "-e", "cluster", "-e", "statdp")
"""dplint and the other distributions of this repository, as pip is given them."""
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def main() -> int:
    """Run the job that the command line names."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python meets first
        sys.exit(f"dplint needs Python 3.11 or newer; this is {sys.version.split()[0]}. Run this with another python3.")
    jobs = {"demo": demo, "quick": quick, "test": test, "docs": docs}
    if len(sys.argv) < 2 or sys.argv[1] not in jobs:
        sys.exit(__doc__)
    return jobs[sys.argv[1]](sys.argv[2:])


def demo(extra: list[str]) -> int:
    """Check the mechanisms of the StatDP paper. Their bugs are found, so dplint's exit code 1 is the good outcome."""
    install("-e", ".")
    code = run(PYTHON, "-m", "dplint", "check", "fixtures/statdp", "--profile", "commit", "--no-cache", *extra)
    return 0 if code == 1 else code or 1


def quick(extra: list[str]) -> int:
    """What has changed since the last commit: see scripts/quick.py."""
    if not PYTHON.exists() or PROJECT.stat().st_mtime > HOME.stat().st_mtime:
        install(*WITH_EXTRAS, "--group", "dev")
        HOME.touch()
    return run(PYTHON, "-m", "scripts.quick", *extra)


def test(extra: list[str]) -> int:
    """Lint, types, documentation and tests; the exit code is that of the first that fails."""
    # These need nothing that is installed here, so they begin at once.
    with begun(sys.executable, "-m", "scripts.checks", "scripts.extension", "scripts.editors") as others:
        # Half of the time of an installation is compiling, and most of it is for modules that nobody here loads.
        install("--no-compile", *WITH_EXTRAS, "--group", "dev", "--group", "docs")
        code = (
            run(PYTHON, "-m", "ruff", "check", ".")
            or run(PYTHON, "-m", "ruff", "format", "--check", ".")
            or run(PYTHON, "-m", "scripts.checks", "mypy", "scripts.site_build", "scripts.wheel")
        )
    # The order is that of tests/distribution.py.
    tests = (PYTHON, "-m", "pytest", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", *extra)
    return code or others.returncode or run(*tests)


def docs(extra: list[str]) -> int:
    """Build the documentation, every warning an error."""
    install("-e", ".", "--group", "docs")
    return run(PYTHON, "-m", "scripts.site_build", *extra)


def install(*what: str) -> None:
    """Make the environment if it is not there, and bring it up to date."""
    if not PYTHON.exists():
        venv.create(HOME, with_pip=True)
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    for step in (("--upgrade", "pip>=25.1"), what):
        if run(*pip, *step):
            sys.exit("the installation failed; the message above says why")


def run(*command: str | Path) -> int:
    """Run a command in the checkout and return its exit code."""
    with begun(*command) as process:
        pass
    return int(process.returncode)


def begun(*command: str | Path) -> subprocess.Popen[bytes]:
    """Begin a command in the checkout; who leaves the `with` waits for its end."""
    print("$", *(str(part) for part in command), flush=True)
    # The tests start hundreds of processes, and each would compile dplint again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen([str(part) for part in command], cwd=ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(main())
