"""What an audit says from, as the measurement of seeded faults needs it: a proof, or losses that were computed.

Each way says something of a mechanism from its program, reads it with known data and noise, and is compared with the
function by the very code that an audit has for it.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from dplint.audit.comparing import Arguments, Contradiction, LoweredReading, Recorder
from dplint.audit.comparing import Reading as Compared
from dplint.audit.exact.pairs import _ExactReading, compare_exact
from dplint.audit.exact.refuting import Refuting, has_plain_data
from dplint.audit.proving.compared import ValuesInScope, confirmed
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.claims import Mechanism, Pair
from dplint.inputs.compared import pairs_to_compare
from dplint.jobs import AuditJob, AuditSettings
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import runnable
from dplint.proofs.numbers import CheckedReading
from dplint.proofs.searching import Search, search
from dplint.readings.concrete import RealGenerators

_PROBED, _SEED = 120, 90_001
"""Pairs on which the readings with and without a fault are held against each other, and the seed of these."""
_EPSILONS = (0.2, 0.7, 1.5)
_PROOF_SECONDS, _EXACT_SECONDS = 1.0, 0.5
_LANES, _LEAST_SPACE, _FEW = 4, 16, 6

Inputs: TypeAlias = "list[tuple[Pair, Arguments]]"
Ran: TypeAlias = "tuple[list[Any], Any] | None"
"""The draws of a run, with their parameters, and its output; None where the reading does not reach."""
UNKNOWN = object()
"""The output of a run of which only the draws are known."""


class Way(Protocol):
    """One way. name: as it is printed."""

    name: str

    def said(self, mechanism: Mechanism, program: Program) -> Any:
        """What would be said from this program; None for nothing."""

    def probes(self, mechanism: Mechanism, program: Program, said: Any) -> Iterator[tuple[Pair, Arguments]]:
        """Inputs of which it speaks, more than an audit compares, and others."""

    def runs(self, mechanism: Mechanism, program: Program, said: Any, inputs: Inputs) -> Iterator[Ran]:
        """Its reading on these, both sides of each."""

    def compared(self, mechanism: Mechanism, program: Program, said: Any) -> tuple[int, ...]:
        """What an audit compares before it says so: the lines that it names as never run.

        Raises WrongTranslation or RunnerError where it drops the reading.
        """


def session_of(mechanism: Mechanism, program: Program, *, own_seed: bool = False) -> tuple[AuditSession, AuditJob]:
    """An audit with this program. own_seed: another one than an audit has."""
    settings = AuditSettings(interpreter=sys.executable, exact_seconds=_EXACT_SECONDS, proof_seconds=_PROOF_SECONDS)
    job = AuditJob(mechanism=mechanism, program=runnable(program), settings=settings, lowered=program)
    session = AuditSession(job, claim_settings(mechanism, _EPSILONS), lambda *_: None)
    if own_seed:
        session.seed = _SEED
    return session, job


class OfProofs:
    """A proof."""

    name = "proofs"

    def said(self, mechanism: Mechanism, program: Program) -> Search | None:
        """The search that found one."""
        found = search(program, mechanism, _PROOF_SECONDS)
        return None if found.proof is None else found

    def probes(self, mechanism: Mechanism, program: Program, said: Search) -> Iterator[tuple[Pair, Arguments]]:
        """With arguments of the scope, and at numbers of the program."""
        assert said.proof is not None
        session, _ = session_of(mechanism, program, own_seed=True)
        values = ValuesInScope(session, program, said.proof.scope)
        named = list(values.named())
        for number, pair in enumerate(_pairs(mechanism, program)):
            yield pair, named[number // 2 % len(named)] if named and number % 2 else values.arguments(number)

    def runs(self, mechanism: Mechanism, program: Program, said: Search, inputs: Inputs) -> Iterator[Ran]:
        """The checker's reading; the program as it stands where only the rule of a proof reads it."""
        assert said.proof is not None
        checked = CheckedReading(program, mechanism, said.proof.scope, said.programs)
        if any(_runs_of(checked, inputs[:_FEW])):
            yield from _runs_of(CheckedReading(program, mechanism, said.proof.scope, said.programs), inputs)
        else:
            yield from _runs_of(LoweredReading(session_of(mechanism, program)[0], program), inputs)

    def compared(self, mechanism: Mechanism, program: Program, said: Search) -> tuple[int, ...]:
        """See `Way`."""
        session, job = session_of(mechanism, program)
        with session:
            return confirmed(session, job, program, said).scope.never_run


class OfLosses:
    """Losses that were computed."""

    name = "exact losses"

    def said(self, mechanism: Mechanism, program: Program) -> Any:
        """The losses for the first value of the claim."""
        session, job = session_of(mechanism, program)
        if not isinstance(job.program, Program) or not has_plain_data(session, mechanism):
            return None
        return next((found.computed for _, found in Refuting(session, job, job.program).whole()), None) or None

    def probes(self, mechanism: Mechanism, program: Program, said: Any) -> Iterator[tuple[Pair, Arguments]]:
        """With the arguments of the losses."""
        choices = [one.choice.values for one in said]
        for number, pair in enumerate(_pairs(mechanism, program)):
            yield pair, choices[number % len(choices)]

    def runs(self, mechanism: Mechanism, program: Program, said: Any, inputs: Inputs) -> Iterator[Ran]:  # noqa: ARG002
        """The exact reading at numbers."""
        return _runs_of(_ExactReading(session_of(mechanism, program)[0], program), inputs)

    def compared(self, mechanism: Mechanism, program: Program, said: Any) -> tuple[int, ...]:
        """See `Way`."""
        session, _ = session_of(mechanism, program)
        with session:
            compare_exact(session, program, said)
        return ()


WAYS: tuple[Way, ...] = (OfProofs(), OfLosses())


def _pairs(mechanism: Mechanism, program: Program) -> Sequence[Pair]:
    pairs = pairs_to_compare(mechanism, program, _PROBED, _SEED)
    return sorted(pairs, key=lambda pair: not (pair.d1 and pair.d2))  # an empty table has the columns of one before it


def _runs_of(reading: Compared, inputs: Inputs) -> Iterator[Ran]:
    for number, (pair, arguments) in enumerate(inputs):
        for side in (1, 2):
            events: list[Any] = []
            begin = functools.partial(_begin, number, side, events)
            try:
                run, whole = reading.run((pair.d1, pair.d2), side, arguments, begin)
            except (UnsupportedConstruct, Contradiction):
                yield None
            else:
                output = run.exception[0] if run.exception is not None else run.output
                yield events, output if whole else UNKNOWN


def _begin(number: int, side: int, events: list[Any]) -> Callable[..., Any]:
    events.clear()
    *seeds, chance = np.random.SeedSequence((_SEED, number, side)).spawn(3)
    made = Recorder(RealGenerators(*seeds), np.random.default_rng(chance))

    def draw(node: Draw, parameters: Mapping[str, Any], size: Any, site: Any) -> Any:
        shape = None if size is None else tuple(size) if isinstance(size, tuple | list) else (size,)
        events.append((node.distribution, sorted(parameters.items()), shape))  # 4 draws are (4,) draws
        return made(node, parameters, size, site)

    return draw


@dataclass
class Budget:
    """Seconds of CPU time from now on."""

    seconds: float

    def __post_init__(self) -> None:
        self._begun = time.process_time()

    @property
    def over(self) -> bool:
        """Whether they are spent."""
        return time.process_time() - self._begun > self.seconds
