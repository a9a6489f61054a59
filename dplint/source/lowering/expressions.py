"""Lowering of expressions, calls left out."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import libcst as cst

from dplint.claims import Literal
from dplint.program import nodes as ir
from dplint.program.calls import ATTRIBUTES, CONSTANTS
from dplint.program.refusals import UnsupportedConstruct
from dplint.source.identifiers import LongLiteral
from dplint.source.lowering.reader import Reader
from dplint.source.operators import BINARY, COMPARE, SINGLETONS, UNARY, literal

_CONVERSIONS = {"r": "repr", "s": "str"}
_ATTRIBUTE_HINTS = {
    "flat": "use ravel()",
    "real": "use plain numbers",
    "imag": "use plain numbers",
    "columns": "pass the columns in as lists or arrays",
    "values": "pass the columns in as lists or arrays",
    "dtype": "convert with float(x) or x.astype(float)",
}

_DOUBLES = frozenset({"float", "numpy.float64", "numpy.double"})
_LIMITS: Mapping[str, float] = {
    "eps": sys.float_info.epsilon,
    "max": sys.float_info.max,
    "min": -sys.float_info.max,
    "tiny": sys.float_info.min,
}
"""Of doubles, as `numpy.finfo` calls them."""


class Expressions:
    """Lowers names, constants, operators, displays, f-strings and subscripts."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._scope = reader.scope
        reader.register(
            {
                cst.Integer: self._literal,
                cst.Float: self._literal,
                cst.SimpleString: self._literal,
                cst.ConcatenatedString: self._literal,
                cst.FormattedString: self._f_string,
                cst.Name: self._name,
                cst.Attribute: self._attribute,
                cst.BinaryOperation: self._binary,
                cst.UnaryOperation: self._unary,
                cst.Comparison: self._comparison,
                cst.BooleanOperation: lambda node: reader.both(node, reader.expression),
                cst.IfExp: self._if_exp,
                cst.List: self._display,
                cst.Tuple: self._display,
                cst.Dict: self._dict,
                cst.Subscript: self._subscript,
                LongLiteral: self._long_literal,
            }
        )

    def _literal(self, node: cst.BaseExpression) -> ir.Expression:
        found = literal(node)
        if found is None or isinstance(found[0], bytes):
            raise self._refuse("bytes, or an f-string in parts", node, "use one plain string")
        return ir.Constant(found[0], self._span(node))

    def _long_literal(self, node: LongLiteral) -> ir.Expression:
        raise self._refuse(node.words, node, "read it from a file, or keep it at the top level of a module")

    def _f_string(self, node: cst.FormattedString) -> ir.Expression:
        parts: list[ir.Expression] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                parts.append(ir.Constant(part.value.replace("{{", "{").replace("}}", "}"), self._span(part)))
                if "\\" in part.value:
                    raise self._refuse("an escape in an f-string", part, "join plain strings with +")
            elif isinstance(part, cst.FormattedStringExpression):
                parts.append(self._formatted(part))
        return ir.Call("f-string", tuple(parts), (), self._span(node))

    def _formatted(self, part: cst.FormattedStringExpression) -> ir.Expression:
        """`{value!r:.2f}` as the calls that Python makes of it."""
        if part.equal is not None:
            raise self._refuse("= in an f-string", part, "write the name as text")
        span = self._span(part)
        value = self._expression(part.expression)
        if part.conversion is not None:
            if part.conversion not in _CONVERSIONS:
                raise self._refuse("this conversion in an f-string", part, "use !r or !s")
            value = ir.Call(_CONVERSIONS[part.conversion], (value,), (), span)
        if not part.format_spec:
            return value
        spec = "".join(text.value for text in part.format_spec if isinstance(text, cst.FormattedStringText))
        if len(part.format_spec) > 1 or not spec or "\\" in spec or "{" in spec:
            raise self._refuse("a computed format in an f-string", part, "write the format out, such as {x:.2f}")
        return ir.Call("format", (value, ir.Constant(spec, span)), (), span)

    def _name(self, node: cst.Name) -> ir.Expression:
        name, span = node.value, self._span(node)
        if name in SINGLETONS:
            return ir.Constant(SINGLETONS[name], span)
        barred = self._scope.no_value(name)
        if barred is not None:
            raise self._refuse(barred[0], node, barred[1])
        local = self._scope.local(name)
        if local in self._scope.unusable:
            raise UnsupportedConstruct(self._scope.unusable[local])
        if local in self._scope.unrolled:
            return ir.Constant(self._scope.unrolled[local], span)
        if local is not None:
            return ir.Name(local, span)
        facts = self._scope.facts
        if name in facts.constants and name not in self._scope.aliases:
            return ir.Constant(self._kept(node, facts.constants[name]), span)
        canonical = self._scope.canonical(node)
        if canonical is not None and canonical in CONSTANTS:
            return ir.Constant(CONSTANTS[canonical], span)
        constant = self._scope.constant(node)
        if constant is not None:
            return ir.Constant(constant, span)
        raise self._refuse(f"the name {name}", node, "pass it as a parameter, or make it a constant of the module")

    def _kept(self, node: cst.Name, value: Literal) -> Literal:
        """The value of a constant of the module, which nothing changes."""
        if not self._scope.elsewhere.keeps(node.value, value):
            raise self._refuse(f"the name {node.value}, whose value the module may change", node, "make it a tuple")
        return value

    def _attribute(self, node: cst.Attribute) -> ir.Expression:
        canonical = self._scope.canonical(node)
        if canonical is not None and canonical in CONSTANTS:
            return ir.Constant(CONSTANTS[canonical], self._span(node))
        constant = self._scope.constant(node)
        if constant is not None:
            return ir.Constant(constant, self._span(node))
        name = node.attr.value
        limit = self._limit(node.value, name)
        if limit is not None:
            return limit
        if name in ATTRIBUTES and canonical is None:
            return ir.Call(f"attribute.{name}", (self._expression(node.value),), (), self._span(node))
        if name == "T" and canonical is None:
            return ir.MethodCall(self._expression(node.value), "transpose", (), (), self._span(node))
        hint = _ATTRIBUTE_HINTS.get(name, "no rewrite: programs have no such attribute")
        raise self._refuse(f"the attribute {name}", node, hint)

    def _limit(self, maker: cst.BaseExpression, name: str) -> ir.Expression | None:
        """`np.finfo(float).eps` and `np.iinfo(np.int64).max`; None for everything else."""
        if not isinstance(maker, cst.Call) or len(maker.args) != 1 or maker.args[0].keyword or maker.args[0].star:
            return None
        known = self._scope.canonical(maker.func), self._scope.canonical(maker.args[0].value) or ""
        span = self._span(maker)
        if known[0] == "numpy.finfo" and known[1] in _DOUBLES and name in _LIMITS:
            return ir.Call("numpy.float64", (ir.Constant(_LIMITS[name], span),), (), span)
        if known == ("numpy.iinfo", "numpy.int64") and name in ("max", "min"):
            return ir.Constant(2**63 - 1 if name == "max" else -(2**63), span)
        return None

    def _binary(self, node: cst.BinaryOperation) -> ir.Expression:
        left, right = self._expression(node.left), self._expression(node.right)
        return ir.Binary(BINARY[type(node.operator)], left, right, self._span(node))

    def _unary(self, node: cst.UnaryOperation) -> ir.Expression:
        operator = UNARY[type(node.operator)]
        operand = self._reader.test(node.expression) if operator == "not" else self._expression(node.expression)
        if operator == "-" and isinstance(operand, ir.Constant) and type(operand.value) in (int, float):
            return ir.Constant(-operand.value, self._span(node))  # type: ignore[operator]
        return ir.Unary(operator, operand, self._span(node))

    def _comparison(self, node: cst.Comparison) -> ir.Expression:
        span = self._span(node)
        first = node.comparisons[0]
        rng = isinstance(node.left, cst.Name) and self._scope.stream(node.left.value) is not None
        if rng and isinstance(first.operator, cst.Is | cst.IsNot):
            return ir.Constant(isinstance(first.operator, cst.IsNot), span)
        operators = tuple(COMPARE[type(target.operator)] for target in node.comparisons)
        comparators = tuple(self._comparator(target) for target in node.comparisons)
        for operator, comparator in zip(operators, comparators, strict=True):
            known = isinstance(comparator, ir.Opaque) or (
                isinstance(comparator, ir.Constant) and (comparator.value is None or isinstance(comparator.value, bool))
            )
            if operator in ("is", "is not") and not known:
                raise self._refuse("a comparison of identity", node, "use == or !=")
        return ir.Compare(self._expression(node.left), operators, comparators, span)

    def _comparator(self, target: cst.ComparisonTarget) -> ir.Expression:
        contains = isinstance(target.operator, cst.In | cst.NotIn)
        whole = self._reader.whole("in", target.comparator) if contains else None
        return whole or self._expression(target.comparator)

    def _if_exp(self, node: cst.IfExp) -> ir.Expression:
        test, body = self._reader.test(node.test), self._expression(node.body)
        return ir.IfExp(test, body, self._expression(node.orelse), self._span(node))

    def _display(self, node: cst.List | cst.Tuple) -> ir.Expression:
        """A list or tuple; with starred elements, the sum of its parts."""
        span = self._span(node)
        display, kind = (ir.ListDisplay, "list") if isinstance(node, cst.List) else (ir.TupleDisplay, "tuple")
        parts: list[ir.Expression] = []
        plain: list[ir.Expression] = []
        for element in node.elements:
            if isinstance(element, cst.StarredElement):
                parts += [display(tuple(plain), span)] if plain else []
                plain = []
                parts.append(ir.Call(kind, (self._reader.used_up(element.value),), (), self._span(element)))
            else:
                plain.append(self._expression(element.value))
        parts += [display(tuple(plain), span)] if plain or not parts else []
        joined = parts[0]
        for part in parts[1:]:
            joined = ir.Binary("+", joined, part, span)
        return joined

    def _dict(self, node: cst.Dict) -> ir.Expression:
        """A dict with constant keys, or else one that is made of the list of its entries."""
        keys: list[Literal] = []
        values: list[ir.Expression] = []
        for element in node.elements:
            key = self._expression(element.key) if isinstance(element, cst.DictElement) else None
            if not isinstance(key, ir.Constant) or isinstance(key.value, list | dict):
                return self._dict_of_entries(node)
            keys.append(key.value)
            values.append(self._expression(element.value))
        return ir.DictDisplay(tuple(keys), tuple(values), self._span(node))

    def _dict_of_entries(self, node: cst.Dict) -> ir.Expression:
        span = self._span(node)
        parts: list[ir.Expression] = []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                pair = ir.TupleDisplay((self._expression(element.key), self._expression(element.value)), span)
                parts.append(ir.ListDisplay((pair,), span))
            else:
                whole = self._reader.whole("dict", element.value) or self._expression(element.value)
                items = ir.MethodCall(whole, "items", (), (), span)
                parts.append(ir.Call("list", (items,), (), span))
        joined = parts[0]
        for part in parts[1:]:
            joined = ir.Binary("+", joined, part, span)
        return ir.Call("dict", (joined,), (), span)

    def _subscript(self, node: cst.Subscript) -> ir.Expression:
        return ir.Subscript(self._expression(node.value), self._reader.index(node.slice), self._span(node))
