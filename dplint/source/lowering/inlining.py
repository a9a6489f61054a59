"""The body of a function without `return`, to be read into its caller: what it gives is assigned to a variable.

What follows a branch that returns goes into the other branch; a loop that returns is left by `break`. Where neither is
enough, a flag says whether the function has returned. No statement is written twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    Break,
    Constant,
    Expression,
    For,
    If,
    Name,
    Raise,
    Return,
    Statement,
    Unary,
    While,
)
from dplint.program.refusals import unsupported
from dplint.program.walk import walk


def without_returns(body: tuple[Statement, ...], result: Name, done: Name) -> tuple[tuple[Statement, ...], Expression]:
    """The statements, and what the function gives once they have been executed.

    result, done: variables for what it gives, and for whether it has. Raises UnsupportedConstruct where a statement
    that returns is none that is known.
    """
    if not returns(body):
        return body, Constant(None, done.span)
    *before, last = body
    if isinstance(last, Return) and not returns(before):
        return tuple(before), last.value
    leaving = _Leaving(result, done)
    left = leaving.block(body, flagged=False, in_loop=False)
    start: list[Statement] = [] if ends(body) else [Assign((result,), Constant(None, done.span), done.span)]
    if leaving.uses_flag:
        start.append(Assign((done,), Constant(False, done.span), done.span))
    return (*start, *left), result


def returns(statements: Sequence[Statement]) -> bool:
    """Whether there is a `return` in them."""
    return any(isinstance(one, Return) for one in walk(statements))


def ends(statements: Sequence[Statement]) -> bool:
    """Whether no run goes on behind them, because each returns or raises."""
    return any(
        isinstance(one, Return | Raise) or (isinstance(one, If) and ends(one.body) and ends(one.orelse))
        for one in statements
    )


class _Leaving:
    def __init__(self, result: Name, done: Name) -> None:
        self._result, self._done = result, done
        self.uses_flag = False

    def block(self, statements: Sequence[Statement], *, flagged: bool, in_loop: bool) -> tuple[Statement, ...]:
        """flagged: what comes behind asks whether the function has returned. in_loop: it is left by `break`."""
        out: list[Statement] = []
        for number, node in enumerate(statements):
            if isinstance(node, Return):
                out.append(Assign((self._result,), node.value, node.span))
                out += [self._flag(node.span)] if flagged else []
                out += [Break(node.span)] if in_loop else []
                return tuple(out)
            if not returns([node]):
                out.append(node)
                continue
            rest = statements[number + 1 :]
            if isinstance(node, If) and not in_loop:
                out += self._if(node, rest, flagged=flagged)
                return tuple(out)
            if isinstance(node, If):
                sides = (self.block(side, flagged=flagged, in_loop=True) for side in (node.body, node.orelse))
                body, orelse = sides
                out.append(replace(node, body=body, orelse=orelse))
                continue
            out += self._loop(node, rest, flagged=flagged, in_loop=in_loop)
            if not in_loop:
                return tuple(out)
        return tuple(out)

    def _if(self, node: If, rest: Sequence[Statement], *, flagged: bool) -> tuple[Statement, ...]:
        """A branch in no loop, with what follows it."""
        if ends(node.body) or not rest:
            body = self.block(node.body, flagged=flagged, in_loop=False)
            return (replace(node, body=body, orelse=self.block((*node.orelse, *rest), flagged=flagged, in_loop=False)),)
        if ends(node.orelse):
            body = self.block((*node.body, *rest), flagged=flagged, in_loop=False)
            return (replace(node, body=body, orelse=self.block(node.orelse, flagged=flagged, in_loop=False)),)
        body, orelse = (self.block(side, flagged=True, in_loop=False) for side in (node.body, node.orelse))
        return replace(node, body=body, orelse=orelse), *self._unless_done(rest, node.span, flagged=flagged)

    def _loop(
        self, node: Statement, rest: Sequence[Statement], *, flagged: bool, in_loop: bool
    ) -> tuple[Statement, ...]:
        if not isinstance(node, For | While):
            raise unsupported("a return inside of this statement", node.span, "return behind it")
        body = self.block(node.body, flagged=True, in_loop=True)
        orelse = self.block(node.orelse, flagged=True, in_loop=in_loop)
        loop = replace(node, body=body, orelse=orelse)
        if in_loop:
            return loop, If(self._done, (Break(node.span),), (), node.span)
        return loop, *self._unless_done(rest, node.span, flagged=flagged)

    def _unless_done(self, rest: Sequence[Statement], span: Span, *, flagged: bool) -> tuple[Statement, ...]:
        if not rest:
            return ()
        left = self.block(rest, flagged=flagged, in_loop=False)
        return (If(Unary("not", self._done, span), left, (), span),)

    def _flag(self, span: Span) -> Statement:
        self.uses_flag = True
        return Assign((self._done,), Constant(True, span), span)
