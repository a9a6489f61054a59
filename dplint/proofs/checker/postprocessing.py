"""Cuts off what only works on values that are already private: a proof without it is a proof with it.

A program whose end does nothing but compute from the values of some variables, without looking at the data and without
noise, is a function of these values. If the program that returns them there keeps a claim, so does the whole (Dwork and
Roth, The Algorithmic Foundations of Differential Privacy, 2014, proposition 2.1). For this the values have to be all
that the end can tell apart: so it may change nothing in place, since two variables may hold one object, ask for no
identity, and call no function of the program; and no run may have ended by a `return` before, which could look as if
it had come there.
"""

from __future__ import annotations

from dataclasses import replace

from dplint.program.nodes import (
    Assign,
    AugAssign,
    CallFunction,
    Compare,
    Draw,
    ItemTarget,
    Name,
    Node,
    Opaque,
    Program,
    Return,
    Statement,
    TupleDisplay,
    Update,
)
from dplint.program.walk import bound_names, walk

_NOT_PLAIN = (AugAssign, CallFunction, Draw, ItemTarget, Opaque, Update)


def without_postprocessing(program: Program) -> Program | None:
    """The program that returns what its end works on, for the longest such end; None if there is none."""
    for place in range(1, len(program.body)):
        start, end = program.body[:place], program.body[place:]
        if any(isinstance(node, Return) for node in walk(start)):
            return None
        kept = _kept(program, start, end)
        if kept is not None and not (isinstance(end[0], Return) and isinstance(end[0].value, Name)):
            span = end[0].span
            values = TupleDisplay(tuple(Name(one, span) for one in kept), span)
            return replace(program, body=(*start, Return(values, span)))
    return None


def _kept(program: Program, start: tuple[Statement, ...], end: tuple[Statement, ...]) -> list[str] | None:
    """The variables of the start that the end may read; None if the end may do more, or they may not be assigned."""
    nodes = list(walk(end))
    mentioned = {node.id for node in nodes if isinstance(node, Name)}
    data = (program.data or "").partition(".")[0]
    if not data or data in mentioned or any(isinstance(node, _NOT_PLAIN) or _asks_identity(node) for node in nodes):
        return None
    assigned = bound_names(walk(start))
    certain = {
        target.id for one in start if isinstance(one, Assign) for target in one.targets if isinstance(target, Name)
    }
    wanted = mentioned & assigned
    return sorted(wanted) if wanted and wanted <= certain else None


def _asks_identity(node: Node) -> bool:
    return isinstance(node, Compare) and not {"is", "is not"}.isdisjoint(node.operators)
