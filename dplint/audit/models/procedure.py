"""The procedure that learns models of the noise where only calls can run, and suggests what to bet on.

It refutes nothing: a suggestion is bet on with fresh runs of the very function, at the alpha of the audit, alone or
beside the model, so a model that is wrong costs runs and never correctness. The first runs of every pair go into
models, the pairs furthest apart are compared, and the events of the one that would betray itself soonest are handed on.

A rough model where draws are hidden: every number of the output has noise of its own, of a place and width seen.

It is good for a choice of pairs and thresholds, which runs of the function are bet on, and for nothing else.
"""

from __future__ import annotations

import hashlib
import math
import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dplint.audit.inputs import Choice, Inputs, beyond_patterns, find_choices, gather_inputs
from dplint.audit.models.comparing import Sides, distance, draw_losses, shift_loss
from dplint.audit.models.learning import NUMBERS, RUNS, Model, Refused, learn
from dplint.audit.models.simulating import Betrayal, betrayals, widest
from dplint.audit.procedure import Coupling, Facts, Needs, Suggestion, suspicious_words
from dplint.audit.progress import Cancelled, NothingToRun, OutOfTime
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.tally import Tally
from dplint.claims import Mechanism, Pair
from dplint.events.conditions import Event
from dplint.events.counting import CellCounter
from dplint.events.split_runs import discover_grids
from dplint.jobs import AuditJob
from dplint.outcomes import Argument
from dplint.program.nodes import Program
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue, Raised
from dplint.runner.client import RunnerError, Trace

ROUGH_RUNS = 60
"""Runs of a data value from which places and widths are estimated."""
_DISTINCT = 5
"""So many values a number has to take, for noise to be in it and no choice."""


def estimated(trace: Trace) -> Model | Refused:
    """Laplace noise around the median of each number that varies, with the mean distance from there as its scale."""
    if len(trace.batch.groups) != 1:
        return Refused("the form of the output varies")
    (group,) = trace.batch.groups
    numbers = np.isin(group.kinds, NUMBERS).all(axis=0) & np.isfinite(group.values).all(axis=0)
    varies = numbers & (group.values != group.values[0]).any(axis=0)
    noisy = [leaf for leaf in np.flatnonzero(varies).tolist() if len(np.unique(group.values[:, leaf])) >= _DISTINCT]
    if not noisy:
        return Refused("no number in the output looks like noise")
    centre = np.where(numbers, np.median(group.values, axis=0), np.nan)
    jacobian = np.zeros((len(centre), len(noisy)))
    for draw, leaf in enumerate(noisy):
        jacobian[leaf, draw] = np.abs(group.values[:, leaf] - centre[leaf]).mean()
    known = (numbers & ~varies).nonzero()[0].tolist()
    return Model(
        skeleton=group.skeleton,
        centre=centre,
        jacobian=jacobian,
        laws=("laplace",) * len(noisy),
        others={},
        unknown=frozenset(range(len(centre))) - frozenset([*noisy, *known]),
        estimated=True,
    )


_STREAM = (1 << 22,)
"""The name of its random streams; the passes of an audit count up from zero."""
_SHARE = 0.15
"""Share of the budget, in seconds or in runs, that models may take."""
_FIRST, _TOGETHER = 4, 24
"""Data values of the first request, which tells how fast the function is, and of the next ones."""
_BLATANT = 0.05
"""A bet on fresh runs that grows so fast with each pair of runs is won in some hundred, and needs no model."""
_COMPARED = 8
"""Pairs that are compared by simulation, those furthest apart; of those that differ by a constant only the first."""


@dataclass(frozen=True)
class Modelling:
    """Suggests the worst pair by models of ten runs a data value, at the largest epsilon of the claim."""

    needs: Needs = Needs.RUNS
    name: ClassVar[str] = "models"
    phase: ClassVar[str] = "learning the noise"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Facts | None:  # noqa: ARG002
        """What to bet on first, as facts; None where no model is to be had, or the models obey the claim.

        Of a function that is read as a program other procedures have suggestions.
        """
        if isinstance(job.program, Program):
            return None
        try:
            suggestions = _suggested(session, job)
        except (RunnerError, NothingToRun, OutOfTime, Cancelled):
            raise
        except Exception as error:
            # A mistake of what only suggests must not cost the audit.
            what = f"{type(error).__name__}: {error}"
            session.coverage.note(f"no model of the noise: dplint failed to make one ({what}); please report this")
            return None
        return Facts(suggestions) if suggestions else None


def _suggested(session: AuditSession, job: AuditJob) -> tuple[Suggestion, ...]:
    """The suggestions by the pairs of the patterns, or if these say nothing by those beyond."""
    setting = max(session.claimed, key=lambda one: one.epsilon)
    pairs = sorted(setting.fitting(session.find_pairs()), key=lambda pair: pair.size)
    if not pairs:
        return ()
    choice = find_choices(job, session, pairs, setting, quick=True)[0]
    scan = _Scan(session, job, choice)
    scan.look_at(gather_inputs(session, pairs))
    # Where the width of the noise hangs on the data, it does so most in small data, which is among the others.
    suggestions, settled = ((), False) if scan.widths_differ else _suggestions(scan, setting)
    if not settled and scan.has_models:
        if not scan.over:
            scan.look_at(gather_inputs(session, setting.fitting(beyond_patterns(session, choice.values))))
        suggestions, _ = _suggestions(scan, setting)
    return suggestions


@dataclass(frozen=True)
class _Learnt:
    """What the runs of a data value say."""

    batch: Batch
    model: Model | Refused


@dataclass(frozen=True)
class _Compared:
    """Two sides of a pair with their models. apart: how far these are apart."""

    apart: float
    pair: Pair
    batches: tuple[Batch, Batch]
    models: tuple[Model, Model]

    @property
    def have_one_form(self) -> bool:
        """Whether the outputs differ in numbers alone."""
        one, two = self.models
        return not one.is_other_than(two)


class _Scan:
    """Models of data values, as far as the time goes.

    compared: the pairs whose sides have models, each in one order.
    """

    def __init__(self, session: AuditSession, job: AuditJob, choice: Choice) -> None:
        self.session, self.choice = session, choice
        self.compared: list[_Compared] = []
        self._learnt: dict[str, _Learnt] = {}
        self._seen: set[bytes] = set()
        self._noted = False
        self._most_runs = job.settings.max_runs
        self._budget = job.settings.budget
        self._began = time_had.now()
        self._runs_before = session.runs

    @property
    def over(self) -> bool:
        """Whether models have taken what they may take."""
        if self._most_runs is not None:
            return self.session.runs - self._runs_before > _SHARE * self._most_runs
        return time_had.now() - self._began > _SHARE * self._budget

    @property
    def has_models(self) -> bool:
        """Whether some data value has one."""
        return any(isinstance(one.model, Model) for one in self._learnt.values())

    @property
    def widths_differ(self) -> bool:
        """Whether noise is of another width on the other side of some pair, and nothing tells the sides apart."""
        known = [one for one in self.compared if not any(model.estimated for model in one.models)]
        shifts = (one.have_one_form and Sides.of(*one.models).have_same_noise for one in known)
        return all(one.apart < math.inf for one in self.compared) and not all(shifts)

    def look_at(self, inputs: Inputs) -> None:
        """Learn the data values of some pairs, until there is no time, no model, or a pair that nothing hides."""
        order = list(dict.fromkeys(side for sides in inputs.sides for side in sides))
        todo = [inputs.data[number] for number in order if repr(inputs.data[number]) not in self._learnt]
        while todo and not self.over:
            self.session.announce(Modelling.phase)
            size = _TOGETHER if self._learnt else _FIRST
            some, todo = todo[:size], todo[size:]
            self._learn(some, RUNS)
            for runs, values in self._wanting(some).items():
                if not self.over:
                    self._learn(values, runs)
            self._compare(inputs)
            if not self.has_models or any(one.apart == math.inf for one in self.compared):
                return

    def _wanting(self, values: Sequence[DataValue]) -> dict[int, list[DataValue]]:
        """Those without a model that more runs may give one, by their number."""
        found: dict[int, list[DataValue]] = {}
        for value in values:
            model = self._learnt[repr(value)].model
            runs = (ROUGH_RUNS if model.hidden else model.runs) if isinstance(model, Refused) else 0
            if runs:
                found.setdefault(runs, []).append(value)
        return found

    def _learn(self, values: Sequence[DataValue], runs: int) -> None:
        stream = (*_STREAM, len(self._learnt), runs)
        for value, trace in zip(values, self.session.trace(values, self.choice.values, runs, stream), strict=True):
            looked_into = replace(trace, batch=self.session.reader.read(trace.batch, few=1))
            model = learn(looked_into)
            if isinstance(model, Refused) and model.hidden and runs == ROUGH_RUNS:
                model = estimated(looked_into)
            self._learnt[repr(value)] = _Learnt(self.session.reader.read(trace.batch), model)

    def _compare(self, inputs: Inputs) -> None:
        """Pairs that differ as others do, by a constant in the output, are left out: the smallest of them will do."""
        for pair, sides in zip(inputs.pairs, inputs.sides, strict=True):
            one, two = (self._learnt.get(repr(inputs.data[side])) for side in sides)
            if one is None or two is None:
                continue
            first, second = one.model, two.model
            if isinstance(first, Refused) or isinstance(second, Refused):
                continue
            if isinstance(first.skeleton, Raised) and isinstance(second.skeleton, Raised):
                continue
            self._note_numbers_of_draws(pair, first, second)
            known = _signature(first, second)
            if known not in self._seen and _signature(second, first) not in self._seen:
                self._seen.add(known)
                batches = one.batch, two.batch
                self.compared.append(_Compared(distance(first, second), pair, batches, (first, second)))

    def _note_numbers_of_draws(self, pair: Pair, first: Model, second: Model) -> None:
        """What is only suspicious: one number of draws or another is no output."""
        numbers = len(first.laws), len(second.laws)
        if numbers[0] == numbers[1] or self._noted or pair.handle is not None:
            return
        self._noted = True
        self.session.coverage.note(
            f"suspicious, and no violation: with {reprlib.repr(pair.d1)} the function draws {_times(numbers[0])}, with "
            f"{reprlib.repr(pair.d2)} {_times(numbers[1])}; see that the data decides neither how much is "
            "released nor how often noise is added to it"
        )


def _times(number: int) -> str:
    return "once" if number == 1 else "not at all" if number == 0 else f"{number} times"


@dataclass(frozen=True)
class _Worst:
    """The pair so far that betrays itself soonest, and by what."""

    gain: float
    pair: Pair
    models: tuple[Model, Model]
    found: list[Betrayal]

    def suggestions(
        self, mechanism: Mechanism, arguments: tuple[Argument, ...], *, coupled: bool
    ) -> Iterator[Suggestion]:
        """To bet on these events with fresh runs, beside the models or alone."""
        for one in self.found:
            pair, models = (self.pair, self.models) if one.forwards else (self.pair.turned, self.models[::-1])
            # What a library says of its noise is good enough to suggest, and not to conclude.
            beside = coupled and not any(model.only_suggests for model in models)
            losses = tuple(replace(loss, file=_told(mechanism, loss.file)) for loss in draw_losses(Sides.of(*models)))
            yield Suggestion(pair, arguments, one.event, Coupling(*models, one.event, losses) if beside else None)


def _suggestions(scan: _Scan, setting: Setting) -> tuple[tuple[Suggestion, ...], bool]:
    """What the worst pair would betray itself by: all on one pair, so that the same runs pay for all bets.

    True: other pairs would hardly betray themselves sooner.
    """
    settled = False
    alone: _Worst | None = None
    beside: _Worst | None = None
    arguments = (*setting.parameters, *scan.choice.arguments)
    furthest = sorted((one for one in scan.compared if one.apart > 0), key=lambda one: -one.apart)
    for number, one in enumerate(furthest[:_COMPARED]):
        if number and scan.over:
            break
        scan.session.announce(Modelling.phase)
        if not one.have_one_form:
            return (Suggestion(one.pair, arguments, _telling(scan.session, one.batches)),), True
        seeds = np.random.SeedSequence(scan.session.seed, spawn_key=(*_STREAM, 0, number)).spawn(2)
        sides = Sides.of(*one.models)
        found = betrayals(sides, setting.epsilon, setting.delta, seeds[0])
        if found and (alone is None or found[0].gain > alone.gain):
            alone = _Worst(found[0].gain, one.pair, one.models, found)
        certain = bool(found) and found[0].gain == math.inf
        blatant = bool(found) and found[0].gain > _BLATANT
        wide = None if blatant else widest(sides, setting.epsilon, setting.delta, seeds[1])
        if wide is not None and wide.gain > (beside.gain if beside else 0):
            beside = _Worst(wide.gain, one.pair, one.models, [wide])
        settled = certain or (sides.have_same_noise and bool(found or wide))
        if settled:
            break  # of pairs with the same noise, those further apart lose more
    if alone is not None and alone.gain > _BLATANT:
        beside = None
    if alone is None and beside is None:
        losses = [shift_loss(Sides.of(*one.models)) for one in furthest[:_COMPARED]]
        scan.session.coverage.note(suspicious_words(max(losses, default=0.0), setting.epsilon, setting.delta))
    told = [] if beside is None else [*beside.suggestions(scan.session.mechanism, arguments, coupled=True)]
    told += [] if alone is None else [*alone.suggestions(scan.session.mechanism, arguments, coupled=False)]
    return tuple(told), settled


def _telling(session: AuditSession, batches: tuple[Batch, Batch]) -> Event | None:
    """The simplest event that tells a few outputs of D1 from those of D2 best."""
    grids = discover_grids(batches, (), session.texts)
    counter = CellCounter(grids, 2, session.texts)
    for side, batch in enumerate(batches):
        counter.add(side, batch)
    tally = Tally(grids, counter.counts(), batches[0].runs)
    if not tally.events:
        return None
    excess = (tally.totals[0] / batches[0].runs - tally.totals[1] / batches[1].runs) / (1 + tally.complexities)
    best = int(np.argmax(excess))
    return tally.event(best) if excess[best] > 0 else None


def _signature(one: Model, two: Model) -> bytes:
    """The same for pairs that differ by a constant in the output: the smallest of them will do."""
    same_form = not one.is_other_than(two)
    moved = one.centre - two.centre if same_form else one.centre
    parts: list[NDArray[Any]] = [moved]
    for jacobian in (one.jacobian, two.jacobian):
        places = jacobian.nonzero()
        parts += [*places, jacobian[places]]
    digest = hashlib.sha256(repr((same_form, one.laws, two.laws)).encode())
    for part in parts:
        digest.update(part.astype(np.float32).tobytes() + b"|")
    return digest.digest()


def _told(mechanism: Mechanism, file: str) -> str:
    """A file as people know it: within the project."""
    if file == mechanism.path:
        return mechanism.file
    try:
        return Path(file).relative_to(mechanism.project_root).as_posix()
    except ValueError:
        return Path(file).name
