"""Expressions read back from Python text.

The text may come from anywhere, such as a store that somebody else has written. Nothing of it is executed: it becomes
nodes of the program language, and what that cannot say, or could take without end, is refused. `printing.printed` is
the inverse: `parse(printed(expression), names)` is the expression, for every one that this module makes.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Mapping
from typing import Any

from dplint.program import nodes as ir
from dplint.program.building import (
    NOWHERE,
    attribute,
    binary,
    both,
    call,
    constant,
    display,
    each,
    either,
    is_instance,
    item,
    method,
    name,
    negation,
)
from dplint.program.calls import BUILTINS, EXCEPTIONS, METHODS, NUMBER, TYPES
from dplint.syntax import parse_expression

FUNCTIONS = BUILTINS - frozenset(["format", "pow", "print", "range"])
"""Functions that may be called; those left out can take time or memory without end, or are heard outside."""
_METHODS = METHODS - frozenset(
    ["format", "join", "ljust", "prod", "ravel", "repeat", "replace", "reshape", "zfill"]
) | {"to_dict"}
VIEW_METHODS = frozenset(
    [
        *("decode", "getvalue", "isoformat", "item", "ravel", "timestamp", "to_dict", "toarray", "toordinal"),
        "total_seconds",
    ]
)
"""Methods without arguments by which one looks at what is no plain value."""
_TYPES = {name for name in TYPES if "." not in name} | EXCEPTIONS
_LONGEST = 20_000
_MOST_REPEATED = 10_000
_MOST_BITS = 1024
_MOST_NAMES = 4
"""At once: more of them would be loops in loops in loops."""
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


class NotAnExpression(ValueError):
    """A text that is no expression of the program language; says what of it is not."""


def parse(text: str, names: frozenset[str]) -> ir.Expression:
    """The expression that a text on one line is, with these free variables. Raises NotAnExpression."""
    if len(text) > _LONGEST:
        raise NotAnExpression(f"it has more than {_LONGEST} characters")
    try:
        tree = parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAnExpression(f"it is no Python expression: {error}") from None
    if "\n" in text or ("#" in text and _has_comment(text)):
        raise NotAnExpression("it has several lines, or a comment")
    try:
        return _Parser(names).expression(tree)
    except RecursionError:
        raise NotAnExpression("it is nested too deeply") from None


def _has_comment(text: str) -> bool:
    return any(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline))


class _Parser:
    """Turns nodes of `ast` into nodes of the program language."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._parsers: Mapping[type, Callable[[Any], ir.Expression]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.BoolOp: self._bool_op,
            ast.IfExp: self._if_exp,
            ast.List: self._list,
            ast.Dict: self._dict,
            ast.Tuple: self._tuple,
            ast.Subscript: self._subscript,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
        }

    def expression(self, node: ast.expr) -> ir.Expression:
        """One node with all below it."""
        parser = self._parsers.get(type(node))
        if parser is None:
            raise _refused(node)
        return parser(node)

    def _constant(self, node: ast.Constant) -> ir.Expression:
        if node.value is not None and not isinstance(node.value, bool | int | float | str | bytes):
            raise _refused(node)
        return constant(node.value)

    def _name(self, node: ast.Name) -> ir.Expression:
        if node.id not in self._names:
            raise NotAnExpression(f"it speaks of {node.id}, of which nothing is known")
        return name(node.id)

    def _binary(self, node: ast.BinOp) -> ir.Expression:
        operator = _BINARY.get(type(node.op))
        if operator is None:
            raise _refused(node)
        left, right = self.expression(node.left), self.expression(node.right)
        if operator == "**" and not _is_small_power(left, right):
            raise NotAnExpression(f"its power {ast.unparse(node)[:60]} is none of two small integers")
        if operator == "*" and not _may_be_multiplied(left, right):
            raise NotAnExpression(f"its product {ast.unparse(node)[:60]} may be one of a list")
        return binary(left, operator, right)

    def _unary(self, node: ast.UnaryOp) -> ir.Expression:
        operand = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            return negation(operand)
        operator = _UNARY[type(node.op)]
        if operator == "-" and isinstance(operand, ir.Constant) and type(operand.value) in (int, float):
            return constant(-operand.value)  # type: ignore[operator]
        return ir.Unary(operator, operand, NOWHERE)

    def _compare(self, node: ast.Compare) -> ir.Expression:
        operators = tuple(COMPARE[type(operator)] for operator in node.ops)
        return ir.Compare(self.expression(node.left), operators, tuple(map(self.expression, node.comparators)), NOWHERE)

    def _bool_op(self, node: ast.BoolOp) -> ir.Expression:
        return (both if isinstance(node.op, ast.And) else either)(map(self.expression, node.values))

    def _if_exp(self, node: ast.IfExp) -> ir.Expression:
        test, body, orelse = map(self.expression, (node.test, node.body, node.orelse))
        return ir.IfExp(test, body, orelse, NOWHERE)

    def _list(self, node: ast.List) -> ir.Expression:
        before, last = node.elts[:-1], node.elts[-1] if node.elts else None
        if isinstance(last, ast.Starred) and before:
            return binary(display(map(self.expression, before)), "+", call("list", self.expression(last.value)))
        return display(map(self.expression, node.elts))

    def _tuple(self, node: ast.Tuple) -> ir.Expression:
        elements = tuple(map(self.expression, node.elts))
        parts = tuple(one.value for one in elements if isinstance(one, ir.Constant))
        return constant(parts) if len(parts) == len(elements) else ir.TupleDisplay(elements, NOWHERE)

    def _dict(self, node: ast.Dict) -> ir.Expression:
        keys = [None if key is None else self.expression(key) for key in node.keys]
        constants = tuple(key.value for key in keys if isinstance(key, ir.Constant))
        if len(constants) < len(keys):
            raise NotAnExpression(f"the keys of {ast.unparse(node)[:60]} are not all constants")
        return ir.DictDisplay(constants, tuple(map(self.expression, node.values)), NOWHERE)

    def _subscript(self, node: ast.Subscript) -> ir.Expression:
        if isinstance(node.slice, ast.Slice):
            return ir.Subscript(self.expression(node.value), self._slice(node.slice), NOWHERE)
        index = self.expression(node.slice)
        if not isinstance(index, ir.Constant):
            raise NotAnExpression(f"its index {ast.unparse(node.slice)[:60]} is no constant")
        return item(self.expression(node.value), index.value)

    def _slice(self, node: ast.Slice) -> ir.Slice:
        parts = [None if part is None else self.expression(part) for part in (node.lower, node.upper, node.step)]
        if any(part is not None and not isinstance(part, ir.Constant) for part in parts):
            raise NotAnExpression(f"its slice {ast.unparse(node)[:60]} is not made of constants")
        return ir.Slice(parts[0], parts[1], parts[2], NOWHERE)

    def _attribute(self, node: ast.Attribute) -> ir.Expression:
        match node:
            case ast.Attribute(ast.Call(ast.Name("type"), [argument], []), "__name__"):
                return call("type-name", self.expression(argument))
        if node.attr.startswith("__"):
            raise NotAnExpression(f"it reaches for the attribute {node.attr}")
        return attribute(self.expression(node.value), node.attr)

    def _call(self, node: ast.Call) -> ir.Expression:
        return self._view(node) or self._called(node)

    def _view(self, node: ast.Call) -> ir.Expression | None:
        """A way to look into a text, a table or a date; None for any other call."""
        match node:
            case ast.Call(ast.Name("list"), [ast.Call(ast.Name("map"), [ast.Name("float"), found], [])], []) if (
                looked := _looked_into(found, "findall", [NUMBER])
            ) is not None:
                return call("numbers-in", self.expression(looked))
            case ast.Call() if (looked := _looked_into(node, "sub", [NUMBER, "#"])) is not None:
                return call("words-in", self.expression(looked))
            case ast.Call(ast.Attribute(ast.Name("json"), "loads"), [text], []):
                return call("json.loads", self.expression(text))
            case ast.Call(ast.Attribute(seen, "to_dict"), [], [ast.keyword("as_series", ast.Constant(False))]):
                named = (("as_series", constant(False)),)
                return ir.MethodCall(self.expression(seen), "to_dict", (), named, NOWHERE)
            case ast.Call(ast.Attribute(seen, called), [], []) if called in VIEW_METHODS:
                return method(self.expression(seen), called)
        return None

    def _called(self, node: ast.Call) -> ir.Expression:
        match node:
            case ast.Call(ast.Name("isinstance"), [value, types], []):
                return is_instance(self.expression(value), *self._types(types))
            case ast.Call(ast.Name("float"), [ast.Constant("inf" | "-inf" | "nan" as spelled)], []):
                return constant(float(spelled))
            case ast.Call(ast.Name("map"), [ast.Name(function), items], []) if function in FUNCTIONS:
                return call("map", constant(function), self.expression(items))
            case ast.Call(ast.Name(function), [ast.GeneratorExp() as made], []) if function in FUNCTIONS:
                if function in ("any", "all"):
                    return self._comprehension(made, function)
                return call(function, self._comprehension(made, "list"))
            case ast.Call(ast.Name(function), arguments, []) if function in FUNCTIONS:
                return call(function, *map(self.expression, arguments))
            case ast.Call(ast.Attribute(ast.Name("math"), ("exp" | "log" | "ulp") as function), [argument], []):
                return call(f"math.{function}", self.expression(argument))
            case ast.Call(ast.Attribute(receiver, called), arguments, []) if called in _METHODS:
                return method(self.expression(receiver), called, *map(self.expression, arguments))
        raise NotAnExpression(f"it calls {ast.unparse(node)[:60]}")

    def _types(self, node: ast.expr) -> list[str]:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        found = [part.id for part in parts if isinstance(part, ast.Name) and part.id in _TYPES]
        if len(found) < len(parts):
            raise NotAnExpression(f"it asks for the type {ast.unparse(node)[:60]}")
        return found

    def _comprehension(self, node: ast.GeneratorExp, kind: str) -> ir.Expression:
        """One clause without conditions: all that printed events have."""
        (clause, *others) = node.generators
        targets = clause.target.elts if isinstance(clause.target, ast.Tuple) else [clause.target]
        found = [target.id for target in targets if isinstance(target, ast.Name)]
        if len(self._names) > _MOST_NAMES:
            raise NotAnExpression("it goes through things too deeply")
        if others or clause.ifs or clause.is_async or len(found) < len(targets) or self._names & {*found}:
            raise NotAnExpression(f"it goes through {ast.unparse(node)[:60]}")
        iterable = self.expression(clause.iter)
        inner = _Parser(self._names | {*found})
        names = [name(one) for one in found]
        target = names if isinstance(clause.target, ast.Tuple) else names[0]
        return each(inner.expression(node.elt), target, iterable, kind)


def _refused(node: ast.AST) -> NotAnExpression:
    return NotAnExpression(f"it holds {type(node).__name__}, which programs do not have: {ast.unparse(node)[:60]}")


def _looked_into(node: ast.expr, function: str, first: list[str]) -> ast.expr | None:
    """The text in `re.function(*first, text)`; None for any other call."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("re"), called), [*given, text], []) if called == function:
            return text if [getattr(one, "value", None) for one in given] == first else None
    return None


def _is_small_power(left: ir.Expression, right: ir.Expression) -> bool:
    match left, right:
        case ir.Constant(int(base)), ir.Constant(int(exponent)):
            # Of two every power that a float has.
            return 0 <= exponent * base.bit_length() <= _MOST_BITS or (base == 2 and abs(exponent) < 1024)
    return False


def _may_be_multiplied(left: ir.Expression, right: ir.Expression) -> bool:
    """Whether the product is small, should one of the factors be a list or a text."""
    if _is_number(left) and _is_number(right):
        return True
    for times, other in ((left, right), (right, left)):
        if isinstance(times, ir.Constant) and isinstance(times.value, int | float) and not _is_product(other):
            return isinstance(times.value, float) or abs(times.value) <= _MOST_REPEATED
    return False


def _is_number(node: ir.Expression) -> bool:
    """Whether the value is surely a number, if there is one."""
    match node:
        case ir.Constant(value):
            return isinstance(value, int | float)
        case ir.Compare() | ir.Call("abs" | "all" | "any" | "bool" | "float" | "int" | "isinstance" | "len" | "sum"):
            return True
        case ir.Binary(_, left, right) | ir.IfExp(_, left, right):
            return _is_number(left) and _is_number(right)
        case ir.Unary("not"):
            return True
        case ir.BoolOp(_, operands):
            return all(map(_is_number, operands))
        case ir.Comprehension(kind):
            return kind != "list"
    return False


def _is_product(node: ir.Expression) -> bool:
    return isinstance(node, ir.Binary) and node.operator == "*" and not _is_number(node)
