"""How often right mechanisms are accused whose models of the noise are wrong, by simulation.

    python benchmarks/wrong_models.py --audits 2000 [--runs 20000] [--jobs 2]

Whole audits in this process, each under a seed of its own, at alpha 0.05. Each mechanism keeps its claim with nothing
to spare. Now and then, by a draw that no model sees through, its noise is other noise, and that is what keeps the
claim: by the model that ten usual runs give, it is broken. On half-lines function and model differ just as often as
the model breaks the claim: the worst case for coupled runs. Prints a Markdown table.
Exit code 1 if even the lower 99.9 % limit of the share of false alarms exceeds alpha.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.in_process import InProcess, mechanism_of  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from benchmarks.soundness import ALPHA, CERTAINTY, limits  # noqa: E402
from dplint.audit.betting import spending as coupled_bets  # noqa: E402
from dplint.audit.models import simulating  # noqa: E402
from dplint.audit.procedure import drawn  # noqa: E402
from dplint.audit.procedures import audit, audit_procedures  # noqa: E402
from dplint.claims import Categories, Claim, Mechanism  # noqa: E402
from dplint.jobs import AuditJob, AuditSettings  # noqa: E402
from dplint.outcomes import Violation  # noqa: E402
from dplint.program.refusals import Unsupported  # noqa: E402
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, SampleRequest  # noqa: E402
from dplint.runner.client import GivenNoise, Trace, TracedDraws  # noqa: E402

Floats = np.ndarray[Any, np.dtype[np.float64]]
LESS_SIMULATED = {"_WIDE_FIRST": 50_000, "_WIDE_SECOND": 200_000}
MOST_NUMBERS = 6_000_000
"""Simulated numbers are fewer than in an audit, so that many audits take less time: bounds are wider, never wrong."""


@dataclass(frozen=True)
class Mixture:
    """x + noise whose law keeps `epsilon` exactly, made of narrower noise in the share `usual` of the runs.

    laws: of the draws of a run; the last is uniform and says whether the run is usual. noise: of the draws before.
    decimals: to which the output is rounded. opaque: whether the last draw leaves no trace, as choices do.
    """

    epsilon: float
    usual: float
    laws: tuple[str, ...]
    noise: Callable[[Floats, Any], Floats]
    decimals: int | None = None
    kind: LeafKind = LeafKind.FLOAT
    opaque: bool = False

    @property
    def traced(self) -> tuple[str, ...]:
        """The laws of the draws that leave a trace."""
        return self.laws[:-1] if self.opaque else self.laws


def _continuous(usual: float, decimals: int | None = None, *, opaque: bool = False) -> Mixture:
    """Laplace noise of scale 1, as Laplace noise of scale b = usual, and else a sum of two exponentials with a sign.

    exp(-t) / 2 = b exp(-t / b) / (2 b) + (1 - b) (exp(-t) - exp(-t / b)) / (2 (1 - b)) for t > 0, where the last
    fraction is half the density of a sum of exponentials of scales 1 and b. So half-lines lose exactly 1, and by the
    usual runs alone 1 / b. To round the output loses no more.
    """

    def noise(z: Floats, is_usual: Any) -> Floats:
        rest = np.where(z[3] < 0.5, -1.0, 1.0) * (z[1] + usual * z[2])
        return np.where(is_usual, usual * z[0], rest)

    laws = ("laplace", "exponential", "exponential", "random", "random")
    return Mixture(1.0, usual, laws, noise, decimals, opaque=opaque)


def _whole(a: float, narrow: float) -> Mixture:
    """Two-sided geometric noise a^|k|, as narrower such noise as often as it may be, and else what is left of it.

    What is left of a^|k| without narrow^|k| is never negative; it is drawn by the inverse of its distribution function.
    """
    values = np.arange(-400, 401)
    left = a ** np.abs(values) - narrow ** np.abs(values)
    below = np.cumsum(left / left.sum())
    usual = (1 - a) / (1 + a) * (1 + narrow) / (1 - narrow)

    def noise(z: Floats, is_usual: Any) -> Floats:
        rest = values[np.minimum(np.searchsorted(below, z[2]), len(values) - 1)]
        return np.where(is_usual, z[0] - z[1], rest)

    geometric = f'geometric {{"p": {1 - narrow!r}}}'
    return Mixture(-math.log(a), usual, (geometric, geometric, "random", "random"), noise, kind=LeafKind.INT)


@cache
def mixtures() -> Mapping[str, Mixture]:
    """By name."""
    return {
        "narrower noise in 95 % of the runs": _continuous(0.95),
        "narrower noise in 90 %": _continuous(0.9),
        "the same, rounded": _continuous(0.92, 1),
        "whole noise": _whole(0.5, 0.47),
        "narrower noise in 95 %, by a choice": _continuous(0.95, opaque=True),
    }


class Traced(InProcess):
    """A runner whose runs are those of a mixture, traced or not."""

    def __init__(self, mixture: Mixture) -> None:
        super().__init__(self._law)
        self._mixture = mixture

    def _law(self, seed: np.random.SeedSequence, data: Any, _: Mapping[str, Any], runs: int) -> Batch:
        return self._made(seed, data, runs)[0]

    def trace(self, request: SampleRequest, given: GivenNoise | None = None) -> list[Trace]:
        """The outputs with all draws of each run. given: noise to draw."""
        entropy, key = request.seed
        found = []
        for side, data in enumerate(request.datas):
            seed = np.random.SeedSequence(entropy, spawn_key=(*key, side))
            batch, z = self._made(seed, data.value, request.runs, given)
            laws, opaque = self._mixture.traced, self._mixture.opaque
            # Scales that a model may take for those of a number that is rounded.
            scales = (self._mixture.usual,) * len(laws)
            runs = z[: len(laws)].T.tolist()
            found.append(Trace(batch, tuple(TracedDraws(laws, tuple(row), scales, opaque=opaque) for row in runs)))
        return found

    def _made(
        self, seed: np.random.SeedSequence, data: Any, runs: int, given: GivenNoise | None = None
    ) -> tuple[Batch, Floats]:
        mixture = self._mixture
        z = drawn(mixture.laws, runs, np.random.default_rng(seed))
        if given is not None:
            z[: len(mixture.traced)] = given.values.T
        values = (float(data) + mixture.noise(z, z[-1] < mixture.usual))[:, None]
        if mixture.decimals is not None:
            # Of the sum: the last digits of rounded noise that is added to 1 would tell.
            values = np.round(values, mixture.decimals)
        kinds = np.full(values.shape, mixture.kind, np.uint8)
        group = Group(Leaf(), np.arange(runs, dtype=np.int32), kinds, values.astype(np.float64))
        return Batch(runs, (group,), ()), z


@dataclass(frozen=True)
class Audited:
    """One audit. coupled: whether runs beside a model were made for a bet that its models promised to win."""

    name: str
    alarm: bool
    coupled: bool
    differed: int


@contextmanager
def _watching(seen: list[Any]) -> Iterator[None]:
    """Note the coupled bets that were paid."""
    pay = coupled_bets._pay

    def noted(claim_test: Any, bet: Any, *rest: Any) -> None:
        pay(claim_test, bet, *rest)
        seen.append(bet)

    with (
        mock.patch.object(coupled_bets, "_pay", noted),
        mock.patch.object(coupled_bets, "_MOST_NUMBERS", MOST_NUMBERS),
        mock.patch.multiple(simulating, **LESS_SIMULATED),
    ):
        yield


def _work(runs: int, task: tuple[str, int]) -> Audited:
    name, seed = task
    mixture = mixtures()[name]
    claim = Claim(epsilon=mixture.epsilon, relation="any", domain=Categories((0, 1)))
    mechanism: Mechanism = mechanism_of(name.replace(" ", "_"), claim)
    settings = AuditSettings(
        method="anytime", alpha=ALPHA, seed=seed, max_runs=runs, budget=1e9, time_limit=1e9, deadline=1e9
    )
    job = AuditJob(mechanism=mechanism, program=Unsupported("a law", mechanism.span), settings=settings)
    seen: list[Any] = []
    with mock.patch("dplint.audit.session.Runner", return_value=Traced(mixture)), _watching(seen):
        outcome = audit(job, lambda *_: None, audit_procedures()).outcome
    off = sum(one.function + one.model for bet in {id(bet): bet for bet in seen}.values() for one in (bet.one, bet.two))
    return Audited(name, isinstance(outcome, Violation), bool(seen), off)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=2_000, help="over all mechanisms")
    parser.add_argument("--runs", type=int, default=20_000, help="of an audit")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(f"{described_machine()}; alpha = {ALPHA}, limits at {CERTAINTY:.1%}, {options.runs:,} runs an audit\n")
    names = list(mixtures())
    tasks = [(names[number % len(names)], number) for number in range(options.audits)]
    with get_context("spawn").Pool(options.jobs) as pool:
        found = pool.map(partial(_work, options.runs), tasks, chunksize=4)
    print("| mechanism | claimed | audits | with coupled runs | runs that differed | false alarms | share at most |")
    print("|---|---|---|---|---|---|---|")
    sound = True
    for name in [*names, "all"]:
        mine = [one for one in found if name in ("all", one.name)]
        alarms = sum(one.alarm for one in mine)
        low, high = limits(alarms, len(mine))
        sound &= low <= ALPHA
        claimed = "" if name == "all" else f"{mixtures()[name].epsilon:.4f}"
        cells = [name, claimed, len(mine), sum(one.coupled for one in mine), sum(one.differed for one in mine)]
        print(f"| {' | '.join(map(str, [*cells, alarms, f'{high:.4f}']))} |")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
