"""Which variables may still be read: liveness, by walking backwards through structured control flow.

The classical backwards may-analysis (Aho, Lam, Sethi, Ullman, Compilers, 2nd ed., 9.2.5), statement by statement and
with a least fixed point for each loop. A variable is live at a place if some way from there reads it before it is
assigned as a whole. Ways are those of the control flow alone: every test may come out either way (but not that of a
`while True`), every loop may take any number of turns. So what is not live is never read; not all that is live is.

A change in place, `xs.append(y)`, `xs[i] = y` or `x += y`, reads the variable and assigns it. An exception ends the
mechanism, so it reads nothing more; in a `try`, it may lead from anywhere to the handlers. The names that a
comprehension binds are its own, and never live between statements. Every function has its own variables; a call reads
those of the caller that are in its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dplint.program import nodes as ir
from dplint.program.building import NOWHERE
from dplint.program.walk import children

Names = frozenset[str]
_NONE: Names = frozenset()
_JUMPS = (ir.Break, ir.Continue, ir.Return, ir.Raise)


def liveness_of(program: ir.Program) -> Liveness:
    """The live variables at every place of a program, helper functions included."""
    liveness = Liveness(program)
    for body in (program.body, *(function.body for function in program.functions)):
        liveness.add(body)
    return liveness


def live_before(body: Sequence[ir.Statement]) -> Names:
    """The names that statements may read before they assign them, in the turn of the loop that they may stand in."""
    return Liveness(ir.Program("", (), tuple(body), None, None, (), frozenset(), NOWHERE)).before(body)


@dataclass(slots=True)
class _Loop:
    """The names that are live where `continue` and where `break` lead to."""

    head: Names
    exit: Names


@dataclass(slots=True)
class Liveness:
    """Live variables by place. Statements and calls are those of `program`, told apart by identity."""

    program: ir.Program
    _after: dict[int, Names] = field(default_factory=dict)
    _entering: dict[int, Names] = field(default_factory=dict)
    _across: dict[int, Names] = field(default_factory=dict)

    def after(self, statement: ir.Statement) -> Names:
        """What the runs that go on behind a statement may read; of the function that it stands in."""
        return self._after[id(statement)]

    def entering(self, node: ir.For | ir.While) -> Names:
        """What the runs at the head of a loop may read: before its test, or once it has its iterable."""
        return self._entering[id(node)]

    def across(self, call: ir.CallFunction) -> Names | None:
        """What the caller may read once the call has returned, apart from its result.

        None where the call is a part of a larger expression: then the caller holds values that are in no variable.
        """
        return self._across.get(id(call))

    def add(self, body: Sequence[ir.Statement]) -> None:
        """Take in the body of a function."""
        self._block(body, _NONE, None)

    def before(self, body: Sequence[ir.Statement]) -> Names:
        """What is live before the body of a function."""
        return self._block(body, _NONE, None)

    def _block(self, statements: Sequence[ir.Statement], after: Names, loop: _Loop | None) -> Names:
        """What is live before the statements; the same place may be come by several times, each time with more."""
        for statement in reversed(statements):
            _more(self._after, statement, _NONE if isinstance(statement, _JUMPS) else after)
            after = self._statement(statement, after, loop)
        return after

    def _statement(self, node: ir.Statement, after: Names, loop: _Loop | None) -> Names:
        """What is live before a statement."""
        match node:
            case ir.Assign():
                for target in reversed(node.targets):
                    after = _before_binding(target, after)
                return self._evaluated(node.value, after)
            case ir.If():
                sides = self._block(node.body, after, loop) | self._block(node.orelse, after, loop)
                return self._evaluated(node.test, sides)
            case ir.For():
                return self._evaluated(node.iterable, self._for(node, after, loop))
            case ir.While():
                return self._while(node, after, loop)
            case ir.Return():
                return self._evaluated(node.value, _NONE)
            case ir.ExpressionStatement():
                return self._evaluated(node.value, after)
        return reads(node) | _next(node, after, loop)

    def _for(self, node: ir.For, after: Names, outer: _Loop | None) -> Names:
        done = self._block(node.orelse, after, outer)
        head = done
        while True:
            body = self._block(node.body, head, _Loop(head, after))
            more = done | _before_binding(node.target, body)
            if more == head:
                _more(self._entering, node, head)
                return head
            head = more

    def _while(self, node: ir.While, after: Names, outer: _Loop | None) -> Names:
        done = self._block(node.orelse, after, outer)
        if isinstance(node.test, ir.Constant) and node.test.value:
            done = _NONE
        head = self._evaluated(node.test, done)
        while True:
            body = self._block(node.body, head, _Loop(head, after))
            more = self._evaluated(node.test, done | body)
            if more == head:
                _more(self._entering, node, head)
                return head
            head = more

    def _evaluated(self, whole: ir.Expression, after: Names) -> Names:
        """What is live before a statement evaluates an expression, and nothing else until it has its value."""
        if isinstance(whole, ir.CallFunction):
            _more(self._across, whole, after)
        return after | reads(whole)


def _next(node: ir.Statement, after: Names, loop: _Loop | None) -> Names:
    """What is live where a simple statement leads to."""
    if isinstance(node, ir.Break | ir.Continue):
        if loop is None:
            return _NONE  # of a loop around the statements that are looked at
        return loop.exit if isinstance(node, ir.Break) else loop.head
    return _NONE if isinstance(node, ir.Raise) else after


def _more(found: dict[int, Names], node: ir.Statement | ir.CallFunction, names: Names) -> None:
    found[id(node)] = found.get(id(node), _NONE) | names


def _before_binding(target: ir.Target, after: Names) -> Names:
    """What is live before the evaluator binds a target, once it has the value."""
    match target:
        case ir.Name():
            return after - {target.id}
        case ir.TupleTarget():
            for element in reversed(target.elements):
                after = _before_binding(element, after)
            return after
        case ir.ItemTarget():
            return after | reads(target)


def reads(node: ir.Node) -> Names:
    """The names that an expression, or all of a node, reads: the name of an `ItemTarget` or an `Update`, too."""
    if isinstance(node, ir.Name):
        return frozenset([node.id])
    if isinstance(node, ir.Comprehension):
        return _comprehension(node)
    return _union(reads(child) for child in children(node))


def _comprehension(node: ir.Comprehension) -> Names:
    names = reads(node.element)
    for clause in reversed(node.clauses):
        names = _before_binding(clause.target, names | _conditions(clause)) | reads(clause.iterable)
    return names


def _conditions(clause: ir.Clause) -> Names:
    return _union(reads(condition) for condition in clause.conditions)


def _union(parts: Iterable[Names]) -> Names:
    return _NONE.union(*parts)
