"""What sharing runs on lanes could win: what a whole audit spends in lanes, in counting, and in all the rest.

    python -m benchmarks.lane_shares [--budget 4 | --runs 50000000] [--folders statdp checkdp ...] [--only NAME ...]

Right mechanisms of the fixtures that run on lanes, one after the other in this process, by the method of
`benchmarks/audits.py`: no exact losses and no proofs. Seconds are processor time of this process, so that other load
matters little. Lanes are what `LaneRuns` does to make runs; counting is what turns their outputs into counts of events;
the rest is what only the one who bets can do: choosing, learning, checking the translation, bookkeeping. A share gives
a bound (Amdahl): whoever makes all lanes for nothing is 1 / (1 - share) times as fast, whatever the number of
processes. Beside it, what it takes to hand outputs over: to pickle those of a block and to read them, over the time
that the lanes of the block took; a socket between them would come on top. Of a call for runs only what comes after the
first block could be made ahead, since what is asked for next hangs on what came out. Prints Markdown.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

import numpy as np

from benchmarks.audits import jobs
from benchmarks.machine import described_machine, with_memory_of_a_worker
from dplint.audit.lane_runs import LaneRuns
from dplint.audit.procedures import audit, audit_procedures
from dplint.events.counting import CellCounter, EventCounter
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Underpowered
from dplint.program.nodes import Program

FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic")
LANES, AHEAD, COUNTING, HANDING = "lanes", "lanes after the first block", "counting", "handing over"
MEASURED: tuple[tuple[type, str, str], ...] = (
    (LaneRuns, "sample", LANES),
    (LaneRuns, "sample_all", LANES),
    (CellCounter, "add", COUNTING),
    (CellCounter, "counts", COUNTING),
    (CellCounter, "of_grids", COUNTING),
    (EventCounter, "add", COUNTING),
    (EventCounter, "hits", COUNTING),
)
EVERY = 5
"""Of the blocks, how many are pickled."""


@dataclass
class Clock:
    """Seconds by kind, of the outermost call alone."""

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys((LANES, AHEAD, COUNTING, HANDING), 0.0))
    handed: float = 0.0
    blocks: int = 0
    number: int = 0
    inside: bool = False

    def measuring(self, function: Callable[..., Any], kind: str) -> Callable[..., Any]:
        """The function, with what it takes added up."""

        def measured(*args: Any, **given: Any) -> Any:
            if self.inside:
                return function(*args, **given)
            self.inside, before = True, time.process_time()
            try:
                found = function(*args, **given)
            finally:
                took = time.process_time() - before
                self.seconds[kind] += took
                self.inside = False
            if kind == LANES and found is not None:
                self.seconds[AHEAD] += took if self.number else 0.0
                self._hand_over(found, took)
            return found

        return measured

    def numbering(self, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """`LaneRuns.blocks`, with the number of the block noted that is in hand."""

        def numbered(*args: Any, **given: Any) -> Iterator[Any]:
            blocks, number = function(*args, **given), 0
            while True:
                self.number = number
                try:
                    found = next(blocks)
                except StopIteration:
                    return
                number += 1
                yield found

        return numbered

    def _hand_over(self, found: object, took: float) -> None:
        self.blocks += 1
        if self.blocks % EVERY:
            return
        before = time.process_time()
        pickle.loads(pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL))
        self.seconds[HANDING] += time.process_time() - before
        self.handed += took


@contextmanager
def clocked() -> Iterator[Clock]:
    """A clock of everything that is done inside."""
    clock = Clock()
    with ExitStack() as stack:
        for owner, name, kind in MEASURED:
            stack.enter_context(mock.patch.object(owner, name, clock.measuring(getattr(owner, name), kind)))
        stack.enter_context(mock.patch.object(LaneRuns, "blocks", clock.numbering(LaneRuns.blocks)))
        yield clock


def shares(job: AuditJob) -> tuple[float, float, float, float] | None:
    """Of the whole audit, the shares of lanes, of those lanes that could be made ahead, and of counting; and what
    handing over costs for each second of lanes. None if the claim is refuted.
    """
    with clocked() as clock:
        before = time.process_time()
        outcome = audit(job, lambda *_: None, audit_procedures("anytime")).outcome
        total = time.process_time() - before - clock.seconds[HANDING]
    if not isinstance(outcome, NoViolation | Underpowered) or not clock.handed:
        return None
    handing = clock.seconds[HANDING] / clock.handed
    lanes, ahead, counting = (clock.seconds[kind] / total for kind in (LANES, AHEAD, COUNTING))
    return lanes, ahead, counting, handing


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of each audit")
    parser.add_argument("--runs", type=int, help="so many runs in place of a time")
    parser.add_argument("--folders", nargs="+", default=FOLDERS)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    with_memory_of_a_worker()
    each = f"{options.budget:g} s" if options.runs is None else f"{options.runs:,} runs"
    print(f"{described_machine()}; {each} each\n")
    print("| mechanism | lanes | of these after the first block | counting | the rest | lanes for nothing |", end="")
    print(" both for nothing | handing over / lanes |\n|---|---|---|---|---|---|---|---|")
    rows = []
    for job in jobs(options.folders, options.budget, options.only):
        limited = job
        if options.runs is not None:
            limited = replace(job, settings=replace(job.settings, max_runs=options.runs, time_limit=3600.0))
        found = shares(limited) if isinstance(job.program, Program) else None
        if found is not None:
            rows.append(found)
            print(row(job.mechanism.qualname, *found), flush=True)
    print(row(f"median of {len(rows)}", *(float(one) for one in np.median(np.array(rows), axis=0))))


def row(name: str, lanes: float, ahead: float, counting: float, handing: float) -> str:
    """A line of the table."""
    return (
        f"| {name} | {lanes:.0%} | {ahead:.0%} | {counting:.0%} | {1 - lanes - counting:.0%} "
        f"| {1 / (1 - lanes):.1f} | {1 / (1 - lanes - counting):.1f} | {handing:.2f} |"
    )


if __name__ == "__main__":
    main()
