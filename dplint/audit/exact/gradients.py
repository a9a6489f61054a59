"""Proposals by gradients: from one path of the program to the input on which it loses most, by SLSQP.

Paths come from runs with drawn noise, and from turning one decision of the best path round. What is found is only a
proposal, with the output that the path ends in: its loss is computed as that of any other input.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplint.audit.branching import movable_arguments, with_arguments
from dplint.audit.choices import Choice
from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.session import AuditSession
from dplint.claims import Interval, Pair
from dplint.inputs.coordinates import FAR, Coordinates, Point, coordinates_of
from dplint.inputs.path_estimates import (
    LossEstimate,
    PathEstimate,
    RunRecord,
    estimate_path,
    loss_of_estimates,
    recorded_run,
)
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Goal
from dplint.readings.ghk import Uniforms

_RUNS = 20
_SAMPLES, _MOST_SAMPLES = 300, 4_800
_ROUNDS = 4
_ITERATIONS = 30
_BETTER = 1e-4
_SURE_ENOUGH = 0.02
"""How far off an estimated loss may be, as a share of it, before more samples are drawn."""
_LARGEST = 100.0
_WHY = "by gradients"
_MISTAKES = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An input, with the output on which it loses much; goal: None where the form of that has no items to compare."""

    pair: Pair
    choice: Choice
    goal: Goal


@dataclass(frozen=True, slots=True)
class _Standing:
    """A path at a point, in the direction that loses more, and how far its estimated loss may be off.

    sign: -1 where D2 loses against D1.
    """

    score: float
    sign: int
    decisions: tuple[bool, ...]
    error: float


@dataclass
class GradientSearch:
    """From one input. end: nothing more is done as soon as `time.process_time` is there.

    samples: drawn for each gradient at last.
    """

    session: AuditSession
    program: Program
    pair: Pair
    choice: Choice
    end: float
    seed: int = 0
    samples: int = _SAMPLES
    _uniforms: Uniforms = field(default_factory=lambda: Uniforms(_SAMPLES, 0))
    _given: list[dict[str, Any]] = field(default_factory=list)

    def proposals(self) -> Iterator[Proposal]:
        """What is found, the best last: one for each round; none where the program or the data are not followed."""
        try:
            yield from self._found()
        except (UnsupportedConstruct, NotPlain, *_MISTAKES):
            # Mistakes of the search, which must not cost the audit.
            return

    def _found(self) -> Iterator[Proposal]:
        for side in (1, 2):
            data = self.session.data_value(self.pair, side)
            self._given.append(program_arguments(self.program, self.session.mechanism, data, self.choice.values))
        self._uniforms = Uniforms(self.samples, self.seed)
        records = [recorded_run(self.program, self._given[i % 2], self.seed + i) for i in range(_RUNS)]
        best: tuple[_Standing, RunRecord, Coordinates, Point] | None = None
        for record in {one.decisions: one for one in records}.values():
            space = self._coordinates(record)
            if space is None:
                return
            point = space.allowed(np.array(space.start))
            standing = self._standing(space, point, record.decisions)
            if best is None or standing.score > best[0].score:
                best = standing, record, space, point
            if time.process_time() > self.end:
                return
        assert best is not None
        standing, record, space, point = best
        for _ in range(_ROUNDS):
            if standing.score > _LARGEST or time.process_time() > self.end:
                break
            point, standing = self._sure(space, point, standing)
            yield self._proposal(space, point, record, standing)
            turned = [self._turned(space, point, other) for other in _turned(standing.decisions)]
            best_point, best_turned = max([(point, standing), *turned], key=lambda one: one[1].score)
            if best_turned.score <= standing.score + _BETTER:
                return
            point, standing = best_point, best_turned
        yield self._proposal(space, point, record, standing)

    def _sure(self, space: Coordinates, start: Point, standing: _Standing) -> tuple[Point, _Standing]:
        """The best point for the path, by so many samples that its loss is sure enough."""
        while True:
            point = self._climbed(space, start, standing)
            here = self._standing(space, point, standing.decisions)
            if here.error <= _SURE_ENOUGH * max(here.score, 0.0) or self.samples >= _MOST_SAMPLES:
                return point, here
            if time.process_time() > self.end or not math.isfinite(here.score):
                return point, here
            self.samples *= 2
            self._uniforms = Uniforms(self.samples, self.seed)
            start = point

    def _turned(self, space: Coordinates, point: Point, decisions: tuple[bool, ...]) -> tuple[Point, _Standing]:
        """Another path, where the two sides differ in the way that it asks for."""
        found = self._estimates(space, point, decisions)
        if found is None or time.process_time() > self.end:
            return point, _Standing(-math.inf, 1, decisions, 0.0)
        sign = 1 if found[0].probability >= found[1].probability else -1
        moved = space.moved_by(point, loss_of_estimates(*found[::sign]).gradient)
        return max(
            ((one, self._standing(space, one, decisions)) for one in (point, moved)), key=lambda one: one[1].score
        )

    def _coordinates(self, record: RunRecord) -> Coordinates | None:
        movable = movable_arguments(self.program, self.session.mechanism)
        specs = dict(self.session.mechanism.claim.args)
        arguments = {}
        for one in self.choice.arguments:
            spec = specs.get(one.name)
            if one.name in movable and isinstance(one.value, float) and (spec is None or isinstance(spec, Interval)):
                low, high = (spec.low, spec.high) if isinstance(spec, Interval) else (-math.inf, math.inf)
                arguments[one.name] = (one.value, max(low, one.value - FAR), min(high, one.value + FAR))
        return coordinates_of(self.session.mechanism, self.pair, arguments, record.numbers)

    def _estimates(
        self, space: Coordinates, point: Point, decisions: Sequence[bool]
    ) -> tuple[PathEstimate, PathEstimate] | None:
        """Of both sides; None where the path does not lead both to one output."""
        thresholds = space.thresholds(point)
        one, other = (
            estimate_path(
                self.program,
                space.lifted(point, self._given[side], side),
                decisions,
                thresholds,
                self._uniforms,
                space.count,
            )
            for side in (0, 1)
        )
        return (one, other) if one.output == other.output and one.decisions == other.decisions else None

    def _loss(self, space: Coordinates, point: Point, decisions: Sequence[bool], sign: int) -> LossEstimate | None:
        found = self._estimates(space, point, decisions)
        return None if found is None else loss_of_estimates(*found[::sign])

    def _standing(self, space: Coordinates, point: Point, decisions: tuple[bool, ...]) -> _Standing:
        found = self._estimates(space, point, decisions)
        if found is None:
            return _Standing(-math.inf, 1, decisions, 0.0)
        sign = 1 if found[0].probability >= found[1].probability else -1
        loss = loss_of_estimates(*found[::sign])
        return _Standing(loss.loss, sign, found[0].decisions, loss.error)

    def _climbed(self, space: Coordinates, start: Point, standing: _Standing) -> Point:
        best, most = start, -math.inf

        def objective(point: Point) -> tuple[float, Point]:
            nonlocal best, most
            if time.process_time() > self.end:
                raise _TimeOver
            loss = self._loss(space, point, standing.decisions, standing.sign)
            if loss is not None and loss.loss > most:
                best, most = point.copy(), loss.loss
            if loss is None or not math.isfinite(loss.loss):
                high = loss is not None and loss.loss > 0
                return (-_LARGEST if high else _LARGEST), np.zeros(space.count)
            return -loss.loss, -loss.gradient

        try:
            from scipy.optimize import minimize  # noqa: PLC0415 - few audits need it, and it takes a tenth of a second

            found = minimize(
                objective,
                start,
                jac=True,
                method="SLSQP",
                bounds=list(zip(space.low, space.high, strict=True)),
                constraints=space.constraints(),
                options={"maxiter": _ITERATIONS, "ftol": 1e-6},
            )
        except _TimeOver:
            return space.allowed(best)
        return space.allowed(found.x) if np.all(np.isfinite(found.x)) else start

    def _proposal(self, space: Coordinates, point: Point, record: RunRecord, standing: _Standing) -> Proposal:
        goal = record.goal
        found = self._estimates(space, point, standing.decisions)
        if found is not None:
            goal = found[0].goal
        pair = space.pair(point, _WHY)
        return Proposal(pair, with_arguments(self.choice, space.arguments(point)), goal)


class _TimeOver(Exception):
    """The time for the search is used up."""


def _turned(decisions: tuple[bool, ...]) -> Iterator[tuple[bool, ...]]:
    """Paths that decide one comparison otherwise."""
    for index, taken in enumerate(decisions):
        yield (*decisions[:index], not taken, *decisions[index + 1 :])
