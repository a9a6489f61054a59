"""Records that a function keeps in lists, as tuples of their fields: `max(ps, key=lambda p: p.score).place`.

`record_uses` says which expressions are such records. A field of one is an item of the tuple; for a method or a
property the tuple is taken apart, into variables of an object that only that call knows.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    DictDisplay,
    Expression,
    IfExp,
    Name,
    Statement,
    Subscript,
    TupleDisplay,
    TupleTarget,
)
from dplint.source.bindings import SCOPES
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.changing_objects import ChangingObjects
from dplint.source.lowering.classes import object_class
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.object_classes import AFTER_FIELDS, ObjectClass
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.record_kinds import Listed, Record, record_of
from dplint.source.lowering.record_uses import RecordUses
from dplint.source.lowering.records import Records
from dplint.source.lowering.scope import Instance, Scope
from dplint.source.record_classes import record_class
from dplint.source.walking import nodes_below

_SHOWING = frozenset({AFTER_FIELDS, "__repr__", "__str__"})
"""Methods with names of Python's that nothing calls which a record kept as a tuple is asked for."""


def records_of(
    reader: Reader, instances: Instances, returning: cst.BaseSuite | None, body: cst.BaseSuite | None
) -> Records:
    """What lowers the records of a function. returning: its body, where a mechanism returns what it does."""
    records = Records(reader, returning)
    if body is not None:
        records.of_lists = RecordLists(reader, instances, body, records).returned
        ChangingObjects(reader, instances, records, body)
    return records


class RecordLists:
    """Lowers such records. body: of the function. others: lowers records that are taken apart all the time."""

    def __init__(self, reader: Reader, instances: Instances, body: cst.BaseSuite, others: Records) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._instances = instances
        self._known: dict[int, Record | None] = {}
        inside = [*nodes_below(body, SCOPES)]
        calls = [one for one in inside if isinstance(one, cst.Call)] if any(map(_may_hold, inside)) else []
        classes = {made.key for one in calls if (made := self._made(one)) is not None}
        self._uses = RecordUses(self._scope, body, classes, self._made, others.apart, returning=others.returning)
        if not self._uses.found:
            return
        reader.record = self._record
        reader.fields_got = lambda node: self._uses.calls.getters.get(id(node))
        reader.register({cst.Call: self._called, cst.Attribute: self._field})
        instances.taken_apart = self._taken_apart

    def _record(self, node: cst.BaseExpression) -> ObjectClass | None:
        """The class of the record that an expression gives as a tuple; None for everything else."""
        found = self._uses.found.get(id(node))
        return found.made if isinstance(found, Record) else None

    def _value(self, node: cst.BaseExpression) -> Expression:
        """A record as a tuple; where it may be None instead, that has no attributes."""
        value, found, span = self._reader.expression(node), self._uses.found.get(id(node)), self._reader.span(node)
        if not isinstance(found, Record) or not found.or_none:
            return value
        is_none = Compare(value, ("is",), (Constant(None, span),), span)
        return IfExp(is_none, Call("attribute.ndim", (value,), (), span), value, span)

    def returned(self, node: cst.BaseExpression) -> Expression | None:
        """What a mechanism returns that is such a record, or a list of them; None for everything else."""
        kind, span = self._uses.found.get(id(node)), self._reader.span(node)
        item = kind.item if isinstance(kind, Listed) else kind
        if not isinstance(item, Record):
            return None
        made = record_class(*item.made.bodies[0]) if len(item.made.bodies) == 1 else None
        if made is None or made.fields != tuple(item.made.fields):
            raise self._reader.refuse("an object used as a value", node, "return its fields")
        kept, value = Name(self._scope.rename({"item"})["item"], span), self._reader.expression(node)
        parts = tuple(Subscript(kept, Constant(place, span), span) for place in range(len(made.fields)))
        given = Constant(made.name, span), Constant(made.fields, span), DictDisplay(made.fields, parts, span)
        record = Call("record", given, (), span)
        if isinstance(kind, Listed):
            return Comprehension("list", record, (Clause(kept, value, ()),), span)
        return self._reader.staged((Assign((kept,), value, span),), record, span)

    def _made(self, node: cst.Call) -> Record | None:
        """The record that a call of a class makes, or of a function that gives nothing else."""
        if id(node) not in self._known:
            self._known[id(node)] = _record_made(self._scope, node)
        return self._known[id(node)]

    def _called(self, node: cst.Call) -> Expression | None:
        """A call that makes a record; None for everything else."""
        made = self._made(node) if self._record(node) is not None else None
        if made is None:
            return None
        given = self._instances.new(made.made, node)
        whole, span = None if given is None else given.value, self._reader.span(node)
        if given is None or not isinstance(whole, Instance) or whole.streams or whole.parts or whole.members:
            raise self._reader.refuse("an object used as a value", node, "give the record numbers and texts alone")
        variables = [whole.variable(one) for one in made.made.fields]
        plain = _in_order(given.statements, variables)
        if plain is not None:
            return TupleDisplay(plain, span)
        return self._reader.staged(given.statements, TupleDisplay(tuple(Name(v, span) for v in variables), span), span)

    def _field(self, node: cst.Attribute) -> Expression | None:
        """A field of a record; None for everything else."""
        made = self._record(node.value)
        if made is None or node.attr.value not in made.fields:
            return None
        span = self._reader.span(node)
        place = Constant([*made.fields].index(node.attr.value), span)
        return Subscript(self._value(node.value), place, span)

    def _taken_apart(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Instance] | None:
        """A record as an object with variables of its own, and what gives these their values; None for others."""
        made = self._record(node)
        if made is None:
            return None
        whole, span = Instance(made, next(self._scope.numbers), made.name), self._reader.span(node)
        names = tuple(Name(whole.variable(one), span) for one in made.fields)
        return (Assign((TupleTarget(names, span),), self._value(node), span),), whole


def _may_hold(node: cst.CSTNode) -> bool:
    """Whether it makes a list, goes through items, or gives a name None, which then may be a record."""
    if isinstance(node, cst.Assign):
        return isinstance(node.value, cst.Name) and node.value.value == "None"
    return isinstance(node, cst.List | cst.ListComp | cst.GeneratorExp)


def _record_made(scope: Scope, node: cst.Call) -> Record | None:
    found = object_class(scope, node.func)
    helper = scope.helper(node.func) if found is None else None
    if helper is not None:
        found = _given_by(helper[0], helper[1], scope)
    if found is None or not all(found.records) or found.attributes != {*found.fields} or not found.fields:
        return None
    special = {one for one in found.methods if one.startswith("__")} - _SHOWING
    return None if special or found.several else record_of(found)


def _given_by(facts: ModuleFacts, function: cst.FunctionDef, scope: Scope) -> ObjectClass | None:
    """The class of which a function makes an object wherever it returns."""
    around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
    returned = [one.value for one in nodes_below(function.body, SCOPES) if isinstance(one, cst.Return)]
    made = [object_class(around, one.func) if isinstance(one, cst.Call) else None for one in returned]
    classes = {id(one.bodies[0][1]) if one is not None else None for one in made}
    return made[0] if len(classes) == 1 and made[0] is not None else None


def _in_order(done: Sequence[Statement], variables: Sequence[str]) -> tuple[Expression, ...] | None:
    """The values of the variables, if all that is done is to give them these; None where their order is another."""
    values: dict[str, Expression] = {}
    for one in done:
        match one:
            case Assign(targets=(Name(id=name),), value=value) if name in variables and name not in values:
                values[name] = value
            case _:
                return None
    worked_out = [name for name, value in values.items() if not isinstance(value, Constant)]
    if len(values) < len(variables) or worked_out != [one for one in variables if one in worked_out]:
        return None
    return tuple(values[one] for one in variables)
