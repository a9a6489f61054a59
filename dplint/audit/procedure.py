"""What a procedure is: one way to decide whether a claim holds, and what it hands on to those after it.

`procedures` asks them one after the other, cheapest first. They do not compete: one that cannot decide may know which
pair is worst, which output betrays it, or that the claim holds for short data, and the next ones go on from that.

An event of two data values with a model of each: simulated runs of the models, and runs of the function beside them.

What a model says of a run is computed in the same steps wherever it is asked, so that simulated and coupled runs are
runs of one model to the last digit. See `statistics.coupled` for what is concluded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.events.array_values import TableValues
from dplint.events.conditions import Event
from dplint.events.layout import layout_of
from dplint.events.table_values import rows_of, stack, table_of, text_numbers
from dplint.jobs import Job
from dplint.outcomes import Argument, DrawLoss, Failed, PairLoss, Proved, Untestable
from dplint.runner.batch import Batch, LeafKind, Skeleton
from dplint.runner.client import Trace
from dplint.runner.generators import read_law
from dplint.runner.texts import TextNumbers
from dplint.statistics.coupled import Bounds, Differences, Simulated

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_TINY = 1e-6
_NUMBERS = 2_000_000
"""Numbers that are simulated at once."""
_MOST_DRAWN = 20
"""How many times as many are drawn for noise with which a model is in an event."""


class NoiseModel(Protocol):
    """What the output of one data value is, as a function of independent draws of `laws`, of location 0 and scale 1."""

    @property
    def skeleton(self) -> Skeleton:
        """The form of all outputs."""

    @property
    def laws(self) -> tuple[str, ...]:
        """As in traces."""

    @property
    def others(self) -> Mapping[int, tuple[int, float | str]]:
        """Leaves that are no numbers, and the same in all runs: their kind, and the text or 0."""

    def outputs(self, leaves: Sequence[int], z: Floats) -> Floats:
        """Those leaves, shape (leaves, runs), of draws of shape (draws, runs); each run for itself, bit by bit."""

    def draws_in(self, leaves: Sequence[int]) -> list[int]:
        """The draws that those leaves hang on."""

    def probability(self, event: Event) -> tuple[float, float] | None:
        """What certainly holds the probability of an event; None where it cannot be computed."""


def drawn(
    laws: Sequence[str], runs: int, generator: np.random.Generator, needed: Sequence[int] | None = None
) -> Floats:
    """Standardized draws, shape (draws, runs). laws: as in traces. needed: rows that are drawn; others are 0."""
    rows = range(len(laws)) if needed is None else needed
    z = np.zeros((len(laws), runs))
    for row in rows:
        distribution, parameters = read_law(laws[row])
        z[row] = distribution.sample(generator, parameters, (runs,))
    return z


@dataclass(frozen=True, eq=False)
class Coupling:
    """An event, and models of the two data values of a pair; `first` is the one on which it should be likelier.

    losses: of the draws, by the models, for people who look for what is too small.
    """

    first: NoiseModel
    second: NoiseModel
    event: Event
    losses: tuple[DrawLoss, ...] = ()

    @cached_property
    def computed(self) -> tuple[Bounds, Bounds] | None:
        """What holds the probabilities of the event by either model; None where they cannot be computed."""
        first, second = (model.probability(self.event) for model in (self.first, self.second))
        return None if first is None or second is None else (first, second)

    def simulated(self, runs: int, seed: np.random.SeedSequence, texts: TextNumbers) -> Simulated:
        """The event counted in so many fresh runs of either model."""
        generator = np.random.Generator(np.random.SFC64(seed))
        counts = []
        for model in (self.first, self.second):
            count, left = 0, runs
            needed = self._draws_of(model)
            most = max(1, _NUMBERS // max(1, len(model.laws)))
            while left:
                some = min(left, most)
                left -= some
                count += int(self._by_model(model, drawn(model.laws, some, generator, needed), texts).sum())
            counts.append(count)
        return Simulated(counts[0], counts[1], runs)

    def given(self, runs: int, seed: np.random.SeedSequence, texts: TextNumbers) -> Floats | None:
        """Draws of so many runs on D1, shape (runs, draws), that the first model is in the event with.

        Independent, each of the law of the draws where the model is in the event: what else is drawn is thrown away.
        None where that takes too many.
        """
        generator = np.random.Generator(np.random.SFC64(seed))
        laws, needed = self.first.laws, self._draws_of(self.first)
        some = max(1, _NUMBERS // max(1, len(laws)))
        kept: list[Floats] = []
        for _ in range(_MOST_DRAWN):
            z = drawn(laws, some, generator, needed)
            kept.append(z[:, self._by_model(self.first, z, texts)].T[:runs])
            if sum(map(len, kept)) >= runs:
                found = np.ascontiguousarray(np.concatenate(kept)[:runs])
                others = [row for row in range(len(laws)) if row not in needed]
                found[:, others] = drawn(laws, runs, generator, others)[others].T
                return found
        return None

    def compared(self, trace: Trace, texts: TextNumbers, *, first: bool) -> tuple[Differences, int]:
        """Coupled runs of a side: where function and model differ, and how often the function is in the event.

        A run that is not known counts as what speaks most for the claim: on the first side as one of the model alone,
        on the second as one of the function alone. It is the same for runs with given noise, which the model has in the
        event.
        """
        model = self.first if first else self.second
        drawn_as = [run is not None and run.laws == model.laws and not run.documented for run in trace.draws]
        known = np.array(drawn_as, np.bool_)
        values = [run.values for run, is_known in zip(trace.draws, drawn_as, strict=True) if run and is_known]
        z = np.array(values, np.float64).reshape(len(values), len(model.laws)).T
        expected = np.full(len(known), first)
        expected[known] = self._by_model(model, np.ascontiguousarray(z), texts)
        seen = masked(self.event, trace.batch, texts)
        counted = np.where(known, seen, not first)
        only_function, only_model = counted & ~expected, expected & ~counted
        return Differences(int(only_function.sum()), int(only_model.sum()), len(known)), int(seen.sum())

    def _draws_of(self, model: NoiseModel) -> list[int]:
        """The draws that the event hangs on, by a model."""
        return model.draws_in(sorted(self.event.leaves(layout_of(model.skeleton))))

    def _by_model(self, model: NoiseModel, z: Floats, texts: TextNumbers) -> Mask:
        """Which runs of a model are in the event."""
        layout = layout_of(model.skeleton)
        kept = sorted(self.event.leaves(layout))
        runs = z.shape[1]
        kinds = np.full((len(kept), runs), LeafKind.FLOAT, np.uint8)
        values = model.outputs(kept, z)
        for row, leaf in enumerate(kept):
            if leaf in model.others:
                kind, value = model.others[leaf]
                kinds[row] = kind
                values[row] = texts.number(value) if isinstance(value, str) else value
        table = table_of(layout.only(kept), kinds, values, [(0, slice(0, runs))])
        return np.broadcast_to(self.event.mask(TableValues(table, texts)), (runs,))


def suspicious_words(loss: float, epsilon: float, delta: float) -> str | None:
    """A note, where a model has such a loss and no event is likely enough to show it. A delta may be meant for that."""
    if delta or not epsilon * (1 + _TINY) < loss < math.inf:
        return None
    return (
        f"suspicious, and no violation: by a model of its noise the loss comes to {loss:.4g}, in outputs that are too "
        "rare to show it; to make sure, hold the scales of the noise against what a record moves"
    )


def masked(event: Event, batch: Batch, texts: TextNumbers) -> Mask:
    """Which runs of a batch are in the event."""
    numbers = text_numbers(batch, texts)
    found = np.zeros(batch.runs, np.bool_)
    for group in batch.groups:
        table = stack(layout_of(group.skeleton), [rows_of(group, 0, numbers)])
        found[group.rows] = np.broadcast_to(event.mask(TableValues(table, texts)), (len(group.rows),))
    return found


class Needs(StrEnum):
    """What a procedure rests on. One whose needs cannot be met is left out."""

    NOTHING = "nothing"
    """The mechanism and its claim alone."""
    PROGRAM = "program"
    """The program that the function was lowered to; no process is started before the procedure asks for runs."""
    LOWERED = "lowered"
    """The same, be it with what is not understood in it."""
    LANES = "lanes"
    """Many runs at once of the function itself, rewritten, and some of them replayed through the function as it is."""
    RUNS = "runs"
    """Calls of the function: any Python code."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An input, and perhaps an event on it, that later procedures should try first.

    It may cost runs but never correctness: a suggestion is tried like anything else, on fresh runs, and one that the
    claim does not speak of is left out. pair: d1 is the side on which the event should be likelier. arguments: of
    other parameters, those of the claim among them; where it names none of these it is meant for every value of the
    claim, and parameters that it leaves open are chosen as usual. event: None to look for one. coupling: models of the
    two sides, where there are some, for bets on runs of the function beside them; its event is this one.
    """

    pair: Pair
    arguments: tuple[Argument, ...] = ()
    event: Event | None = None
    coupling: Coupling | None = None


Search: TypeAlias = Callable[[Setting, float], Sequence[Suggestion]]
"""Inputs that lose much at a value of the claim, after so many seconds of CPU time at most."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known so far, handed on from one procedure to the next.

    suggestions: in the order in which they should be tried. losses: of single pairs, computed from the program. proof:
    of the claim or of a part of it, by the program, where runs may still contradict it. search: looks for inputs that
    lose much, for bets that have stopped to grow. What comes of all this and an outcome is for `procedures.settled` to
    say.
    """

    suggestions: tuple[Suggestion, ...] = ()
    losses: tuple[PairLoss, ...] = ()
    proof: Proved | None = None
    search: Search | None = field(default=None, compare=False)

    def followed_by(self, more: Facts) -> Facts:
        """These and those of a later procedure, which knew of these: its proof takes the place of an earlier one."""
        return Facts(
            (*self.suggestions, *more.suggestions),
            (*self.losses, *more.losses),
            more.proof or self.proof,
            more.search or self.search,
        )

    @property
    def without_program(self) -> Facts:
        """What is left of them if the program is not the function: what to try, and nothing that is known."""
        return Facts(self.suggestions)


J_contra = TypeVar("J_contra", bound=Job, contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Procedure(Protocol[J_contra, A_co]):
    """One way to answer a job, for an audit by an Outcome."""

    @property
    def name(self) -> str:
        """What `Effort.method` calls it.

        One of the name ANYTIME can end at any time with what it knows, and asks `session.check_cancelled` when it can.
        Any other is interrupted wherever it announces or makes runs, and says nothing then.
        """

    @property
    def phase(self) -> str:
        """What it does, in words for those who wait, e.g. "looking for a proof"."""

    @property
    def needs(self) -> Needs:
        """What there must be before it is asked."""

    def decide(self, session: AuditSession, job: J_contra, facts: Facts) -> A_co | Untestable | Failed | Facts | None:
        """The answer to the job, which ends it; or facts for the next procedure; or None if there is nothing to say.

        It need not know how to begin or to fail: the module is imported, runs are on lanes or not as it needs, and
        RunnerError, NotOnLanes, NothingToRun, OutOfTime and Cancelled are for the caller to catch.
        """
