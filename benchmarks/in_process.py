"""Audits without processes: a runner that makes runs by a NumPy function in this process, for simulations of many.

Everything but the runner is the real thing: pairs, input groups, screening, proposals, learnt events, bets, streams,
outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TypeAlias
from unittest import mock

import numpy as np
import numpy.typing as npt

from dplint.audit.procedure import Procedure
from dplint.audit.procedures import audit, audit_procedures
from dplint.audit.run_blocks import child
from dplint.claims import Claim, Literal, Mechanism, Parameter, Span
from dplint.jobs import Audited, AuditJob, AuditSettings, AuditState
from dplint.outcomes import Outcome
from dplint.program.refusals import Unsupported
from dplint.runner import batch
from dplint.runner.batch import Batch, DataValue, Group, Leaf, LeafKind, SampleRequest
from dplint.runner.client import Look, NotTracedError
from dplint.runner.texts import TextNumbers

Law: TypeAlias = Callable[[np.random.SeedSequence, Literal, Mapping[str, Literal], int], Batch]
"""(seed, data, arguments, runs) to the outputs of so many independent runs."""
Numbers: TypeAlias = Callable[[np.random.Generator, Literal, Mapping[str, Literal], int], npt.NDArray[np.generic]]
"""The same from a generator, as an array of numbers: one for each run, or one row for each run, which is a list."""
NOWHERE = Span(1, 1, 1, 1)


def law_of(function: Numbers) -> Law:
    """The law of a function on arrays."""

    def law(seed: np.random.SeedSequence, data: Literal, arguments: Mapping[str, Literal], runs: int) -> Batch:
        made = function(np.random.default_rng(seed), data, arguments, runs)
        width = made.reshape(runs, -1).shape[1]
        skeleton = Leaf() if made.ndim == 1 else batch.Sequence("list", (width,), width)
        kind = LeafKind.FLOAT if made.dtype == np.float64 else LeafKind.INT
        group = Group(
            skeleton,
            np.arange(runs, dtype=np.int32),
            np.full((runs, width), kind, np.uint8),
            made.reshape(runs, width).astype(np.float64),
        )
        return Batch(runs, (group,), ())

    return law


class LawRuns:
    """Many runs at once by a law. See `dplint.audit.residual_runs.ResidualRuns`: there is no function to replay."""

    chunk, seconds, seconds_per_run = 131_072, 0.0, 1e-7

    def __init__(self, law: Law) -> None:
        self._law = law

    def limit(self, runs: int) -> None:
        """See `ResidualRuns`."""
        self.chunk = min(self.chunk, runs)

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,  # noqa: ARG002 - a batch has its own
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """See `ResidualRuns`."""
        for number, start in enumerate(range(0, runs, self.chunk)):
            count = min(self.chunk, runs - start)
            streams = (child(seed, number, place) for place in range(len(data)))
            batches = (self.sample(one, arguments, count, stream) for one, stream in zip(data, streams, strict=True))
            yield count, tuple(batches)

    def sample(
        self, data: DataValue, arguments: Mapping[str, Literal], runs: int, seed: np.random.SeedSequence, *_: object
    ) -> Batch:
        """See `ResidualRuns`. Nothing is shared."""
        return self._law(seed, data.value, arguments, runs)

    def check(self, *_: object) -> None:
        """See `ResidualRuns`."""

    def example(self, *_: object) -> tuple[()]:
        """See `ResidualRuns`."""
        return ()


class InProcess:
    """Stands in for `dplint.runner.client.Runner`. A noise-free run is one under a seed of its own."""

    left_out: tuple[str, ...] = ()

    def __init__(self, law: Law) -> None:
        self._law = law

    def load(self, mechanism: Mechanism, source_text: str | None = None) -> None:
        """There is nothing to import."""

    def record(self, *_: object, **__: object) -> object:
        """There is no source to follow."""
        raise NotTracedError("the law is known, and no function")

    def sample(self, request: SampleRequest) -> list[Batch]:
        """Runs of every data value, each from a stream of its own."""
        entropy, key = request.seed
        return [
            self._law(np.random.SeedSequence(entropy, spawn_key=(*key, side)), d.value, request.arguments, request.runs)
            for side, d in enumerate(request.datas)
        ]

    def constants(self) -> list[int | float | str]:
        """A law holds none that could be seen."""
        return []

    def look(self, request: SampleRequest, **_: bool) -> list[Look]:
        """Runs as any other: a law has no lines, and nobody sees what it draws."""
        return [Look(one, (), frozenset()) for one in self.sample(request)]

    def close(self) -> None:
        """There is no process to end."""


@contextmanager
def runs_by(law: Law) -> Iterator[None]:
    """Inside, every session makes its runs by this law."""
    with mock.patch("dplint.audit.session.Runner", return_value=InProcess(law)):
        yield


def mechanism_of(name: str, claim: Claim, parameters: tuple[str, ...] = ()) -> Mechanism:
    """A mechanism that exists nowhere, with a generator, data and these parameters."""
    return Mechanism(
        file="nowhere.py", path="nowhere.py", import_root="", project_root="", module="nowhere", qualname=name,
        span=NOWHERE, claim_span=NOWHERE, claim=claim,
        parameters=tuple(Parameter(p) for p in ("rng", "data", *parameters)),
        data="data", rng="rng", digest="0" * 64,
    )  # fmt: skip


def audit_in_process(
    mechanism: Mechanism,
    law: Law,
    settings: AuditSettings,
    state: AuditState | None = None,
    before: Sequence[Procedure[AuditJob, Outcome]] = (),
    *,
    on_lanes: bool = False,
) -> Audited:
    """One pass over a mechanism whose runs this law makes. Deterministic if `settings` limit the runs alone.

    before: procedures that are asked before the bets. on_lanes: many runs are made at once, but for those that must be
    plain. They are not checked, and none is shown, since there is no function to replay draws through.
    """
    job = AuditJob(mechanism=mechanism, program=Unsupported("a law", NOWHERE, ""), settings=settings, state=state)
    lanes = mock.patch("dplint.audit.session.ResidualRuns", return_value=LawRuns(law)) if on_lanes else nullcontext()
    with runs_by(law), lanes:
        return audit(job, lambda *_: None, (*before, *audit_procedures()))
