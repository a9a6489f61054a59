"""Expressions that begin with statements, as a call that is read into its caller does, and how they are written out.

`Staged` stands in an expression while a statement is lowered, and nowhere afterwards: `written_out` puts what it does
in front of the statement. What Python evaluates before it then has a variable of its own, so that all happens in
Python's order; a comprehension, `and`, `or` and a conditional expression become the loops and branches that they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    AugAssign,
    BoolOp,
    Break,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Continue,
    DictDisplay,
    Expression,
    ExpressionStatement,
    For,
    If,
    IfExp,
    ItemTarget,
    ListDisplay,
    Name,
    Opaque,
    Raise,
    Return,
    Slice,
    Statement,
    Subscript,
    TupleDisplay,
    TupleTarget,
    Unary,
    Update,
    While,
)
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.walk import bound_names, children, is_node, walk

Fresh: TypeAlias = Callable[[str, Span], Name]
"""Makes a variable that the source does not have."""
_HINT = "call it on a line of its own, and give the result a name"


@dataclass(frozen=True, slots=True)
class Staged:
    """The statements, and then the value."""

    statements: tuple[Statement, ...]
    value: Expression
    span: Span


def staged(statements: tuple[Statement, ...], value: Expression, span: Span) -> Expression:
    """The value, after the statements."""
    return Staged(statements, value, span) if statements else value  # type: ignore[return-value]  # for a while


def is_staged(node: object) -> bool:
    """Whether there is such an expression in it."""
    return any(isinstance(one, Staged) for one in walk([node]))  # type: ignore[list-item]


def written_out(statements: Iterable[Statement], fresh: Fresh) -> tuple[Statement, ...]:
    """Statements without `Staged`. Raises UnsupportedConstruct where Python's order cannot be kept."""
    out = _WritingOut(fresh)
    return tuple(one for statement in statements for one in out.statement(statement))


class _WritingOut:
    def __init__(self, fresh: Fresh) -> None:
        self._fresh = fresh

    # statements

    def statement(self, node: Statement) -> tuple[Statement, ...]:
        """A statement with what comes before it."""
        if not is_staged(node):
            return (node,)
        match node:
            case If() | For() | While():
                return self._compound(node)
            case Assign():
                return self._assign(node)
            case AugAssign():
                return self._augmented(node)
            case Opaque():
                return (_stripped(node),)
            case Return() | ExpressionStatement():
                before, value = self._lifted(node.value)
                return *before, replace(node, value=value)
            case Raise() | Update():
                before, given = self._all(node.arguments)
                if isinstance(node, Update) and node.name.id in _rebound(before):
                    raise _refuse(node.span)
                return *before, replace(node, arguments=given)
        raise _refuse(node.span)

    def _compound(self, node: If | For | While) -> tuple[Statement, ...]:
        if isinstance(node, While):
            return (self._while(node),)
        body, orelse = self._block(node.body), self._block(node.orelse)
        if isinstance(node, If):
            before, test = self._tested(node.test)
            return *before, replace(node, test=test, body=body, orelse=orelse)
        if is_staged(node.target):
            raise _refuse(node.span)
        before, iterable = self._lifted(node.iterable)
        return *before, replace(node, iterable=iterable, body=body, orelse=orelse)

    def _block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple(one for statement in statements for one in self.statement(statement))

    def _while(self, node: While) -> Statement:
        before, test = self._tested(node.test)
        body, orelse = self._block(node.body), self._block(node.orelse)
        if not before:
            return replace(node, test=test, body=body, orelse=orelse)
        if any(isinstance(one, Break | Continue) for one in walk(orelse)):
            raise _refuse(node.span)  # of the loop around it
        out = If(Unary("not", test, test.span), (*orelse, Break(test.span)), (), test.span)
        return While(Constant(True, test.span), (*before, out, *body), (), node.span)

    def _assign(self, node: Assign) -> tuple[Statement, ...]:
        before, value = self._lifted(node.value)
        if not any(map(is_staged, node.targets)):
            return *before, replace(node, value=value)
        if len(node.targets) > 1 or not isinstance(node.targets[0], ItemTarget):
            raise _refuse(node.span)
        kept, saved = self._saved(value)
        target = node.targets[0]
        more, index = self._lifted(target.index)
        if target.name.id in _rebound(more):
            raise _refuse(node.span)
        return *before, *kept, *more, replace(node, targets=(replace(target, index=index),), value=saved)

    def _augmented(self, node: AugAssign) -> tuple[Statement, ...]:
        """Python looks at the target first: what comes before must not give it another value."""
        target, first = node.target, tuple[Statement, ...]()
        if isinstance(target, ItemTarget):
            before, index = self._lifted(target.index)
            kept, index = self._saved(index)
            looked_at = ExpressionStatement(Subscript(target.name, index, target.span), target.span)
            first, target = (*before, *kept, looked_at), replace(target, index=index)
        changed = target.name if isinstance(target, ItemTarget) else target
        before, value = self._lifted(node.value)
        if changed.id in _touched(before) | _touched(first):
            raise _refuse(node.span)
        return *first, *before, replace(node, target=target, value=value)

    # expressions

    def _lifted(self, node: Expression) -> tuple[tuple[Statement, ...], Expression]:
        """What comes before an expression, and what is left of it."""
        if not is_staged(node):
            return (), node
        match node:
            case Staged():
                before = self._block(node.statements)
                more, value = self._lifted(node.value)
                return (*before, *more), value
            case BoolOp():
                return self._bool_op(node)
            case IfExp():
                return self._if_exp(node)
            case Comprehension():
                return self._comprehension(node)
            case Opaque():
                return (), _stripped(node)
            case Compare() if any(map(is_staged, node.comparators[1:])):
                raise _refuse(node.span)
            case DictDisplay() if node.comprehension:
                raise _refuse(node.span)
        before, left = self._all(list(children(node)))  # type: ignore[arg-type]
        return before, rebuilt(node, left)

    def _all(self, nodes: Sequence[Expression]) -> tuple[tuple[Statement, ...], tuple[Expression, ...]]:
        """Expressions that are evaluated one after the other."""
        found = [self._lifted(node) for node in nodes]
        before: list[Statement] = []
        values: list[Expression] = []
        for number, (own, value) in enumerate(found):
            later = [one for more, _ in found[number + 1 :] for one in more]
            kept, left = self._kept(value, later) if later else ((), value)
            before += (*own, *kept)
            values.append(left)
        return tuple(before), tuple(values)

    def _kept(self, value: Expression, later: Sequence[Statement]) -> tuple[tuple[Statement, ...], Expression]:
        """A value that is not looked at until the statements have been executed."""
        match value:
            case Constant():
                return (), value
            case Name() if value.id not in _rebound(later):
                # A list that is changed in place meanwhile is the same list.
                return (), value
            case Slice() | TupleDisplay() if any(isinstance(one, Slice) for one in walk(value)):
                kept = [self._kept(one, later) for one in children(value)]  # type: ignore[arg-type]
                return tuple(one for more, _ in kept for one in more), rebuilt(value, [left for _, left in kept])
        return self._saved(value)

    def _saved(self, value: Expression) -> tuple[tuple[Statement, ...], Expression]:
        """A value under a name of its own."""
        if isinstance(value, Constant):
            return (), value
        name = self._fresh("value", value.span)
        return (Assign((name,), value, value.span),), name

    def _tested(self, node: Expression) -> tuple[tuple[Statement, ...], Expression]:
        """An expression of which only is asked whether it is true: no variable has to hold it."""
        if isinstance(node, Unary) and node.operator == "not":
            before, operand = self._tested(node.operand)
            return before, replace(node, operand=operand)
        return self._bool_op(node, tested=True) if isinstance(node, BoolOp) else self._lifted(node)

    def _bool_op(self, node: BoolOp, *, tested: bool = False) -> tuple[tuple[Statement, ...], Expression]:
        first, *others = node.operands
        before, value = self._lifted(first)
        if not any(map(is_staged, others)):
            return before, replace(node, operands=(value, *others))
        if tested:
            value = Call("bool", (value,), (), value.span)
        result = self._fresh("value", node.span)
        inner: tuple[Statement, ...] = ()
        for operand in reversed(others):
            more, last = self._lifted(operand)
            test: Expression = result if node.operator == "and" else Unary("not", result, node.span)
            inner = (If(test, (*more, Assign((result,), last, operand.span), *inner), (), node.span),)
        return (*before, Assign((result,), value, first.span), *inner), result

    def _if_exp(self, node: IfExp) -> tuple[tuple[Statement, ...], Expression]:
        before, test = self._lifted(node.test)
        if not is_staged(node.body) and not is_staged(node.orelse):
            return before, replace(node, test=test)
        result = self._fresh("value", node.span)
        sides = []
        for side in (node.body, node.orelse):
            more, value = self._lifted(side)
            sides.append((*more, Assign((result,), value, side.span)))
        return (*before, If(test, sides[0], sides[1], node.span)), result

    def _comprehension(self, node: Comprehension) -> tuple[tuple[Statement, ...], Expression]:
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
            start: Expression = ListDisplay((), node.span)
            body: tuple[Statement, ...] = (*more, Update(result, "append", (element,), node.span))
        else:
            found = node.kind == "any"
            start = Constant(not found, node.span)
            test = element if found else Unary("not", element, element.span)
            ends = (Assign((result,), Constant(found, node.span), node.span), Break(node.span))
            body = (*more, If(test, ends, (), node.span))
        for clause in reversed(rest.clauses):
            if is_staged(clause.target):
                raise _refuse(node.span)
            for condition in reversed(clause.conditions):
                more, test = self._lifted(condition)
                body = (*more, If(test, body, (), condition.span))
            more, iterable = self._lifted(clause.iterable)
            body = (*more, For(clause.target, iterable, body, (), node.span))
        # A copy, so that what is changed in place has no other name.
        given = Call("list", (result,), (), node.span) if node.kind == "list" else result
        return (*before, Assign((result,), start, node.span), *body), given


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


def _rebound(statements: Iterable[Statement]) -> frozenset[str]:
    """The names that are given another value, rather than changed in place."""
    found: set[str] = set()
    for one in walk(statements):
        targets = list(one.targets) if isinstance(one, Assign) else []
        # A number that is added to is another one; a list is not, and then two names for it are refused.
        targets += [one.target] if isinstance(one, For | AugAssign | Clause) else []
        while targets:
            target = targets.pop()
            if isinstance(target, TupleTarget):
                targets += target.elements
            elif isinstance(target, Name):
                found.add(target.id)
    return frozenset(found)


def _touched(statements: Iterable[Statement]) -> frozenset[str]:
    return bound_names(walk(statements))


def _refuse(span: Span) -> UnsupportedConstruct:
    return unsupported("a call that does more than give a value, in the midst of others", span, _HINT)
