"""Arguments that govern noise: they take the value of least noise, so that a difference is easiest to see."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dplint.claims import Literal
from dplint.distributions import of
from dplint.inputs.arguments_runs import centre, run_with
from dplint.program.nodes import Assign, AugAssign, CallFunction, Clause, Draw, For, Name, Node, Program, Return, Update
from dplint.program.walk import walk
from dplint.readings.symbolic import Variable, VariableKind

POSITIVE = (1, 2, 3, 5, 10)
"""The candidates for a parameter of which the claim says nothing."""
_COMBINATIONS = 64


def governing(program: Program) -> frozenset[str]:
    """The parameters that occur in the scale of a draw, directly or through assignments."""
    flows: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for scope, body in [("", program.body), *((f.name, f.body) for f in program.functions)]:
        for node in walk(body):
            for target, sources in _flows(scope, node):
                flows.setdefault(target, set()).update(sources)
            if isinstance(node, Draw):
                scales = [value for name, value in node.parameters if name in of(node.distribution).scale_parameters]
                wanted |= {name for scale in scales for name in _names(scope, scale)}
    todo = list(wanted)
    while todo:
        for source in flows.get(todo.pop(), ()):
            if source not in wanted:
                wanted.add(source)
                todo.append(source)
    return frozenset(name for name in program.parameters if f".{name}" in wanted)


def shaping(program: Program) -> frozenset[str]:
    """The parameters that govern noise, and those that stand in any other parameter of a draw but where it lies."""
    found: set[str] = set()
    for body in (program.body, *(function.body for function in program.functions)):
        for draw in (node for node in walk(body) if isinstance(node, Draw)):
            values = [value for name, value in draw.parameters if name != "loc"]
            found |= {inner.id for value in values for inner in walk(value) if isinstance(inner, Name)}
    return governing(program) | found.intersection(program.parameters)


def _names(scope: str, node: Node) -> set[str]:
    names = {f"{scope}.{inner.id}" for inner in walk(node) if isinstance(inner, Name)}
    return names | {f"{inner.function}.<result>" for inner in walk(node) if isinstance(inner, CallFunction)}


def _flows(scope: str, node: Node) -> Iterator[tuple[str, set[str]]]:
    """What a node may carry from names to names."""
    if isinstance(node, CallFunction):
        for parameter, value in node.arguments:
            yield f"{node.function}.{parameter}", _names(scope, value)
    elif isinstance(node, Return):
        yield f"{scope}.<result>", _names(scope, node.value)
    else:
        for target in _targets(node):
            for name in _names(scope, target):
                yield name, {source for value in _sources(node) for source in _names(scope, value)}


def _targets(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Assign):
        return node.targets
    if isinstance(node, AugAssign | For | Clause):
        return (node.target,)
    return (node.name,) if isinstance(node, Update) else ()


def _sources(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Assign | AugAssign):
        return (node.value,)
    if isinstance(node, For | Clause):
        return (node.iterable,)
    return node.arguments if isinstance(node, Update) else ()


def least_noise(
    program: Program, variables: Sequence[Variable], others: Mapping[str, Literal], data: Sequence[Any]
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


def _total(program: Program, arguments: Mapping[str, Literal]) -> float:
    """The sum of the scales of a run with its noise at the centre; infinite if one is not a scale."""
    _, scales = run_with(program, arguments, centre)
    return sum(scale if scale > 0 else math.inf for scale in scales.values())
