"""Concrete runs of a program, to see what arguments really do: with noise at its centre, or drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Set
from typing import Any

import numpy as np

from dplint.claims import Literal, Span
from dplint.distributions import Distribution, Outcomes, of
from dplint.program.nodes import Draw, Program
from dplint.readings.concrete import Run, run
from dplint.sites import DrawSite

_FUEL = 200
Sampler = Callable[[Distribution, Mapping[str, Any]], Any]
"""Takes the distribution and the parameters of one draw; returns what is drawn."""


def centre(distribution: Distribution, parameters: Mapping[str, Any]) -> Any:
    """The draw of a run without noise."""
    found = distribution.centre(parameters)
    return np.array(found) if distribution.outcomes is Outcomes.VECTOR else found


def sampler(seed: int) -> Sampler:
    """Random draws, to see which branches are taken."""
    generator = np.random.default_rng(seed)

    def sample(distribution: Distribution, parameters: Mapping[str, Any]) -> Any:
        if distribution.items is not None:
            return _of_items(distribution, parameters, generator)
        shapes = [np.shape(parameters[one.name]) for one in distribution.parameters if one.numeric]
        drawn = distribution.sample(generator, parameters, np.broadcast_shapes(*shapes))
        return drawn if drawn.ndim else drawn.item()

    return sample


def _of_items(distribution: Distribution, parameters: Mapping[str, Any], generator: np.random.Generator) -> Any:
    """One item, or all in a random order."""
    assert distribution.items is not None
    given = parameters[distribution.items]
    items = range(given) if isinstance(given, int) else given
    indices = distribution.sample(generator, {**parameters, distribution.items: len(items)}, (1,))[..., 0]
    return [items[index] for index in indices] if indices.ndim else items[int(indices)]


def run_with(program: Program, arguments: Mapping[str, Literal], sample: Sampler) -> tuple[Run, dict[Span, float]]:
    """One run, and the largest scale that each draw had. Raises UnsupportedConstruct."""
    scales: dict[Span, float] = {}

    def draw(node: Draw, parameters: Mapping[str, Any], size: Any, _site: DrawSite) -> Any:
        distribution = of(node.distribution)
        scale = _scale(distribution, parameters)
        scales[node.span] = max(scale, scales.get(node.span, scale))
        if size is None:
            return sample(distribution, parameters)
        shape = size if isinstance(size, tuple) else (size,)
        count = math.prod(shape)
        values = np.array([sample(distribution, _element(distribution, parameters, index)) for index in range(count)])
        return values.reshape(shape + values.shape[1:])

    return run(program, arguments, draw, fuel=_FUEL), scales


def _element(distribution: Distribution, parameters: Mapping[str, Any], index: int) -> dict[str, Any]:
    """The parameters of one element of a vector draw."""
    numeric = {parameter.name for parameter in distribution.parameters if parameter.numeric}
    single = {}
    for name, value in parameters.items():
        vector = isinstance(value, np.ndarray | list) and name in numeric
        single[name] = value[index] if vector else value
    return single


def _scale(distribution: Distribution, parameters: Mapping[str, Any]) -> float:
    """The smallest scale of a draw; 1 where no parameter says how much noise it is, NaN where that is no number."""
    if not distribution.scale_parameters:
        return 1.0
    try:
        return float(np.min(distribution.scale(parameters)))
    except (TypeError, ValueError):
        return math.nan


def branches_taken(
    program: Program,
    arguments: Mapping[str, Literal],
    data: list[Any],
    runs: int,
    seed: int,
    sought: Set[tuple[Span, bool]],
) -> frozenset[tuple[Span, bool]]:
    """The branches, as place and outcome, that some of a number of runs take on any of the data.

    sought: once these are among them, no more runs are made.
    """
    taken: set[tuple[Span, bool]] = set()
    for value in data:
        sample = sampler(seed)
        for _ in range(runs):
            if sought <= taken:
                return frozenset(taken)
            result, _ = run_with(program, {**arguments, str(program.data): value}, sample)
            taken |= {(branch.span, branch.taken) for branch in result.branches}
    return frozenset(taken)
