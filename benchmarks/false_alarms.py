"""How often a right mechanism is flagged: many checks with different seeds.

    python benchmarks/false_alarms.py --repetitions 32 --profile commit

Prints a Markdown table: for every right mechanism of `fixtures/statdp`, the number of checks, of violations, and the
smallest p-value of any final test beside the level that it would have had to fall below.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402 - the checkout goes first on the path
from dplint.outcomes import NoViolation, Underpowered, Violation  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

FOLDER = ROOT / "fixtures" / "statdp"


def main() -> int:
    """Run the repetitions; exit code 1 if there was a false alarm or a failure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=32)
    parser.add_argument("--profile", default="commit")
    parser.add_argument("--jobs", type=int, default=None)
    options = parser.parse_args()
    settings = load_settings(
        FOLDER, {"method": "statdp", "cache": False, "profile": options.profile, "jobs": options.jobs}
    )
    truth = json.loads((FOLDER / "truth.json").read_text())["mechanisms"]
    right = {m["function"] for m in truth if m["right"]}
    targets = [
        item
        for item in load_targets([FOLDER], settings)
        if isinstance(item, Target) and item.mechanism.qualname in right
    ]
    jobs = [
        AuditJob(
            mechanism=target.mechanism,
            program=target.program,
            settings=replace(audit_settings(settings, target.mechanism), seed=seed),
        )
        for seed in range(1, options.repetitions + 1)
        for target in targets
    ]
    alarms = dict.fromkeys(sorted(right), 0)
    checks = dict.fromkeys(alarms, 0)
    smallest = dict.fromkeys(alarms, 1.0)
    others = runs = 0
    for message in run_jobs(jobs, settings.jobs):
        if not isinstance(message.body, Done):
            continue
        name, outcome = jobs[message.job].mechanism.qualname, message.body.result
        checks[name] += 1
        alarms[name] += isinstance(outcome, Violation)
        if isinstance(outcome, Violation | NoViolation | Underpowered):
            smallest[name] = min(smallest[name], *(tested.p_value for tested in outcome.tested))
            runs += outcome.effort.runs
        else:
            others += 1
            print(name, outcome, file=sys.stderr)
    print(f"{options.repetitions} repetitions, profile `{options.profile}`, level {settings.alpha}, {runs:,} runs\n")
    print("| mechanism | checks | false alarms | smallest p-value (needs at most 0.00025) |")
    print("|---|---|---|---|")
    for name in checks:
        print(f"| `{name}` | {checks[name]} | {alarms[name]} | {smallest[name]:.2g} |")
    return 1 if others or sum(alarms.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
