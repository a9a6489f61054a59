"""Lowering of expressions, calls left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import (
    Binary,
    BoolOp,
    Call,
    Compare,
    Constant,
    DictDisplay,
    Expression,
    IfExp,
    ItemTarget,
    ListDisplay,
    Name,
    Slice,
    Subscript,
    Target,
    TupleDisplay,
    TupleTarget,
    Unary,
)
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.vocabulary import ATTRIBUTES, CONSTANTS
from dplint.source.lowering.scope import Scope

_BINARY: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.BitXor: "^",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
}
_UNARY: Mapping[type[cst.CSTNode], str] = {cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~", cst.Not: "not"}
_COMPARE: Mapping[type[cst.CSTNode], str] = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}
_NO_HINT = "the construct is not known"
_NAMES: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.Lambda: ("a lambda", "make it a function of the module"),
    cst.NamedExpr: ("an assignment expression", "assign on a line of its own"),
    cst.SetComp: ("a set comprehension", "use a list"),
    cst.GeneratorExp: ("a generator kept as a value", "use a list comprehension"),
    cst.Set: ("a set", "use a tuple"),
    cst.Yield: ("yield", "append to a list and return it"),
    cst.Await: ("await", "call a plain function"),
    cst.StarredElement: ("a starred element", "write the elements out"),
    cst.Imaginary: ("a complex number", "compute with its real and imaginary part"),
}
_CONVERSIONS = {"r": "repr", "s": "str"}
_ATTRIBUTE_HINTS = {
    "T": "loop over the columns",
    "flat": "use ravel()",
    "real": "use plain numbers",
    "imag": "use plain numbers",
    "columns": "pass the columns in as lists or arrays",
    "values": "pass the columns in as lists or arrays",
    "dtype": "convert with float(x) or x.astype(float)",
}


class ExpressionLowering(ABC):
    """Lowers the expressions of one function; raises UnsupportedConstruct for what has no node."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._handlers: Mapping[type[cst.CSTNode], Callable[[Any], Expression]] = {
            cst.Integer: lambda node: Constant(node.evaluated_value, self.span(node)),
            cst.Float: lambda node: Constant(node.evaluated_value, self.span(node)),
            cst.SimpleString: self._string,
            cst.ConcatenatedString: self._string,
            cst.FormattedString: self._f_string,
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.BinaryOperation: self._binary,
            cst.UnaryOperation: self._unary,
            cst.Comparison: self._comparison,
            cst.BooleanOperation: self._boolean,
            cst.IfExp: self._if_exp,
            cst.List: self._display,
            cst.Tuple: self._display,
            cst.Dict: self._dict,
            cst.ListComp: lambda node: self.comprehension(node, "list"),
            cst.Subscript: self._subscript,
            cst.DictComp: self.dict_comprehension,
            cst.Call: self.call,
        }

    def span(self, node: cst.CSTNode) -> Span:
        """The range of a node."""
        return self.scope.facts.span(node)

    def refuse(self, construct: str, node: cst.CSTNode, hint: str = "") -> UnsupportedConstruct:
        """The exception to raise for a construct at a node."""
        return unsupported(construct, self.span(node), hint)

    def expression(self, node: cst.BaseExpression) -> Expression:
        """The lowered expression; a refusal is noted, and something stands in for what was refused."""
        return self.recover(self.exactly, node)

    def recover(self, lower: Callable[[Any], Expression], node: cst.BaseExpression) -> Expression:
        """What `lower` makes of the node; a refusal is noted, and something stands in for what was refused."""
        try:
            return lower(node)
        except UnsupportedConstruct as refused:
            self.scope.refusals.add(refused.unsupported)
            for part in _parts(node):
                self.expression(part)
            return Constant(None, self.span(node))

    def exactly(self, node: cst.BaseExpression) -> Expression:
        """The lowered expression; raises UnsupportedConstruct if it is refused as a whole."""
        handler = self._handlers.get(type(node))
        if handler is None:
            construct, hint = _NAMES.get(type(node), (f"the expression {type(node).__name__}", _NO_HINT))
            raise self.refuse(construct, node, hint)
        return handler(node)

    @abstractmethod
    def call(self, node: cst.Call) -> Expression:
        """A lowered call."""

    @abstractmethod
    def comprehension(self, node: cst.ListComp | cst.GeneratorExp, kind: str) -> Expression:
        """A comprehension of that kind: "list", "any" or "all"."""

    @abstractmethod
    def dict_comprehension(self, node: cst.DictComp) -> Expression:
        """A dict comprehension whose keys are known."""

    @abstractmethod
    def iterable(self, node: cst.BaseExpression) -> Expression:
        """An expression that is used up at once, where an iterator such as `zip(...)` is as good as a list."""

    def is_generator(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is a generator of random numbers."""
        return isinstance(node, cst.Name) and self.scope.stream(node.value) is not None

    def _string(self, node: cst.SimpleString | cst.ConcatenatedString) -> Expression:
        value = node.evaluated_value
        if not isinstance(value, str):
            raise self.refuse("bytes, or an f-string in parts", node, "use one plain string")
        return Constant(value, self.span(node))

    def _f_string(self, node: cst.FormattedString) -> Expression:
        parts: list[Expression] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                parts.append(Constant(part.value.replace("{{", "{").replace("}}", "}"), self.span(part)))
                if "\\" in part.value:
                    raise self.refuse("an escape in an f-string", part, "join plain strings with +")
            elif isinstance(part, cst.FormattedStringExpression):
                parts.append(self._formatted(part))
        return Call("f-string", tuple(parts), (), self.span(node))

    def _formatted(self, part: cst.FormattedStringExpression) -> Expression:
        """`{value!r:.2f}` as the calls that Python makes of it."""
        if part.equal is not None:
            raise self.refuse("= in an f-string", part, "write the name as text")
        span = self.span(part)
        value = self.expression(part.expression)
        if part.conversion is not None:
            if part.conversion not in _CONVERSIONS:
                raise self.refuse("this conversion in an f-string", part, "use !r or !s")
            value = Call(_CONVERSIONS[part.conversion], (value,), (), span)
        if not part.format_spec:
            return value
        spec = "".join(text.value for text in part.format_spec if isinstance(text, cst.FormattedStringText))
        if len(part.format_spec) > 1 or not spec or "\\" in spec or "{" in spec:
            raise self.refuse("a computed format in an f-string", part, "write the format out, such as {x:.2f}")
        return Call("format", (value, Constant(spec, span)), (), span)

    def _name(self, node: cst.Name) -> Expression:
        name, span = node.value, self.span(node)
        if name in ("True", "False", "None"):
            return Constant({"True": True, "False": False, "None": None}[name], span)
        if self.scope.stream(name) is not None:
            raise self.refuse("a generator used as a value", node, "draw from it where it is")
        local = self.scope.local(name)
        if local in self.scope.unrolled:
            return Constant(self.scope.unrolled[local], span)
        if local is not None:
            return Name(local, span)
        facts = self.scope.facts
        if name in facts.constants and name not in self.scope.aliases:
            return Constant(facts.constants[name], span)
        canonical = self.scope.canonical(node)
        if canonical is not None and canonical in CONSTANTS:
            return Constant(CONSTANTS[canonical], span)
        raise self.refuse(f"the name {name}", node, "pass it as a parameter, or make it a constant of the module")

    def _attribute(self, node: cst.Attribute) -> Expression:
        canonical = self.scope.canonical(node)
        if canonical is not None and canonical in CONSTANTS:
            return Constant(CONSTANTS[canonical], self.span(node))
        name = node.attr.value
        if name in ATTRIBUTES and canonical is None:
            return Call(f"attribute.{name}", (self.expression(node.value),), (), self.span(node))
        hint = _ATTRIBUTE_HINTS.get(name, "use plain parameters and local variables")
        raise self.refuse(f"the attribute {name}", node, hint)

    def _binary(self, node: cst.BinaryOperation) -> Expression:
        left, right = self.expression(node.left), self.expression(node.right)
        return Binary(_BINARY[type(node.operator)], left, right, self.span(node))

    def _unary(self, node: cst.UnaryOperation) -> Expression:
        operator, operand = _UNARY[type(node.operator)], self.expression(node.expression)
        if operator == "-" and isinstance(operand, Constant) and type(operand.value) in (int, float):
            return Constant(-operand.value, self.span(node))  # type: ignore[operator]
        return Unary(operator, operand, self.span(node))

    def _comparison(self, node: cst.Comparison) -> Expression:
        span = self.span(node)
        first = node.comparisons[0]
        if self.is_generator(node.left) and isinstance(first.operator, cst.Is | cst.IsNot):
            return Constant(isinstance(first.operator, cst.IsNot), span)
        operators = tuple(_COMPARE[type(target.operator)] for target in node.comparisons)
        comparators = tuple(self.expression(target.comparator) for target in node.comparisons)
        for operator, comparator in zip(operators, comparators, strict=True):
            known = isinstance(comparator, Constant) and (
                comparator.value is None or isinstance(comparator.value, bool)
            )
            if operator in ("is", "is not") and not known:
                raise self.refuse("a comparison of identity", node, "use == or !=")
        return Compare(self.expression(node.left), operators, comparators, span)

    def _boolean(self, node: cst.BooleanOperation) -> Expression:
        operator = "and" if isinstance(node.operator, cst.And) else "or"
        operands: list[Expression] = []
        for side in (node.left, node.right):
            lowered = self.expression(side)
            nested = isinstance(lowered, BoolOp) and lowered.operator == operator
            operands += lowered.operands if nested else (lowered,)  # type: ignore[union-attr]
        return BoolOp(operator, tuple(operands), self.span(node))

    def _if_exp(self, node: cst.IfExp) -> Expression:
        test, body = self.expression(node.test), self.expression(node.body)
        return IfExp(test, body, self.expression(node.orelse), self.span(node))

    def _display(self, node: cst.List | cst.Tuple) -> Expression:
        """A list or tuple; with starred elements, the sum of its parts."""
        span = self.span(node)
        display, kind = (ListDisplay, "list") if isinstance(node, cst.List) else (TupleDisplay, "tuple")
        parts: list[Expression] = []
        plain: list[Expression] = []
        for element in node.elements:
            if isinstance(element, cst.StarredElement):
                parts += [display(tuple(plain), span)] if plain else []
                plain = []
                parts.append(Call(kind, (self.iterable(element.value),), (), self.span(element)))
            else:
                plain.append(self.expression(element.value))
        parts += [display(tuple(plain), span)] if plain or not parts else []
        joined = parts[0]
        for part in parts[1:]:
            joined = Binary("+", joined, part, span)
        return joined

    def _dict(self, node: cst.Dict) -> Expression:
        keys, values = [], []
        for element in node.elements:
            if not isinstance(element, cst.DictElement):
                raise self.refuse("a starred dict", element, "write the entries out")
            key = self.exactly(element.key)
            if not isinstance(key, Constant) or isinstance(key.value, list | dict):
                raise self.refuse("a dict key that is not a constant", element, "use constant keys")
            keys.append(key.value)
            values.append(self.expression(element.value))
        return DictDisplay(tuple(keys), tuple(values), self.span(node))

    def _subscript(self, node: cst.Subscript) -> Expression:
        return Subscript(self.expression(node.value), self.index(node.slice), self.span(node))

    def index(self, elements: Any) -> Expression:
        """The index between brackets; several become a tuple."""
        parts = [self._index_part(element.slice) for element in elements]
        return parts[0] if len(parts) == 1 else TupleDisplay(tuple(parts), self.span(elements[0]))

    def _index_part(self, node: cst.BaseSlice) -> Expression:
        if isinstance(node, cst.Index):
            return self.expression(node.value)
        assert isinstance(node, cst.Slice)
        lower, upper, step = (
            None if part is None else self.expression(part) for part in (node.lower, node.upper, node.step)
        )
        return Slice(lower, upper, step, self.span(node))

    def target(self, node: cst.BaseExpression) -> Target:
        """The target of an assignment or a loop; a refusal is noted, and a name stands in for what was refused."""
        try:
            return self._target(node)
        except UnsupportedConstruct as refused:
            self.scope.refusals.add(refused.unsupported)
            return Name("", self.span(node))

    def _target(self, node: cst.BaseExpression) -> Target:
        if isinstance(node, cst.Name):
            if self.scope.stream(node.value) is not None:
                raise self.refuse("a generator that is assigned something else", node, "use another name")
            return Name(self.scope.local(node.value) or node.value, self.span(node))
        if isinstance(node, cst.Tuple | cst.List):
            if any(isinstance(element, cst.StarredElement) for element in node.elements):
                raise self.refuse("a starred target", node, "use slices")
            return TupleTarget(tuple(self._target(element.value) for element in node.elements), self.span(node))
        if isinstance(node, cst.Subscript):
            name = self.exactly(node.value)
            index = self.index(node.slice)
            if not isinstance(name, Name):
                hint = "use one list of numbers for each row, or numbers in one list"
                raise self.refuse("an assignment to an element of an element", node, hint)
            if isinstance(index, TupleDisplay):
                hint = "use one list of numbers for each row, or numbers in one list"
                raise self.refuse("an assignment to an element of a table", node, hint)
            if isinstance(index, Slice):
                raise self.refuse("an assignment to a slice", node, "assign the elements in a loop")
            return ItemTarget(name, index, self.span(node))
        raise self.refuse("an assignment to an attribute", node, "use a local variable")


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The parts of a refused call that may hold refusals of their own, whatever is done about the call."""
    if not isinstance(node, cst.Call):
        return []
    parts = [node.func.value] if isinstance(node.func, cst.Attribute) else []
    parts += [argument.value for argument in node.args]
    return [part for part in parts if isinstance(part, cst.Call | cst.BinaryOperation | cst.List | cst.ListComp)]
