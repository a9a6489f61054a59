"""What of a program is not understood, and whether a run can go around it.

A lowered program holds an `Opaque` wherever Python says something that no evaluator knows. The evaluator refuses the
runs that come to one. So what stands behind a `return`, in the branch of a constant test, or in a helper function that
nobody calls, is no obstacle; and what stands in a branch is one only to arguments that lead into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dplint.program.nodes import (
    Assign,
    BoolOp,
    Break,
    CallFunction,
    Comprehension,
    Constant,
    Continue,
    Expression,
    For,
    If,
    IfExp,
    Node,
    Opaque,
    Program,
    Raise,
    Return,
    Statement,
    Unary,
    While,
)
from dplint.program.refusals import Unsupported
from dplint.program.walk import children


def opaque(refusal: Unsupported) -> Opaque:
    """What stands in for a construct of which nothing else is known."""
    return Opaque(refusal, (), (), False, refusal.span)


def refusals(program: Program) -> tuple[Unsupported, ...]:
    """What stands in the way of runs that come to it, each once, in the order of the source.

    What can never be reached is not among it, nor what is refused only because something else is.
    """
    reached = _Search(program, certain=False).block(program.body)
    found = dict.fromkeys(node.refusal for node in reached if not node.follows)
    return tuple(sorted(found, key=lambda refusal: refusal.span))


def obstacle(program: Program) -> Unsupported | None:
    """The first of `refusals`, if every run comes to one of them; None if some arguments may lead around all.

    A heuristic, for whether it is worth while to begin: loops are taken to have a turn, and runs not to end early. None
    of the evaluators relies on it.
    """
    if next(_Search(program, certain=True).block(program.body), None) is None:
        return None
    return next(iter(refusals(program)), None)


def runnable(program: Program) -> Program | Unsupported:
    """The program, or what stops every run of it; see `obstacle`."""
    return obstacle(program) or program


class _Search:
    """Goes through what can be reached. certain: only through what no branch goes around."""

    def __init__(self, program: Program, *, certain: bool) -> None:
        self._functions = {function.name: function for function in program.functions}
        self._certain = certain
        self._called: set[str] = set()

    def block(self, statements: Sequence[Statement]) -> Iterator[Opaque]:
        """The nodes that are not understood, inner ones after those around them."""
        for statement in statements:
            yield from self._statement(statement)
            if _ends(statement):
                return

    def _statement(self, node: Statement) -> Iterator[Opaque]:
        if isinstance(node, If):
            yield from self._expression(node.test)
            known = _truth(node.test)
            if known is None:
                yield from self._either(self.block(node.body), self.block(node.orelse))
            else:
                yield from self.block(node.body if known else node.orelse)
        elif isinstance(node, For | While):
            yield from self._loop(node)
        elif isinstance(node, Opaque):
            yield from self._opaque(node)
        elif isinstance(node, Assign):
            yield from self._expression(node.value)
            yield from self._all(node.targets)
        else:
            yield from self._all(children(node))

    def _loop(self, node: For | While) -> Iterator[Opaque]:
        if isinstance(node, For):
            yield from self._expression(node.target)
        yield from self._expression(node.iterable if isinstance(node, For) else node.test)
        if not (isinstance(node, While) and _truth(node.test) is False):
            yield from self.block(node.body)
        if not self._certain:
            yield from self.block(node.orelse)

    def _opaque(self, node: Opaque) -> Iterator[Opaque]:
        yield node
        yield from self._all(node.operands)
        for body in node.bodies:
            yield from self.block(body)

    def _all(self, nodes: Iterable[Node]) -> Iterator[Opaque]:
        for node in nodes:
            yield from self._expression(node)

    def _expression(self, node: Node) -> Iterator[Opaque]:
        if isinstance(node, Opaque):
            yield from self._opaque(node)
        elif isinstance(node, IfExp):
            yield from self._expression(node.test)
            yield from self._either(self._expression(node.body), self._expression(node.orelse))
        elif isinstance(node, BoolOp) and self._certain:
            yield from self._expression(node.operands[0])
        elif isinstance(node, Comprehension) and self._certain:
            yield from self._expression(node.clauses[0].iterable)
            if not any(clause.conditions for clause in node.clauses):
                yield from self._expression(node.element)
        else:
            yield from self._all(children(node))
            if isinstance(node, CallFunction) and node.function not in self._called:
                self._called.add(node.function)
                yield from self.block(self._functions[node.function].body)

    def _either(self, first: Iterator[Opaque], second: Iterator[Opaque]) -> Iterator[Opaque]:
        """What is on two sides, of which a run takes one."""
        if not self._certain:
            yield from first
            yield from second
            return
        one, other = next(first, None), next(second, None)
        if one is not None and other is not None:
            yield one


def _ends(node: Statement) -> bool:
    """Whether no run goes on to the next statement."""
    if isinstance(node, If):
        known = _truth(node.test)
        sides = [node.body, node.orelse] if known is None else [node.body if known else node.orelse]
        return all(any(map(_ends, side)) for side in sides)
    return isinstance(node, Return | Raise | Break | Continue)


def _truth(test: Expression) -> bool | None:
    """What a test comes to, if that is written in the source; None if it is not."""
    if isinstance(test, Constant):
        return bool(test.value)
    if isinstance(test, Unary) and test.operator == "not":
        known = _truth(test.operand)
        return None if known is None else not known
    if isinstance(test, BoolOp):
        first = _truth(test.operands[0])
        if first is (test.operator == "or"):
            return first
    return None
