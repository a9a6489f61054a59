"""What further processes give for one mechanism on lanes: the same audit with one worker and with several, in turns.

    python benchmarks/cores.py [--only NAME ...] [--jobs 1 2] [--millions 100] [--budget 8] [--turns 3]

First audits of so many million runs: the seconds of the clock that they take, the processor's seconds of the process
that needs most of them (the audit cannot take less, however quiet the machine) and of all together, and whether the
outcomes are the same. Then audits of so many seconds: the runs that they make, in millions. No exact losses and no
proofs, which would end an audit before. Prints a Markdown table of medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.audits import jobs  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from dplint.jobs import AuditJob, AuditSettings  # noqa: E402
from dplint.outcomes import NoViolation, Underpowered, Violation  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

FOLDERS = ("statdp",)
Compared: TypeAlias = NoViolation | Underpowered | Violation
MECHANISMS = ("noisy_max_v1a", "histogram", "svt", "gap_svt")


@dataclass(frozen=True)
class Audited:
    """One audit: its outcome without the time that it took, and seconds of the clock and of processors."""

    outcome: Compared
    clock: float
    busiest: float
    all_together: float


class Processors:
    """Processor time of the processes below this one, as the system tells it several times a second. Linux alone."""

    def __init__(self) -> None:
        self.by_process: dict[int, float] = {}

    def look(self) -> None:
        """Take note of what they have used so far."""
        waiting = [os.getpid()]
        while waiting:
            of = waiting.pop()
            for children in Path(f"/proc/{of}/task").glob("*/children"):
                try:
                    found = [int(one) for one in children.read_text(encoding="ascii").split()]
                    waiting += found
                    for one in found:
                        self.by_process[one] = max(self.by_process.get(one, 0.0), _seconds(one))
                except (OSError, IndexError):
                    continue


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def watched() -> Iterator[Processors]:
    """Processor time of all that is started inside."""
    found, ended = Processors(), threading.Event()

    def look() -> None:
        while not ended.wait(0.05):
            found.look()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


def main() -> int:
    """Print the table; 1 if an outcome depends on the number of workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=MECHANISMS, help="names of mechanisms")
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="of fixtures")
    parser.add_argument("--jobs", nargs="+", type=int, default=[1, 2], help="numbers of workers")
    parser.add_argument("--millions", type=int, default=100, help="runs of an audit whose number of runs is given")
    parser.add_argument("--budget", type=float, default=8.0, help="seconds of an audit whose time is given")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    print(f"{described_machine()}; {options.millions} million runs, then {options.budget:g} s each\n")
    print("| mechanism | workers | s | processor s, busiest | processor s, all | outcome | runs of the budget, M |")
    print("|---|---|---|---|---|---|---|")
    same = True
    for job, _ in jobs(options.folders, options.budget, options.only):
        fixed = replace(job, settings=_kept_going(job, max_runs=options.millions * 1_000_000, budget=1e6))
        timed = replace(job, settings=_kept_going(job))
        turns = range(options.turns)
        found = [{n: (audited(fixed, n), runs_of(audited(timed, n))) for n in options.jobs} for _ in turns]
        first = found[0][options.jobs[0]][0].outcome
        for number in options.jobs:
            audits = [turn[number][0] for turn in found]
            equal = all(one.outcome == first for one in audits)
            same = same and equal
            clock, busiest, every, runs = (
                statistics.median(column)
                for column in (
                    [one.clock for one in audits],
                    [one.busiest for one in audits],
                    [one.all_together for one in audits],
                    [turn[number][1] for turn in found],
                )
            )
            print(
                f"| {job.mechanism.name} | {number} | {clock:.1f} | {busiest:.1f} | {every:.1f} "
                f"| {'the same' if equal else 'ANOTHER'} | {runs / 1e6:.0f} |",
                flush=True,
            )
    return 0 if same else 1


def _kept_going(job: AuditJob, **given: Any) -> AuditSettings:
    return replace(job.settings, keep_going=True, time_limit=1e6, **given)


def audited(job: AuditJob, workers: int) -> Audited:
    """One audit by so many workers."""
    with watched() as processors:
        began = time.monotonic()
        (outcome,) = [one.body.result for one in run_jobs([job], workers) if isinstance(one.body, Done)]
        clock = time.monotonic() - began
    assert isinstance(outcome, Compared), outcome
    outcome = replace(outcome, effort=replace(outcome.effort, seconds=0.0))
    used = processors.by_process.values()
    return Audited(outcome, clock, max(used), sum(used))


def runs_of(one: Audited) -> int:
    """Runs that were made in an audit."""
    return one.outcome.effort.runs


if __name__ == "__main__":
    sys.exit(main())
