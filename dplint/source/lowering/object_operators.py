"""Operators of objects that are taken apart, as calls of the methods that Python looks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import libcst as cst

from dplint.program.nodes import Expression
from dplint.source.lowering.classes import object_class
from dplint.source.lowering.moving import same_class
from dplint.source.lowering.object_classes import PLAIN, Method
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.scope import Choice, Instance, Several
from dplint.source.operators import SPECIAL

Made: TypeAlias = Callable[[cst.BaseExpression], Given | None]
CallMethod: TypeAlias = Callable[[Instance, Method, Sequence[cst.Arg], cst.CSTNode], Given]


class ObjectOperators:
    """Lowers them. made: the object that an expression makes. method: lowers the call of a method."""

    def __init__(self, reader: Reader, made: Made, method: CallMethod) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._made = made
        self._method = method
        kinds = (cst.BinaryOperation, cst.UnaryOperation, cst.Subscript, cst.Comparison, cst.Call)
        reader.register(dict.fromkeys(kinds, self._value))

    def _value(self, node: cst.BaseExpression) -> Expression | None:
        given = self.given(node)
        if given is None:
            return None
        if isinstance(given.value, Instance | Choice | Several):
            raise self._refuse("an object used as a value", node, "give it a name, and use its attributes and methods")
        return self._reader.staged(given.statements, given.value, self._span(node))

    def given(self, node: cst.BaseExpression) -> Given | None:
        """What an operator gives that a class of the project defines; None for all others."""
        match node:
            case cst.BinaryOperation(left=left, operator=operator, right=right) if type(operator) in SPECIAL:
                name = SPECIAL[type(operator)]
                return self._binary(node, left, right, f"__{name}__", f"__r{name}__")
            case cst.UnaryOperation(operator=operator, expression=inner) if type(operator) in SPECIAL:
                return self._of(inner, f"__{SPECIAL[type(operator)]}__", (), node)
            case cst.Comparison(left=left, comparisons=[one]) if type(one.operator) in SPECIAL:
                return self._of(left, f"__{SPECIAL[type(one.operator)]}__", [cst.Arg(one.comparator)], node)
            case cst.Subscript(value=inner, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
                return self._of(inner, "__getitem__", [cst.Arg(index)], node)
            case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=inner, keyword=None, star="")]):
                is_len = self._may_be_object(inner) and self._scope.canonical(node.func) == "len"
                return self._of(inner, "__len__", (), node) if is_len else None
        return None

    def _binary(
        self, node: cst.CSTNode, left: cst.BaseExpression, right: cst.BaseExpression, name: str, reflected: str
    ) -> Given | None:
        if self._may_be_object(left):
            return self._of(left, name, [cst.Arg(right)], node)
        other = self._scope.instance(right)
        if other is None:
            return None
        return self._called(other, reflected, [cst.Arg(left)], node)

    def _of(
        self, receiver: cst.BaseExpression, name: str, arguments: Sequence[cst.Arg], node: cst.CSTNode
    ) -> Given | None:
        found = self._made(receiver) if self._may_be_object(receiver) else None
        if found is None or not isinstance(found.value, Instance):
            return None
        for one in arguments:
            other = self._scope.instance(one.value)
            if other is not None and not same_class(other.made, found.value.made):
                raise self._refuse("an operator of objects of two classes", node, "call a method by its name")
        given = self._called(found.value, name, arguments, node)
        return Given((*found.statements, *given.statements), given.value)

    def _called(self, whole: Instance, name: str, arguments: Sequence[cst.Arg], node: cst.CSTNode) -> Given:
        method = whole.made.method(name)
        if method is None or method.kind != PLAIN or "NotImplemented" in _text(method.node):
            raise self._refuse(f"an object without a plain {name}", node, "call a method of it by its name")
        return self._method(whole, method, arguments, node)

    def _may_be_object(self, node: cst.BaseExpression) -> bool:
        """Whether a look at what makes it is worth its time."""
        if isinstance(node, cst.BinaryOperation):
            return self._may_be_object(node.left) or self._scope.instance(node.right) is not None
        if isinstance(node, cst.Call):
            whole = node.func.value if isinstance(node.func, cst.Attribute) else None
            known = whole is not None and self._scope.instance(whole) is not None
            return known or object_class(self._scope, node.func) is not None
        return self._scope.instance(node) is not None


def _text(node: cst.FunctionDef) -> str:
    return cst.Module([]).code_for_node(node)
