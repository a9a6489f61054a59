"""Whether verdicts on a busy machine are those of a quiet one.

    python -m benchmarks.busy [--sample 30] [--draw 1] [--budget 500ms | --runs N] [--busy 16] [--folder FOLDER ...]

Draws mechanisms of the fixtures by a seed, checks them twice with the same seed for all audits, alone and beside
processes that do nothing but compute, and prints the verdicts that differ. Exit code 1 if there are any. A budget is
time, and a verdict that hangs on the last runs of it may differ between two checks of a quiet machine, too; with a
number of runs nothing should. Without a quiet machine to begin with, both are of a busy one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.machine import described_machine
from dplint.check.programs import read_programs
from dplint.cli.overrides import settings_for

ROOT = Path(__file__).resolve().parent.parent
_SPIN = "while True: pass"
_FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic", "arguments", "styles")


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=30, help="how many mechanisms")
    parser.add_argument("--draw", type=int, default=1, help="the seed by which they are drawn")
    parser.add_argument("--budget", default="500ms", help="for each of them")
    parser.add_argument("--runs", help="for each of them, in place of a budget")
    parser.add_argument("--busy", type=int, default=16, help="processes that compute beside the second check")
    parser.add_argument("--folder", nargs="*", help="of the fixtures, in place of those of mechanisms")
    options = parser.parse_args()
    folders = [Path(one) for one in options.folder or [ROOT / "fixtures" / name for name in _FOLDERS]]
    drawn = sample(folders, options.sample, options.draw)
    print(described_machine(), "\n")
    effort = ("--runs", options.runs) if options.runs else ("--budget", options.budget)
    quiet, quiet_seconds = verdicts(drawn, effort)
    with busy(options.busy):
        loaded, busy_seconds = verdicts(drawn, effort)
        load = os.getloadavg()[0]
    print(f"{len(drawn)} mechanisms drawn by seed {options.draw}, {' '.join(effort)}")
    print(f"alone: {quiet_seconds:.0f} s; beside {options.busy} busy processes: {busy_seconds:.0f} s, load {load:.0f}")
    print("verdicts alone:", ", ".join(f"{count} {name}" for name, count in Counter(quiet.values()).most_common()))
    differing = [name for name in drawn if quiet.get(name) != loaded.get(name)]
    for name in differing:
        print(f"| {name} | {quiet.get(name)} | {loaded.get(name)} |")
    print(f"{len(differing)} of {len(drawn)} differ")
    return bool(differing)


def sample(folders: Sequence[Path], count: int, seed: int) -> list[str]:
    """Names of mechanisms as a command takes them, drawn from all files of the folders."""
    every = [
        f"{file.relative_to(ROOT)}::{target.mechanism.qualname}"
        for folder in folders
        for file in sorted(folder.rglob("*.py"))
        for target in read_programs(file, None, settings_for(file, {})).targets
    ]
    return sorted(random.Random(seed).sample(sorted(set(every)), min(count, len(set(every)))))


def verdicts(names: Sequence[str], effort: Sequence[str]) -> tuple[dict[str, str], float]:
    """The verdict of each by a check with one worker, and how long that took."""
    begun = time.monotonic()
    options = [*effort, "--seed", "1", "--jobs", "1", "--no-cache", "--format", "json", "--no-progress"]
    command = [sys.executable, "-m", "dplint", "check", *names, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    results = json.loads(done.stdout)["results"]
    found = {f"{result['file']}::{result['function']}": str(result["verdict"]) for result in results}
    return found, time.monotonic() - begun


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Beside so many processes that compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", _SPIN]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
