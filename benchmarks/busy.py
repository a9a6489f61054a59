"""Whether verdicts on a busy machine are those of a quiet one.

    python -m benchmarks.busy [--sample 30] [--draw 1] [--budget 500ms | --runs N] [--busy 16] [--folder FOLDER ...]
    python -m benchmarks.busy --all --jobs 4 --keep FILE

Draws mechanisms of the fixtures by a seed, or takes all, checks them twice with the same seed for all audits, alone
and beside processes that do nothing but compute, and prints the verdicts that differ. Exit code 1 if there are any. A
budget is time, and a verdict that hangs on the last runs of it may differ between two checks of a quiet machine, too;
with a number of runs nothing should. Without a quiet machine to begin with, both are of a busy one. With `--keep` each
of the two checks is kept in FILE as soon as it ends, and one that is there is not made again: `--only busy` and
`--only alone` make one of them, at the hour that suits it.
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from benchmarks.machine import described_machine
from dplint.check.programs import read_programs
from dplint.cli.overrides import settings_for

ROOT = Path(__file__).resolve().parent.parent
_SPIN = "while True: pass"
_FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic", "arguments", "styles")


class Check(TypedDict):
    """What one check said, the seconds of the clock that it took, and the load when it ended."""

    verdicts: dict[str, str]
    seconds: float
    load: float


def main() -> int:
    """Make the checks that are wanted, and compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=30, help="how many mechanisms")
    parser.add_argument("--draw", type=int, default=1, help="the seed by which they are drawn")
    parser.add_argument("--budget", default="500ms", help="for each of them")
    parser.add_argument("--runs", help="for each of them, in place of a budget")
    parser.add_argument("--busy", type=int, default=16, help="processes that compute beside the second check")
    parser.add_argument("--folder", nargs="*", help="of the fixtures, in place of those of mechanisms")
    parser.add_argument("--all", action="store_true", help="every mechanism of all fixtures, and none drawn")
    parser.add_argument("--jobs", default="1", help="audits at a time")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="where the two checks are kept")
    parser.add_argument("--only", choices=("alone", "busy"), help="make one of the two checks, and compare nothing")
    options = parser.parse_args()
    print(described_machine(), "\n")
    effort = ("--runs", options.runs) if options.runs else ("--budget", options.budget)
    names = mechanisms(options)
    checks = kept(options.keep)
    for kind, count in {"alone": 0, "busy": options.busy}.items():
        if kind in checks or options.only not in (None, kind):
            continue
        with busy(count):
            checks[kind] = verdicts(names, [*effort, "--jobs", options.jobs])
        print(f"{kind}: {checks[kind]['seconds']:.0f} s, load {checks[kind]['load']:.0f} at its end", flush=True)
        if options.keep:
            options.keep.write_text(json.dumps(checks))
    print(f"{len(names)} mechanisms, {' '.join(effort)}, {options.jobs} at a time, {options.busy} busy processes")
    return 0 if options.only else compared(names, checks)


def mechanisms(options: argparse.Namespace) -> list[str]:
    """Names of mechanisms as a command takes them: all, or drawn from the files of the folders by a seed."""
    chosen = [ROOT / "fixtures"] if options.all else [ROOT / "fixtures" / name for name in _FOLDERS]
    every = everything([Path(folder).resolve() for folder in options.folder or chosen])
    if options.all:
        return every
    return sorted(random.Random(options.draw).sample(every, min(options.sample, len(every))))


def compared(names: Sequence[str], checks: Mapping[str, Check]) -> int:
    """Print the verdicts that differ; 1 if there are any."""
    alone, loaded = (checks[kind]["verdicts"] for kind in ("alone", "busy"))
    print("verdicts alone:", ", ".join(f"{count} {name}" for name, count in Counter(alone.values()).most_common()))
    differing = [name for name in names if alone.get(name) != loaded.get(name)]
    for name in differing:
        print(f"| {name} | {alone.get(name)} | {loaded.get(name)} |")
    print(f"{len(differing)} of {len(names)} differ")
    return int(bool(differing))


def kept(file: Path | None) -> dict[str, Check]:
    """The checks that a file holds, by their kind."""
    return dict(json.loads(file.read_text())) if file and file.exists() else {}


def everything(folders: Sequence[Path]) -> list[str]:
    """The name of every mechanism in the files of the folders, sorted."""
    return sorted(
        {
            f"{file.relative_to(ROOT)}::{target.mechanism.qualname}"
            for folder in folders
            for file in folder.rglob("*.py")
            for target in read_programs(file, None, settings_for(file, {})).targets
        }
    )


def verdicts(names: Sequence[str], effort: Sequence[str]) -> Check:
    """What a check of these mechanisms says of each."""
    begun = time.monotonic()
    options = [*effort, "--seed", "1", "--no-cache", "--format", "json", "--no-progress"]
    command = [sys.executable, "-m", "dplint", "check", *names, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        sys.exit(f"the check ended with {done.returncode}:\n{done.stderr}")
    return {
        "verdicts": {
            f"{result['file']}::{result['function']}": str(result["verdict"])
            for result in json.loads(done.stdout)["results"]
        },
        "seconds": time.monotonic() - begun,
        "load": os.getloadavg()[0],
    }


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
