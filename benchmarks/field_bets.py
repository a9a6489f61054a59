"""How much of the loss of the field's mechanisms bets alone find, for several seeds: one run of an audit tells little.

    python benchmarks/field_bets.py [--budget 60] [--seeds 3] [--only SVT34 ...]

DP-Sniper's mechanisms at epsilon 0.1, without exact losses and proofs, one after the other in this process. The budget
is counted in processor time of this process, so that two states can be compared on a busy machine, in turns. The lower
bounds of all seeds, their median, and millions of runs: of the median audit, and those paid to bets. Prints Markdown.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.field import EPSILON, Run, lower_of, number  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine, with_memory_of_a_worker  # noqa: E402
from benchmarks.published_twenty import TWENTY  # noqa: E402
from dplint.audit.betting.portfolio import Portfolio  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of processor time of each audit")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[""], help="parts of names")
    options = parser.parse_args()
    with_memory_of_a_worker()
    settings = load_settings(ROOT, {})
    found = {
        f"{folder}/{target.mechanism.qualname}": target
        for folder in ("statdp", "dpsniper")
        for target in load_targets([ROOT / "fixtures" / folder], settings)
        if isinstance(target, Target)
    }
    print(f"{described_machine()}; {options.budget:g} s of processor time an audit\n")
    print("| mechanism | true ε | median | lower bounds | M runs | M paid | best published |")
    print("|---|---|---|---|---|---|---|")
    for name, row in TWENTY.items():
        if not any(part in name for part in options.only):
            continue
        run = Run(name, found[row.fixture], EPSILON, row)
        usual = replace(
            audit_settings(settings, run.target.mechanism),
            method="anytime", budget=options.budget, max_runs=None, keep_going=True, time_limit=1e6,
            epsilons=(EPSILON,), exact_seconds=0.0, proof_seconds=0.0,
        )  # fmt: skip
        audits = sorted(
            audited(AuditJob(mechanism=run.mechanism, program=run.target.program, settings=replace(usual, seed=seed)))
            for seed in range(1, options.seeds + 1)
        )
        median = statistics.median(lower for lower, _, _ in audits)
        bounds = ", ".join(number(lower) for lower, _, _ in audits)
        _, runs, paid = audits[len(audits) // 2]
        cells = [name, number(row.true), number(median), bounds, f"{runs / 1e6:.1f}", f"{paid / 1e6:.1f}"]
        print(f"| {' | '.join([*cells, number(row.best)])} |", flush=True)
    return 0


def audited(job: AuditJob) -> tuple[float, int, int]:
    """The lower bound of one audit, its runs, and those of them that were paid to bets."""
    paid, pay = [0], Portfolio.pay

    def counted(self: Portfolio, bets: Any, hits: Any, runs: int) -> None:
        paid[0] += 2 * runs
        pay(self, bets, hits, runs)

    with mock.patch.object(time, "monotonic", time.process_time), mock.patch.object(Portfolio, "pay", counted):
        outcome = audit(job, lambda *_: None, audit_procedures()).outcome
    effort = getattr(outcome, "effort", None)
    return lower_of(outcome), 0 if effort is None else effort.runs, paid[0]


if __name__ == "__main__":
    sys.exit(main())
