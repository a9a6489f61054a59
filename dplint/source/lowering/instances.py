"""Objects that a mechanism makes of classes of its project: `noise = Laplace(epsilon)`, `noise.add(x)`.

Such an object is taken apart: each of its attributes is a variable, and its methods are read into their callers. So
nobody but the name that it was given may hold it: a name that is bound once, and used nowhere but in the block where
that is done; an attribute of another such object that its constructor assigns once; a parameter of what is read into
its caller. Where an object stands as a value, it is refused, and so are attributes that a constructor may leave
without a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.calls import Calls
from dplint.source.lowering.classes import class_constant, is_made_if_none, needs_reading, object_class
from dplint.source.lowering.held_names import Functions, HeldNames
from dplint.source.lowering.helpers import HelperCalls
from dplint.source.lowering.making import Making
from dplint.source.lowering.object_classes import (
    CONSTRUCTOR,
    CONTEXT,
    OF_CLASS,
    PROPERTY,
    STATIC,
    UNKNOWN,
    Method,
    ObjectClass,
    is_super,
    self_of,
    without_first,
)
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given, ReadingIn
from dplint.source.lowering.scope import FunctionValue, Instance


class Instances:
    """Lowers what a function does with such objects. body: of the function, to see where it uses a name."""

    def __init__(self, reader: Reader, calls: Calls, of_helpers: HelperCalls, body: cst.CSTNode | None) -> None:
        self._reader, self._body = reader, body
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws = calls.draws
        self._of_helpers = of_helpers
        self.functions = Functions(reader.scope, self._call_value)
        self.names = HeldNames(reader, draws, self.made, body)
        self._reading = ReadingIn(reader, draws, of_helpers.helpers, self._make, self.functions.value)
        self._making = Making(reader, draws, partial(self._method, constructing=True), self._make)
        self._statement: cst.CSTNode | None = None
        reader.register({cst.Call: self._value, cst.Attribute: self._attribute})
        reader.register_iterable(cst.Call, self._value)
        reader.register_target(self._target)

    # values

    def _value(self, node: cst.Call) -> ir.Expression | None:
        """A call of a class, of a method or of a function that is given an object, as a value."""
        given = self.called(node)
        if given is None:
            return None
        if isinstance(given.value, Instance | FunctionValue):
            raise self._refuse("an object used as a value", node, "give it a name, and use its attributes and methods")
        return self._reader.staged(given.statements, given.value, self._span(node))

    def _attribute(self, node: cst.Attribute) -> ir.Expression | None:
        """An attribute of an object: a variable, a property, or a constant of its class."""
        found = self._receiver(node.value)
        name, span = node.attr.value, self._span(node)
        made = self._class(node.value) if found is None else None
        if found is None and made is None:
            return None
        if found is None or isinstance(found[1], ObjectClass):
            whole = made if found is None else found[1]
            constant = class_constant(self._scope, whole, name) if isinstance(whole, ObjectClass) else None
            if constant is None and found is not None:
                raise self._refuse(f"the attribute {name}", node, "assign it in the body of the class, to a constant")
            return None if constant is None else ir.Constant(constant, span)
        return self._of_object(found[0], found[1], node)

    def _of_object(self, before: tuple[ir.Statement, ...], whole: Instance, node: cst.Attribute) -> ir.Expression:
        name, span = node.attr.value, self._span(node)
        method = whole.made.methods.get(name)
        if method is not None and method.kind == PROPERTY:
            given = self._method(whole, method, (), node)
            value = given.value
            if isinstance(value, Instance | FunctionValue):
                raise self._refuse("an object used as a value", node, "use its attributes and methods")
            return self._reader.staged((*before, *given.statements), value, span)
        if name in whole.streams:
            raise self._refuse("a generator used as a value", node, "draw from it where it is")
        if name in whole.parts:
            raise self._refuse("an object used as a value", node, "use its attributes and methods where it is")
        if name in whole.made.loggers:
            raise self._refuse("a logger used as a value", node, "call its methods where it is")
        if name in whole.made.attributes:
            return self._reader.staged(before, ir.Name(whole.variable(name), span), span)
        constant = class_constant(self._scope, whole.made, name)
        if constant is None or method is not None:
            raise self._refuse(f"the attribute {name}", node, "assign it in the constructor")
        return self._reader.staged(before, ir.Constant(constant, span), span)

    def _receiver(
        self, node: cst.BaseExpression
    ) -> tuple[tuple[ir.Statement, ...], Instance] | tuple[tuple[()], ObjectClass] | None:
        """The object that an expression stands for or makes, or a class that is bound to a name."""
        found = self._scope.instance(node)
        if found is not None:
            return (), found
        if isinstance(node, cst.Name) and node.value in self._scope.classes:
            return (), self._scope.classes[node.value]
        if isinstance(node, cst.Call | cst.BinaryOperation | cst.UnaryOperation):
            made = self.made(node)
            if made is not None and isinstance(made.value, Instance):
                return made.statements, made.value
        return None

    def _class(self, node: cst.BaseExpression) -> ObjectClass | None:
        if isinstance(node, cst.Name) and node.value in self._scope.classes:
            return self._scope.classes[node.value]
        return object_class(self._scope, node) if isinstance(node, cst.Name | cst.Attribute) else None

    # calls

    def called(self, node: cst.Call) -> Given | None:
        """What a call gives that is read into its caller; None for all others."""
        if any(argument.star for argument in node.args):
            return None
        function = node.func
        of_table = self.functions.called(node)
        if of_table is not None:
            return of_table
        found = self._receiver(function) if isinstance(function, cst.Call) else None
        whole = self._scope.instance(function) if found is None else found[1]
        if isinstance(whole, Instance):
            method = whole.made.method("__call__")
            if method is None:
                raise self._refuse("a call of an object", node, "call a method of it")
            given = self._method(whole, method, node.args, node)
            return Given((*(() if found is None else found[0]), *given.statements), given.value)
        if isinstance(function, cst.Attribute):
            of_method = self._of_attribute(function, node)
            if of_method is not None:
                return of_method
        made = self._class(function)
        if made is not None:
            return self._making.new(made, node.args, node)
        helper = self._scope.helper(function)
        return None if helper is None else self._read_along(helper, node)

    def _read_along(self, helper: tuple[ModuleFacts, cst.FunctionDef], node: cst.Call) -> Given | None:
        """A call of a function of the project that is read into its caller; None for all others."""
        if self._gives(*helper) or any(self._needs_reading(one.value) for one in node.args):
            return self._reading.read_in(helper[0], helper[1], {}, node.args, node, helper[1].name.value, 0)
        return None

    def _gives(self, facts: ModuleFacts, function: cst.FunctionDef) -> bool:
        """Whether a function gives what no program has as a value, or makes it instead of a default."""
        giving = self._of_helpers.helpers.giving
        if id(function) not in giving:
            giving[id(function)] = needs_reading(self._scope, facts, function)
        return giving[id(function)]

    def _make(self, node: cst.BaseExpression) -> Given | None:
        """What a call of a class makes; None for everything else."""
        if isinstance(node, cst.Call):
            return self.called(node) if self._class(node.func) is not None else None
        return None

    def _needs_reading(self, node: cst.BaseExpression) -> bool:
        """Whether an argument is an object or a function, which no program has as a value."""
        makes = isinstance(node, cst.Call) and self._class(node.func) is not None
        known = self._scope.instance(node) or self.functions.value(node)
        return makes or known is not None

    def _call_value(self, value: FunctionValue, node: cst.Call) -> Given:
        """A call of a function that is a value."""
        name = "<lambda>" if isinstance(value.node, cst.Lambda) else value.node.name.value
        place = value.scope.place
        return self._reading.read_in(value.scope.facts, value.node, {}, node.args, node, name, place, around=value)

    def _of_attribute(self, function: cst.Attribute, node: cst.Call) -> Given | None:
        """A call of a method, of an object, of a class, or of what comes after the present class."""
        name = function.attr.value
        if is_super(function.value):
            return self._inherited(name, node)
        found = self._receiver(function.value)
        if found is None:
            made = self._class(function.value)
            if made is None:
                return None
            found = (), made
        before, whole = found
        made = whole.made if isinstance(whole, Instance) else whole
        method = made.methods.get(name)
        if method is None or method.kind in (PROPERTY, UNKNOWN, CONTEXT):
            raise self._refuse(f"a call of {name}", node, "call a plain method of the class")
        given = self._method(whole, method, node.args, node)
        return Given((*before, *given.statements), given.value)

    def _inherited(self, name: str, node: cst.Call) -> Given | None:
        """`super().name(...)`."""
        scope = self._scope
        whole = next((one for word, one in scope.instances.items() if word == scope.own_name), None)
        if whole is None:
            return None
        method = whole.made.method(name, scope.place + 1)
        if method is not None:
            first = name == CONSTRUCTOR and self.names.constructs() and node is self._statement
            return self._method(whole, method, node.args, node, constructing=first)
        if name == CONSTRUCTOR and not node.args and not any(whole.made.records):
            return Given((), ir.Constant(None, self._span(node)))
        raise self._refuse(f"a call of {name} of a base class", node, "call a plain method of a class of the project")

    def _method(
        self,
        whole: Instance | ObjectClass,
        method: Method,
        arguments: Sequence[cst.Arg],
        node: cst.CSTNode,
        *,
        constructing: bool = False,
    ) -> Given:
        function, bound = method.node, dict[str, Instance | ObjectClass]()
        if method.kind == UNKNOWN:
            raise self._refuse(f"the decorated method {function.name.value}", node, "leave the decorator out")
        if method.kind != STATIC:
            if method.kind != OF_CLASS and isinstance(whole, ObjectClass):
                raise self._refuse(f"a call of {function.name.value} of a class", node, "call it of an object")
            is_class = method.kind == OF_CLASS and isinstance(whole, Instance)
            bound[self_of(function)] = whole.made if is_class and isinstance(whole, Instance) else whole
        plain = function.with_changes(decorators=()) if method.kind == STATIC else without_first(function)
        made = whole.made if isinstance(whole, Instance) else whole
        name = f"{made.bodies[method.place][1].name.value}.{function.name.value}"
        return self._reading.read_in(
            method.facts, plain, bound, arguments, node, name, method.place, constructing=constructing
        )

    def of_mechanism(self, maker: cst.Name | cst.Call) -> Given:
        """The object that a mechanism is called of, which is a method. maker: its class, or a call of that."""
        name, given = (maker.func, maker.args) if isinstance(maker, cst.Call) else (maker, ())
        made = object_class(self._scope, name)
        if made is None:
            raise self._refuse("the object of a method", name, "say all about it in its class, or write a function")
        return self._making.new(made, given, maker, own=True)

    def filled_in(self, name: str, default: cst.BaseExpression) -> tuple[ir.Statement, ...]:
        """What gives a parameter of the mechanism its default, where that is an object, or None for one."""
        if isinstance(default, cst.Name) and default.value == "None" and is_made_if_none(self._body, name, self._class):
            self._scope.unrolled[name] = None
            return ()
        return self._making.filled_in(name, default, self._class)

    # statements

    def executed(self, node: cst.Call) -> tuple[ir.Statement, ...] | None:
        """A call that is a statement of its own; None where it is not read into its caller."""
        self._statement = node
        given = self.called(node)
        if given is None:
            return None
        rest: ir.Statement = ir.Pass(self._span(node))
        if not isinstance(given.value, Instance | FunctionValue | ir.Constant):
            rest = ir.ExpressionStatement(given.value, self._span(node))
        return *given.statements, rest

    def made(self, node: cst.BaseExpression) -> Given | None:
        """The object that an expression stands for or makes; None for values."""
        whole = self._scope.instance(node)
        if whole is not None:
            return Given((), whole)
        given = self.called(node) if isinstance(node, cst.Call) else None
        if given is None or isinstance(given.value, Instance | FunctionValue):
            return given
        self._reader.stands_for(node, self._reader.staged(given.statements, given.value, self._span(node)))
        return None

    def _target(self, node: cst.BaseExpression) -> ir.Target | None:
        """An attribute of an object that is assigned."""
        whole = self._scope.instance(node.value) if isinstance(node, cst.Attribute) else None
        if whole is None or not isinstance(node, cst.Attribute):
            return None
        name = node.attr.value
        fixed = name in {*whole.parts, *whole.streams} or whole.made.frozen
        if fixed or name not in whole.made.attributes:
            raise self._refuse(
                f"an assignment to the attribute {name}",
                node,
                "assign it in the class, or give a new object a name of its own",
            )
        return ir.Name(whole.variable(name), self._span(node))
