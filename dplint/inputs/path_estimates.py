"""Estimates of the probability that a run takes one path and ends in an event, with gradients, for a pair.

The comparisons of noise are those of the path, and the numbers of the output lie on one side of a threshold each. Both
sides of a pair share their uniform numbers, as both of DP-Finder's do (Bichsel et al., CCS 2018, section 5), and how
far an estimated loss may be off is told by its way: the multivariate central limit theorem, with the covariance.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplint.claims import Span
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program
from dplint.readings.concrete import ConcreteInterpretation, Run
from dplint.readings.exact import ANY, Goal, Raised
from dplint.readings.ghk import FUNCTIONS, Array, Noisy, OnePath, Real, Uniforms, drawn, has_noisy
from dplint.sites import DrawSite

_FUEL = 200
_SURE = 1.96
"""Standard errors within which 95 % of all estimates are."""


@dataclass(frozen=True, slots=True)
class PathEstimate:
    """weights: of each sample, shape (samples,); their mean is the estimate. gradient: of that mean. decisions: of the
    path, and then of its numbers. output: equal for outputs that differ in their numbers alone. goal: such outputs.
    jumps: whether the gradient is not that of the probability.
    """

    weights: Array
    gradient: Array
    decisions: tuple[bool, ...]
    output: Hashable
    goal: Goal
    jumps: bool

    @property
    def probability(self) -> float:
        """The estimate."""
        return float(self.weights.mean())


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What one run with drawn noise did. decisions: as for `PathEstimate`. numbers: those of its output, with noise."""

    decisions: tuple[bool, ...]
    numbers: tuple[float, ...]
    goal: Goal


@dataclass(frozen=True, slots=True)
class LossEstimate:
    """log p1/p2 of a path, its gradient, and how far it may be off, with 95 % confidence."""

    loss: float
    gradient: Array
    error: float


def estimate_path(
    program: Program,
    given: Mapping[str, Any],
    decisions: Sequence[bool],
    thresholds: Sequence[Real],
    uniforms: Uniforms,
    coordinates: int,
) -> PathEstimate:
    """The probability of a path. given: arguments with `Real`s for what has a gradient, wherever they stand.

    decisions: those of its comparisons, and for each number of the output whether it is above its threshold; what is
    missing is as in the first sample. thresholds: those that are missing are 0. Raises UnsupportedConstruct.
    """
    path = OnePath(uniforms, list(decisions), program.span)
    ended, numbers = _walked(program, given, path)
    for index, number in enumerate(numbers):
        bool(number > Noisy(path, thresholds[index] if index < len(thresholds) else Real(0.0)))
    weights = np.broadcast_to(np.asarray(path.mass.value, float), (uniforms.samples,))
    gradient = np.zeros(coordinates) if path.mass.gradient is None else path.mass.gradient.mean(0)
    goal = Goal(Raised(ended.exception[0]) if ended.exception else _likeness(ended.output))
    output = (goal.key, ended.out_of_fuel)
    return PathEstimate(weights, gradient, tuple(path.decisions[: path.at]), output, goal, path.jumps)


def recorded_run(program: Program, given: Mapping[str, Any], seed: int) -> RunRecord:
    """One run with drawn noise. Its numbers are thresholds, and half of them lie above theirs: by the seed."""
    path = OnePath(Uniforms(1, seed), [], program.span)
    ended, numbers = _walked(program, given, path)
    values = tuple(float(np.ravel(number.sampled().value)[0]) for number in numbers)
    sides = np.random.default_rng(seed).random(len(values)) < 1 / 2
    goal = Goal(Raised(ended.exception[0]) if ended.exception else _likeness(ended.output))
    return RunRecord((*path.decisions[: path.at], *map(bool, sides)), values, goal)


def _walked(program: Program, given: Mapping[str, Any], path: OnePath) -> tuple[Run, list[Noisy]]:
    """A run, and the noisy numbers of its output."""
    run = _OnePathRun(path)
    evaluate(program, run, {name: _lifted(given[name], path) for name in program.parameters})
    numbers: list[Noisy] = []
    _gather(run.result.output, numbers)
    return run.result, numbers


def loss_of_estimates(one: PathEstimate, other: PathEstimate) -> LossEstimate:
    """The loss by two estimates on the same uniform numbers; infinite if no sample of the other side is left."""
    p, q = one.probability, other.probability
    if p <= 0 or q <= 0:
        return LossEstimate(math.inf if p > 0 else -math.inf, np.zeros_like(one.gradient), 0.0)
    # By the delta method the variance of log p - log q is that of the difference of the weights over their means.
    spread = float(np.std(one.weights / p - other.weights / q)) / math.sqrt(len(one.weights))
    return LossEstimate(math.log(p) - math.log(q), one.gradient / p - other.gradient / q, _SURE * spread)


class _OnePathRun(ConcreteInterpretation):
    """One run on numbers of one path."""

    def __init__(self, path: OnePath) -> None:
        super().__init__(self._drawn, _FUEL)
        self._path = path

    def _drawn(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        return drawn(self._path, node, parameters, size, site)

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """The function itself, or what it means on noise."""
        if active and function in FUNCTIONS and has_noisy(list(arguments)):
            return self._try(FUNCTIONS[function], arguments, active, span)
        return super().call(function, arguments, keywords, active, span)


def _lifted(value: Any, path: OnePath) -> Any:
    """With numbers of the path in the place of `Real`s."""
    if isinstance(value, Real):
        return Noisy(path, value)
    if isinstance(value, list | tuple):
        return type(value)([_lifted(item, path) for item in value])
    if isinstance(value, dict):
        return {key: _lifted(item, path) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype == object:
        found = np.empty(value.size, object)
        found[:] = [_lifted(item, path) for item in value.ravel().tolist()]
        return found.reshape(value.shape)
    return value


def _gather(value: Any, numbers: list[Noisy]) -> None:
    """Note the noisy numbers of an output."""
    if isinstance(value, Noisy):
        settled = value.settled()
        if not settled.is_data:
            numbers.append(settled)
    elif isinstance(value, list | tuple):
        for item in value:
            _gather(item, numbers)
    elif isinstance(value, dict):
        _gather(list(value.values()), numbers)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        _gather(value.ravel().tolist(), numbers)


def _likeness(value: Any) -> Any:
    """An output but for its numbers that hang on noise or data."""
    if isinstance(value, Noisy):
        return ANY
    if isinstance(value, list | tuple):
        return type(value)([_likeness(item) for item in value])
    if isinstance(value, dict):
        return {key: _likeness(item) for key, item in value.items()}
    return _likeness(value.tolist()) if isinstance(value, np.ndarray) else value
