"""One draw for two of one law of which a run makes at most one: `if hit: return a + noise()`, `return b + noise()`.

Moved in front of the branch, and used on both sides, it gives each output the probability that it had: a run that makes
one of the two gets a number of the same law, which is used nowhere else, and one that makes none does not look at it
(so no draw may be moved that a run comes to twice, or whose parameters may raise or be other numbers there).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dplint.program import nodes as ir
from dplint.program.walk import bound_names, exchanged, once_at_most, walk, without_places


def with_one_draw(program: ir.Program, epsilon: float | str) -> ir.Program | None:
    """The program with one draw for each such two; None if there are none. epsilon: the claimed one; it is positive."""
    changed, place = program, 0
    while place < len(changed.body):
        body = changed.body
        two = _exclusive(changed, body[place], body[place + 1 :], epsilon)
        if two is not None:
            name = ir.Name(f"the draw of line {two[0].span.line}, {place}", two[0].span)
            drawn = ir.Assign((name,), two[0], two[0].span)
            body = (*body[:place], drawn, *exchanged(body[place:], dict.fromkeys(map(id, two), name)))
            changed = replace(changed, body=body)
        place += 1
    return changed if changed is not program else None


def _exclusive(
    program: ir.Program, node: ir.Statement, rest: Sequence[ir.Statement], epsilon: float | str
) -> tuple[ir.Draw, ir.Draw] | None:
    """Two draws of one law on the two sides of a statement, or of an expression in it."""
    sides: list[tuple[Sequence[ir.Node], Sequence[ir.Node]]] = []
    if isinstance(node, ir.If):
        after = rest if not node.orelse and isinstance(node.body[-1], ir.Return | ir.Raise) else ()
        sides.append((node.body, (*node.orelse, *after)))
    elif isinstance(node, ir.Assign | ir.Return):
        sides += [((one.body,), (one.orelse,)) for one in once_at_most((node,)) if isinstance(one, ir.IfExp)]
    for first, second in sides:
        for one in once_at_most(first):
            for other in once_at_most(second) if isinstance(one, ir.Draw) and _may_move(program, one, epsilon) else ():
                if isinstance(other, ir.Draw) and isinstance(one, ir.Draw) and _whole_law(one) == _whole_law(other):
                    everywhere = [id(node) for node in walk(program)]
                    if everywhere.count(id(one)) == everywhere.count(id(other)) == 1:
                        return one, other
    return None


def _whole_law(node: ir.Draw) -> tuple[Any, ...]:
    return node.distribution, node.family, node.generator, without_places(node.parameters)


def _may_move(program: ir.Program, node: ir.Draw, epsilon: float | str) -> bool:
    """Whether a draw is one number whose parameters are the same everywhere, and raise nothing."""
    assigned = bound_names(walk(program))
    data = (program.data or "").partition(".")[0]

    def fixed(one: ir.Expression) -> bool:
        match one:
            case ir.Constant(value=int() | float()):
                return True
            case ir.Name(id=name):
                return name in program.parameters and name != data and name not in assigned
            case ir.Binary(operator="+" | "-" | "*", left=left, right=right):
                return fixed(left) and fixed(right)
            case ir.Binary(operator="/", left=left, right=ir.Constant(value=int() | float() as divisor)):
                return divisor != 0 and fixed(left)
            case ir.Binary(operator="/", left=left, right=ir.Name(id=name) as divisor):
                return name == epsilon and fixed(left) and fixed(divisor)
        return False

    return node.size is None and all(fixed(one) for _, one in node.parameters)
