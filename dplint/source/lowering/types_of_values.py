"""Questions about types: `type(x) is int`, `isinstance(self, Laplace)`, `type(self).__name__`."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from dplint.program.nodes import Assign, BoolOp, Call, Constant, Expression, Name, Statement, Unary
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Instance, Scope

_EXACT: Mapping[str, tuple[str, str]] = {
    "int": ("int", "bool"),
    "float": ("float", "numpy.floating"),
    "bool": ("bool", ""),
    "str": ("str", ""),
    "list": ("list", ""),
    "tuple": ("tuple", ""),
    "dict": ("dict", ""),
    "numpy.ndarray": ("numpy.ndarray", ""),
}
"""What a value of exactly a type is an instance of, and of which class below that it is none."""


class TypesOfValues:
    """Lowers such questions, of values and of objects that are taken apart."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        reader.register({cst.Comparison: self._compared, cst.Call: self._asked, cst.Attribute: self._named})

    def _compared(self, node: cst.Comparison) -> Expression | None:
        """`type(x) is int`, `type(x) in (int, float)`, `settings is None` of an object; None for everything else."""
        match node.comparisons:
            case [cst.ComparisonTarget(operator=cst.Is() | cst.IsNot() as operator, comparator=cst.Name(value="None"))]:
                if self._scope.instance(node.left) is not None:
                    return Constant(isinstance(operator, cst.IsNot), self._span(node))
        asked = self._type_of(node.left)
        if asked is None or len(node.comparisons) != 1:
            return None
        [one] = node.comparisons
        negated = isinstance(one.operator, cst.IsNot | cst.NotEqual | cst.NotIn)
        several = isinstance(one.operator, cst.In | cst.NotIn)
        if not several and not isinstance(one.operator, cst.Is | cst.Equal | cst.IsNot | cst.NotEqual):
            return None
        kinds = [one.comparator]
        if several:
            if not isinstance(one.comparator, cst.Tuple | cst.List | cst.Set):
                return None
            kinds = [part.value for part in one.comparator.elements]
        found = self._is_one_of(asked, kinds, node)
        return found if found is None or not negated else Unary("not", found, self._span(node))

    def _is_one_of(
        self, asked: cst.BaseExpression, kinds: list[cst.BaseExpression], node: cst.CSTNode
    ) -> Expression | None:
        span, whole = self._span(node), self._scope.instance(asked)
        if whole is not None:
            found = [_is_class(self._scope, whole, 0, one) for one in kinds]
            return None if None in found else Constant(any(found), span)
        names = [self._scope.canonical(one) or "" for one in kinds]
        if not all(one in _EXACT for one in names):
            return None
        before: tuple[Statement, ...] = ()
        value = self._reader.expression(asked)
        if not isinstance(value, Name):  # it is asked several times
            kept = Name(self._scope.rename({"value"})["value"], span)
            value, before = kept, (Assign((kept,), value, span),)
        tests: list[Expression] = []
        for name in names:
            kind, below = _EXACT[name]
            test: Expression = Call("isinstance", (value, Constant(kind, span)), (), span)
            if below:
                other = Call("isinstance", (value, Constant(below, span)), (), span)
                test = BoolOp("and", (test, Unary("not", other, span)), span)
            tests.append(test)
        found_one = tests[0] if len(tests) == 1 else BoolOp("or", tuple(tests), span)
        return self._reader.staged(before, found_one, span)

    def _asked(self, node: cst.Call) -> Expression | None:
        """`isinstance(noise, Laplace)` of an object; None for everything else."""
        if self._scope.canonical(node.func) != "isinstance" or len(node.args) != 2:
            return None
        whole, kinds = self._scope.instance(node.args[0].value), node.args[1].value
        if whole is None:
            return None
        parts = [one.value for one in kinds.elements] if isinstance(kinds, cst.Tuple) else [kinds]
        places = range(len(whole.made.bodies))
        found = [_is_class(self._scope, whole, place, one) for one in parts for place in places]
        return None if None in found else Constant(any(found), self._span(node))

    def _named(self, node: cst.Attribute) -> Expression | None:
        """`type(self).__name__` and `self.__class__.__name__`; None for everything else."""
        if node.attr.value != "__name__":
            return None
        asked = self._type_of(node.value)
        whole = None if asked is None else self._scope.instance(asked)
        return None if whole is None else Constant(whole.made.name, self._span(node))

    def _type_of(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """`x` of `type(x)` and of `x.__class__`."""
        match node:
            case cst.Call(func=func, args=[cst.Arg(value=asked, keyword=None, star="")]) if (
                self._scope.canonical(func) == "type"
            ):
                return asked
            case cst.Attribute(value=asked, attr=cst.Name(value="__class__")):
                return asked
        return None


def _is_class(scope: Scope, whole: Instance, place: int, node: cst.BaseExpression) -> bool | None:
    """Whether the class at a place among those of an object is that one; None where it is not certain what it is."""
    found = scope.class_of(node)
    if found is None:
        canonical = scope.canonical(node)
        # A named tuple is a tuple.
        return False if canonical in _EXACT and canonical != "tuple" else None
    facts, definition = whole.made.bodies[place]
    return (facts.place.module, definition.name.value) == (found[0].place.module, found[1].name.value)
