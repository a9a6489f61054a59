"""For how many mechanisms of a folder losses are computed, or a proof is found, before any bets.

    python benchmarks/reach.py FOLDER ... [--seconds 1] [--only NAME ...] [--without-operations | --operations-alone]

Prints a line for each mechanism, and counts: refuted by an exact loss, proved, proved in part, losses alone, nothing.
Where `truth.json` in the folder says which are right, or its name does ("right", "wrong"), wrong ones that are proved
as a whole and right ones that are refuted are told; a proof in part may be right for short data.
`--without-operations` leaves out what is read of a function by what it does, `--operations-alone` what is read of its
source.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from dplint.audit.exact.procedure import exact_procedures  # noqa: E402
from dplint.audit.operations import ByOperations  # noqa: E402
from dplint.audit.procedure import Facts, Needs  # noqa: E402
from dplint.audit.procedures import audit  # noqa: E402
from dplint.audit.proving.procedure import Proving  # noqa: E402
from dplint.audit.session import AuditSession  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Outcome, Proved, Violation  # noqa: E402


class Ending:
    """A last procedure, which notes what is known."""

    needs, name, phase, anytime = Needs.NOTHING, "end", "ending", True

    def __init__(self) -> None:
        self.facts = Facts()

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:  # noqa: ARG002
        """An outcome with all notes."""
        self.facts = facts
        return NoViolation(tested=(), choices=(), confidence=0.999, effort=session.effort())


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="for losses, and for each search for a proof")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--without-operations", action="store_true")
    parser.add_argument("--operations-alone", action="store_true")
    options = parser.parse_args()
    print(f"{described_machine()}; {options.seconds:g} s for losses and for each search\n")
    counts = Counter[str]()
    for folder in options.folders:
        truth = _truth_of(folder)
        by = (not options.operations_alone, not options.without_operations)
        for name, outcome, facts in reached(folder, options.seconds, options.only, *by):
            kind, words = _told(outcome, facts)
            is_right = truth.get(name.rpartition(".")[2], truth.get(""))
            wrong = is_right is not None and kind == ("refuted" if is_right else "proved")
            counts[kind] += 1
            counts["WRONG"] += wrong
            print(f"{name}: {kind}{', WRONG' if wrong else ''}; {words}", flush=True)
    print(f"\n{sum(counts.values()) - counts['WRONG']} mechanisms: {dict(counts)}")
    return int(counts["WRONG"] > 0)


def reached(
    folder: Path, seconds: float, only: list[str] | None, by_source: bool, by_operations: bool
) -> Iterator[tuple[str, Outcome, Facts]]:
    """The mechanisms, with what an audit without bets says of each."""
    settings = load_settings(folder, {"cache": False})
    for target in load_targets([folder], settings):
        if not isinstance(target, Target) or (only and target.mechanism.qualname not in only):
            continue
        chosen = replace(
            audit_settings(settings, target.mechanism),
            interpreter=sys.executable, exact_seconds=seconds, proof_seconds=seconds,
        )  # fmt: skip
        job = AuditJob(mechanism=target.mechanism, program=target.program, settings=chosen, lowered=target.lowered)
        first, further = exact_procedures()
        ending = Ending()
        source = (first, Proving()) if by_source else ()
        operations = (ByOperations(first),) if by_operations else ()
        procedures = (*source, *operations, further, ending)
        yield target.mechanism.qualname, audit(job, lambda *_: None, procedures).outcome, ending.facts


def _truth_of(folder: Path) -> dict[str, bool | None]:
    """Which are right by the folder's table, or all of it by its name, under the name ""."""
    table = folder / "truth.json"
    if not table.exists():
        return {"": {"right": True, "wrong": False}.get(folder.name)}
    told = json.loads(table.read_text())
    if "mechanisms" in told:
        return {row["function"].rpartition(".")[2]: row.get("right") for row in told["mechanisms"]}
    return dict.fromkeys(told, False) | {f"{name}_right": True for name in told}  # as in fixtures/hidden


def _told(outcome: Outcome, facts: Facts) -> tuple[str, str]:
    notes = " · ".join(outcome.effort.notes) if hasattr(outcome, "effort") else ""
    if isinstance(outcome, Violation):
        return "refuted", f"at least {outcome.epsilon_lower:g}"
    proof = facts.proof or (outcome if isinstance(outcome, Proved) else None)
    if proof is not None:
        return ("proved" if proof.scope.full else "proved in part"), f"{proof.scope.sizes} {notes}"
    return ("losses" if facts.losses else "nothing"), f"{len(facts.losses)} pairs; {notes}"


if __name__ == "__main__":
    sys.exit(main())
