"""A crash test of the static rules on code that has nothing to do with privacy.

    python -m benchmarks.real_code PATH...

In a copy of every Python file under the paths each function that takes something gets a claim, so that all rules look
at all of them, whatever they are; `dplint check --static-only` runs over the copies. Prints Markdown; exits with 1 if
anything crashed. What is found there says nothing. `benchmarks.corpus` has the packages that are about privacy.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpus import dplint
from benchmarks.machine import described_machine
from dplint.rules import RULES

ALL = ",".join([*(f"DP{number}" for number in range(1, 6)), *(rule.code for rule in RULES if rule.opt_in)])
_CLAIM = '# dplint: dp(epsilon=1.0, neighbors="linf")'


def crash_test(path: Path) -> tuple[str, str]:
    """The row of a table for all functions under a path, each with a claim above it; and how it crashed, or nothing."""
    found = (file for file in path.rglob("*.py") if file.is_file())
    files = sorted(file for file in found if "site-packages" not in file.relative_to(path).parts)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text("[tool.dplint]\n")
        for number, file in enumerate(files):
            text = file.read_bytes().decode("utf-8", "replace")
            (Path(folder) / f"m{number}.py").write_text("\n".join(_claimed(text)), encoding="utf-8")
        began = time.perf_counter()
        arguments = ["check", "--static-only", "--no-cache", "--no-progress", "--select", ALL]
        document, crash = dplint(arguments, Path(folder))
    seconds = time.perf_counter() - began
    unread = len(document.get("errors", ()))
    return f"| `{path.name}` | {len(files):,} | {seconds:.1f} | {int(bool(crash))} | {unread} |", crash


def _claimed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        bare = line.lstrip()
        if bare.startswith("def ") and "(" in bare and "()" not in bare and "(self)" not in bare:
            yield line[: len(line) - len(bare)] + _CLAIM
        yield line


def main() -> int:
    """Check, print, and say whether anything crashed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH")
    options = parser.parse_args()
    print(f"{described_machine()}\n\n| what | files | seconds | crashes | cannot be read |\n|---|---|---|---|---|")
    crashes = []
    for path in options.paths:
        row, crash = crash_test(path.resolve())
        print(row, flush=True)
        crashes += [crash] if crash else []
    print("\n".join(crashes), file=sys.stderr)
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
