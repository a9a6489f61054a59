"""What the processor time of whole audits goes into, for the right mechanisms of the fixtures.

    python benchmarks/audit_parts.py [--budget 4] [--folders statdp checkdp ...] [--only NAME ...] [--json FILE]
    python benchmarks/audit_parts.py --millions 100 ...

The audits of `benchmarks/audits.py`, one after the other in this process, with the budget in its processor time and
seconds of waiting for the runner, or with so many million runs for a budget, as in `benchmarks/cores.py`. The entry
points of each part are wrapped by counters of processor time, so that every nanosecond is counted once, for the part
that was entered last: what lanes take in a lesson is of lanes; only replays keep what they call.
Prints a Markdown table of shares in percent, of each mechanism and over all, with what all but the lanes takes over
what the lanes take, and the seconds of the runner beside them.
"""

from __future__ import annotations

import argparse
import functools
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.audits import FOLDERS, jobs  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine, with_memory_of_a_worker  # noqa: E402
from dplint.audit.betting import claim_test, rounds  # noqa: E402
from dplint.audit.betting.input_groups import InputGroup  # noqa: E402
from dplint.audit.betting.outcome import Reporter  # noqa: E402
from dplint.audit.betting.portfolio import Portfolio  # noqa: E402
from dplint.audit.betting.proposing import Lessons  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.audit.residual_runs import ResidualRuns  # noqa: E402
from dplint.audit.session import AuditSession  # noqa: E402
from dplint.audit.too_little import Glance  # noqa: E402
from dplint.events.counting import CellCounter, EventCounter, OutputCounter  # noqa: E402
from dplint.events.texts import TextReader  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Underpowered  # noqa: E402
from dplint.runner.process import Process  # noqa: E402
from dplint.runner.residual import ResidualDraws  # noqa: E402
from dplint.runner.residual_outputs import ResidualOutputs  # noqa: E402

DRAWS, LANES, OUTPUTS, DISCOVERY = "draws", "lanes", "outputs", "discovery"
LEARNING, BETS, PREPARATION, CHECK, REST = "learning", "bets", "preparation", "check", "rest"
WORDS = {
    DRAWS: "lanes: draws",
    LANES: "lanes: rest",
    OUTPUTS: "outputs, features, counting",
    DISCOVERY: "discovery, proposals",
    LEARNING: "learning, refining",
    BETS: "bets, outcome",
    PREPARATION: "z3, preparation",
    CHECK: "replays",
    REST: "rest",
}
ENTRIES: list[tuple[str, Any, list[str]]] = [
    (DRAWS, ResidualDraws, ["sampled"]),
    (LANES, ResidualRuns, ["sample"]),
    (OUTPUTS, ResidualOutputs, ["take", "batch"]),
    (OUTPUTS, TextReader, ["read"]),
    (OUTPUTS, Glance, ["look"]),
    (OUTPUTS, OutputCounter, ["add", "totals", "take", "add_totals"]),
    (OUTPUTS, CellCounter, ["counts", "of_grids"]),
    (OUTPUTS, EventCounter, ["hits"]),
    (DISCOVERY, InputGroup, ["_counter_of", "deepen", "proposals", "growth"]),
    (DISCOVERY, rounds.Rounds, ["_proposals", "_groups", "_deepen"]),
    (LEARNING, Lessons, ["better"]),
    (BETS, Portfolio, ["enter", "pay", "alive", "log_total"]),
    (BETS, Reporter, ["tested", "no_violation"]),
    (BETS, rounds.Rounds, ["_growing", "_leaders"]),
    (PREPARATION, AuditSession, ["load", "find_pairs", "noise_free", "look", "constants", "measure_speed"]),
    (PREPARATION, claim_test, ["find_choices"]),
    (PREPARATION, rounds, ["make_claim_test", "widen", "add_further", "add_suggested"]),
    (CHECK, ResidualRuns, ["check", "example"]),
]
"""What is wrapped: the part that it belongs to, a class or module, and names in it."""
CLOSED = frozenset([CHECK])
"""Parts that keep what they call, whatever it is of."""


@dataclass
class Parts:
    """Nanoseconds of processor time of this process, by part."""

    spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WORDS, 0))
    runner: float = 0.0
    _entered: list[str] = field(default_factory=lambda: [REST])
    _since: int = field(default_factory=time.process_time_ns)

    def turn(self) -> None:
        """Count what has passed for the part in hand."""
        now = time.process_time_ns()
        self.spent[self._entered[-1]] += now - self._since
        self._since = now

    def counted(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with its time counted for a part."""

        @functools.wraps(function)
        def wrapped(*given: Any, **named: Any) -> Any:
            if self._entered[-1] in CLOSED:
                return function(*given, **named)
            self.turn()
            self._entered.append(part)
            try:
                return function(*given, **named)
            finally:
                self.turn()
                self._entered.pop()

        return wrapped

    @property
    def lanes(self) -> float:
        """Seconds of lanes."""
        return (self.spent[DRAWS] + self.spent[LANES]) / 1e9

    @property
    def others(self) -> float:
        """Seconds of all but lanes."""
        return sum(self.spent.values()) / 1e9 - self.lanes

    def row(self) -> list[str]:
        """Cells of a table: seconds, shares in percent, what all but lanes takes over lanes, seconds of the runner."""
        whole = self.lanes + self.others
        shares = [f"{100 * spent / 1e9 / whole:.0f}" for spent in self.spent.values()]
        return [f"{whole:.1f}", *shares, f"{self.others / max(self.lanes, 1e-9):.2f}", f"{self.runner:.1f}"]


@contextmanager
def watched() -> Iterator[Parts]:
    """The parts of what is done inside."""
    with ExitStack() as stack:
        parts = Parts()
        for part, owner, names in ENTRIES:
            for name in names:
                found = vars(owner)[name]
                counted = parts.counted(part, found.fget if isinstance(found, property) else found)
                new = property(counted) if isinstance(found, property) else counted
                stack.enter_context(mock.patch.object(owner, name, new))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        parts.turn()
        parts.spent = dict.fromkeys(WORDS, 0)
        yield parts
        parts.turn()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        parts.runner = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextmanager
def clock_of_work() -> Iterator[None]:
    """Budgets in processor time of this process, and in seconds of waiting for the runner, which works meanwhile."""
    exchange, waited = Process.exchange, [0.0]

    def timed(self: Process, *given: Any) -> Any:
        seconds, worked = time.perf_counter(), time.process_time()
        try:
            return exchange(self, *given)
        finally:
            waited[0] += time.perf_counter() - seconds - (time.process_time() - worked)

    def now() -> float:
        return time.process_time() + waited[0]

    with mock.patch.object(Process, "exchange", timed), mock.patch.object(time, "monotonic", now):
        yield


def parts_of(job: AuditJob) -> Parts | str:
    """The parts of an audit whose budget is seconds of the processor, or why they are of no interest."""
    with clock_of_work(), watched() as parts:
        outcome = audit(job, lambda *_: None, audit_procedures()).outcome
    if not isinstance(outcome, NoViolation | Underpowered):
        return type(outcome).__name__
    return parts


def of_so_many(job: AuditJob, runs: int) -> AuditJob:
    """The audit with so many runs for a budget."""
    settings = replace(job.settings, max_runs=runs, budget=1e6, time_limit=1e6, keep_going=True)
    return replace(job, settings=settings)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of each audit")
    parser.add_argument("--millions", type=int, help="runs of each audit, in place of seconds")
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="of fixtures")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    parser.add_argument("--json", type=Path, help="nanoseconds of each mechanism are written here, too")
    options = parser.parse_args()
    with_memory_of_a_worker()
    seconds, runs = f"{options.budget:g} s of the processor", f"{options.millions} million runs"
    budget = seconds if options.millions is None else runs
    print(f"{described_machine()}; {budget} each\n")
    print(f"| mechanism | s | {' | '.join(WORDS.values())} | others over lanes | runner, s |")
    print(f"|{'---|' * (len(WORDS) + 4)}")
    found, without = dict[str, Parts](), []
    for job, right in jobs(options.folders, options.budget, options.only):
        name = job.mechanism.name
        wanted = job if options.millions is None else of_so_many(job, options.millions * 1_000_000)
        parts = "wrong, by the table of truth" if right is False else parts_of(wanted)
        if isinstance(parts, str):
            without.append(f"{name}: {parts}")
            continue
        found[name] = parts
        print(f"| {' | '.join([name, *parts.row()])} |", flush=True)
    if found:
        every = Parts()
        every.spent = {part: sum(one.spent[part] for one in found.values()) for part in WORDS}
        every.runner = sum(one.runner for one in found.values())
        print(f"| {' | '.join([f'all {len(found)}', *every.row()])} |")
        most = sum(one.others > one.lanes for one in found.values())
        print(f"\nAll but the lanes takes more than the lanes in {most} of {len(found)}.")
    if options.json is not None:
        written = {name: {**one.spent, "runner": round(one.runner * 1e9)} for name, one in found.items()}
        options.json.write_text(json.dumps(written, indent=1), encoding="utf-8")
    print("\nNot in the table:", *without, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
