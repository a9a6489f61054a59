"""Runs a second of whole audits over plain calls in a loop, for the right mechanisms of the fixtures.

    python benchmarks/audits.py [--budget 4] [--folders statdp checkdp ...] [--only NAME ...] [--repeat 1] [--busy]

A whole audit: tracing, replays, arguments by z3, events, screening, learning, bets; no exact losses
and no proofs, for these end it before. One mechanism after the other in this process: the audit, and then plain calls
on the inputs that most of its runs were made of, weighted by these runs: how long a loop would have taken for the same.
Processor time of this process and of the audit's runner; with `--busy` the budget is counted in that of this process,
so that two states can be compared on a busy machine, where seconds of the clock would leave an audit little more than
what is done once. Prints a Markdown table, and the geometric mean and the least of the ratios. Mechanisms that are
wrong, by the tables of truth or because they are refuted, or whose runs call the function, are listed below it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine, with_memory_of_a_worker  # noqa: E402 - the checkout goes first on the path
from benchmarks.proofs import truth_of  # noqa: E402
from dplint.audit.betting.portfolio import Portfolio  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.audit.residual_runs import ResidualRuns  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.claims import Literal  # noqa: E402
from dplint.config import load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import NoViolation, Underpowered  # noqa: E402
from dplint.runner.client import DataValue  # noqa: E402
from dplint.runner.literals import encode  # noqa: E402
from dplint.runner.process import Process  # noqa: E402
from dplint.runner.session import RunnerSession  # noqa: E402
from dplint.runner.streams import EntropySource  # noqa: E402

FOLDERS = ("statdp", "checkdp", "dpsniper", "dpfinder", "realistic", "styles")
GOAL_MEAN, GOAL_LEAST = 40, 10
PLAIN_SECONDS, PLAIN_INPUTS = 0.6, 12


@dataclass(frozen=True)
class Row:
    """Runs a second."""

    name: str
    plain: float
    audited: float
    paid: float

    @property
    def ratio(self) -> float:
        """Of the whole audit to plain calls."""
        return self.audited / self.plain


@dataclass
class Input:
    """What the function is called with, and how often the audit ran it so."""

    data: DataValue
    arguments: Mapping[str, Literal]
    runs: int = 0


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of each audit")
    parser.add_argument("--folders", nargs="+", default=FOLDERS, help="of fixtures")
    parser.add_argument("--only", nargs="*", help="names of mechanisms")
    parser.add_argument("--repeat", type=int, default=1, help="turns of each mechanism; the median counts")
    parser.add_argument("--busy", action="store_true", help="count the budget in processor time of this process")
    options = parser.parse_args()
    with_memory_of_a_worker()
    print(f"{described_machine()}; {options.budget:g} s each\n")
    print("| mechanism | plain calls, runs/s | audit, M runs/s | paid to bets, M runs/s | audit over plain |")
    print("|---|---|---|---|---|")
    rows, without = [], []
    for job, right in jobs(options.folders, options.budget, options.only):
        if right is False:
            without.append(f"{job.mechanism.name}: wrong, by the table of truth")
            continue
        found = [measured(job, busy=options.busy) for _ in range(options.repeat)]
        if isinstance(found[0], str):
            without.append(f"{job.mechanism.name}: {found[0]}")
            continue
        row = sorted((one for one in found if isinstance(one, Row)), key=lambda one: one.ratio)[options.repeat // 2]
        rows.append(row)
        print(
            f"| {row.name} | {row.plain:,.0f} | {row.audited / 1e6:.2f} | {row.paid / 1e6:.2f} | {row.ratio:.1f} |",
            flush=True,
        )
    if rows:
        ratios = np.array([row.ratio for row in rows])
        mean, least = float(np.exp(np.log(ratios).mean())), float(ratios.min())
        print(f"\n{len(rows)} mechanisms: geometric mean {mean:.1f} of {GOAL_MEAN}, least {least:.1f} of {GOAL_LEAST};")
        many = int((ratios >= GOAL_LEAST).sum())
        print(f"the median is {np.median(ratios):.1f}, {many} are at {GOAL_LEAST} or more.")
    print("\nNot in the table:", *without, sep="\n")
    return 0


def jobs(folders: tuple[str, ...], budget: float, only: list[str] | None) -> Iterator[tuple[AuditJob, bool | None]]:
    """The audits, and whether the mechanism is right, where a table of truth says so."""
    for folder in folders:
        truth = truth_of(folder)
        settings = load_settings(ROOT / "fixtures" / folder, {"cache": False, "budget": budget})
        for target in load_targets([ROOT / "fixtures" / folder], settings):
            if isinstance(target, Target) and (not only or target.mechanism.qualname in only):
                chosen = replace(
                    audit_settings(settings, target.mechanism),
                    method="anytime", budget=budget, max_runs=None, exact_seconds=0.0, proof_seconds=0.0,
                )  # fmt: skip
                job = AuditJob(mechanism=target.mechanism, program=target.program, settings=chosen)
                yield job, truth.get(target.mechanism.qualname.rpartition(".")[2])


def measured(job: AuditJob, *, busy: bool = False) -> Row | str:
    """What an audit and plain calls do in a second, or why they are not compared."""
    job = replace(job, settings=replace(job.settings, interpreter=sys.executable))
    asked: dict[str, dict[str, Any]] = {}
    paid = [0]
    inputs: dict[str, Input] = {}
    exchange, pay = Process.exchange, Portfolio.pay
    together = ResidualRuns.together

    def remember(self: Process, request: dict[str, Any], *rest: Any) -> Any:
        asked.setdefault(request["do"], request)
        return exchange(self, request, *rest)

    def count(self: Portfolio, bets: Any, hits: Any, runs: int) -> None:
        paid[0] += runs * len({side for bet in bets for side in bet.sides})
        pay(self, bets, hits, runs)

    def note(data: Any, arguments: Any, runs: int) -> None:
        inputs.setdefault(repr((data, arguments)), Input(data, arguments)).runs += runs

    def noted(self: ResidualRuns, data: Any, arguments: Any, runs: int, *rest: Any) -> Any:
        for value in data:
            note(value, arguments, runs)
        return together(self, data, arguments, runs, *rest)

    clock = time.process_time if busy else time.monotonic
    with (
        mock.patch.object(time, "monotonic", clock),
        mock.patch.object(Process, "exchange", remember),
        mock.patch.object(Portfolio, "pay", count),
        mock.patch.object(ResidualRuns, "together", noted),
    ):
        started = processor_time()
        outcome = audit(job, lambda *_: None, audit_procedures()).outcome
        seconds = processor_time() - started
    if not isinstance(outcome, NoViolation | Underpowered):
        return type(outcome).__name__
    if not inputs:
        return f"every run calls the function: {'; '.join(outcome.effort.notes)}"
    plain = plain_calls(asked["load"], list(inputs.values()))
    return Row(job.mechanism.name, plain, outcome.effort.runs / seconds, paid[0] / seconds)


def processor_time() -> float:
    """Seconds of this process and of the runners that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def plain_calls(load: dict[str, Any], inputs: list[Input]) -> float:
    """Calls a second of the function on these inputs, by the loop of a runner."""
    session = RunnerSession("dplint", mock.MagicMock(), EntropySource(), mock.MagicMock())
    session.answer(load)
    chosen = sorted(inputs, key=lambda one: -one.runs)[:PLAIN_INPUTS]
    seconds = [seconds_of_a_call(session, one, PLAIN_SECONDS / len(chosen)) for one in chosen]
    return float(1 / np.average(seconds, weights=[one.runs for one in chosen]))


def seconds_of_a_call(session: RunnerSession, given: Input, at_least: float) -> float:
    """What a call takes on an input, of calls that take so many seconds together."""
    data = {"value": encode(given.data.value), "form": given.data.form, "handle": given.data.handle}
    arguments = {name: encode(value) for name, value in given.arguments.items()}
    request = {"datas": [data], "arguments": arguments, "noise_free": False, "seed": (1, ()), "block": 200}
    loop = session._prepare(request)[1][0]

    def drop(_output: object) -> None:
        """What the runs give is not looked at."""

    calls, started = 0, time.process_time()
    while time.process_time() - started < at_least:
        loop(200, drop)
        calls += 200
    return (time.process_time() - started) / calls


if __name__ == "__main__":
    sys.exit(main())
