"""Mechanisms with claims in rho, mu and Renyi divergences: `fixtures/currency`, wrong ones and right ones.

    python -m benchmarks.currency [--budget SECONDS | --runs N | --audits N]

With a number of runs nothing is computed or proved, and bets alone decide. Prints a table of verdicts, and at the end
how many there are of each. It ends with exit code 1 if a right one is refuted or a wrong one is proved.

With a number of audits it prints how often bets refute a claim in mu of normal noise, which keeps every point of its
curve with nothing to spare. It ends with exit code 1 if even the lower 99.9 % limit of that share exceeds alpha.
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

from benchmarks.in_process import law_of, mechanism_of
from benchmarks.machine import described_machine
from benchmarks.right_mechanisms import Right
from benchmarks.soundness import ALPHA, limits, simulate
from dplint.claims import Claim, Interval, Promise

_FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "currency"


def verdicts(*options: str) -> Iterator[Mapping[str, Any]]:
    """What a check says of each, in the order of the files."""
    command = [sys.executable, "-m", "dplint", "check", str(_FIXTURES), "--no-cache", "--no-progress"]
    found = subprocess.run([*command, *options, "--format", "json"], capture_output=True, text=True, check=False)
    yield from json.loads(found.stdout)["results"]


MU = 0.8


def normal_noise() -> Right:
    """Normal noise with the claim in mu that it keeps exactly: at each point of the curve, by a half-line."""
    claim = Claim(
        epsilon=1.0, delta=1e-6, relation="any", domain=Interval(0, 1, integer=False), promise=Promise("mu", (MU,))
    )
    law = law_of(lambda rng, data, _, runs: data + rng.normal(scale=1 / MU, size=runs))
    return Right(mechanism_of("normal noise", claim), law)


def alarms(audits: int) -> int:
    """Print how many audits end with a false alarm, at a level where many would show."""
    found = [simulate("normal noise", normal_noise(), "reckless", 10_000, seed) for seed in range(audits)]
    count, above = sum(one.alarm for one in found), sum(one.above for one in found)
    low, high = limits(count, audits)
    sys.stdout.write(f"{described_machine()}\n\n{count} of {audits} audits refute a right claim, {above} ")
    sys.stdout.write(f"bounds are above the truth; 99.9 % limits {low:.4f} to {high:.4f}, alpha {ALPHA}\n")
    return int(low > ALPHA)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=10.0, help="seconds of an audit")
    parser.add_argument("--runs", type=int, help="single executions for each mechanism, in place of seconds")
    parser.add_argument("--audits", type=int, help="simulated audits of a right mechanism, and nothing else")
    given = parser.parse_args()
    if given.audits is not None:
        return alarms(given.audits)
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
