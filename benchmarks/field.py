"""How much of the loss of the field's mechanisms the anytime audit finds, beside what was published.

    python benchmarks/field.py --budget 60 [--only SVT]
    python benchmarks/field.py --budget 10 --fixtures checkdp dpfinder

The first form runs DP-Sniper's twenty mechanisms at epsilon 0.1, each for the budget on one core, and goes on
after a violation for a higher lower bound. A bound holds with confidence 0.999. The second runs all mechanisms of a
folder of fixtures at their first claimed value. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import described_machine  # noqa: E402 - the checkout goes first on the path
from benchmarks.published_twenty import TWENTY, Published  # noqa: E402
from dplint.check.loading import Target, audit_settings, load_targets  # noqa: E402
from dplint.claims import Fixed, Mechanism  # noqa: E402
from dplint.config import Settings, load_settings  # noqa: E402
from dplint.jobs import AuditJob  # noqa: E402
from dplint.outcomes import Curve, Outcome, Violation  # noqa: E402
from dplint.workers.messages import Done  # noqa: E402
from dplint.workers.pool import run_jobs  # noqa: E402

EPSILON = 0.1


@dataclass(frozen=True)
class Run:
    """One audit: the name to print, the target, and the epsilon at which the mechanism runs."""

    name: str
    target: Target
    epsilon: float
    published: Published | None = None

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism, on the input that the published numbers are for."""
        mechanism, row = self.target.mechanism, self.published
        if row is None:
            return mechanism
        args = dict(mechanism.claim.args) | {name: Fixed(value) for name, value in row.arguments.items()}
        size = mechanism.claim.size if row.size is None else (row.size,)
        return replace(mechanism, claim=replace(mechanism.claim, args=tuple(args.items()), size=size))


def outcomes(runs: Sequence[Run], settings: Settings, budget: float, jobs: int) -> Iterator[tuple[Run, Outcome]]:
    """The outcome of every run, in the order in which they end."""
    work = [
        AuditJob(
            mechanism=run.mechanism,
            program=run.target.program,
            settings=replace(
                audit_settings(settings, run.target.mechanism),
                method="anytime",
                budget=budget,
                max_runs=None,
                keep_going=True,
                time_limit=10 * budget + 60,
                epsilons=(run.epsilon,),
            ),
        )
        for run in runs
    ]
    with closing(run_jobs(work, jobs)) as messages:
        for message in messages:
            if isinstance(message.body, Done):
                assert not isinstance(message.body.result, Curve)
                yield runs[message.job], message.body.result


def lower_of(outcome: Outcome) -> float:
    """The lower bound that an outcome carries, 0 if none."""
    if isinstance(outcome, Violation):
        return outcome.epsilon_lower
    return max((tested.lower for tested in getattr(outcome, "tested", ())), default=0.0)


def event_of(outcome: Outcome) -> str:
    """The event of the highest bound, shortened."""
    if not isinstance(outcome, Violation):
        return ""
    text = (outcome.strongest or outcome.counterexample).witness.event
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`".replace("|", "\\|")


def number(value: float) -> str:
    """A number of the table."""
    return "∞" if math.isinf(value) else "-" if math.isnan(value) else f"{value:.4g}"


def twenty(options: argparse.Namespace, settings: Settings, found: dict[str, Target]) -> None:
    """DP-Sniper's mechanisms beside the published bounds."""
    chosen = {name: row for name, row in TWENTY.items() if options.only in name}
    heads = ["mechanism", "true ε", "lower bound", "runs", "seconds", "best published", "DD-Search", "StatDP-Fixed"]
    print(f"| {' | '.join([*heads, 'dpest (an estimate)', 'event'])} |\n|{'---|' * (len(heads) + 2)}")
    runs = [Run(name, found[row.fixture], EPSILON, row) for name, row in chosen.items()]
    reached = 0
    for run, outcome in outcomes(runs, settings, options.budget, options.jobs):
        row = chosen[run.name]
        lower = lower_of(outcome)
        reached += lower >= row.best
        print(line(run.name, row, lower, outcome), flush=True)
        if lower > row.true * (1 + 1e-9):
            print(f"**{run.name}: {lower} is above the true epsilon**")
    print(f"\n{reached} of {len(runs)} at least at the best published bound.")


def line(name: str, row: Published, lower: float, outcome: Outcome) -> str:
    """One line of the table."""
    effort = getattr(outcome, "effort", None)
    true = f"{'≤ ' if row.at_most else ''}{number(row.true)}"
    bound = f"**{number(lower)}**" if lower >= row.best else number(lower)
    fixed = "-" if row.fixed is None else f"{max(row.fixed):.4g}, {row.fixed_seconds:.0f} s"
    search = max(row.logistic, row.mlp)
    spent = (f"{effort.runs / 1e6:.1f}M", f"{effort.seconds:.1f}") if effort else ("", type(outcome).__name__)
    cells = [name, true, bound, *spent, number(row.best), f"{search[0]:.4g}, {search[1]:.0f} s", fixed]
    return f"| {' | '.join([*cells, number(row.dpest), event_of(outcome)])} |"


def folders(options: argparse.Namespace, settings: Settings) -> None:
    """All mechanisms of some folders beside their tables of truth."""
    print(
        "| mechanism | ε | true ε | claim | lower bound | verdict | runs | seconds |\n|---|---|---|---|---|---|---|---|"
    )
    for folder in options.fixtures:
        truth = json.loads((ROOT / "fixtures" / folder / "truth.json").read_text(encoding="utf-8"))
        rows = {row["function"]: row for row in truth["mechanisms"]}
        targets = [t for t in load_targets([ROOT / "fixtures" / folder], settings) if isinstance(t, Target)]
        runs = [Run(f"{folder}/{t.mechanism.qualname}", t, options.epsilon) for t in targets]
        for run, outcome in outcomes(runs, settings, options.budget, options.jobs):
            row = rows[run.target.mechanism.qualname]
            effort = getattr(outcome, "effort", None)
            verdict = "violation" if isinstance(outcome, Violation) else type(outcome).__name__
            cells = [run.name, number(run.epsilon), row["true_epsilon"]["formula"], row["claim"]]
            cells += [number(lower_of(outcome)), verdict]
            cells += [f"{effort.runs / 1e6:.1f}M", f"{effort.seconds:.1f}"] if effort else ["", ""]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--epsilon", type=float, default=0.7)
    parser.add_argument("--fixtures", nargs="*", default=())
    options = parser.parse_args()
    settings = load_settings(ROOT, {})
    print(f"{described_machine()}; {options.budget:g} s a mechanism, {options.jobs} at a time\n")
    if options.fixtures:
        folders(options, settings)
        return 0
    found = {}
    for folder in ("statdp", "dpsniper"):
        for target in load_targets([ROOT / "fixtures" / folder], settings):
            if isinstance(target, Target):
                found[f"{folder}/{target.mechanism.qualname}"] = target
    twenty(options, settings, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
