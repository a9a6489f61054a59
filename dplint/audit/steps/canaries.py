"""The canaries of an audit: which they are, how they are scored, and a training with some of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.audit.session import AuditSession
from dplint.audit.steps.canary_records import domain_canaries, plain_records
from dplint.claims import Literal
from dplint.inputs.forms import AS_IT_IS
from dplint.inputs.pairs import data_domain
from dplint.jobs import TrainJob
from dplint.outcomes import BoundAt, Standing
from dplint.runner.client import DataValue

Inside: TypeAlias = npt.NDArray[np.bool_]
_STREAM = 1 << 29
_COINS, _RECORDS, _LEARNING, _TRAININGS = range(4)
_REQUEST_SECONDS = 1.0
"""What a request to the runner should take, so that progress is seen; one release may take longer."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a bound is held against. mu: None where it is not claimed. planned: of normal laws that have just this."""

    epsilon: float
    delta: float
    mu: float | None
    planned: float


@dataclass(frozen=True, slots=True)
class Scored:
    """After so many releases: for each canary a score, which is higher if it is likelier to be in the training."""

    releases: int
    ended: bool
    scores: npt.NDArray[np.float64]


@dataclass
class Canaries:
    """Those of one audit; they stay in the runner. count: how many there are, once they are chosen."""

    session: AuditSession
    job: TrainJob
    arguments: dict[str, Literal]
    count: int = 0
    _standing: Standing | None = None

    @property
    def level(self) -> float:
        """How likely a bound may be wrong."""
        return 1 - self.job.choice.confidence

    def choose(self) -> int:
        """Take those of the project or of the domain; how many."""
        domain, generator = data_domain(self.job.mechanism), self._generator(_RECORDS)
        data, choice = [DataValue(None, AS_IT_IS)] * 2, self.job.choice
        if domain is not None and choice.canaries is None:
            both = plain_records(domain), domain_canaries(domain, choice.count, generator)
            data = [DataValue(records, self.session.form) for records in both]
        named = {"records": choice.records, "canaries": choice.canaries, "score": choice.score}
        self.count = int(self._ask("choose", (_RECORDS,), data, **named)["count"])
        return self.count

    def learn(self) -> bool:
        """Learn how each moves what is released without noise; whether any does."""
        for everybody in (False, True):
            lengths: list[float] = []
            some = 1
            while len(lengths) < self.count:
                self.session.planned = self.count
                self.session.check_cancelled()
                self.session.announce("learning what canaries move")
                before, last = time.monotonic(), min(self.count, len(lengths) + some)
                self.session.coverage.runs += last - len(lengths)
                asked = {"first": len(lengths), "last": last, "everybody": everybody}
                lengths += self._ask("learn", (_LEARNING,), (), **asked)["lengths"]
                some = max(1, min(8 * some, int(some * _REQUEST_SECONDS / max(time.monotonic() - before, 1e-6))))
            if any(lengths):
                chosen = "to learn what canaries move, draws by which records are chosen have chosen all"
                self.session.coverage.note(chosen if everybody else None)
                return True
        return False

    def keep(self, claimed: Claimed) -> None:
        """Keep those that move much and do not hide each other. Noise is expected as normal laws have it that keep just
        what is claimed: coins of 0 and 1 have a variance of 1/4.
        """
        self.count = int(self._ask("keep", (_LEARNING,), (), noise=4 / max(claimed.planned, 1e-3) ** 2)["count"])

    def coins(self) -> Iterator[Inside]:
        """Which canaries are in a training: each with probability 1/2, independently, and of all else."""
        generator = self._generator(_COINS)
        while True:
            yield generator.integers(2, size=self.count).astype(bool)

    def train(self, inside: Inside, number: int, most: Sequence[int]) -> Iterator[Scored]:
        """Train with these inside: what is known after so many releases, of each of `most`, and at the end.

        It may end without that where somebody asks for an end. number: of the training. Each has noise of its own.
        """
        made, ended = 0, False
        for wanted in most:
            while made < wanted and not ended:
                if self.session.cancelled:
                    return
                asked = {"releases": wanted, "seconds": _REQUEST_SECONDS, "inside": inside.astype(int).tolist()}
                answer = self._ask("go on" if made else "begin", (_TRAININGS, number), (), **asked)
                made, ended = int(answer["made"]), bool(answer["ended"])
                self.session.announce("training with canaries", self._standing)
            yield Scored(made, ended, np.array(answer["scores"]))
            if ended:
                return

    def tell(self, look: BoundAt, claimed: Claimed) -> None:
        """Show a bound to those who wait, beside the claimed epsilon."""
        lower = look.normal_epsilon if claimed.mu is not None or self.job.choice.normal else look.epsilon
        share = min(1.0, lower / claimed.epsilon)
        self._standing = Standing(claimed.epsilon, lower, f"{look.releases:,} released", 0.0, share)

    def _ask(self, step: str, stream: tuple[int, ...], data: Sequence[DataValue] = (), **asked: Any) -> dict[str, Any]:
        data = data or [DataValue(None, AS_IT_IS)]
        seed = self.session.seed, (_STREAM, *stream)
        return self.session.runner.train(step, self.arguments, seed, data, **asked)

    def _generator(self, stream: int) -> np.random.Generator:
        return np.random.default_rng(self.session.seed_for((_STREAM, stream)))
