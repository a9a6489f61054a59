"""One draw for the difference of two of one law: `x + exponential(b) - exponential(b)` adds Laplace noise of scale b.

Theorem (Kotz, Kozubowski and Podgorski, The Laplace Distribution and Generalizations, 2001, proposition 2.2.2; Inusah
and Kozubowski, 2006, proposition 2.1): the difference of two independent exponential draws of scale b has the Laplace
law of scale b, that of two geometric draws of probability p the discrete one, k with a probability that is
proportional to (1 - p)^|k|. Both draws have to be summands of one sum, with opposite signs, so that nothing else sees
them: then one draw in place of the first, whose law is symmetric, and the sum without the second have the law that they
had. Their parameters have to be written alike, which within one expression makes them equal, and both are numbers or
both arrays of one shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from dplint.program.nodes import Binary, Call, Constant, Draw, Expression, Program
from dplint.program.walk import rebuilt, walk, without_places

_DIFFERENCE = {"exponential": ("laplace", "scale"), "geometric": ("discrete_laplace", "p")}
"""The law of a difference, and the only parameter but a location, which has to be left out."""


def with_differences(program: Program) -> Program:
    """The same program, with one draw for each such two; the program itself if there are none."""
    changed = program
    while (two := _two(changed)) is not None:
        changed = _without(changed, *two)
    return changed


def _two(program: Program) -> tuple[Draw, Binary] | None:
    """The first of two such draws, and the sum to which the second one comes last."""
    nodes = list(walk(program))
    for node in nodes:
        for one, other in combinations(_summands(node, 1) if isinstance(node, Binary) else (), 2):
            (first, sign, _), (second, opposite, at) = one, other
            alike = sign == -opposite and _law(first) == _law(second)
            # Nodes that stand in two places would be replaced in both.
            if (
                alike
                and at is not None
                and all(sum(node is found for found in nodes) == 1 for node in (first, second, at))
            ):
                return first, at
    return None


def _summands(node: Expression, sign: int, at: Binary | None = None) -> Iterator[tuple[Draw, int, Binary | None]]:
    """Draws of which a sum is made, with their signs. at: of what each is the whole right side."""
    match node:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _summands(left, sign)
            yield from _summands(right, sign if operator == "+" else -sign, node)
        case Call(function="int", arguments=(Draw(distribution="geometric", size=None) as draw,), keywords=()):
            yield draw, sign, at
        case Draw(distribution="exponential" | "geometric"):
            yield node, sign, at


def _law(node: Draw) -> object:
    """What two draws have to have in common; of one with a location, nothing has it."""
    _, parameter = _DIFFERENCE[node.distribution]
    if [name for name, _ in node.parameters] != [parameter]:
        return id(node)
    size = None if node.size is None else without_places(node.size)
    return node.distribution, node.family, node.generator, without_places(node.parameters[0][1]), size


def _without(program: Program, first: Draw, at: Binary) -> Program:
    law, _ = _DIFFERENCE[first.distribution]
    parameters = (*first.parameters, ("loc", Constant(0.0 if law == "laplace" else 0, first.span)))
    drawn = replace(first, distribution=law, parameters=parameters)

    def change(node: Any) -> Any:
        if node is first:
            return drawn
        return rebuilt(at.left, change) if node is at else None

    functions = tuple(replace(one, body=rebuilt(one.body, change)) for one in program.functions)
    return replace(program, body=rebuilt(program.body, change), functions=functions)
