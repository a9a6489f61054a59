"""What the constructor of a class does with an object that is taken apart.

Dataclasses and named tuples that a mechanism makes: `Release(total, count)`, for what it returns.

Programs have no records but in what they return, `Call("record", ...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.liveness import live_before
from dplint.program.walk import walk
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.object_classes import AFTER_FIELDS, CONSTRUCTOR, Method, ObjectClass
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given, Make
from dplint.source.lowering.scope import Instance, Scope, top_level_names
from dplint.source.record_classes import RecordClass, named_tuple, record_class
from dplint.source.walking import nodes_below

Construct: TypeAlias = Callable[[Instance, Method, Sequence[cst.Arg], cst.CSTNode], Given]
"""Lowers the call of a method that is a constructor."""


class Making:
    """Lowers what makes an object. construct: reads a constructor into its caller. make: see `ReadingIn`."""

    def __init__(self, reader: Reader, draws: Draws, construct: Construct, make: Make) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws
        self._method = construct
        self._make = make

    def new(self, made: ObjectClass, arguments: Sequence[cst.Arg], node: cst.CSTNode, *, own: bool = False) -> Given:
        """A new object, made at that node. own: that of the mechanism."""
        whole = Instance(made, 0, "self") if own else Instance(made, next(self._scope.numbers), made.name)
        before: tuple[ir.Statement, ...] = ()
        constructor = made.method(CONSTRUCTOR)
        if any(made.records):
            before = self.fields(made, whole, arguments, node)
            constructor = made.method(AFTER_FIELDS)
            if constructor is not None:
                before += self.constructed(whole, constructor, (), node)
        elif constructor is not None:
            before = self.constructed(whole, constructor, arguments, node)
        elif arguments:
            raise self._refuse(f"the arguments of {made.name}", node, "match them to its constructor")
        self.check_defined(before, whole, node, own=own)
        return Given(before, whole)

    def filled_in(
        self, name: str, default: cst.BaseExpression, of_class: Callable[[cst.BaseExpression], ObjectClass | None]
    ) -> tuple[ir.Statement, ...]:
        """What gives a parameter of the mechanism its default: an object that nobody changes."""
        if any(isinstance(one, cst.Name) and self._scope.local(one.value) is not None for one in nodes_below(default)):
            return ()
        made = of_class(default.func) if isinstance(default, cst.Call) else None
        if made is None or not isinstance(default, cst.Call):
            return ()
        given = self.new(made, default.args, default)
        plain = all(isinstance(one, ir.Assign | ir.Constant | ir.Name | ir.Pass) for one in walk(given.statements))
        constants = (one.value for one in walk(given.statements) if isinstance(one, ir.Constant))
        if not plain or any(isinstance(one, list | dict) for one in constants):
            return ()
        assert isinstance(given.value, Instance)
        # All runs have the same object, so that a change of it is refused.
        self._scope.instances[name] = replace(given.value, made=replace(given.value.made, frozen=True))
        return given.statements

    def constructed(
        self, whole: Instance, method: Method, arguments: Sequence[cst.Arg], node: cst.CSTNode
    ) -> tuple[ir.Statement, ...]:
        """What a constructor does with a new object."""
        if any(isinstance(one, cst.Return) for one in nodes_below(method.node.body)):
            raise self._refuse("a constructor that returns", node, "let it run to its end")
        return self._method(whole, method, arguments, node).statements

    def check_defined(
        self, before: Sequence[ir.Statement], whole: Instance, node: cst.CSTNode, *, own: bool = False
    ) -> None:
        """Refuse an object of which an attribute may have no value where it is looked at."""
        span = self._span(node)
        names = {whole.variable(one): one for one in whole.made.attributes - {*whole.streams, *whole.parts}}
        asked = ir.ExpressionStatement(ir.TupleDisplay(tuple(ir.Name(one, span) for one in names), span), span)
        for missing in sorted(live_before((*before, asked)) & names.keys()):
            words = f"the attribute {names[missing]} without a value"
            refused = self._refuse(words, node, "assign it in the constructor")
            if own or self._scope.unassigned is None:
                raise refused
            self._scope.unassigned[missing] = refused.unsupported

    def fields(
        self, made: ObjectClass, whole: Instance, arguments: Sequence[cst.Arg], node: cst.CSTNode
    ) -> tuple[ir.Statement, ...]:
        """What the constructor of a dataclass does, in the order in which Python evaluates arguments and defaults."""
        span, names = self._span(node), [*made.fields]
        given: list[ir.Statement] = []
        seen: set[str] = set()
        for position, argument in enumerate(arguments):
            name = argument.keyword.value if argument.keyword else "".join(names[position : position + 1])
            if name not in made.fields or name in seen or (made.by_keyword and argument.keyword is None):
                raise self._refuse(f"the arguments of {made.name}", argument, "match them to its fields")
            seen.add(name)
            given += self._stored(whole, name, argument.value)
        for name, (facts, default) in made.fields.items():
            if name not in seen:
                value = None if default is None else self._default(made, facts, default, span)
                if value is None:
                    raise self._refuse(f"the arguments of {made.name}", node, f"pass {name}")
                given.append(ir.Assign((ir.Name(whole.variable(name), span),), value, span))
        return tuple(given)

    def _default(
        self, made: ObjectClass, facts: ModuleFacts, node: cst.BaseExpression, span: Span
    ) -> ir.Expression | None:
        """The value of a field that is given none."""
        if isinstance(node, cst.Call):
            around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, self._scope.elsewhere)
            words = {one.keyword.value: one.value for one in node.args if one.keyword is not None}
            if around.canonical(node.func) != "dataclasses.field" or len(words) < len(node.args):
                return None
            factory = around.canonical(words["default_factory"]) if "default_factory" in words else None
            if factory in ("list", "dict"):
                return ir.ListDisplay((), span) if factory == "list" else ir.DictDisplay((), (), span)
            if "default" not in words or factory is not None:
                return None
            node = words["default"]
        value = made.static(facts, node)
        return None if value is None else ir.Constant(value[0], span)

    def _stored(self, whole: Instance, name: str, value: cst.BaseExpression) -> tuple[ir.Statement, ...]:
        """A field of a new object."""
        span = self._span(value)
        stream, part = self._draws.stream_of(value), self._scope.instance(value)
        if part is not None and name in whole.made.several:
            raise self._refuse("an object as a field that is assigned again", value, "give the fields other names")
        if stream is not None and name not in whole.made.several:
            whole.streams[name] = stream
            return ()
        if part is not None:
            whole.parts[name] = part
            return ()
        made = None if name in whole.made.several else self._make(value)
        if made is not None and isinstance(made.value, Instance):
            whole.parts[name] = made.value
            return made.statements
        return (ir.Assign((ir.Name(whole.variable(name), span),), self._reader.expression(value), span),)


class Records:
    """Lowers the records that a function returns. returning: whether that is what the mechanism returns."""

    def __init__(self, reader: Reader, *, returning: bool) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self.returning = returning

    def returned(self, node: cst.BaseExpression) -> ir.Expression | None:
        """What `return Release(total, count)` gives; None for everything else."""
        record = _made(self._scope, node) if self.returning else None
        if record is None or not isinstance(node, cst.Call):
            return None
        values, span = self._values(record, node), self._span(node)
        entries = ir.DictDisplay(tuple(values), tuple(values.values()), span)
        return ir.Call("record", (ir.Constant(record.name, span), ir.Constant(record.fields, span), entries), (), span)

    def is_one(self, node: cst.BaseExpression) -> bool:
        """Whether it is a record that is made here."""
        return _made(self._scope, node) is not None

    def of_object(self, whole: Instance, span: Span) -> ir.Expression | None:
        """What the mechanism returns where that is an object; None for one that is more than its fields."""
        record = record_class(*whole.made.bodies[0]) if len(whole.made.bodies) == 1 and self.returning else None
        held = whole.streams or whole.parts
        if record is None or held or whole.made.attributes != frozenset(record.fields):
            return None
        values = tuple(ir.Name(whole.variable(field), span) for field in record.fields)
        entries = ir.DictDisplay(record.fields, values, span)
        return ir.Call("record", (ir.Constant(record.name, span), ir.Constant(record.fields, span), entries), (), span)

    def _values(self, record: RecordClass, node: cst.Call) -> dict[str, ir.Expression]:
        """The fields, in the order in which their values are worked out."""
        given: dict[str, ir.Expression] = {}
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
                given[field] = ir.Constant(record.defaults[field], span)
        return given


def _made(scope: Scope, node: cst.BaseExpression) -> RecordClass | None:
    """The class of the record that an expression makes."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name | cst.Attribute):
        return None
    found = scope.class_of(node.func)
    if found is not None:
        return record_class(*found)
    made = scope.module_call(node.func)
    return None if made is None else named_tuple(*made)
