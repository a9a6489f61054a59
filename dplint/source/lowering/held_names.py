"""Names and attributes that stand for an object, a function or a generator of noise.

Functions as values: those that a name stands for, or that a function is given. Which one is called is known.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from dplint.program.nodes import Assign, Name, Pass, Statement, TupleDisplay
from dplint.source.bindings import all_parameters, binding_counts, dotted_name, statements
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.object_classes import has_scopes, is_named_tuple, makes_defaults
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.scope import FunctionValue, Instance, Scope
from dplint.source.walking import nodes_below

CallValue: TypeAlias = Callable[[FunctionValue, cst.Call], Given]


class Functions:
    """Lowers what a function does with them. call: lowers the call of one."""

    def __init__(self, scope: Scope, call: CallValue) -> None:
        self._scope = scope
        self._call = call

    def value(self, node: cst.BaseExpression) -> FunctionValue | None:
        """The function that an expression stands for; None for everything else."""
        fixed = self._scope.fixed.get(id(node))
        if fixed is not None:
            return fixed[1] if isinstance(fixed[1], FunctionValue) else None
        if isinstance(node, cst.Name) and self._scope.function(node.value) is not None:
            return self._scope.function(node.value)
        made_here = self._scope.local_functions.get(node.value) if isinstance(node, cst.Name) else None
        if made_here is not None and isinstance(node, cst.Name) and self._scope.local(node.value) == node.value:
            # What is around the call is not around the function.
            return FunctionValue(self._scope, made_here.node)
        if isinstance(node, cst.Lambda) and is_plain(self._scope, node):
            return FunctionValue(self._scope, node, tuple(self._scope.renamed))
        return None

    def called(self, node: cst.Call) -> Given | None:
        """A call of such a function; None for all others."""
        value = self._scope.function(node.func.value) if isinstance(node.func, cst.Name) else None
        return None if value is None else self._call(value, node)


def is_plain(scope: Scope, node: cst.CSTNode) -> bool:
    """Whether a lambda or a local function makes no other, and has only constants for defaults."""
    if isinstance(node, cst.FunctionDef):
        return not has_scopes(node) and not makes_defaults(node)
    if not isinstance(node, cst.Lambda):
        return False
    barred = (cst.Lambda, cst.NamedExpr, cst.Await, cst.Yield)
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    constant = all(is_constant(one) or id(one) in scope.fixed for one in defaults)
    return constant and not any(isinstance(one, barred) for one in nodes_below(node.body))


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether a default is the same whenever it is worked out."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, cst.BaseNumber | cst.SimpleString) or dotted_name(node) in ("None", "True", "False")


_TRUTH = frozenset({"__bool__", "__len__"})


class HeldNames:
    """Lowers what gives such names what they stand for. made: the object that an expression makes."""

    def __init__(
        self,
        reader: Reader,
        draws: Draws,
        made: Callable[[cst.BaseExpression], Given | None],
        body: cst.CSTNode | None,
    ) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._draws = draws
        self._made = made
        self._body = body
        self.suite: cst.BaseSuite | None = None
        """The block that is being lowered."""

    def name(self, name: cst.Name, whole: Instance, suite: cst.BaseSuite, beside: int = 1) -> None:
        """From here on a name stands for the object, in that block alone; beside: how often it stands before it."""
        if not self.is_only_in(name.value, suite, beside):
            raise self._refuse("an object under this name", name, "give it a name of its own, in one place")
        self._stands_for_object(name, whole)

    def _stands_for_object(self, name: cst.Name, whole: Instance) -> None:
        for names in self._scope.renamed[:1]:
            names.pop(name.value, None)
        self._scope.instances[name.value] = whole

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`noise = Laplace(epsilon)` and `self.noise = noise`; None where no object is assigned."""
        value = self._if_none(value)
        given = self._made(value)
        fields = self._fields_of_tuple(target, given)
        if fields is not None:
            return fields
        if given is None or not isinstance(given.value, Instance | FunctionValue):
            return self._kept_stream(target, value)
        if isinstance(target, cst.Name) and isinstance(given.value, Instance) and self.suite is not None:
            return self._named(target, given, given.value)
        if isinstance(given.value, FunctionValue):
            if not isinstance(target, cst.Name) or not self._stands_for(target, given.value):
                raise self._refuse("a function under this name", target, "give it a name of its own, in one place")
        elif isinstance(target, cst.Attribute):
            owner = self._owner(target)
            owner.parts[target.attr.value] = given.value
        else:
            raise self._refuse("an object under this name", target, "give it a name of its own, in one place")
        return given.statements or (Pass(self._span(target)),)

    def _named(self, target: cst.Name, given: Given, whole: Instance) -> tuple[Statement, ...]:
        """An object under a name, for good."""
        assert self.suite is not None
        if self._is_from_here_on(target):
            self._stands_for_object(target, whole)
        else:
            self.name(target, whole, self.suite, beside=0)
        return given.statements or (Pass(self._span(target)),)

    def _fields_of_tuple(self, target: cst.BaseExpression, given: Given | None) -> tuple[Statement, ...] | None:
        """`low, high = interval` of a named tuple; None for everything else."""
        if not isinstance(target, cst.Tuple) or given is None or not isinstance(given.value, Instance):
            return None
        whole, span = given.value, self._span(target)
        several = whole.streams or whole.parts
        if several or not is_named_tuple(whole.made) or len(target.elements) != len(whole.made.fields):
            return None
        values = TupleDisplay(tuple(Name(whole.variable(one), span) for one in whole.made.fields), span)
        return *given.statements, Assign((self._reader.target(target),), values, span)

    def _stands_for(self, target: cst.Name, function: FunctionValue) -> bool:
        """Whether a name stands for a function from here on."""
        if self.suite is None or not (self.is_only_in(target.value, self.suite, 0) or self._is_from_here_on(target)):
            return False
        for names in self._scope.renamed[:1]:
            names.pop(target.value, None)
        self._scope.functions[target.value] = function
        return True

    def held_function(self, name: str, value: FunctionValue) -> bool:
        """Whether a name stands for a function that is made here, in this block alone."""
        if self.suite is None or not self.is_only_in(name, self.suite, 0) or not is_plain(self._scope, value.node):
            return False
        for names in self._scope.renamed[:1]:
            names.pop(name, None)
        self._scope.functions[name] = value
        return True

    def _kept_stream(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`self.rng = rng` in a constructor."""
        if not isinstance(target, cst.Attribute) or self._scope.instance(target.value) is None:
            return None
        stream = self._draws.stream_of(value)
        if stream is None:
            return None
        owner = self._owner(target)
        owner.streams[target.attr.value] = stream
        return (Pass(self._span(target)),)

    def _owner(self, target: cst.Attribute) -> Instance:
        """The object whose constructor gives an attribute its only value here."""
        owner, name = self._scope.instance(target.value), target.attr.value
        first = isinstance(target.value, cst.Name) and target.value.value == self._scope.own_name
        single = owner is not None and name in owner.made.attributes and name not in owner.made.several
        if owner is None or not first or not single or not self.constructs():
            raise self._refuse("an object or a generator as an attribute", target, "assign it in the constructor, once")
        return owner

    def constructs(self) -> bool:
        """Whether what is executed here always is where the object is made."""
        return self._scope.constructing and self.suite is self._body

    def is_only_in(self, name: str, suite: cst.BaseSuite, beside: int) -> bool:
        """Whether a name is bound once, and mentioned in no other block."""
        if self._body is None or name in self._scope.parameters | self._scope.given:
            return False
        once = binding_counts(self._body)[name] == 1
        return once and _mentions(self._body, name) == _mentions(suite, name) + beside

    def _is_from_here_on(self, target: cst.Name) -> bool:
        """Whether a parameter is bound once, where every run comes to it, and mentioned in no statement before."""
        name, body, suite = target.value, self._body, self.suite
        taken = name in self._scope.parameters | self._scope.given
        if not taken or not isinstance(body, cst.BaseSuite) or suite is None:
            return False
        before = itertools.takewhile(lambda one: target not in nodes_below(one), statements(body))
        return suite is body and binding_counts(body)[name] == 1 and not any(_mentions(one, name) for one in before)

    def _if_none(self, value: cst.BaseExpression) -> cst.BaseExpression:
        """What `settings or Settings()` certainly is: one of both; the value itself where that is not known."""
        match value:
            case cst.BooleanOperation(left=cst.Name() as left, operator=cst.Or(), right=right):
                whole = self._scope.instance(left)
                if whole is not None and not is_named_tuple(whole.made) and not _TRUTH & whole.made.methods.keys():
                    return left
                return right if self._scope.unrolled.get(self._scope.local(left.value) or "", 0) is None else value
        return value


def _mentions(node: cst.CSTNode, name: str) -> int:
    """How often a name stands there: not as an attribute, nor as the keyword of an argument."""
    found = 0
    for one in nodes_below(node):
        found += isinstance(one, cst.Name) and one.value == name
        found -= isinstance(one, cst.Attribute) and one.attr.value == name
        found -= isinstance(one, cst.Arg) and one.keyword is not None and one.keyword.value == name
    return found
