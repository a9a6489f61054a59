"""Bugs that only certain data or inputs reach, and their right twins: what shows each, and how soon.

    python benchmarks/inputs.py [--only text] [--seed 1] [--profile commit] [--budget 5]

Each mechanism of `fixtures/inputs` is audited by itself, with all cores and no cache, and the rows are those of its
table of truth. A leak must be found within the budget, 5 s if nothing else is said, and a twin must not be
accused, nor end without an event that was looked at. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from benchmarks.outputs import Row, faults_of, shown, verdict  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import Settings, load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import Outcome  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

FOLDER = ROOT / "fixtures" / "inputs"
NEEDS = {"polars_frames.py": "polars", "forms.py": "pandas", "randomness.py": "sklearn"}
"""Files whose library need not be installed."""


def main() -> int:
    """Print the table; exit code 1 if a leak was missed, a twin accused, or nothing looked at."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a part of the leak's name")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--profile", default="commit")
    parser.add_argument("--budget", type=float, default=5.0, help="seconds for one mechanism")
    options = parser.parse_args()
    settings = load_settings(FOLDER, {"cache": False, "profile": options.profile, "budget": options.budget})
    pairs = [
        row
        for row in json.loads((FOLDER / "truth.json").read_text())["pairs"]
        if options.only in row["leak"] and find_spec(NEEDS.get(row["file"], "json")) is not None
    ]
    left_out = sorted({needed for needed in NEEDS.values() if find_spec(needed) is None})
    print(f"{described_machine()}; profile `{options.profile}`, budget {settings.budget:g} s")
    print(f"not installed, and left out: {', '.join(left_out)}\n" if left_out else "")
    outcomes = audited(settings, options.seed, {row["file"] for row in pairs}, options.only)
    print("| file | leak | reached by | found after s | shown by | twin | wrong |")
    print("|---|---|---|---|---|---|---|")
    wrong = 0
    for pair in pairs:
        leak, right = (outcomes[pair["file"], pair.get(f"{kind}_name", pair[kind])] for kind in ("leak", "right"))
        row = Row(pair["file"], pair["leak"], leak[0], right[-1])
        faults = list(faults_of(row))
        wrong += bool(faults)
        cells = row.file, f"`{row.name}`", pair["shown_by"], shown(row.leak), verdict(row.twin), "; ".join(faults)
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{len(pairs)} pairs, {wrong} with a fault")
    return 1 if wrong else 0


def audited(settings: Settings, seed: int | None, files: set[str], only: str) -> dict[tuple[str, str], list[Outcome]]:
    """The outcomes by file and name, those of lambdas in the order of the source."""
    name = only.removesuffix("_leaks")
    found = [
        item
        for item in load_targets([FOLDER / file for file in sorted(files)], settings)
        if isinstance(item, Target) and (name in item.mechanism.qualname or "lambda" in item.mechanism.qualname)
    ]
    found.sort(key=lambda item: (item.mechanism.file, item.mechanism.span))
    jobs = [
        AuditJob(
            mechanism=item.mechanism,
            program=item.program,
            settings=replace(audit_settings(settings, item.mechanism), **({} if seed is None else {"seed": seed})),
        )
        for item in found
    ]
    results = {one.job: one.body.result for one in run_jobs(jobs, settings.jobs) if isinstance(one.body, Done)}
    known: dict[tuple[str, str], list[Outcome]] = {}
    for number, job in enumerate(jobs):
        place = Path(job.mechanism.file).name, job.mechanism.qualname
        known.setdefault(place, []).append(results[number])
    return known


if __name__ == "__main__":
    sys.exit(main())
