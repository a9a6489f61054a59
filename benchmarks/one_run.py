"""Bounds of one training by canaries, beside what the trainings of fixtures/trainings spend.

    python -m benchmarks.one_run [--seeds 40] [--count 4000] [--only NAME ...] [--json FILE]
    python -m benchmarks.one_run --ideal [--seeds 40]
    python -m benchmarks.one_run --beside [--seeds 40]

Each training is run once for each seed, by `dplint train` as it is from the command line, with that many canaries; of
`many_items` with 20,000. `--ideal` takes scores of normal laws in place of trainings, as papers do: what the bounds of
Steinke et al. (NeurIPS 2023) and Mahloujifar et al. (ICML 2025) can give at all. `--beside` gives the same scores to
the auditor of JAX Privacy, where that is installed, which chooses its threshold on one half of them.

The truth is known: mu where each step sees all records, and an accountant's epsilon, a lower bound itself, where coins
choose them. A bound above it counts as wrong, of which there may be one in twenty.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "fixtures" / "trainings"
MANY = 20_000
_DELTA, _LEVEL = 1e-5, 0.05


@dataclass(frozen=True, slots=True)
class Truth:
    """What a training of the fixtures spends: mu where it is known, and epsilon with a delta of 1e-5."""

    function: str
    wrong: bool
    mu: float | None
    epsilon: float


def truths() -> Iterator[Truth]:
    """Of each function."""
    from dplint.audit.steps.accountant import Composition, NormalPair  # noqa: PLC0415 - help answers fast
    from dplint.statistics.one_run import epsilon_of  # noqa: PLC0415

    for row in json.loads((FOLDER / "truth.json").read_text())["functions"]:
        mu = row.get("mu")
        if mu is None:
            spent = Composition(row["rate"], row["steps"]).spent(NormalPair(row["step_mu"]))
            epsilon = max(one.epsilon(_DELTA) for one in spent)
        else:
            epsilon = epsilon_of(mu, _DELTA)
        yield Truth(row["function"], row["wrong"], mu, epsilon)


def bounded(truth: Truth, count: int, seed: int):  # type: ignore[no-untyped-def]
    """The bound of one training."""
    from dplint.check.inspecting import train  # noqa: PLC0415
    from dplint.config import load_settings  # noqa: PLC0415
    from dplint.jobs import CanaryChoice  # noqa: PLC0415
    from dplint.outcomes import TrainingBound  # noqa: PLC0415

    file = FOLDER / f"{'wrong' if truth.wrong else 'right'}.py"
    settings = load_settings(file, {"seed": seed})
    events = list(train(f"{file}::{truth.function}", settings, CanaryChoice(count=count), deadline=3600.0))
    found = events[-1]
    assert isinstance(found, TrainingBound), events
    return found


def ideal(seeds: int) -> None:
    """A table of both bounds, of normal laws that have just an epsilon, by epsilon and the number of canaries."""
    print("| epsilon | canaries | any noise, mean | least | most | normal, mean | least | most |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for epsilon in (1.0, 2.0, 4.0, 8.0):
        for canaries in (1000, 4000, 20_000, 100_000):
            made = [_both(*scores(epsilon, canaries, seed), epsilon) for seed in range(seeds)]
            plain, normal = zip(*made, strict=True)
            print(f"| {epsilon:g} | {canaries:,} | {_spread(plain)} | {_spread(normal)} |", flush=True)


def beside(seeds: int) -> None:
    """The same scores, and what the auditor of JAX Privacy makes of them by the same two papers."""
    from jax_privacy.auditing import CanaryScoreAuditor, Split  # noqa: PLC0415

    print("| epsilon | canaries | any noise, mean | JAX Privacy | normal, mean | JAX Privacy | of either above |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for epsilon in (4.0, 8.0):
        for canaries in (1000, 4000, 20_000):
            rows = []
            for seed in range(seeds):
                found, inside = scores(epsilon, canaries, seed)
                auditor = CanaryScoreAuditor(found[inside == 1], found[inside == 0])
                ways = (auditor.epsilon_one_run, auditor.epsilon_one_run_fdp)
                theirs = [way(_LEVEL, _DELTA, threshold_strategy=Split(0.5, seed=seed)) for way in ways]
                rows.append((*_both(found, inside, epsilon), *theirs))
            ours, our_normal, plain, normal = (mean(column) for column in zip(*rows, strict=True))
            above = [sum(max(row[part], row[part + 1]) > epsilon for row in rows) for part in (0, 2)]
            told = f"{ours:.2f} | {plain:.2f} | {our_normal:.2f} | {normal:.2f} | {above[0]} and {above[1]}"
            print(f"| {epsilon:g} | {canaries:,} | {told} |", flush=True)


def scores(epsilon: float, canaries: int, seed: int):  # type: ignore[no-untyped-def]
    """Scores of canaries, from normal laws that have just this epsilon, and which of them are in."""
    import numpy as np  # noqa: PLC0415 - help answers fast

    from dplint.statistics.one_run import mu_of  # noqa: PLC0415

    chance = np.random.default_rng(seed)
    inside = chance.integers(2, size=canaries)
    return mu_of(epsilon, _DELTA) * inside + chance.standard_normal(canaries), inside


def _both(found, inside, epsilon: float) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """Both bounds, with as many guesses as are planned for this epsilon."""
    from dplint.statistics.one_run import (  # noqa: PLC0415
        Guesses,
        epsilon_of,
        guesses_planned,
        least_epsilon,
        least_mu,
        mu_of,
    )

    mu, order = mu_of(epsilon, _DELTA), found.argsort()

    def guesses(delta: float | None) -> Guesses:
        made = guesses_planned(len(order), mu, delta, _LEVEL)
        right = int((1 - inside[order[: made // 2]]).sum() + inside[order[-(made // 2) :]].sum())
        return Guesses(len(order), made, right)

    normal = epsilon_of(least_mu(guesses(None), _LEVEL), _DELTA)
    return least_epsilon(guesses(_DELTA), _DELTA, _LEVEL), normal


def _spread(bounds: Sequence[float]) -> str:
    return f"{mean(bounds):.2f} | {min(bounds):.2f} | {max(bounds):.2f}"


def main() -> int:
    """Print the table."""
    from benchmarks.machine import described_machine  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--count", type=int, default=4000, help="canaries")
    parser.add_argument("--only", nargs="*", help="of the functions")
    parser.add_argument("--json", type=Path, help="where all numbers go")
    parser.add_argument("--ideal", action="store_true", help="scores of normal laws in place of trainings")
    parser.add_argument("--beside", action="store_true", help="such scores, given to JAX Privacy, too")
    options = parser.parse_args()
    print(described_machine(), "\n")
    if options.ideal or options.beside:
        (ideal if options.ideal else beside)(options.seeds)
        return 0
    bounds = "any noise, mean | least | most | normal, mean | least | most"
    print(f"| training | claim | truth, ε | {bounds} | above truth | refuted | s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    kept = {}
    for truth in truths():
        if options.only and truth.function not in options.only:
            continue
        began, found = time.monotonic(), []
        count = MANY if truth.function == "many_items" else options.count
        found = [bounded(truth, count, seed) for seed in range(options.seeds)]
        plain = [max(look.epsilon for look in one.looks) for one in found]
        normal = [max(look.normal_epsilon for look in one.looks) for one in found]
        above = sum(max(pair) > truth.epsilon for pair in zip(plain, normal, strict=True))
        refuted = sum(one.refutes for one in found)
        seconds = (time.monotonic() - began) / options.seeds
        claim = found[0].claimed
        print(
            f"| {truth.function} | {claim:.3g} | {truth.epsilon:.3g} | {_spread(plain)} "
            f"| {_spread(normal)} | {above} of {len(found)} | {refuted} | {seconds:.1f} |",
            flush=True,
        )
        kept[truth.function] = {"truth": truth.epsilon, "claim": claim, "plain": plain, "normal": normal}
    if options.json is not None:
        options.json.write_text(json.dumps(kept, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
