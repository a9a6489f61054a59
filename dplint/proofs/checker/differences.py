"""One draw for two: in a sum for `exponential(b) - exponential(b)`, in a product for one with a fair sign.

Theorem (Kotz, Kozubowski and Podgorski, The Laplace Distribution and Generalizations, 2001, proposition 2.2.2; Inusah
and Kozubowski, 2006, proposition 2.1): the difference of two independent exponential draws of scale b has the Laplace
law of scale b, that of two geometric draws of probability p the discrete one, k with a probability that is
proportional to (1 - p)^|k|. Both draws have to be summands of one sum, with opposite signs, so that nothing else sees
them: then one draw in place of the first, whose law is symmetric, and the sum without the second have the law that they
had. Their parameters have to be written alike, which within one expression makes them equal, and both are numbers or
both arrays of one shape.

An exponential draw of scale b with a fair sign has the Laplace law of scale b (the same, section 2.2). Both have to be
factors of one product, so that nothing else sees them, and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from dplint.distributions import PYTHON, SCIPY
from dplint.program import nodes as ir
from dplint.program.walk import rebuilt, rebuilt_program, walk, without_places

_DIFFERENCE = {"exponential": ("laplace", "scale"), "geometric": ("discrete_laplace", "p")}
"""The law of a difference, and the only parameter but a location, which has to be left out."""


def with_differences(program: ir.Program) -> ir.Program:
    """The same program, with one draw for each such two; the program itself if there are none."""
    changed = program
    while (two := _two(changed)) is not None:
        changed = _without(changed, *two)
    while (signed := _signed(changed)) is not None:
        changed = _exchanged(changed, *signed)
    return changed


def _two(program: ir.Program) -> tuple[ir.Draw, ir.Binary] | None:
    """The first of two such draws, and the sum to which the second one comes last."""
    nodes = list(walk(program))
    for node in nodes:
        for one, other in combinations(_summands(node, 1) if isinstance(node, ir.Binary) else (), 2):
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


def _summands(
    node: ir.Expression, sign: int, at: ir.Binary | None = None
) -> Iterator[tuple[ir.Draw, int, ir.Binary | None]]:
    """Draws of which a sum is made, with their signs. at: of what each is the whole right side."""
    match node:
        case ir.Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _summands(left, sign)
            yield from _summands(right, sign if operator == "+" else -sign, node)
        case ir.Call(function="int", arguments=(ir.Draw(distribution="geometric", size=None) as draw,), keywords=()):
            yield draw, sign, at
        case ir.Draw(distribution="exponential" | "geometric"):
            yield node, sign, at


def _law(node: ir.Draw) -> object:
    """What two draws have to have in common; of one with a location, nothing has it."""
    _, parameter = _DIFFERENCE[node.distribution]
    if [name for name, _ in node.parameters] != [parameter]:
        return id(node)
    size = None if node.size is None else without_places(node.size)
    return node.distribution, node.family, node.generator, without_places(node.parameters[0][1]), size


def _without(program: ir.Program, first: ir.Draw, at: ir.Binary) -> ir.Program:
    law, _ = _DIFFERENCE[first.distribution]
    parameters = (*first.parameters, ("loc", ir.Constant(0.0 if law == "laplace" else 0, first.span)))
    drawn = replace(first, distribution=law, parameters=parameters)

    def change(node: Any) -> Any:
        if node is first:
            return drawn
        return rebuilt(at.left, change) if node is at else None

    return rebuilt_program(program, change)


def _signed(program: ir.Program) -> tuple[ir.Binary, ir.Draw] | None:
    """A product with an exponential draw and a fair sign among its factors, and the Laplace draw that it is.

    The other factors are multiplied with the scale: where that is positive, as it has to be, their product is.
    """
    nodes = list(walk(program))
    for node in nodes:
        if not isinstance(node, ir.Binary):
            continue
        factors = [*_factors(node)]
        drawn = [one for one in factors if isinstance(one, ir.Draw)]
        sizes = [one for one in drawn if one.distribution == "exponential" and _law(one) != id(one)]
        signs = [one for one in drawn if _is_sign(one)]
        if len(sizes) == len(signs) == 1 and sizes[0].size is None:
            others = [one for one in factors if one is not sizes[0] and one is not signs[0]]
            if all(sum(one is found for found in nodes) == 1 for one in (*sizes, *signs)):
                return node, _laplace(sizes[0], signs[0], others)
    return None


def _factors(node: ir.Expression) -> Iterator[ir.Expression]:
    match node:
        case ir.Binary(operator="*", left=left, right=right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield node


def _is_sign(node: ir.Draw) -> bool:
    """Whether it is one of -1 and 1, either with probability 1/2."""
    given = dict(node.parameters)
    values, shares = given.get("a"), given.get("p")
    if (
        node.distribution != "choice"
        or node.size is not None
        or not isinstance(values, ir.ListDisplay | ir.TupleDisplay)
    ):
        return False
    known = [one.value for one in values.elements if isinstance(one, ir.Constant)]
    fair = shares is None or (isinstance(shares, ir.Constant) and shares.value is None)
    return fair and len(values.elements) == 2 and sorted(known, key=str) == [-1, 1] and bool not in map(type, known)


def _laplace(size: ir.Draw, sign: ir.Draw, factors: Sequence[ir.Expression]) -> ir.Draw:
    """The draw of both with these factors; numbers of NumPy's stay such."""
    family = PYTHON if size.family == sign.family == PYTHON else SCIPY
    [(_, scale)] = size.parameters
    for one in factors:
        scale = ir.Binary("*", one, scale, size.span)
    parameters = (("scale", scale), ("loc", ir.Constant(0.0, size.span)))
    return replace(size, distribution="laplace", parameters=parameters, family=family)


def _exchanged(program: ir.Program, product: ir.Binary, drawn: ir.Draw) -> ir.Program:
    return rebuilt_program(program, lambda node: drawn if node is product else None)
