"""Seconds and runs for each mechanism of `fixtures/statdp`, beside what StatDP published.

    python benchmarks/statdp.py --profile ci

Prints a Markdown table. Seconds are wall time of an audit in its worker; the published ones are for one tested epsilon
on 32 logical cores, ours are for all tested epsilons together on one core an audit. The machines differ, so the last
column is no measurement of a speed-up.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.published import STATDP_SECONDS  # noqa: E402 - the checkout goes first on the path
from dplint.check import check_paths  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.outcomes import NoViolation, Result, Underpowered, Violation  # noqa: E402


def main() -> int:
    """Check the folder once and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="ci")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--method", choices=["anytime", "statdp"], default="statdp")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    folder = ROOT / "fixtures" / "statdp"
    given = {"profile": options.profile, "jobs": options.jobs, "seed": options.seed, "method": options.method}
    settings = load_settings(folder, {**given, "cache": False})
    started = time.monotonic()
    results = [event for event in check_paths([folder], settings) if isinstance(event, Result)]
    seconds = time.monotonic() - started
    print(
        f"profile `{options.profile}`, {settings.jobs} workers, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}: {seconds:.0f} s for the folder\n"
    )
    print("| mechanism | verdict | epsilons tested | runs | seconds | µs a run | StatDP, s for one epsilon, 32 cores |")
    print("|---|---|---|---|---|---|---|")
    for result in sorted(results, key=lambda r: list(STATDP_SECONDS).index(r.mechanism.qualname)):
        name, outcome = result.mechanism.qualname, result.outcome
        if not isinstance(outcome, Violation | NoViolation | Underpowered):
            print(f"| `{name}` | {type(outcome).__name__} | | | | | {STATDP_SECONDS[name]} |")
            continue
        effort = outcome.effort
        verdict = "violation" if isinstance(outcome, Violation) else "no violation found"
        print(
            f"| `{name}` | {verdict} | {len(outcome.tested)} | {effort.runs:,} | {effort.seconds:.1f} "
            f"| {effort.seconds / effort.runs * 1e6:.1f} | {STATDP_SECONDS[name]} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
