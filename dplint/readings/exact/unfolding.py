"""Comprehensions as loops, and calls of helper functions as statements of their own, so that paths are merged in them.

Between the statements of a loop it is known which variables may still be read, and paths that agree in these become
one. In the middle of an expression that is not known. What is evaluated first is the same as before: in front of what
is moved to a statement there are only names and constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

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


def _parts(node: Expression) -> Sequence[Expression]:
    """What is evaluated first, one after the other, and in any case."""
    match node:
        case Binary():
            return (node.left, node.right)
        case Unary():
            return (node.operand,)
        case Compare():
            return (node.left, node.comparators[0])
        case ListDisplay() | TupleDisplay():
            return node.elements
        case Subscript():
            return (node.value, node.index)
        case Call():
            return node.arguments
        case MethodCall():
            return (node.receiver, *node.arguments)
        case CallFunction():
            return tuple(argument for _, argument in node.arguments)
    return ()


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


def _replaced(node: Expression, old: Expression, new: Expression) -> Expression:
    """With another node in the place of one of those that `_first` goes through."""
    if node is old:
        return new
    match node:
        case Binary():
            return replace(node, left=_replaced(node.left, old, new), right=_replaced(node.right, old, new))
        case Unary():
            return replace(node, operand=_replaced(node.operand, old, new))
        case Compare():
            first, *others = node.comparators
            comparators = (_replaced(first, old, new), *others)
            return replace(node, left=_replaced(node.left, old, new), comparators=comparators)
        case ListDisplay() | TupleDisplay():
            return replace(node, elements=tuple(_replaced(one, old, new) for one in node.elements))
        case Subscript():
            return replace(node, value=_replaced(node.value, old, new), index=_replaced(node.index, old, new))
        case Call():
            return replace(node, arguments=tuple(_replaced(one, old, new) for one in node.arguments))
        case MethodCall():
            arguments = tuple(_replaced(one, old, new) for one in node.arguments)
            return replace(node, receiver=_replaced(node.receiver, old, new), arguments=arguments)
        case CallFunction():
            return replace(node, arguments=tuple((name, _replaced(one, old, new)) for name, one in node.arguments))
    return node
