"""Proposes where the end of a program begins that only works on private values, and what is inside of it.

The longest ends come first. Inside of an end there may be expressions that look at the data: those that also draw, or
where an expression is made of such ones, the parts of it. What is made of the data without noise counts as data, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dplint.program.nodes import (
    Assign,
    Call,
    CallFunction,
    DictDisplay,
    Draw,
    Expression,
    IfExp,
    ListDisplay,
    Name,
    Node,
    Opaque,
    Pass,
    Program,
    Return,
    TupleDisplay,
)
from dplint.program.walk import bound_names, children, walk

_MOST = 2
"""Expressions inside, each of which doubles what is to be shown."""
_WRAPPING = (DictDisplay, Draw, IfExp, ListDisplay, Opaque, TupleDisplay)


def ends(program: Program) -> Iterator[tuple[int, list[Expression]]]:
    """The statements at which an end may begin, and what looks at the data inside of it."""
    data = frozenset([(program.data or "").partition(".")[0]])
    made = data
    for place, first in enumerate(program.body):
        before = program.body[place - 1] if place else None
        if isinstance(before, Pass):
            continue
        if isinstance(before, Assign) and _mentions(before.value, made) and not _draws(program, before.value):
            made |= bound_names([before])
        tried: list[list[int]] = []
        for names, wrapping in dict.fromkeys(product((data, made), (False, True))):
            inner = [part for one in program.body[place:] for part in _inner(program, one, names, wrapping)]
            if [id(one) for one in inner] in tried or len(inner) > _MOST:
                continue
            tried.append([id(one) for one in inner])
            useful = all(_draws(program, one) or (isinstance(one, Call) and one.function == "len") for one in inner)
            # The data as it is will not do; and an end after an assignment is no other than one with its value inside.
            same = isinstance(first, Assign) and any(first.value is one for one in inner)
            if useful and not same and not _gives_back(first, inner):
                yield place, inner
    if program.body:
        last = program.body[-1]
        drawn = [one for one in walk(last) if isinstance(one, Draw)]
        if 0 < len(drawn) <= _MOST and not _gives_back(last, [*drawn]):
            yield len(program.body) - 1, [*drawn]


def _gives_back(statement: Node, inner: list[Expression]) -> bool:
    """Whether a statement only returns what is inside, or variables."""
    if isinstance(statement, Return | TupleDisplay):
        return all(_gives_back(one, inner) for one in children(statement))
    return isinstance(statement, Name) or any(statement is one for one in inner)


def _inner(program: Program, node: Node, data: frozenset[str], wrapping: bool) -> Iterator[Expression]:
    """The expressions that look at the data: those that also draw, or where there is none, what is inside of displays.

    Whichever are found, `_kept` tells whether the end is one of them. wrapping: also go into displays and the like for
    what does not draw.
    """
    if not _mentions(node, data):
        return
    looking = [child for child in children(node) if _mentions(child, data)]
    is_statement = not isinstance(node, Expression)
    drawing = looking and all(_draws(program, child) for child in looking)
    wraps = wrapping and (isinstance(node, _WRAPPING) or (isinstance(node, Call) and node.function == "f-string"))
    if is_statement or (drawing and not isinstance(node, Draw)) or (wraps and Name not in map(type, looking)):
        for child in looking:
            yield from _inner(program, child, data, wrapping)
    else:
        yield node  # type: ignore[misc]  # it is no statement


def _mentions(node: Node, names: frozenset[str]) -> bool:
    return any(isinstance(one, Name) and one.id.partition(".")[0] in names for one in walk(node))


def _draws(program: Program, node: Node) -> bool:
    """Whether there is a draw in an expression, or in a function that it calls."""
    left, seen = [node], set()
    while left:
        for one in walk(left.pop()):
            if isinstance(one, Draw):
                return True
            if isinstance(one, CallFunction) and one.function not in seen:
                seen.add(one.function)
                left += program.function(one.function).body
    return False
