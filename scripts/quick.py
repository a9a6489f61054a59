"""The fast inner loop: lint, types and the tests that a change can reach, within a minute.

    python3 scripts/dev.py quick                what differs from HEAD
    python3 scripts/dev.py quick --base main    what differs from where the branch left main

The tests nearest to the change in the graph of imports run first; those that start processes, and those marked nightly,
do not run, and property tests try few examples. Of the files of tests, the nearest `--files` (40) are read: to find the
tests of all takes half a minute. After `--seconds` (45) no further test is begun. What was left out is said: `dev.py
test` runs it. Arguments that are not known here are handed on to pytest.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.changes import ELSEWHERE, changed_files, checkout
from scripts.import_graph import import_graph
from scripts.selection import Reached, select, unreached

ROOT = Path(__file__).resolve().parent.parent
_NO_TESTS_COLLECTED = 5


def main(arguments: Sequence[str]) -> int:
    """Check what has changed; the exit code is that of the first that fails."""
    began = time.time()
    parser = argparse.ArgumentParser(
        prog="dev.py quick", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", default="HEAD", help="the commit or branch to compare with")
    parser.add_argument("--seconds", type=float, default=45.0, help="no test is begun after that time")
    parser.add_argument("--files", type=int, default=40, help="how many files of tests are read, the nearest ones")
    options, for_pytest = parser.parse_known_args(arguments)
    changed = changed_files(ROOT, options.base)
    if not changed:
        print(f"Nothing differs from {options.base}, so nothing was checked; `--base main` compares with a branch.")
        return 0
    graph = import_graph(checkout(ROOT, changed))
    reached = select(graph, changed)
    near = reached[: options.files]
    for line in told(changed, near, len(reached) - len(near), unreached(graph, changed)):
        print(line, flush=True)
    return lint(changed) or types_and_tests(changed, near, began + options.seconds, for_pytest)


def told(changed: Sequence[str], near: Sequence[Reached], further: int, unused: Sequence[str]) -> list[str]:
    """What a change reaches, in lines for people."""
    steps = f", at most {_count(near[-1].distance, 'import')} away" if near else ""
    lines = [f"{_count(len(changed), 'file')} changed; {_count(len(near), 'file')} of tests reached{steps}"]
    if further:
        lines.append(f"Not run: {_count(further, 'file')} of tests that are further away; `dev.py test` runs them")
    elsewhere = [path for path in unused if path.startswith(ELSEWHERE)]
    here = [path for path in unused if path not in elsewhere]
    if here:
        lines.append(f"No test uses {', '.join(here)}")
    if elsewhere:
        lines.append(f"Not checked here: {_count(len(elsewhere), 'file')} of {ELSEWHERE}; `npm run check` there does")
    return lines


def lint(changed: Sequence[str]) -> int:
    """Ruff on the changed files."""
    files = [path for path in changed if path.endswith(".py") and (ROOT / path).exists()]
    if not files:
        return 0
    ruff = (sys.executable, "-m", "ruff")
    return run(*ruff, "check", "--force-exclude", *files) or run(*ruff, "format", "--check", "--force-exclude", *files)


def types_and_tests(changed: Sequence[str], reached: Sequence[Reached], until: float, for_pytest: Sequence[str]) -> int:
    """Mypy beside pytest, and what it says after it."""
    typed = any(path.startswith(("dplint/", "conformance/")) or path == "pyproject.toml" for path in changed)
    with tempfile.TemporaryFile("w+") as said:
        mypy = subprocess.Popen([sys.executable, "-m", "mypy"], cwd=ROOT, stdout=said) if typed else None
        code = tests(reached, until, for_pytest)
        if mypy is None:
            return code
        mypy.wait()
        said.seek(0)
        print("$ mypy", said.read(), sep="\n", end="", flush=True)
        return code or mypy.returncode


def tests(reached: Sequence[Reached], until: float, for_pytest: Sequence[str]) -> int:
    """Pytest on the files that are reached, in their order. That all of their tests start processes is no failure."""
    files = [one.path for one in reached if (ROOT / one.path).exists()]
    if not files:
        return 0
    code = run(
        *(sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"),
        *("-p", "scripts.no_test_after", "--no-test-after", str(until)),
        *("-m", "not process and not nightly", "--hypothesis-profile", "local"),
        *for_pytest,
        *files,
    )
    return 0 if code == _NO_TESTS_COLLECTED else code


def run(*command: str) -> int:
    """Run a command in the checkout and return its exit code."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
