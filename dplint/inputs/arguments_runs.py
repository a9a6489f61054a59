"""Concrete runs of a program, to see what arguments really do: with noise at its centre, or drawn.

Also which parameters govern noise, and their values of least noise.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from dplint.claims import Literal, Span
from dplint.distributions import Distribution, Outcomes, of
from dplint.program import nodes as ir
from dplint.program.walk import walk
from dplint.readings.concrete import Run, run
from dplint.readings.symbolic import Variable, VariableKind
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


def run_with(program: ir.Program, arguments: Mapping[str, Literal], sample: Sampler) -> tuple[Run, dict[Span, float]]:
    """One run, and the largest scale that each draw had. Raises UnsupportedConstruct."""
    scales: dict[Span, float] = {}

    def draw(node: ir.Draw, parameters: Mapping[str, Any], size: Any, _site: DrawSite) -> Any:
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
    program: ir.Program,
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


POSITIVE = (1, 2, 3, 5, 10)
"""The candidates for a parameter of which the claim says nothing."""
_COMBINATIONS = 64


def governing(program: ir.Program) -> frozenset[str]:
    """The parameters that occur in the scale of a draw, directly or through assignments."""
    flows: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for scope, body in [("", program.body), *((f.name, f.body) for f in program.functions)]:
        for node in walk(body):
            for target, sources in _flows(scope, node):
                flows.setdefault(target, set()).update(sources)
            if isinstance(node, ir.Draw):
                scales = [value for name, value in node.parameters if name in of(node.distribution).scale_parameters]
                wanted |= {name for scale in scales for name in _names(scope, scale)}
    todo = list(wanted)
    while todo:
        for source in flows.get(todo.pop(), ()):
            if source not in wanted:
                wanted.add(source)
                todo.append(source)
    return frozenset(name for name in program.parameters if f".{name}" in wanted)


def shaping(program: ir.Program) -> frozenset[str]:
    """The parameters that govern noise, and those that stand in any other parameter of a draw but where it lies."""
    found: set[str] = set()
    for body in (program.body, *(function.body for function in program.functions)):
        for draw in (node for node in walk(body) if isinstance(node, ir.Draw)):
            values = [value for name, value in draw.parameters if name != "loc"]
            found |= {inner.id for value in values for inner in walk(value) if isinstance(inner, ir.Name)}
    return governing(program) | found.intersection(program.parameters)


def _names(scope: str, node: ir.Node) -> set[str]:
    names = {f"{scope}.{inner.id}" for inner in walk(node) if isinstance(inner, ir.Name)}
    return names | {f"{inner.function}.<result>" for inner in walk(node) if isinstance(inner, ir.CallFunction)}


def _flows(scope: str, node: ir.Node) -> Iterator[tuple[str, set[str]]]:
    """What a node may carry from names to names."""
    match node:
        case ir.CallFunction():
            yield from ((f"{node.function}.{parameter}", _names(scope, value)) for parameter, value in node.arguments)
        case ir.Return(value=value):
            yield f"{scope}.<result>", _names(scope, value)
        case ir.Assign(targets=targets, value=value):
            for name in (name for target in targets for name in _names(scope, target)):
                yield name, _names(scope, value)
        case (
            ir.AugAssign(target=target, value=value)
            | ir.For(target=target, iterable=value)
            | ir.Clause(target=target, iterable=value)
        ):
            for name in _names(scope, target):
                yield name, _names(scope, value)
        case ir.Update(name=changed, arguments=arguments):
            for name in _names(scope, changed):
                yield name, {source for value in arguments for source in _names(scope, value)}


def least_noise(
    program: ir.Program, variables: Sequence[Variable], others: Mapping[str, Literal], data: Sequence[Any]
) -> dict[str, Literal]:
    """Values for the variables that make the sum of the scales least, each scale finite and positive.

    others: values of all other parameters. Empty if no candidate gives such scales. Raises UnsupportedConstruct.
    """
    best: tuple[float, dict[str, Literal]] | None = None
    grid = itertools.product(*(candidates(variable) for variable in variables))
    for values in itertools.islice(grid, _COMBINATIONS):
        chosen = {variable.name: value for variable, value in zip(variables, values, strict=True)}
        total = max(_total(program, {**others, **chosen, str(program.data): value}) for value in data)
        if math.isfinite(total) and (best is None or total < best[0]):
            best = (total, chosen)
    return {} if best is None else best[1]


def candidates(variable: Variable) -> tuple[Literal, ...]:
    """The values to try for a parameter that governs noise."""
    if variable.values:
        return variable.values
    if variable.kind is VariableKind.BOOL:
        return (False, True)
    low = -math.inf if variable.low is None else variable.low
    high = math.inf if variable.high is None else variable.high
    inside: list[Literal] = [value for value in POSITIVE if low <= value <= high]
    ends = [end for end in (variable.low, variable.high) if end is not None and end not in inside]
    return (*inside, *(int(end) if variable.kind is VariableKind.INT else end for end in ends))


def _total(program: ir.Program, arguments: Mapping[str, Literal]) -> float:
    """The sum of the scales of a run with its noise at the centre; infinite if one is not a scale."""
    _, scales = run_with(program, arguments, centre)
    return sum(scale if scale > 0 else math.inf for scale in scales.values())
