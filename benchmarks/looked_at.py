"""What is looked at in all fixtures: nothing may end with zero events and "no violation found".

    python benchmarks/looked_at.py [--runs 30000] [--folder outputs]

Audits every mechanism under `fixtures`, with few runs and no cache. Prints a row for each folder, and every mechanism
that ends without an event, with what is said of it. Exit code 1 if that is "no violation found" or "too little power".
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Outcome, Underpowered, Violation  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

FOLDERS = sorted(path for path in (ROOT / "fixtures").iterdir() if path.is_dir())


def main() -> int:
    """Print the tables; exit code 1 if something was not looked at and it is not said."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=30_000)
    parser.add_argument("--folder", default="", help="a part of the name of a folder")
    options = parser.parse_args()
    print(f"{described_machine()}; {options.runs:,} runs each\n")
    print("| folder | mechanisms | verdicts | nothing looked at |\n|---|---|---|---|")
    silent = []
    for folder in FOLDERS:
        if options.folder in folder.name:
            found = audited(folder, options.runs)
            verdicts = Counter(type(outcome).__name__ for _, outcome in found)
            # A violation by an event that was suggested needs no others.
            unseen = [one for one in found if not events_of(one[1]) and not isinstance(one[1], Violation)]
            silent += [(name, outcome) for name, outcome in unseen if is_silent(outcome)]
            counted = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
            print(f"| {folder.name} | {len(found)} | {counted} | {len(unseen)} |", flush=True)
    for name, outcome in silent:
        print(f"\nnothing was looked at, and nobody says so: {name}: {outcome}")
    return 1 if silent else 0


def audited(folder: Path, runs: int) -> list[tuple[str, Outcome]]:
    """All mechanisms of a folder by name, with their outcomes."""
    settings = load_settings(folder, {"cache": False, "runs": runs, "deadline": 2.0})
    targets = [item for item in load_targets([folder], settings) if isinstance(item, Target)]
    jobs = [
        AuditJob(
            mechanism=target.mechanism,
            program=target.program,
            settings=audit_settings(settings, target.mechanism),
        )
        for target in targets
    ]
    return [
        (jobs[message.job].mechanism.name, message.body.result)
        for message in run_jobs(jobs, settings.jobs)
        if isinstance(message.body, Done)
    ]


def events_of(outcome: Outcome) -> int:
    """How many events were looked at."""
    effort = getattr(outcome, "effort", None)
    return 0 if effort is None else effort.events


def is_silent(outcome: Outcome) -> bool:
    """Whether it sounds as if something had been looked at."""
    return isinstance(outcome, NoViolation) or (isinstance(outcome, Underpowered) and outcome.power is not None)


if __name__ == "__main__":
    sys.exit(main())
