"""Dataclasses and named tuples that a mechanism makes: `Release(total, count)`, for what it returns.

Programs have no records but in what they return, `Call("record", ...)`. A variable that only ever holds records of one
class, and is only used for its fields and returned, is taken apart: each field is a variable, "release.total".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    Call,
    Constant,
    DictDisplay,
    Expression,
    Name,
    TupleDisplay,
    TupleTarget,
)
from dplint.source.bindings import SCOPES
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Instance, Scope
from dplint.source.record_classes import RecordClass, named_tuple, record_class
from dplint.source.walking import nodes_below


class Records:
    """Lowers the records of a function whose body that is; None for one whose value is not what a mechanism returns."""

    def __init__(self, reader: Reader, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._held = {} if body is None else dict(_held(self._scope, body))
        self.returning = body is not None
        if self._held:
            reader.register({cst.Attribute: self._field})
            reader.register_target(partial(self._field, stored=True))

    @property
    def apart(self) -> frozenset[str]:
        """The names of variables that are taken apart."""
        return frozenset(self._held)

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Assign | None:
        """`release = Release(total, count)` of a variable that is taken apart; None for everything else."""
        record = self._held.get(target.value) if isinstance(target, cst.Name) else None
        if record is None or not isinstance(value, cst.Call) or not isinstance(target, cst.Name):
            return None
        span, values = self._span(target), self._values(record, value)
        names = tuple(Name(_variable(target.value, field), span) for field in values)
        return Assign((TupleTarget(names, span),), TupleDisplay(tuple(values.values()), span), span)

    def _field(self, node: cst.BaseExpression, *, stored: bool = False) -> Name | None:
        """The variable that a field is, as a value or a target; None for all other attributes."""
        if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
            return None
        name = node.value.value
        record = self._held.get(name)
        if record is None or node.attr.value not in record.fields or self._scope.local(name) != name:
            return None
        if stored and record.frozen:
            raise self._reader.refuse("an assignment to a field that cannot change", node, "make a new record")
        return Name(_variable(name, node.attr.value), self._span(node))

    def returned(self, node: cst.BaseExpression) -> Expression | None:
        """What `return Release(total, count)` or `return release` gives; None for everything else."""
        span = self._span(node)
        if isinstance(node, cst.Name) and node.value in self._held:
            record = self._held[node.value]
            values: dict[str, Expression] = {field: Name(_variable(node.value, field), span) for field in record.fields}
        else:
            made = _made(self._scope, node) if self.returning and isinstance(node, cst.Call) else None
            if made is None or not isinstance(node, cst.Call):
                return None
            record, values = made, self._values(made, node)
        entries = DictDisplay(tuple(values), tuple(values.values()), span)
        return Call("record", (Constant(record.name, span), Constant(record.fields, span), entries), (), span)

    def is_one(self, node: cst.BaseExpression) -> bool:
        """Whether it is a record that is made here, or a variable that holds records alone."""
        return (isinstance(node, cst.Name) and node.value in self._held) or _made(self._scope, node) is not None

    def of_object(self, whole: Instance, span: Span) -> Expression | None:
        """What the mechanism returns where that is an object; None for one that is more than its fields."""
        record = record_class(*whole.made.bodies[0]) if len(whole.made.bodies) == 1 and self.returning else None
        held = whole.streams or whole.parts
        if record is None or held or whole.made.attributes != frozenset(record.fields):
            return None
        values = tuple(Name(whole.variable(field), span) for field in record.fields)
        entries = DictDisplay(record.fields, values, span)
        return Call("record", (Constant(record.name, span), Constant(record.fields, span), entries), (), span)

    def _values(self, record: RecordClass, node: cst.Call) -> dict[str, Expression]:
        """The fields, in the order in which their values are worked out."""
        given: dict[str, Expression] = {}
        for position, argument in enumerate(node.args):
            field = argument.keyword.value if argument.keyword else "".join(record.fields[position : position + 1])
            if argument.star or field not in record.fields or field in given:
                raise self._reader.refuse(f"the arguments of {record.name}", argument, "match them to its fields")
            given[field] = self._reader.expression(argument.value)
        span = self._span(node)
        for field in record.fields:
            if field not in given:
                if field not in record.defaults:
                    raise self._reader.refuse(f"the arguments of {record.name}", node, f"pass {field}")
                given[field] = Constant(record.defaults[field], span)
        return given


def _variable(name: str, field: str) -> str:
    """The variable that a field of a record is."""
    return f"{name}.{field}"


def _made(scope: Scope, node: cst.BaseExpression) -> RecordClass | None:
    """The class of the record that an expression makes."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name | cst.Attribute):
        return None
    found = scope.class_of(node.func)
    if found is not None:
        return record_class(*found)
    made = scope.module_call(node.func)
    return None if made is None else named_tuple(*made)


def _held(scope: Scope, body: cst.CSTNode) -> Iterator[tuple[str, RecordClass]]:
    """The variables of a function that can be taken apart."""
    made: dict[str, list[RecordClass | None]] = {}
    for one in nodes_below(body, SCOPES):
        target: cst.BaseExpression | None = None
        if isinstance(one, cst.Assign) and len(one.targets) == 1:
            target = one.targets[0].target
        elif isinstance(one, cst.AnnAssign):
            target = one.target
        if isinstance(one, cst.Assign | cst.AnnAssign) and isinstance(target, cst.Name) and one.value is not None:
            record = _made(scope, one.value) if isinstance(one.value, cst.Call) else None
            made.setdefault(target.value, []).append(record)
    for name, records in made.items():
        first = records[0]
        if first is None or records.count(first) != len(records) or name in scope.parameters:
            continue
        if _mentions(body, name) == len(records) + _uses(body, name, first):
            yield name, first


def _mentions(body: cst.CSTNode, name: str) -> int:
    return sum(isinstance(one, cst.Name) and one.value == name for one in _names(body))


def _uses(body: cst.CSTNode, name: str, record: RecordClass) -> int:
    """How often a variable is used for a field, or returned."""
    count = 0
    for one in nodes_below(body, SCOPES):
        match one:
            case cst.Attribute(value=cst.Name(value=used), attr=cst.Name(value=field)):
                count += used == name and field in record.fields
            case cst.Return(value=cst.Name(value=used)):
                count += used == name
    return count


def _names(body: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """All nodes that are names of variables: not attributes, and not the keywords of arguments."""
    other = {id(one.attr) for one in nodes_below(body) if isinstance(one, cst.Attribute)}
    other |= {id(one.keyword) for one in nodes_below(body) if isinstance(one, cst.Arg) and one.keyword is not None}
    return [one for one in nodes_below(body) if id(one) not in other]
