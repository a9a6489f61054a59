"""Machine numbers: after how many runs and seconds leaks are found, and whether right mechanisms are accused.

    python -m benchmarks.machine_numbers [--seeds 20] [--only text] [--libraries] [--runs 60000]

The mechanisms of `fixtures/machine`, or with --libraries those of OpenDP and diffprivlib, each with so many seeds, one
after the other, in this process: the first part of an audit, which looks at machine numbers alone. Seconds are those of
bets and runs, without the start of a process and the import. Prints a Markdown table, and exit code 1 if a right one is
accused.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.machine import described_machine
from dplint.audit.betting.procedure import BettingInMachineNumbers
from dplint.audit.machine import in_machine_numbers
from dplint.audit.procedures import audit
from dplint.check.loading import Target, audit_settings, load_targets
from dplint.config import load_settings
from dplint.jobs import AuditJob
from dplint.outcomes import Failed, Untestable, Violation

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "fixtures" / "machine"
LIBRARIES = ROOT / "benchmarks" / "machine_libraries.py"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="", help="a part of the file or of the mechanism's name")
    parser.add_argument("--libraries", action="store_true", help="OpenDP and diffprivlib instead of the fixtures")
    parser.add_argument("--runs", type=int, default=60_000, help="of one audit, at most")
    options = parser.parse_args()
    settings = load_settings(FOLDER, {"cache": False, "runs": 2 * options.runs})
    print(f"{described_machine()}; {options.seeds} seeds, {options.runs:,} runs at most\n")
    print("| mechanism | refuted | runs | s | by |\n|---|---|---|---|---|")
    accused = 0
    for item in load_targets([LIBRARIES] if options.libraries else sorted(FOLDER.glob("*.py")), settings):
        if not isinstance(item, Target) or options.only not in item.mechanism.name:
            continue
        given = in_machine_numbers(audit_settings(settings, item.mechanism))
        outcomes = [
            audit(
                AuditJob(mechanism=item.mechanism, program=item.program, settings=replace(given, seed=seed)),
                lambda *_: None,
                (BettingInMachineNumbers(),),
            ).outcome
            for seed in range(1, options.seeds + 1)
        ]
        found = [one for one in outcomes if isinstance(one, Violation)]
        failed = [one.reason for one in outcomes if isinstance(one, Failed | Untestable)]
        accused += is_right(item) and bool(found)
        tried = [one.effort for one in (found or outcomes) if not isinstance(one, Untestable)]
        runs = statistics.median(effort.runs for effort in tried) if tried else 0
        seconds = max((effort.seconds for effort in tried), default=0.0)
        by = f"`{found[0].counterexample.witness.event}`" if found else "; ".join(set(failed))
        name = f"`{item.mechanism.qualname}`"
        print(f"| {name} | {len(found)} of {len(outcomes)} | {runs:,.0f} | {seconds:.1f} | {by} |", flush=True)
    return 1 if accused else 0


def is_right(item: Target) -> bool:
    """Whether the mechanism keeps its claim in machine numbers."""
    name, file = item.mechanism.qualname, Path(item.mechanism.path).name
    if file == "arithmetic.py":
        return name.endswith("_right")
    return file == "kept.py" or (file == LIBRARIES.name and not name.endswith("_leaks"))


if __name__ == "__main__":
    sys.exit(main())
