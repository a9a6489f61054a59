"""Names that are given several objects of one class, one after the other: `total = total + cost`.

What such an object holds is moved into variables that belong to the name. So no other name may stand for the object,
but for one of a class whose objects do not change, of which a copy is as good.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import Assign, Name, Statement, TupleDisplay, TupleTarget
from dplint.source.bindings import SCOPES, binding_counts
from dplint.source.lowering.object_classes import ObjectClass
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.scope import Instance, Scope
from dplint.source.walking import nodes_below

_ALIAS = "an object under two names"
_HINT = "give it a name of its own, in one place"


def known_objects(scope: Scope) -> frozenset[int]:
    """The objects that names stand for, and what these hold."""
    found: set[int] = set()
    pending = [*scope.instances.values()]
    while pending:
        one = pending.pop()
        if id(one) not in found:
            found.add(id(one))
            pending += one.parts.values()
    return frozenset(found)


def is_given_objects_alone(scope: Scope, body: cst.CSTNode | None, name: str) -> bool:
    """Whether nothing but plain assignments gives a name of the function its values."""
    if body is None or name in scope.parameters | scope.given:
        return False
    found = 0
    for one in nodes_below(body, SCOPES):
        match one:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))])
                | cst.AnnAssign(target=cst.Name(value=own), value=cst.BaseExpression())
                | cst.AugAssign(target=cst.Name(value=own))
            ):
                found += own == name
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as several)], value=cst.Call()):
                found += sum(isinstance(part.value, cst.Name) and part.value.value == name for part in several.elements)
    return binding_counts(body)[name] == found


def same_class(one: ObjectClass, other: ObjectClass) -> bool:
    """Whether both are the same class."""
    return one.bodies[0][1] is other.bodies[0][1]


def moved(
    reader: Reader, slot: Instance | None, given: Given, known: frozenset[int], node: cst.CSTNode
) -> tuple[tuple[Statement, ...], Instance]:
    """A further object in the variables of a slot, a new one if there is none. known: what others hold already."""
    whole, span = given.value, reader.span(node)
    assert isinstance(whole, Instance)
    if (id(whole) in known and not whole.made.frozen) or whole.parts or whole.members:
        raise reader.refuse(_ALIAS, node, _HINT)
    if any(one.seeded for one in whole.streams.values()):
        raise reader.refuse("an object with a seeded generator that is given another name", node, _HINT)
    if slot is None:
        slot = Instance(whole.made, next(reader.scope.numbers), whole.label, dict(whole.streams), moves=True)
    if not slot.moves or not same_class(slot.made, whole.made) or slot.streams != whole.streams:
        raise reader.refuse("objects of several classes under one name", node, "give each a name of its own")
    return (*given.statements, _move(slot, whole, span)), slot


def _move(slot: Instance, whole: Instance, span: Span) -> Statement:
    names = sorted(whole.made.attributes - whole.streams.keys())
    targets = tuple(Name(slot.variable(one), span) for one in names)
    values = tuple(Name(whole.variable(one), span) for one in names)
    return Assign((TupleTarget(targets, span),), TupleDisplay(values, span), span)
