"""Mechanisms with claims in rho, mu and Renyi divergences: `fixtures/currency`, wrong ones and right ones.

    python -m benchmarks.currency [--budget SECONDS | --runs N]

With a number of runs nothing is computed or proved, and bets alone decide. Prints a table of verdicts, and at the end
how many there are of each. It ends with exit code 1 if a right one is refuted or a wrong one is proved.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.machine import described_machine

_FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "currency"


def verdicts(*options: str) -> Iterator[Mapping[str, Any]]:
    """What a check says of each, in the order of the files."""
    command = [sys.executable, "-m", "dplint", "check", str(_FIXTURES), "--no-cache", "--no-progress"]
    found = subprocess.run([*command, *options, "--format", "json"], capture_output=True, text=True, check=False)
    yield from json.loads(found.stdout)["results"]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=10.0, help="seconds of an audit")
    parser.add_argument("--runs", type=int, help="single executions for each mechanism, in place of seconds")
    given = parser.parse_args()
    options = ("--budget", str(given.budget)) if given.runs is None else ("--runs", str(given.runs))
    counts: Counter[tuple[str, str]] = Counter()
    sys.stdout.write(f"{described_machine()}\n\n| file | function | claim | verdict | evidence | seconds |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    for one in verdicts(*options):
        which = Path(one["file"]).stem
        counts[which, one["verdict"]] += 1
        row = (which, one["function"], one["claim"]["promise"], one["verdict"], one["evidence"] or "", one["seconds"])
        sys.stdout.write(f"| {' | '.join(map(str, row))} |\n")
    sys.stdout.write("\n")
    for (which, verdict), count in sorted(counts.items()):
        sys.stdout.write(f"{which}: {verdict} {count}\n")
    bad = counts["right", "violation"] + counts["wrong", "proved"] + counts["wrong", "proved-in-part"]
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
