"""The static rules on code that nobody here wrote: crashes, times, findings, and a sample of them to be judged.

    python -m pip install --no-deps --target SITE diffprivlib opendp ...
    python -m benchmarks.real_code SITE [--crash-test PATH...] [--sample 50 --seed 1]

Every distribution in SITE is checked by `dplint check --static-only --all-functions` in a process of its own, by all
rules. For the crash test every function under the paths that takes something gets a claim, so that the rules look at
all of them, whatever they are. Exits with 1 if anything crashed. Prints Markdown; a sample is printed as JSON.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.machine import described_machine
from benchmarks.timing import ROOT
from dplint.rules import RULES

ALL = ",".join([*(f"DP{number}" for number in range(1, 6)), *(rule.code for rule in RULES if rule.opt_in)])
_CLAIM = '# dplint: dp(epsilon=1.0, neighbors="linf")'


@dataclass(slots=True)
class Checked:
    """What a check of some files said. crash: the end of what it wrote, None if it ended as it should."""

    name: str
    files: int
    seconds: float
    crash: str | None = None
    findings: list[dict[str, Any]] = field(default_factory=list)
    unread: list[dict[str, Any]] = field(default_factory=list)


def distributions(site: Path) -> Iterator[tuple[str, list[Path]]]:
    """What is installed in a folder: name and version, and its Python files."""
    found = {one.metadata["Name"]: one for one in importlib.metadata.distributions(path=[str(site)])}
    for name in sorted(found, key=str.lower):
        files = {Path(str(one.locate())) for one in found[name].files or () if one.suffix == ".py"}
        inside = sorted(path for path in files if path.is_file() and path.is_relative_to(site))
        if inside:
            yield f"{name} {found[name].version}", inside


def check(name: str, files: Sequence[Path], top: Path) -> Checked:
    """Check files as a user would."""
    command = [
        sys.executable,
        "-m",
        "dplint",
        "check",
        "--static-only",
        "--all-functions",
        "--no-cache",
        "--no-progress",
    ]
    command += ["--format", "json", "--select", ALL, *(str(file.relative_to(top)) for file in files)]
    began = time.perf_counter()
    done = subprocess.run(
        command, cwd=top, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    checked = Checked(name, len(files), time.perf_counter() - began)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    if done.returncode not in (0, 1, 2) or document is None or "Traceback" in done.stderr:
        checked.crash = done.stderr[-500:] or f"exit code {done.returncode}"
    if document is not None:
        checked.findings = [one | {"package": name} for one in document["findings"]]
        checked.unread = document["errors"]
    return checked


def crash_test(path: Path) -> Checked:
    """All functions under a path, each with a claim above it."""
    found = (file for file in path.rglob("*.py") if file.is_file())
    files = sorted(file for file in found if "site-packages" not in file.relative_to(path).parts)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text("[tool.dplint]\n")
        for number, file in enumerate(files):
            text = file.read_bytes().decode("utf-8", "replace")
            (Path(folder) / f"m{number}.py").write_text("\n".join(_claimed(text)), encoding="utf-8")
        checked = check(f"`{path.name}`, all functions claimed", sorted(Path(folder).glob("m*.py")), Path(folder))
    checked.findings = []  # of functions that are no mechanisms
    return checked


def _claimed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        bare = line.lstrip()
        if bare.startswith("def ") and "(" in bare and "()" not in bare and "(self)" not in bare:
            yield line[: len(line) - len(bare)] + _CLAIM
        yield line


def table(checked: Sequence[Checked]) -> Iterator[str]:
    """A line for each, and what they come to."""
    yield "| what | files | seconds | crashes | cannot be read | findings | by code |"
    yield "|---|---|---|---|---|---|---|"
    for one in checked:
        codes = Counter(finding["code"] for finding in one.findings)
        told = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
        crashes = 0 if one.crash is None else 1
        yield (
            f"| {one.name} | {one.files:,} | {one.seconds:.1f} | {crashes} | {len(one.unread)} "
            f"| {len(one.findings)} | {told} |"
        )


def sample(findings: Sequence[dict[str, Any]], count: int, seed: int, top: Path) -> list[dict[str, Any]]:
    """Some findings, drawn by a seed, each with its line."""
    ordered = sorted(findings, key=lambda one: (one["file"], one["line"], one["column"], one["code"]))
    drawn = random.Random(seed).sample(ordered, min(count, len(ordered)))
    keys = ("package", "file", "line", "code", "function", "message")
    return [
        {key: one[key] for key in keys}
        | {"text": (top / one["file"]).read_text().splitlines()[one["line"] - 1].strip()}
        for one in sorted(drawn, key=lambda one: (one["file"], one["line"], one["code"]))
    ]


def main() -> int:
    """Check, print, and say whether anything crashed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path, help="a folder that packages are installed in")
    parser.add_argument("--crash-test", type=Path, nargs="*", default=[], metavar="PATH")
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    top = options.site.resolve()
    packages = [check(name, files, top) for name, files in distributions(top)]
    tested = [crash_test(path.resolve()) for path in options.crash_test]
    if options.sample:
        findings = [finding for one in packages for finding in one.findings]
        print(json.dumps(sample(findings, options.sample, options.seed, top), indent=1))
    else:
        print(f"{described_machine()}\n")
        print("\n".join(table([*packages, *tested])))
    crashed = [one for one in (*packages, *tested) if one.crash is not None]
    for one in crashed:
        print(f"\n{one.name} crashed:\n{one.crash}", file=sys.stderr)
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
