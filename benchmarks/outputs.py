"""Leaks in outputs of many shapes, and their right twins: what shows each leak, and how soon.

    python benchmarks/outputs.py [--only text] [--seed 1] [--profile commit] [--budget 5]

Each mechanism of `fixtures/outputs` is audited by itself, with all cores and no cache. A leak must be found within the
budget, 5 s if nothing else is said, a twin must not be accused, and neither may end without having looked at any
event. Seconds are those of the audit, with the import of the module. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import Settings, load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Outcome, Proved, Underpowered, Violation  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

FOLDER = ROOT / "fixtures" / "outputs"
NEEDS = {"polars_tables.py": "polars", "tensors.py": "torch"}
"""Files whose library need not be installed."""
_LONGEST = 110


@dataclass(frozen=True)
class Row:
    """A leak with its twin, which is None as long as it is not known."""

    file: str
    name: str
    leak: Outcome
    twin: Outcome


def main() -> int:
    """Print the table; exit code 1 if a leak was missed, a twin accused, or nothing looked at."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a part of the name")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--profile", default="commit")
    parser.add_argument("--budget", type=float, default=5.0, help="seconds for one mechanism")
    options = parser.parse_args()
    settings = load_settings(FOLDER, {"cache": False, "profile": options.profile, "budget": options.budget})
    left_out = sorted({needed for needed in NEEDS.values() if find_spec(needed) is None})
    found = [target for target in targets(settings) if options.only in target.mechanism.qualname]
    print(f"{described_machine()}; profile `{options.profile}`, budget {settings.budget:g} s")
    print(f"not installed, and left out: {', '.join(left_out)}\n" if left_out else "")
    print("| file | leak | found after s | shown by | twin | wrong |")
    print("|---|---|---|---|---|---|")
    wrong = 0
    for row in rows(found, settings, options.seed):
        faults = list(faults_of(row))
        wrong += bool(faults)
        cells = row.file, f"`{row.name}`", shown(row.leak), verdict(row.twin), "; ".join(faults)
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{len(found) // 2} pairs, {wrong} with a fault")
    return 1 if wrong else 0


def targets(settings: Settings) -> list[Target]:
    """The mechanisms of the fixtures whose libraries are installed."""
    missing = {file for file, needed in NEEDS.items() if find_spec(needed) is None}
    found = [item for item in load_targets([FOLDER], settings) if isinstance(item, Target)]
    return [item for item in found if Path(item.mechanism.file).name not in missing]


def rows(found: list[Target], settings: Settings, seed: int | None) -> Iterator[Row]:
    """Audit all; a row as soon as both of its halves are known."""
    jobs = [
        AuditJob(
            mechanism=target.mechanism,
            program=target.program,
            settings=replace(audit_settings(settings, target.mechanism), **({} if seed is None else {"seed": seed})),
        )
        for target in found
    ]
    known: dict[str, dict[bool, Outcome]] = {}
    for message in run_jobs(jobs, settings.jobs):
        if isinstance(message.body, Done):
            mechanism = jobs[message.job].mechanism
            name = mechanism.qualname.removesuffix("_leaks")
            both = known.setdefault(name, {})
            both[mechanism.qualname != name] = message.body.result
            if len(both) == 2:
                yield Row(Path(mechanism.file).name, name, both[True], both[False])


def faults_of(row: Row) -> Iterator[str]:
    """What should not be."""
    if not isinstance(row.leak, Violation):
        yield f"missed: {verdict(row.leak)}"
    if not isinstance(row.twin, NoViolation | Proved | Underpowered):
        yield f"the twin: {verdict(row.twin)}"
    elif not isinstance(row.twin, Proved) and not row.twin.effort.events:
        yield "the twin: nothing was looked at"


def shown(outcome: Outcome) -> str:
    """The seconds and the event, two cells."""
    if not isinstance(outcome, Violation):
        return " | "
    event = outcome.counterexample.witness.event
    text = event if len(event) <= _LONGEST else event[: _LONGEST - 1] + "…"
    return f"{outcome.effort.seconds:.2f} | `{text.replace('|', chr(92) + '|')}`"


def verdict(outcome: Outcome) -> str:
    """In a few words."""
    match outcome:
        case Violation():
            return "accused"
        case NoViolation(effort=effort):
            return f"stands, {effort.events:,} events"
        case Underpowered(effort=effort):
            return f"underpowered, {effort.events:,} events"
    return f"{type(outcome).__name__}: {getattr(outcome, 'reason', '')}"


if __name__ == "__main__":
    sys.exit(main())
