"""Runs of whole audits by the function itself, many at once, beside those by lanes of its program.

    python benchmarks/traced_runs.py [--budget 8] [--folders statdp] [--only NAME ...]

Bets alone, the same budget of seconds for both, one after the other; processor time of this process and its runners.
Prints a Markdown table, and the geometric mean and the least of runs for each second of processor time, traced over
lanes. Mechanisms that either of the two refutes are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.audits import jobs  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from dplint.audit.betting.procedure import Betting  # noqa: E402
from dplint.audit.procedure import Needs  # noqa: E402
from dplint.audit.procedures import audit  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Underpowered  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=8.0, help="seconds of each audit")
    parser.add_argument("--folders", nargs="+", default=["statdp"], help="of fixtures")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    options = parser.parse_args()
    print(f"{described_machine()}; {options.budget:g} s each\n")
    print("| mechanism | lanes, M runs/s | traced, M runs/s | ratio |\n|---|---|---|---|")
    ratios = []
    for job, right in jobs(tuple(options.folders), options.budget, options.only):
        if right is False or not isinstance(job.program, Program):
            continue
        job = replace(job, settings=replace(job.settings, interpreter=sys.executable))  # noqa: PLW2901
        lanes, traced = (rate(job, needs) for needs in (Needs.LANES, Needs.TRACED))
        if lanes is None or traced is None:
            continue
        ratios.append(traced / lanes)
        shown = f"{lanes / 1e6:.2f} | {traced / 1e6:.2f} | {traced / lanes:.2f}"
        print(f"| {job.mechanism.qualname} | {shown} |", flush=True)
    if ratios:
        print(
            f"\n{len(ratios)} mechanisms: geometric mean {np.exp(np.log(ratios).mean()):.2f}, least {min(ratios):.2f}"
        )
    return 0


def rate(job: AuditJob, needs: Needs) -> float | None:
    """Runs for each second of processor time; None where the audit ends with another answer."""
    before = _processor_time()
    outcome = audit(job, lambda *_: None, (Betting(needs),)).outcome
    if not isinstance(outcome, NoViolation | Underpowered):
        return None
    return outcome.effort.runs / (_processor_time() - before)


def _processor_time() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
