"""Draws that all ways of a program make alike are made first, so that its ways part after them.

Where data decides a way, each has its own copy of what follows, noise and all. A proof compares draws of two runs by
their places, and wants each once. The order of draws stays, and what they are asked for hangs on arguments alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    Constant,
    Draw,
    Expression,
    If,
    Name,
    Opaque,
    Statement,
    Unary,
)
from dplint.program.walk import walk

Block: TypeAlias = tuple[Statement, ...]
_Known: TypeAlias = Mapping[str, Expression]
_MOST = 200
"""Ways that are compared."""


def first_draws(block: Block, arguments: frozenset[str]) -> Block:
    """The block, with what all its ways draw first at its beginning. arguments: names that hang on nothing else."""
    ways = list(islice(_ways(block, {name: Name(name, block[0].span) for name in arguments}), _MOST + 1))
    if not 1 < len(ways) <= _MOST:
        return block
    common: list[Draw] = []
    for alike in zip(*ways, strict=False):
        if alike[0] is None or any(draw != alike[0] for draw in alike):
            break
        common.append(alike[0])
    if not common:
        return block
    names = [Name(f"noise_{number}", draw.span) for number, draw in enumerate(common)]
    before = tuple(Assign((name,), draw, draw.span) for name, draw in zip(names, common, strict=True))
    return (*before, *_with(block, names))


def _ways(block: Sequence[Statement], known: _Known) -> Iterator[list[Draw | None]]:
    """For each way that runs have gone what it draws, None where that hangs on data or noise."""
    known, drawn = dict(known), list[Draw | None]()
    for place, statement in enumerate(block):
        match statement:
            case Assign(targets=(Name(id=name),), value=value):
                if isinstance(value, Draw):
                    drawn.append(_told(value, known))
                    continue
                resolved = _resolved(value, known)
                if resolved is not None:
                    known[name] = resolved
            case If():
                yield from ([*drawn, *way] for way in _ways_of(statement, block[place + 1 :], known))
                return
            case Opaque():
                return
    yield drawn


def _ways_of(parting: If, rest: Sequence[Statement], known: _Known) -> Iterator[list[Draw | None]]:
    if rest and any(isinstance(one, Draw) for one in walk(parting)):
        yield [None]
        return
    for side in (parting.body, parting.orelse):
        yield from _ways((*side, *rest), known)


def _told(draw: Draw, known: _Known) -> Draw | None:
    """The draw with what it is asked for told by arguments; None if it hangs on anything else."""
    asked = [(name, _resolved(value, known)) for name, value in draw.parameters]
    size = None if draw.size is None else _resolved(draw.size, known)
    if (draw.size is not None and size is None) or any(value is None for _, value in asked):
        return None
    return replace(draw, parameters=tuple((name, value) for name, value in asked if value is not None), size=size)


def _resolved(value: Expression, known: _Known) -> Expression | None:
    """An expression of arguments and constants alone; None if there is none."""
    match value:
        case Constant():
            return value
        case Name(id=name):
            return known.get(name)
        case Binary(left=left, right=right):
            one, other = _resolved(left, known), _resolved(right, known)
            return None if one is None or other is None else replace(value, left=one, right=other)
        case Unary(operand=operand):
            inner = _resolved(operand, known)
            return None if inner is None else replace(value, operand=inner)
        case Call(arguments=arguments, keywords=()):
            given = [_resolved(one, known) for one in arguments]
            resolved = tuple(one for one in given if one is not None)
            return replace(value, arguments=resolved) if len(resolved) == len(given) else None
    return None


def _with(block: Block, names: Sequence[Name]) -> Block:
    """The block with these in place of the first draws of each way."""
    found: list[Statement] = []
    left = list(names)
    for statement in block:
        match statement:
            case Assign(value=Draw()) if left:
                found.append(replace(statement, value=left.pop(0)))
            case If(body=body, orelse=orelse):
                found.append(replace(statement, body=_with(body, left), orelse=_with(orelse, left)))
            case _:
                found.append(statement)
    return tuple(found)
