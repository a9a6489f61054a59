"""Comprehensions as loops, and calls of helper functions as statements of their own, so that paths are merged in them.

Between the statements of a loop it is known which variables may still be read, and paths that agree in these become
one. In the middle of an expression that is not known. What is evaluated first is the same as before: in front of what
is moved to a statement there are only names and constants.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from dplint.program import nodes as ir
from dplint.program.walk import bound_names, mentions

_Moved: TypeAlias = "ir.Comprehension | ir.CallFunction"


def unfolded(program: ir.Program) -> ir.Program:
    """A program that does the same."""
    names = _Names()
    functions = tuple(
        replace(function, body=tuple(names.block(function.body, function.parameters))) for function in program.functions
    )
    return replace(program, body=tuple(names.block(program.body, program.parameters)), functions=functions)


class _Names:
    """Gives new variables their names, which no source can have."""

    def __init__(self) -> None:
        self._count = itertools.count(1)
        self._bound: set[str] = set()

    def block(self, statements: Sequence[ir.Statement], bound: Iterable[str] = ()) -> Iterator[ir.Statement]:
        """The statements, with those that are moved in front of them. bound: names that have a value at the start."""
        outside, self._bound = self._bound, self._bound.union(bound)
        for statement in statements:
            yield from self._statement(statement)
            if isinstance(statement, ir.Assign):
                self._bound |= bound_names((statement,))
        self._bound = outside

    def _statement(self, node: ir.Statement) -> Iterator[ir.Statement]:
        match node:
            case ir.If():
                before, test = self._moved(node.test)
                yield from before
                body, orelse = tuple(self.block(node.body)), tuple(self.block(node.orelse))
                yield replace(node, test=test, body=body, orelse=orelse)
            case ir.For():
                before, iterable = self._moved(node.iterable)
                yield from before
                body, orelse = tuple(self.block(node.body, bound_names((node,)))), tuple(self.block(node.orelse))
                yield replace(node, iterable=iterable, body=body, orelse=orelse)
            case ir.While():
                yield replace(node, body=tuple(self.block(node.body)), orelse=tuple(self.block(node.orelse)))
            case ir.Assign(targets=(ir.Name() as target,), value=ir.Comprehension(kind="list") as value) if (
                not mentions(value, target.id)
            ):
                yield from self._loops(value, target)
            case ir.Assign() | ir.Return() | ir.ExpressionStatement() | ir.AugAssign(target=ir.Name()):
                before, rest = self._moved(node.value)
                yield from before
                yield replace(node, value=rest)
            case ir.Update():
                moved = ir.TupleDisplay(node.arguments, node.span)
                before, arguments = self._moved(moved, node.name)
                assert isinstance(arguments, ir.TupleDisplay)
                yield from before
                yield replace(node, arguments=arguments.elements)
            case _:
                yield node

    def _moved(self, whole: ir.Expression, receiver: ir.Name | None = None) -> tuple[list[ir.Statement], ir.Expression]:
        """Statements, and what is left of an expression. A call that is all of it stays: hooks are called in it.

        receiver: a name that is evaluated before. A name that may have no value is evaluated first as it was: where it
        raises, nothing that is moved has been drawn.
        """
        before: list[ir.Statement] = []
        rest: ir.Expression = whole
        while True:
            passed: list[ir.Name] = [receiver] if receiver else []
            moved = None if isinstance(rest, ir.CallFunction) else _first(rest, passed)
            if moved is None:
                return before, rest
            before.extend(ir.ExpressionStatement(name, name.span) for name in passed if name.id not in self._bound)
            name = ir.Name(f"<{next(self._count)}>", moved.span)
            self._bound.add(name.id)
            if isinstance(moved, ir.Comprehension):
                before.extend(self._loops(moved, name))
            else:
                before.extend(self._statement(ir.Assign((name,), moved, moved.span)))
            rest = _replaced(rest, moved, name)

    def _loops(self, node: ir.Comprehension, target: ir.Name) -> Iterator[ir.Statement]:
        """An empty list, and the loops that fill it."""
        yield ir.Assign((target,), ir.ListDisplay((), node.span), node.span)
        body: ir.Statement = ir.Update(target, "append", (node.element,), node.span)
        for clause in reversed(node.clauses):
            body = _loop(clause, body, node)
        yield from self._statement(body)


def _loop(clause: ir.Clause, body: ir.Statement, node: ir.Comprehension) -> ir.Statement:
    for test in reversed(clause.conditions):
        body = ir.If(test, (body,), (), node.span)
    return ir.For(clause.target, clause.iterable, (body,), (), node.span)


_EVALUATED: Mapping[type[ir.Node], tuple[str, ...]] = {
    ir.Binary: ("left", "right"),
    ir.Unary: ("operand",),
    ir.Compare: ("left", "comparators"),
    ir.ListDisplay: ("elements",),
    ir.TupleDisplay: ("elements",),
    ir.Subscript: ("value", "index"),
    ir.Call: ("arguments",),
    ir.MethodCall: ("receiver", "arguments"),
    ir.CallFunction: ("arguments",),
}
"""The parts of an expression that are evaluated first, one after the other."""


def _parts(node: ir.Expression) -> Sequence[ir.Expression]:
    """What is evaluated first, one after the other, and in any case."""
    if isinstance(node, ir.Compare):
        return (node.left, node.comparators[0])
    return [part for name in _EVALUATED.get(type(node), ()) for part in _expressions(getattr(node, name))]


def _expressions(value: Any) -> list[ir.Expression]:
    """Those of a field: one, several, or several with names."""
    if isinstance(value, tuple):
        return [one for part in value for one in _expressions(part)]
    return [] if isinstance(value, str) else [value]


def _first(node: ir.Expression, passed: list[ir.Name]) -> _Moved | None:
    """The comprehension or call that is evaluated before all but names and constants. passed: gets these names."""
    if isinstance(node, ir.Comprehension):
        return node if node.kind == "list" else None
    for part in _parts(node):
        moved = _first(part, passed)
        if moved is not None:
            return moved
        if isinstance(part, ir.Name):
            passed.append(part)
        elif not isinstance(part, ir.Constant):
            return None
    return node if isinstance(node, ir.CallFunction) else None


def _replaced(value: Any, old: ir.Expression, new: ir.Expression) -> Any:
    """With another node in the place of one of those that `_first` goes through."""
    if value is old:
        return new
    if isinstance(value, tuple):
        return tuple([_replaced(part, old, new) for part in value])
    names = _EVALUATED.get(type(value), ())
    return replace(value, **{name: _replaced(getattr(value, name), old, new) for name in names}) if names else value
