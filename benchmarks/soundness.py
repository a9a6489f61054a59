"""How often the anytime audit flags mechanisms that keep their claim with nothing to spare, by simulation.

    python benchmarks/soundness.py --audits 2000 [--runs 200000] [--jobs 2]

Whole audits in this process, each under a seed of its own, of mechanisms whose true epsilon is the claimed one. Three
ways: as shipped; going on after a violation, for the lower bound; and reckless, where rounds are short and every kind
of better event, refined and learnt, is looked for in all of them and bet on for little. Prints Markdown tables.
Exit code 1 if even the lower 99.9 % limit of a share of false alarms exceeds alpha, or of a mean of money exceeds 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from scipy.stats import beta

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.in_process import audit_in_process  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from benchmarks.right_mechanisms import Right, right_mechanisms  # noqa: E402
from dplint.audit.betting import proposing  # noqa: E402
from dplint.audit.betting import rounds as engine  # noqa: E402
from dplint.audit.betting.claim_test import ClaimTest  # noqa: E402
from dplint.audit.betting.proposing import Schedule  # noqa: E402
from dplint.audit.procedure import Procedure  # noqa: E402
from dplint.jobs import AuditJob, AuditSettings  # noqa: E402
from dplint.outcomes import NoViolation, Outcome, Underpowered, Untestable, Violation  # noqa: E402

ALPHA = 0.05
_SHORT = Schedule(screen=(200, 100, 100, 100), bet=(400, 600, 800, 1_000), widened=1, widened_again=3, further=(3, 0))
RECKLESS: Mapping[str, Any] = {
    "ON_LANES": _SHORT,
    "PLAIN": _SHORT,
    "_TRIAL": 200,
    "_FURTHER_SHARE": 1.0,
    "_WORTH": 0.05,
}
"""The module of the rounds with far fewer runs in each, and money for weaker promises."""
EAGER: Mapping[str, Any] = {
    "LEARNING": 1,
    "LEARNT_ROUNDS": frozenset(range(1, 20)),
    "_RUNS": 500,
    "_LEAST_RUNS": 100,
}
"""The module of the lessons with one in every round."""
WAYS = {"as shipped": (False, {}), "going on": (True, {}), "reckless": (True, {"engine": RECKLESS, "lessons": EAGER})}
"""Whether to go on after a violation, and changes of the schedule."""
CERTAINTY = 0.999


@dataclass(frozen=True)
class Simulated:
    """One audit. alarm: a right claim was refuted. above: the lower bound exceeded the truth at some look.

    money: the wealth at the end, or what refutes a claim once that was reached; its mean is at most 1. lower: the bound
    in parts of the truth, of the value of the claim where it is largest. better: bets on refined and learnt events
    that were paid.
    """

    name: str
    alarm: bool
    above: bool
    money: float
    lower: float
    runs: int
    looks: int
    better: int


class _Watch:
    """The claim tests of an audit, and the events that were proposed from earlier runs."""

    def __init__(self) -> None:
        self.claim_tests: list[ClaimTest] = []
        self.better: list[object] = []

    @contextmanager
    def watching(self, schedule: Mapping[str, Any]) -> Iterator[None]:
        """Inside, take note; nothing is changed but the schedule."""
        make_claim_test, better = engine.make_claim_test, proposing.Lessons.better

        def noted_line(*given: Any) -> ClaimTest:
            self.claim_tests.append(make_claim_test(*given))
            return self.claim_tests[-1]

        def noted_proposals(*given: Any, **named: Any) -> Any:
            found = better(*given, **named)
            self.better += [proposal.event for proposal in found]
            return found

        with (
            mock.patch.multiple(engine, make_claim_test=noted_line, **schedule.get("engine", {})),
            mock.patch.multiple(proposing, **schedule["lessons"]) if schedule else nullcontext(),
            mock.patch.object(proposing.Lessons, "better", noted_proposals),
        ):
            yield

    def money(self) -> float:
        """The mean over the values of the claim, each stopped at what refutes it."""
        return float(np.mean([_stopped(claim_test) for claim_test in self.claim_tests]))

    def paid(self) -> int:
        """Bets on better events that were paid."""
        known = {id(event) for event in self.better}
        return sum(
            id(bet.event) in known and bet.fresh_runs > 0
            for claim_test in self.claim_tests
            for bet in claim_test.portfolio.bets
        )


def _stopped(claim_test: ClaimTest) -> float:
    portfolio = claim_test.portfolio
    return 1 / portfolio.level if portfolio.rejected else math.exp(portfolio.log_total()[portfolio.claimed])


def simulate(
    name: str,
    right: Right,
    way: str,
    runs: int,
    seed: int,
    alpha: float = ALPHA,
    before: Sequence[Procedure[AuditJob, Outcome]] = (),
) -> Simulated:
    """One audit of so many runs. Deterministic for a seed. before: procedures that are asked before the bets."""
    keep_going, schedule = WAYS[way]
    settings = AuditSettings(
        method="anytime", alpha=alpha, seed=seed, epsilons=right.epsilons, max_runs=runs, keep_going=keep_going,
        budget=1e9, time_limit=1e9, deadline=1e9,
    )  # fmt: skip
    watch = _Watch()
    with watch.watching(schedule):
        outcome = audit_in_process(right.mechanism, right.law, settings, before=before, on_lanes=right.on_lanes).outcome
    if isinstance(outcome, Untestable) and outcome.code == "DP908":
        # So few runs that a rare value never made an event: nothing was bet, and nobody is accused.
        return Simulated(
            name=name, alarm=False, above=False, money=watch.money(), lower=0.0, runs=0, looks=0, better=watch.paid()
        )
    if not isinstance(outcome, Violation | NoViolation | Underpowered):
        raise TypeError(f"{name}, seed {seed}: {outcome}")
    return Simulated(
        name=name,
        alarm=isinstance(outcome, Violation),
        above=any(tested.lower > tested.epsilon for tested in outcome.tested),
        money=watch.money(),
        lower=max(tested.lower / tested.epsilon for tested in outcome.tested),
        runs=outcome.effort.runs,
        looks=outcome.effort.looks,
        better=watch.paid(),
    )


def limits(count: int, of: int) -> tuple[float, float]:
    """Clopper-Pearson limits of a share, each wrong with probability 1 - CERTAINTY."""
    low = float(beta.ppf(1 - CERTAINTY, count, of - count + 1)) if count else 0.0
    high = float(beta.ppf(CERTAINTY, count + 1, of - count)) if count < of else 1.0
    return low, high


_rights = cache(right_mechanisms)


def _work(task: tuple[str, str, int, int]) -> Simulated:
    name, way, runs, seed = task
    return simulate(name, _rights()[name], way, runs, seed)


def table(found: Sequence[Simulated]) -> bool:
    """Print a row for each mechanism and one for all; whether all is as promised."""
    heads = ["mechanism", "audits", "false alarms", "share at most", "bound above truth", "share at most "]
    heads += ["mean money", "median bound / truth", "runs", "looks", "better events paid"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    sound = True
    for name in [*dict.fromkeys(item.name for item in found), "all"]:
        mine = [item for item in found if name in ("all", item.name)]
        alarms, above = sum(i.alarm for i in mine), sum(i.above for i in mine)
        money = np.array([item.money for item in mine])
        error = float(money.std() / math.sqrt(len(money)))
        sound &= limits(alarms, len(mine))[0] <= ALPHA and limits(above, len(mine))[0] <= ALPHA
        sound &= float(money.mean()) - 3.1 * error <= 1
        cells = [name, len(mine), alarms, f"{limits(alarms, len(mine))[1]:.4f}"]
        cells += [above, f"{limits(above, len(mine))[1]:.4f}", f"{money.mean():.3f} ± {error:.3f}"]
        cells += [f"{np.median([i.lower for i in mine]):.2f}", _total(i.runs for i in mine)]
        cells += [f"{np.mean([i.looks for i in mine]):.1f}", sum(i.better for i in mine)]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return sound


def _total(values: Iterable[int]) -> str:
    return f"{sum(values) / 1e6:.1f}M"


def main() -> int:
    """Print a table for each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=2_000, help="for each way, over all mechanisms")
    parser.add_argument("--runs", type=int, default=200_000, help="of an audit; a fifth of it where it is reckless")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    options = parser.parse_args()
    print(f"{described_machine()}; alpha = {ALPHA}, limits at {CERTAINTY:.1%}")
    names = list(_rights())
    sound = True
    with get_context("spawn").Pool(options.jobs) as pool:
        for number, way in enumerate(options.ways):
            runs = options.runs // 5 if WAYS[way][1] else options.runs
            tasks = [(names[i % len(names)], way, runs, 10**6 * number + i) for i in range(options.audits)]
            found = pool.map(_work, tasks, chunksize=4)
            print(f"\n**{way}**, {runs:,} runs an audit\n")
            sound &= table(sorted(found, key=lambda item: names.index(item.name)))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
