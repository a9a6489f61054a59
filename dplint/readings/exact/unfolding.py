"""Comprehensions as loops, and calls of helper functions as statements of their own, so that paths are merged in them.

Between the statements of a loop it is known which variables may still be read, and paths that agree in these become
one. In the middle of an expression that is not known. What is evaluated first is the same as before: in front of what
is moved to a statement there are only names and constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Binary,
    Call,
    CallFunction,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Expression,
    ExpressionStatement,
    For,
    If,
    ListDisplay,
    MethodCall,
    Name,
    Node,
    Program,
    Return,
    Statement,
    Subscript,
    TupleDisplay,
    Unary,
    Update,
    While,
)
from dplint.program.walk import mentions

_Moved: TypeAlias = "Comprehension | CallFunction"


def unfolded(program: Program) -> Program:
    """A program that does the same."""
    names = _Names()
    functions = tuple(replace(function, body=tuple(names.block(function.body))) for function in program.functions)
    return replace(program, body=tuple(names.block(program.body)), functions=functions)


class _Names:
    """Gives new variables their names, which no source can have."""

    def __init__(self) -> None:
        self._count = itertools.count(1)

    def block(self, statements: Sequence[Statement]) -> Iterator[Statement]:
        """The statements, with those that are moved in front of them."""
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, node: Statement) -> Iterator[Statement]:
        match node:
            case If():
                before, test = self._moved(node.test)
                yield from before
                body, orelse = tuple(self.block(node.body)), tuple(self.block(node.orelse))
                yield replace(node, test=test, body=body, orelse=orelse)
            case For():
                before, iterable = self._moved(node.iterable)
                yield from before
                body, orelse = tuple(self.block(node.body)), tuple(self.block(node.orelse))
                yield replace(node, iterable=iterable, body=body, orelse=orelse)
            case While():
                yield replace(node, body=tuple(self.block(node.body)), orelse=tuple(self.block(node.orelse)))
            case Assign(targets=(Name() as target,), value=Comprehension(kind="list") as value) if not mentions(
                value, target.id
            ):
                yield from self._loops(value, target)
            case Assign() | Return() | ExpressionStatement() | AugAssign(target=Name()):
                before, rest = self._moved(node.value)
                yield from before
                yield replace(node, value=rest)
            case Update():
                moved = TupleDisplay(node.arguments, node.span)
                before, arguments = self._moved(moved)
                assert isinstance(arguments, TupleDisplay)
                yield from before
                yield replace(node, arguments=arguments.elements)
            case _:
                yield node

    def _moved(self, whole: Expression) -> tuple[list[Statement], Expression]:
        """Statements, and what is left of an expression. A call that is all of it stays: hooks are called in it."""
        before: list[Statement] = []
        rest: Expression = whole
        while True:
            found = None if isinstance(rest, CallFunction) else _first(rest)
            if found is None:
                return before, rest
            name = Name(f"<{next(self._count)}>", found.span)
            if isinstance(found, Comprehension):
                before.extend(self._loops(found, name))
            else:
                before.extend(self._statement(Assign((name,), found, found.span)))
            rest = _replaced(rest, found, name)

    def _loops(self, node: Comprehension, target: Name) -> Iterator[Statement]:
        """An empty list, and the loops that fill it."""
        yield Assign((target,), ListDisplay((), node.span), node.span)
        body: Statement = Update(target, "append", (node.element,), node.span)
        for clause in reversed(node.clauses):
            body = _loop(clause, body, node)
        yield from self._statement(body)


def _loop(clause: Clause, body: Statement, node: Comprehension) -> Statement:
    for test in reversed(clause.conditions):
        body = If(test, (body,), (), node.span)
    return For(clause.target, clause.iterable, (body,), (), node.span)


_EVALUATED: Mapping[type[Node], tuple[str, ...]] = {
    Binary: ("left", "right"),
    Unary: ("operand",),
    Compare: ("left", "comparators"),
    ListDisplay: ("elements",),
    TupleDisplay: ("elements",),
    Subscript: ("value", "index"),
    Call: ("arguments",),
    MethodCall: ("receiver", "arguments"),
    CallFunction: ("arguments",),
}
"""The parts of an expression that are evaluated first, one after the other."""


def _parts(node: Expression) -> Sequence[Expression]:
    """What is evaluated first, one after the other, and in any case."""
    if isinstance(node, Compare):
        return (node.left, node.comparators[0])
    return [part for name in _EVALUATED.get(type(node), ()) for part in _expressions(getattr(node, name))]


def _expressions(value: Any) -> list[Expression]:
    """Those of a field: one, several, or several with names."""
    if isinstance(value, tuple):
        return [one for part in value for one in _expressions(part)]
    return [] if isinstance(value, str) else [value]


def _first(node: Expression) -> _Moved | None:
    """The comprehension or call that is evaluated before all but names and constants."""
    if isinstance(node, Comprehension):
        return node if node.kind == "list" else None
    for part in _parts(node):
        found = _first(part)
        if found is not None:
            return found
        if not isinstance(part, Name | Constant):
            return None
    return node if isinstance(node, CallFunction) else None


def _replaced(value: Any, old: Expression, new: Expression) -> Any:
    """With another node in the place of one of those that `_first` goes through."""
    if value is old:
        return new
    if isinstance(value, tuple):
        return tuple([_replaced(part, old, new) for part in value])
    names = _EVALUATED.get(type(value), ())
    return replace(value, **{name: _replaced(getattr(value, name), old, new) for name in names}) if names else value
