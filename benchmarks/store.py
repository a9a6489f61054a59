"""How long a check takes that has nothing to do: all is known, or there is nothing to know.

    python benchmarks/store.py [--repeat 7] [--budget 300ms] [--profile]

A project of 100 mechanisms in 20 files is audited once, then checked again without a change, by `dplint check`
in a process of its own, start included. Then 1,000 files without a claim. A bare Python, and `dplint --version`, stand
beside them as the part that cannot be saved. Prints Markdown; goals as in the issue.
"""

from __future__ import annotations

import argparse
import json
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from benchmarks.timing import repeated, seconds  # noqa: E402 - as above
from dplint.store import Summary, read_outcome  # noqa: E402 - as above
from dplint.store.codec import codec  # noqa: E402 - as above

FILES, MECHANISMS = 20, 5
WITHOUT = 1_000
KNOWN_GOAL, WITHOUT_GOAL = 0.7, 1.0
_HEAD = '''"""Counts that are released, file {number}."""

import numpy as np

from dplint import dp
from shop.helpers import clip


'''
_MECHANISM = '''@dp(epsilon="epsilon", neighbors="linf", size=3)
def release_{number}(rng, answers, epsilon):
    """The {number}th release: noise on every answer, of which those below a threshold are left out."""
    threshold = {number} + rng.laplace(scale=2 / epsilon)
    noisy = [clip(answer) + rng.laplace(scale=6 / epsilon) for answer in answers]
    if noisy[0] > threshold:
        return int(np.argmax(noisy))
    return -1


'''
_PLAIN = "\n".join(f"def function_{n}(value):\n    return [value + {n} for _ in range({n})]\n" for n in range(20))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--budget", default="300ms", help="of the audits that fill the store")
    parser.add_argument("--profile", action="store_true", help="show where the second check spends its time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known, without = Path(folder, "known"), Path(folder, "without")
        _make_known(known)
        _make_without(without)
        check = [sys.executable, "-m", "dplint", "check", ".", "--budget", options.budget]
        first = seconds(check, known)
        if options.profile:
            _profile(check[3:], known, Path(folder, "profile"))
        size = sum(file.stat().st_size for file in (known / ".dplint_cache").iterdir())
        rows = [
            ("a bare Python", [sys.executable, "-c", "pass"], known, None),
            ("`dplint --version`", [sys.executable, "-m", "dplint", "--version"], known, None),
            (f"{FILES * MECHANISMS} mechanisms, unchanged", check, known, KNOWN_GOAL),
            ("the same as JSON", [*check, "--format", "json"], known, KNOWN_GOAL),
            ("the same, `--static-only`", [*check[:-2], "--static-only"], known, None),
            ("the same, `--static-only --no-cache`", [*check[:-2], "--static-only", "--no-cache"], known, None),
            (f"{WITHOUT:,} files without claims", [*check[:-2]], without, WITHOUT_GOAL),
        ]
        times = [repeated(command, cwd, options.repeat) for _, command, cwd, _ in rows]
        decoded = _decoded(known)
    print(f"{described_machine()}\n")
    print(
        f"The first check took {first:.1f} s; the store holds {size / 1e6:.1f} MB. Seconds of {options.repeat} runs:\n"
    )
    print("| what | median | best | worst | processor | goal | met |\n|---|---|---|---|---|---|---|")
    for (name, _, _, goal), measured in zip(rows, times, strict=True):
        median = statistics.median(passed for passed, _ in measured)
        best, worst = min(measured)[0], max(measured)[0]
        processor = statistics.median(used for _, used in measured)
        met = "" if goal is None else "yes" if median < goal else "no"
        print(f"| {name} | {median:.2f} | {best:.2f} | {worst:.2f} | {processor:.2f} | {goal or ''} | {met} |")
    print(f"\nOf which outcomes and summaries from their documents: {1000 * decoded:.0f} ms of the processor.")


def _decoded(project: Path) -> float:
    """Seconds of the processor to make the outcomes and summaries of a cache from parsed JSON, for the first time."""
    files = [file.read_bytes() for file in (project / ".dplint_cache").glob("*.json")]
    documents = [json.loads(file.partition(b"\n")[2]) for file in files]  # the first line is the signature
    began = time.process_time()
    for document in documents:
        if "files" in document:
            found = [codec(Summary).read(summary) for _, summary in document["files"].values()]
        else:
            found = [read_outcome(document["outcome"])]
        assert None not in found
    return time.process_time() - began


def _profile(arguments: Sequence[str], cwd: Path, file: Path) -> None:
    seconds([sys.executable, "-m", "cProfile", "-o", str(file), "-m", "dplint", *arguments], cwd)
    pstats.Stats(str(file)).sort_stats("cumtime").print_stats("dplint|json|ast", 40)


def _make_known(folder: Path) -> None:
    package = folder / "shop"
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.dplint]\n")
    (package / "__init__.py").write_text("")
    (package / "helpers.py").write_text("def clip(value):\n    return max(-10.0, min(10.0, value))\n")
    for number in range(FILES):
        mechanisms = "".join(_MECHANISM.format(number=number * MECHANISMS + i) for i in range(MECHANISMS))
        (package / f"release_{number}.py").write_text(_HEAD.format(number=number) + mechanisms + _PLAIN)


def _make_without(folder: Path) -> None:
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.dplint]\n")
    for number in range(WITHOUT):
        package = folder / f"package_{number // 50}"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").touch()
        (package / f"module_{number}.py").write_text(_PLAIN)


if __name__ == "__main__":
    main()
