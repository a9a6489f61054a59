"""Expressions as Python text, in pieces that know what they are, so that they can be coloured.

A draw is written `rng.laplace(loc=0.0, scale=1.0)`: where it is made, the canonical distribution and its parameters by
name. What no evaluator understands is named in angle brackets, with the values that it is given as far as
they are known: `<a set>(x)`. All else is Python, under the canonical names: `numpy.argmax(noisy)`. `parsing` reads back
what has no draw in it, and nothing in angle brackets.

Values as Python literals. For those who do not need the nodes of a program too, which take time to import.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from dplint.claims import Literal
from dplint.program import nodes as ir
from dplint.program.calls import NUMBER
from dplint.program.interpretation import in_source

_LONG = 2000
"""Bits of integers that are written in hexadecimal: Python refuses to make decimals of very long ones."""


def literal_code(value: Literal | bytes, text: Callable[[str], str] = repr) -> str:
    """The value on one line; `text` quotes strings. Raises ValueError for what is no literal."""
    match value:
        case int() if value.bit_length() >= _LONG:
            return hex(value)
        case None | bool() | int() | bytes():
            return repr(value)
        case float():
            return repr(value) if math.isfinite(value) else f"float({text(repr(value))})"
        case str():
            return text(value)
        case list():
            return f"[{', '.join(literal_code(item, text) for item in value)}]"
        case tuple():
            inner = ", ".join(literal_code(item, text) for item in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            entries = (f"{literal_code(key, text)}: {literal_code(item, text)}" for key, item in value.items())
            return f"{{{', '.join(entries)}}}"
    raise ValueError(f"no literal: {type(value).__name__}")


class TokenKind(Enum):
    """What a piece of text is."""

    PLAIN = "plain"
    KEYWORD = "keyword"
    CONSTANT = "constant"
    FUNCTION = "function"
    DRAW = "draw"
    OPAQUE = "opaque"


Piece: TypeAlias = tuple[str, TokenKind]
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
_LOCAL = {"generator": "default_rng()", "legacy": "RandomState()", "python": "Random()", "scipy": "default_rng()"}
"""Those that have a generator of their own."""
_CONSUMING = frozenset(["list", "max", "min", "sum", "tuple"])
"""Functions that go through their one argument at once: of a generator as well as of a list."""


_AROUND: Mapping[str, tuple[str, str]] = {
    "numbers-in": (f"list(map(float, re.findall(r'{NUMBER}', ", ")))"),
    "set-of": ("set(", ")"),
    "frozenset-of": ("frozenset(", ")"),
    "words-in": (f"re.sub(r'{NUMBER}', '#', ", ")"),
}
"""What is written around an argument."""


def plain(text: str) -> Code:
    """Text of no special kind."""
    return ((text, TokenKind.PLAIN),)


def keyword(text: str) -> Code:
    """A keyword."""
    return ((text, TokenKind.KEYWORD),)


def opaque(node: ir.Opaque, writer: Writer) -> Code:
    """The name of a construct that is not understood, and the values that it is given."""
    given = [piece for one in node.operands for piece in (*plain(", "), *writer.expression(one))]
    return (
        (f"<{node.refusal.construct}>", TokenKind.OPAQUE),
        *((*plain("("), *given[1:], *plain(")")) if given else ()),
    )


def text_of(code: Code) -> str:
    """The text alone."""
    return "".join(text for text, _ in code)


def printed(expression: ir.Expression, text: Callable[[str], str] = repr) -> str:
    """The expression as Python text on one line; `text` quotes strings."""
    return text_of(Writer(None, lambda value: literal_code(value, text)).expression(expression))


class Writer:
    """Writes expressions.

    rng: the name of the program's generator parameter, None if there is none. literal: writes the constants.
    """

    def __init__(self, rng: str | None, literal: Callable[[Literal], str] = literal_code) -> None:
        self._rng = rng
        self._literal = literal
        self._writers: Mapping[type, Callable[[Any], tuple[Code, int]]] = {
            ir.Constant: lambda node: self._constant(node.value),
            ir.Name: lambda node: (plain(in_source(node.id)), _ATOM),
            ir.Binary: self._binary,
            ir.Unary: self._unary,
            ir.Compare: self._compare,
            ir.BoolOp: self._bool_op,
            ir.IfExp: self._if_exp,
            ir.ListDisplay: lambda node: (_joined("[", self._all(node.elements), "]"), _ATOM),
            ir.TupleDisplay: lambda node: (self._tuple(node), _ATOM),
            ir.DictDisplay: self._dict,
            ir.Comprehension: self._comprehension,
            ir.Slice: self._slice,
            ir.Subscript: self._subscript,
            ir.Call: self._call,
            ir.MethodCall: self._method,
            ir.CallFunction: self._call_function,
            ir.Draw: self._draw,
            ir.Opaque: lambda node: (opaque(node, self), _ATOM),
        }

    def expression(self, node: ir.Expression, binding: int = _TEST) -> Code:
        """The text of an expression, in parentheses where it binds less tightly than its surroundings."""
        code, own = self._writers[type(node)](node)
        return (*plain("("), *code, *plain(")")) if own < binding else code

    def target(self, node: ir.Target) -> Code:
        """The text of a target."""
        if isinstance(node, ir.Name):
            return plain(in_source(node.id))
        if isinstance(node, ir.ItemTarget):
            return (*plain(in_source(node.name.id)), *self._index(node.index))
        assert isinstance(node, ir.TupleTarget)
        inner = [
            _joined("(", [self.target(element)], ")") if isinstance(element, ir.TupleTarget) else self.target(element)
            for element in node.elements
        ]
        return _joined("", inner, "," if len(inner) == 1 else "")

    def _all(self, nodes: Iterable[ir.Expression]) -> list[Code]:
        return [self.expression(node) for node in nodes]

    def _named(self, parts: Iterable[tuple[str, ir.Expression]]) -> list[Code]:
        return [(*plain(f"{name}="), *self.expression(value)) for name, value in parts]

    def _constant(self, value: Literal) -> tuple[Code, int]:
        text = self._literal(value)
        return ((text, TokenKind.CONSTANT),), _UNARY if text.startswith("-") else _ATOM

    def _binary(self, node: ir.Binary) -> tuple[Code, int]:
        if (starred := _starred(node)) is not None:
            before, items = starred
            parts = [*self._all(before), (*plain("*"), *self.expression(items, _COMPARE + 1))]
            return _joined("[", parts, "]"), _ATOM
        own = _BINARY[node.operator]
        right_to_left = node.operator == "**"
        left = self.expression(node.left, own + right_to_left)
        right = self.expression(node.right, _UNARY if right_to_left else own + 1)
        operator = node.operator if right_to_left and len(left) == len(right) == 1 else f" {node.operator} "
        return (*left, *plain(operator), *right), own

    def _unary(self, node: ir.Unary) -> tuple[Code, int]:
        if node.operator == "not":
            return (*keyword("not "), *self.expression(node.operand, _NOT)), _NOT
        return (*plain(node.operator), *self.expression(node.operand, _UNARY)), _UNARY

    def _compare(self, node: ir.Compare) -> tuple[Code, int]:
        code = self.expression(node.left, _COMPARE + 1)
        for operator, comparator in zip(node.operators, node.comparators, strict=True):
            written = keyword if operator[0].isalpha() else plain
            code = (*code, *written(f" {operator} "), *self.expression(comparator, _COMPARE + 1))
        return code, _COMPARE

    def _bool_op(self, node: ir.BoolOp) -> tuple[Code, int]:
        own = _AND if node.operator == "and" else _OR
        code = self.expression(node.operands[0], own + 1)
        for operand in node.operands[1:]:
            code = (*code, *keyword(f" {node.operator} "), *self.expression(operand, own + 1))
        return code, own

    def _if_exp(self, node: ir.IfExp) -> tuple[Code, int]:
        body, test = self.expression(node.body, _OR), self.expression(node.test, _OR)
        return (*body, *keyword(" if "), *test, *keyword(" else "), *self.expression(node.orelse)), _TEST

    def _tuple(self, node: ir.TupleDisplay) -> Code:
        return _joined("(", self._all(node.elements), ",)" if len(node.elements) == 1 else ")")

    def _dict(self, node: ir.DictDisplay) -> tuple[Code, int]:
        entries = [
            (*self._constant(key)[0], *plain(": "), *self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return _joined("{", entries, "}"), _ATOM

    def _comprehension(self, node: ir.Comprehension) -> tuple[Code, int]:
        code = self._generator(node)
        if node.kind == "list":
            return _joined("[", [code], "]"), _ATOM
        return (((node.kind, TokenKind.FUNCTION)), *_joined("(", [code], ")")), _ATOM

    def _generator(self, node: ir.Comprehension) -> Code:
        return (*self.expression(node.element), *(piece for clause in node.clauses for piece in self._clause(clause)))

    def _clause(self, node: ir.Clause) -> Code:
        code = (*keyword(" for "), *self.target(node.target), *keyword(" in "), *self.expression(node.iterable, _OR))
        for condition in node.conditions:
            code = (*code, *keyword(" if "), *self.expression(condition, _OR))
        return code

    def _slice(self, node: ir.Slice) -> tuple[Code, int]:
        start, stop, step = (
            () if part is None else self.expression(part) for part in (node.start, node.stop, node.step)
        )
        return (*start, *plain(":"), *stop, *((*plain(":"), *step) if step else ())), _ATOM

    def _subscript(self, node: ir.Subscript) -> tuple[Code, int]:
        return (*self.expression(node.value, _ATOM), *self._index(node.index)), _ATOM

    def _index(self, node: ir.Expression) -> Code:
        several = isinstance(node, ir.TupleDisplay) and len(node.elements) > 1
        parts = self._all(node.elements) if several and isinstance(node, ir.TupleDisplay) else [self.expression(node)]
        return _joined("[", parts, "]")

    def _call(self, node: ir.Call) -> tuple[Code, int]:
        head, _, last = node.function.partition(".")
        if node.function == "f-string":
            return (*plain("f"), *self._f_string(node.arguments)), _ATOM
        if head == "attribute":
            return (*self._receiver(node.arguments[0]), *plain(f".{last}")), _ATOM
        if node.function == "type-name":
            inner = self.expression(node.arguments[0])
            return (("type", TokenKind.FUNCTION), *_joined("(", [inner], ")"), *plain(".__name__")), _ATOM
        if node.function in _AROUND:
            before, after = _AROUND[node.function]
            return (*plain(before), *self.expression(node.arguments[0]), *plain(after)), _ATOM
        if node.function in _CONSUMING and len(node.arguments) == 1 and not node.keywords:
            arguments = [self._consumed(node.arguments[0])]
        elif node.function == "isinstance":
            value, *types = node.arguments
            arguments = [self.expression(value), _types([_text(part) for part in types])]
        elif node.function == "record":
            name, _, entries = node.arguments
            assert isinstance(name, ir.Constant)
            assert isinstance(entries, ir.DictDisplay)
            fields = self._named(list(zip(map(str, entries.keys), entries.values, strict=True)))
            return ((str(name.value), TokenKind.FUNCTION), *_joined("(", fields, ")")), _ATOM
        elif node.function == "map":
            function, items = node.arguments
            arguments = [plain(_text(function)), self.expression(items)]
        else:
            arguments = [*self._all(node.arguments), *self._named(node.keywords)]
        return ((in_source(node.function), TokenKind.FUNCTION), *_joined("(", arguments, ")")), _ATOM

    def _consumed(self, node: ir.Expression) -> Code:
        listed = isinstance(node, ir.Comprehension) and node.kind == "list"
        return self._generator(node) if listed else self.expression(node)  # type: ignore[arg-type]

    def _f_string(self, parts: Sequence[ir.Expression]) -> Code:
        code: Code = ()
        for part in parts:
            if isinstance(part, ir.Constant) and isinstance(part.value, str):
                inner = repr(part.value)[1:-1].replace("{", "{{").replace("}", "}}").replace('"', '\\"')
                code = (*code, (inner, TokenKind.CONSTANT))
            else:
                code = (*code, *plain("{"), *self.expression(part), *plain("}"))
        return (('"', TokenKind.CONSTANT), *code, ('"', TokenKind.CONSTANT))

    def _method(self, node: ir.MethodCall) -> tuple[Code, int]:
        arguments = [*self._all(node.arguments), *self._named(node.keywords)]
        called = (*plain("."), (node.method, TokenKind.FUNCTION), *_joined("(", arguments, ")"))
        return (*self._receiver(node.receiver), *called), _ATOM

    def _receiver(self, node: ir.Expression) -> Code:
        code = self.expression(node, _ATOM)
        number = isinstance(node, ir.Constant) and isinstance(node.value, int | float)
        return _joined("(", [code], ")") if number else code

    def _call_function(self, node: ir.CallFunction) -> tuple[Code, int]:
        return ((in_source(node.function), TokenKind.FUNCTION), *_joined("(", self._named(node.arguments), ")")), _ATOM

    def _draw(self, node: ir.Draw) -> tuple[Code, int]:
        parameters = self._named(node.parameters)
        if node.size is not None:
            parameters += self._named([("size", node.size)])
        made_here = node.generator == "local" and self._rng is None
        name = f"{'rng' if made_here else source_of(node, self._rng)}.{node.distribution}"
        return ((name, TokenKind.DRAW), *_joined("(", parameters, ")")), _ATOM


def source_of(node: ir.Draw, rng: str | None) -> str:
    """Where a draw is made: the generator parameter, a module or its generator, or one that the mechanism makes."""
    if node.generator == "argument":
        return rng or "generator"
    return _LOCAL[node.family] if node.generator == "local" else node.generator


def _joined(before: str, parts: Sequence[Code], after: str) -> Code:
    code: Code = plain(before) if before else ()
    for position, part in enumerate(parts):
        code = (*code, *(plain(", ") if position else ()), *part)
    return (*code, *plain(after)) if after else code


def _starred(node: ir.Binary) -> tuple[Sequence[ir.Expression], ir.Expression] | None:
    """The parts of `[a, b] + list(items)`, which is `[a, b, *items]`."""
    match node:
        case ir.Binary("+", ir.ListDisplay(before), ir.Call("list", (items,), ())) if before:
            return before, items
    return None


def _text(node: ir.Expression) -> str:
    """The name that a constant holds: of a type, of a function, or of a generator."""
    assert isinstance(node, ir.Constant)
    return str(node.value)


def _types(names: Sequence[str]) -> Code:
    return plain(names[0] if len(names) == 1 else f"({', '.join(names)})")
