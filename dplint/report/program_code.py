"""Expressions of a program as Python-like text, in pieces that know what they are, so that they can be coloured.

A draw is written `rng~laplace(loc=0.0, scale=1.0)`: where it is made, a tilde, the canonical distribution and its
parameters by name. All else is Python, under the canonical names: `numpy.argmax(noisy)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from dplint.claims import Literal
from dplint.program.nodes import (
    Binary,
    BoolOp,
    Call,
    CallFunction,
    Clause,
    Compare,
    Comprehension,
    Constant,
    DictDisplay,
    Draw,
    Expression,
    IfExp,
    ItemTarget,
    ListDisplay,
    MethodCall,
    Name,
    Slice,
    Subscript,
    Target,
    TupleDisplay,
    TupleTarget,
    Unary,
)
from dplint.program.variables import in_source
from dplint.report.literals import literal


class Kind(Enum):
    """What a piece of text is."""

    PLAIN = "plain"
    KEYWORD = "keyword"
    CONSTANT = "constant"
    FUNCTION = "function"
    DRAW = "draw"


Piece: TypeAlias = tuple[str, Kind]
Code: TypeAlias = tuple[Piece, ...]

_TEST, _OR, _AND, _NOT, _COMPARE, _UNARY, _POWER, _ATOM = 1, 2, 3, 4, 5, 12, 13, 14
_BINARY: Mapping[str, int] = {
    operator: binding
    for binding, operators in {
        6: ("|",),
        7: ("^",),
        8: ("&",),
        9: ("<<", ">>"),
        10: ("+", "-"),
        11: ("*", "/", "//", "%", "@"),
        _POWER: ("**",),
    }.items()
    for operator in operators
}
"""How tightly operators bind, in the order of Python's grammar."""
_LOCAL = {"generator": "default_rng()", "legacy": "RandomState()", "python": "Random()"}


def plain(text: str) -> Code:
    """Text of no special kind."""
    return ((text, Kind.PLAIN),)


def keyword(text: str) -> Code:
    """A keyword."""
    return ((text, Kind.KEYWORD),)


def text_of(code: Code) -> str:
    """The text alone."""
    return "".join(text for text, _ in code)


class Writer:
    """Writes the expressions of one program. rng: the name of the generator parameter, None if there is none."""

    def __init__(self, rng: str | None) -> None:
        self._rng = rng
        self._writers: Mapping[type, Callable[[Any], tuple[Code, int]]] = {
            Constant: lambda node: _constant(node.value),
            Name: lambda node: (plain(in_source(node.id)), _ATOM),
            Binary: self._binary,
            Unary: self._unary,
            Compare: self._compare,
            BoolOp: self._bool_op,
            IfExp: self._if_exp,
            ListDisplay: lambda node: (_joined("[", self._all(node.elements), "]"), _ATOM),
            TupleDisplay: lambda node: (self._tuple(node), _ATOM),
            DictDisplay: self._dict,
            Comprehension: self._comprehension,
            Slice: self._slice,
            Subscript: self._subscript,
            Call: self._call,
            MethodCall: self._method,
            CallFunction: self._call_function,
            Draw: self._draw,
        }

    def expression(self, node: Expression, binding: int = _TEST) -> Code:
        """The text of an expression, in parentheses where it binds less tightly than its surroundings."""
        code, own = self._writers[type(node)](node)
        return (*plain("("), *code, *plain(")")) if own < binding else code

    def target(self, node: Target) -> Code:
        """The text of a target."""
        if isinstance(node, Name):
            return plain(in_source(node.id))
        if isinstance(node, ItemTarget):
            return (*plain(in_source(node.name.id)), *self._index(node.index))
        assert isinstance(node, TupleTarget)
        inner = [
            _joined("(", [self.target(element)], ")") if isinstance(element, TupleTarget) else self.target(element)
            for element in node.elements
        ]
        return _joined("", inner, "," if len(inner) == 1 else "")

    def _all(self, nodes: Iterable[Expression]) -> list[Code]:
        return [self.expression(node) for node in nodes]

    def _named(self, parts: Iterable[tuple[str, Expression]]) -> list[Code]:
        return [(*plain(f"{name}="), *self.expression(value)) for name, value in parts]

    def _binary(self, node: Binary) -> tuple[Code, int]:
        own = _BINARY[node.operator]
        right_to_left = node.operator == "**"
        left = self.expression(node.left, own + right_to_left)
        right = self.expression(node.right, _UNARY if right_to_left else own + 1)
        return (*left, *plain(f" {node.operator} "), *right), own

    def _unary(self, node: Unary) -> tuple[Code, int]:
        if node.operator == "not":
            return (*keyword("not "), *self.expression(node.operand, _NOT)), _NOT
        return (*plain(node.operator), *self.expression(node.operand, _UNARY)), _UNARY

    def _compare(self, node: Compare) -> tuple[Code, int]:
        code = self.expression(node.left, _COMPARE + 1)
        for operator, comparator in zip(node.operators, node.comparators, strict=True):
            written = keyword if operator[0].isalpha() else plain
            code = (*code, *written(f" {operator} "), *self.expression(comparator, _COMPARE + 1))
        return code, _COMPARE

    def _bool_op(self, node: BoolOp) -> tuple[Code, int]:
        own = _AND if node.operator == "and" else _OR
        code = self.expression(node.operands[0], own + 1)
        for operand in node.operands[1:]:
            code = (*code, *keyword(f" {node.operator} "), *self.expression(operand, own + 1))
        return code, own

    def _if_exp(self, node: IfExp) -> tuple[Code, int]:
        body, test = self.expression(node.body, _OR), self.expression(node.test, _OR)
        return (*body, *keyword(" if "), *test, *keyword(" else "), *self.expression(node.orelse)), _TEST

    def _tuple(self, node: TupleDisplay) -> Code:
        return _joined("(", self._all(node.elements), ",)" if len(node.elements) == 1 else ")")

    def _dict(self, node: DictDisplay) -> tuple[Code, int]:
        entries = [
            (*_constant(key)[0], *plain(": "), *self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return _joined("{", entries, "}"), _ATOM

    def _comprehension(self, node: Comprehension) -> tuple[Code, int]:
        code = (*self.expression(node.element), *(piece for clause in node.clauses for piece in self._clause(clause)))
        if node.kind == "list":
            return _joined("[", [code], "]"), _ATOM
        return (((node.kind, Kind.FUNCTION)), *_joined("(", [code], ")")), _ATOM

    def _clause(self, node: Clause) -> Code:
        code = (*keyword(" for "), *self.target(node.target), *keyword(" in "), *self.expression(node.iterable, _OR))
        for condition in node.conditions:
            code = (*code, *keyword(" if "), *self.expression(condition, _OR))
        return code

    def _slice(self, node: Slice) -> tuple[Code, int]:
        start, stop, step = (
            () if part is None else self.expression(part) for part in (node.start, node.stop, node.step)
        )
        return (*start, *plain(":"), *stop, *((*plain(":"), *step) if step else ())), _ATOM

    def _subscript(self, node: Subscript) -> tuple[Code, int]:
        return (*self.expression(node.value, _ATOM), *self._index(node.index)), _ATOM

    def _index(self, node: Expression) -> Code:
        several = isinstance(node, TupleDisplay) and len(node.elements) > 1
        parts = self._all(node.elements) if several and isinstance(node, TupleDisplay) else [self.expression(node)]
        return _joined("[", parts, "]")

    def _call(self, node: Call) -> tuple[Code, int]:
        if node.function == "f-string":
            return (*plain("f"), *self._f_string(node.arguments)), _ATOM
        arguments = [*self._all(node.arguments), *self._named(node.keywords)]
        return ((node.function, Kind.FUNCTION), *_joined("(", arguments, ")")), _ATOM

    def _f_string(self, parts: Sequence[Expression]) -> Code:
        code: Code = ()
        for part in parts:
            if isinstance(part, Constant) and isinstance(part.value, str):
                inner = repr(part.value)[1:-1].replace("{", "{{").replace("}", "}}").replace('"', '\\"')
                code = (*code, (inner, Kind.CONSTANT))
            else:
                code = (*code, *plain("{"), *self.expression(part), *plain("}"))
        return (('"', Kind.CONSTANT), *code, ('"', Kind.CONSTANT))

    def _method(self, node: MethodCall) -> tuple[Code, int]:
        receiver = self.expression(node.receiver, _ATOM)
        if isinstance(node.receiver, Constant) and isinstance(node.receiver.value, int | float):
            receiver = _joined("(", [receiver], ")")
        arguments = [*self._all(node.arguments), *self._named(node.keywords)]
        return (*receiver, *plain("."), (node.method, Kind.FUNCTION), *_joined("(", arguments, ")")), _ATOM

    def _call_function(self, node: CallFunction) -> tuple[Code, int]:
        return ((node.function, Kind.FUNCTION), *_joined("(", self._named(node.arguments), ")")), _ATOM

    def _draw(self, node: Draw) -> tuple[Code, int]:
        parameters = self._named(node.parameters)
        if node.size is not None:
            parameters += self._named([("size", node.size)])
        name = f"{source_of(node, self._rng)}~{node.distribution}"
        return ((name, Kind.DRAW), *_joined("(", parameters, ")")), _ATOM


def source_of(node: Draw, rng: str | None) -> str:
    """Where a draw is made: the generator parameter, a module, or a generator that the mechanism makes."""
    if node.generator == "argument":
        return rng or "generator"
    return _LOCAL[node.family] if node.generator == "local" else node.generator


def _joined(before: str, parts: Sequence[Code], after: str) -> Code:
    code: Code = plain(before) if before else ()
    for position, part in enumerate(parts):
        code = (*code, *(plain(", ") if position else ()), *part)
    return (*code, *plain(after)) if after else code


def _constant(value: Literal) -> tuple[Code, int]:
    if isinstance(value, float) and not math.isfinite(value):
        text = "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    else:
        text = repr(value) if isinstance(value, int | float) else literal(value)
    return ((text, Kind.CONSTANT),), _UNARY if text.startswith("-") else _ATOM
