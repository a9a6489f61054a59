"""Expressions that begin with statements, as a call that is read into its caller does, and how they are written out.

`Staged` stands in an expression while a statement is lowered, and nowhere afterwards: `written_out` puts what it does
in front of the statement. What Python evaluates before it then has a variable of its own, so that all happens in
Python's order; a comprehension becomes the loop that it is. What runs may pass by, behind `and` or in a conditional
expression, and the test of a `while` loop, hold no such expression.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.walk import bound_names, children, is_node, walk

Fresh: TypeAlias = Callable[[str, Span], ir.Name]
"""Makes a variable that the source does not have."""
_HINT = "call it on a line of its own, and give the result a name"


@dataclass(frozen=True, slots=True)
class Staged:
    """The statements, and then the value."""

    statements: tuple[ir.Statement, ...]
    value: ir.Expression
    span: Span


def staged(statements: tuple[ir.Statement, ...], value: ir.Expression, span: Span) -> ir.Expression:
    """The value, after the statements."""
    return Staged(statements, value, span) if statements else value  # type: ignore[return-value]  # for a while


def is_staged(node: object) -> bool:
    """Whether there is such an expression in it."""
    return any(isinstance(one, Staged) for one in walk([node]))  # type: ignore[list-item]


def written_out(
    statements: Iterable[ir.Statement], fresh: Fresh, assigned: Collection[str]
) -> tuple[ir.Statement, ...]:
    """Statements without `Staged`. Raises UnsupportedConstruct where Python's order cannot be kept.

    assigned: names of the source that certainly have a value there. Another one may raise, which it then does before
    what is written in front of the statement.
    """
    out = _WritingOut(fresh, assigned)
    return tuple(one for statement in statements for one in out.statement(statement))


class _WritingOut:
    def __init__(self, fresh: Fresh, assigned: Collection[str]) -> None:
        self._fresh = fresh
        self._assigned = assigned

    # statements

    def statement(self, node: ir.Statement) -> tuple[ir.Statement, ...]:
        """A statement with what comes before it."""
        if not is_staged(node):
            return (node,)
        match node:
            case ir.If() | ir.For():
                return self._compound(node)
            case ir.Assign():
                return self._assign(node)
            case ir.AugAssign():
                return self._augmented(node)
            case ir.Opaque():
                return (_stripped(node),)
            case ir.Return() | ir.ExpressionStatement():
                before, value = self._lifted(node.value)
                return *before, replace(node, value=value)
            case ir.Raise() | ir.Update():
                before, given = self._all(node.arguments)
                if isinstance(node, ir.Update) and node.name.id in _rebound(before):
                    raise _refuse(node.span)
                first = self._looked_at(node.name) if isinstance(node, ir.Update) and before else ()
                return *first, *before, replace(node, arguments=given)
        raise _refuse(node.span)

    def _compound(self, node: ir.If | ir.For) -> tuple[ir.Statement, ...]:
        body, orelse = self._block(node.body), self._block(node.orelse)
        if isinstance(node, ir.If):
            before, test = self._lifted(node.test)
            return *before, replace(node, test=test, body=body, orelse=orelse)
        if is_staged(node.target):
            raise _refuse(node.span)
        before, iterable = self._lifted(node.iterable)
        return *before, replace(node, iterable=iterable, body=body, orelse=orelse)

    def _block(self, statements: Sequence[ir.Statement]) -> tuple[ir.Statement, ...]:
        return tuple(one for statement in statements for one in self.statement(statement))

    def _assign(self, node: ir.Assign) -> tuple[ir.Statement, ...]:
        before, value = self._lifted(node.value)
        if any(map(is_staged, node.targets)):
            raise _refuse(node.span)
        return *before, replace(node, value=value)

    def _augmented(self, node: ir.AugAssign) -> tuple[ir.Statement, ...]:
        """Python looks at the target first: what comes before must not give it another value."""
        target, first = node.target, tuple[ir.Statement, ...]()
        if isinstance(target, ir.ItemTarget):
            before, index = self._lifted(target.index)
            kept, index = self._saved(index)
            looked_at = ir.ExpressionStatement(ir.Subscript(target.name, index, target.span), target.span)
            first, target = (*before, *kept, looked_at), replace(target, index=index)
        changed = target.name if isinstance(target, ir.ItemTarget) else target
        before, value = self._lifted(node.value)
        if changed.id in _touched(before) | _touched(first):
            raise _refuse(node.span)
        return *first, *before, replace(node, target=target, value=value)

    # expressions

    def _lifted(self, node: ir.Expression) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
        """What comes before an expression, and what is left of it."""
        if not is_staged(node):
            return (), node
        match node:
            case Staged():
                before = self._block(node.statements)
                more, value = self._lifted(node.value)
                return (*before, *more), value
            case ir.BoolOp() if any(map(is_staged, node.operands[1:])):
                raise _refuse(node.span)
            case ir.IfExp() if is_staged(node.body) or is_staged(node.orelse):
                raise _refuse(node.span)
            case ir.Comprehension():
                return self._comprehension(node)
            case ir.Opaque():
                return (), _stripped(node)
            case ir.Compare() if any(map(is_staged, node.comparators[1:])):
                raise _refuse(node.span)
            case ir.DictDisplay() if node.comprehension:
                raise _refuse(node.span)
        before, left = self._all(list(children(node)))  # type: ignore[arg-type]
        return before, rebuilt(node, left)

    def _all(self, nodes: Sequence[ir.Expression]) -> tuple[tuple[ir.Statement, ...], tuple[ir.Expression, ...]]:
        """Expressions that are evaluated one after the other."""
        found = [self._lifted(node) for node in nodes]
        before: list[ir.Statement] = []
        values: list[ir.Expression] = []
        for number, (own, value) in enumerate(found):
            later = [one for more, _ in found[number + 1 :] for one in more]
            kept, left = self._kept(value, later) if later else ((), value)
            before += (*own, *kept)
            values.append(left)
        return tuple(before), tuple(values)

    def _kept(
        self, value: ir.Expression, later: Sequence[ir.Statement]
    ) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
        """A value that is not looked at until the statements have been executed."""
        match value:
            case ir.Constant():
                return (), value
            case ir.Name() if value.id not in _rebound(later):
                # A list that is changed in place meanwhile is the same list.
                return self._looked_at(value), value
            case ir.Slice() | ir.TupleDisplay() if any(isinstance(one, ir.Slice) for one in walk(value)):
                kept = [self._kept(one, later) for one in children(value)]  # type: ignore[arg-type]
                return tuple(one for more, _ in kept for one in more), rebuilt(value, [left for _, left in kept])
        return self._saved(value)

    def _looked_at(self, name: ir.Name) -> tuple[ir.Statement, ...]:
        """What raises where a name has no value; nothing where it has one."""
        sure = name.id in self._assigned or not name.id.isidentifier()
        return () if sure else (ir.ExpressionStatement(name, name.span),)

    def _saved(self, value: ir.Expression) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
        """A value under a name of its own."""
        if isinstance(value, ir.Constant):
            return (), value
        name = self._fresh("value", value.span)
        return (ir.Assign((name,), value, value.span),), name

    def _comprehension(self, node: ir.Comprehension) -> tuple[tuple[ir.Statement, ...], ir.Expression]:
        first, *others = node.clauses
        before, iterable = self._lifted(first.iterable)
        rest = replace(node, clauses=(replace(first, iterable=iterable), *others))
        if not is_staged(rest):
            return before, rest
        if node.kind != "list" and others:
            raise _refuse(node.span)
        result = self._fresh("values", node.span)
        more, element = self._lifted(node.element)
        if node.kind == "list":
            start: ir.Expression = ir.ListDisplay((), node.span)
            body: tuple[ir.Statement, ...] = (*more, ir.Update(result, "append", (element,), node.span))
        else:
            found = node.kind == "any"
            start = ir.Constant(not found, node.span)
            test = element if found else ir.Unary("not", element, element.span)
            ends = (ir.Assign((result,), ir.Constant(found, node.span), node.span), ir.Break(node.span))
            body = (*more, ir.If(test, ends, (), node.span))
        for clause in reversed(rest.clauses):
            if is_staged(clause.target):
                raise _refuse(node.span)
            for condition in reversed(clause.conditions):
                more, test = self._lifted(condition)
                body = (*more, ir.If(test, body, (), condition.span))
            more, iterable = self._lifted(clause.iterable)
            body = (*more, ir.For(clause.target, iterable, body, (), node.span))
        # A copy, so that what is changed in place has no other name.
        given = ir.Call("list", (result,), (), node.span) if node.kind == "list" else result
        return (*before, ir.Assign((result,), start, node.span), *body), given


def rebuilt(node: Any, parts: Sequence[object]) -> Any:
    """The node with other children, in the order of `walk.children`."""
    left = iter(parts)

    def of(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(of(one) for one in value)
        return next(left) if is_node(type(value)) else value  # type: ignore[arg-type]  # as in `walk`

    return replace(node, **{one.name: of(getattr(node, one.name)) for one in fields(node) if one.name != "span"})


def _stripped(node: Any) -> Any:
    """An opaque node, of which nothing is executed, with values for what would begin with statements."""
    if isinstance(node, Staged):
        return _stripped(node.value)
    if not is_staged(node):
        return node
    return rebuilt(node, [_stripped(one) for one in children(node)])


def _rebound(statements: Iterable[ir.Statement]) -> frozenset[str]:
    """The names that are given another value, rather than changed in place."""
    found: set[str] = set()
    for one in walk(statements):
        targets = list(one.targets) if isinstance(one, ir.Assign) else []
        # A number that is added to is another one; a list is not, and then two names for it are refused.
        targets += [one.target] if isinstance(one, ir.For | ir.AugAssign | ir.Clause) else []
        while targets:
            target = targets.pop()
            if isinstance(target, ir.TupleTarget):
                targets += target.elements
            elif isinstance(target, ir.Name):
                found.add(target.id)
    return frozenset(found)


def _touched(statements: Iterable[ir.Statement]) -> frozenset[str]:
    return bound_names(walk(statements))


def _refuse(span: Span) -> UnsupportedConstruct:
    return unsupported("a call that does more than give a value, in the midst of others", span, _HINT)
