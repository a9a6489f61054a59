"""The one evaluator: walks a program by if-conversion, over whatever values an interpretation has.

Instead of taking a branch it narrows the mask of active runs, walks both sides, and merges what they assign with
`select`. Control flow is understood here and nowhere else: `break`, `continue`, `return` and `raise` take their runs
out of the mask. Conditions that are the same in all runs cost nothing, because the side that no run takes is skipped.

Where runs meet again their masks are joined: a run is on one side of an `if`, leaves a loop once and a turn once, so
these masks never overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dplint.program import nodes as ir
from dplint.program.expressions import ExpressionEvaluator
from dplint.program.interpretation import (
    Binding,
    Frame,
    Hooks,
    Interpretation,
    LiveVariables,
    Loop,
    M,
    Scopes,
    V,
    in_source,
)
from dplint.program.liveness import Liveness, liveness_of
from dplint.program.refusals import UnsupportedConstruct, unsupported

Executor: TypeAlias = Callable[[Any, M, Frame[V, M]], M]


def evaluate(
    program: ir.Program,
    interpretation: Interpretation[V, M],
    arguments: Mapping[str, V],
    *,
    hooks: Hooks[V, M] | None = None,
    liveness: Liveness | None = None,
) -> None:
    """Walk the program once; the interpretation is told of every branch, draw and output.

    arguments: a value for each of `program.parameters`. hooks: who is called after each statement and before each loop,
    None for nobody. liveness: that of the program for the hooks, where it is at hand; else it is worked out.
    Raises KeyError if an argument is missing, ValueError for the liveness of another program, and UnsupportedConstruct
    where the program needs something that the interpretation cannot do. What hooks raise is passed on.
    """
    evaluator = Evaluator(program, interpretation, hooks, liveness)
    try:
        evaluator.run(arguments)
    finally:
        # The tables of its own methods would keep it, and all arrays of the interpretation, until the next garbage
        # collection.
        vars(evaluator).clear()


class Evaluator(ExpressionEvaluator[V, M]):
    """Executes statements: each takes the runs that reach it and returns those that go on to the next."""

    def __init__(
        self,
        program: ir.Program,
        interpretation: Interpretation[V, M],
        hooks: Hooks[V, M] | None,
        liveness: Liveness | None,
    ) -> None:
        super().__init__(program, interpretation)
        if liveness is not None and liveness.program is not program:
            raise ValueError(f"the liveness is that of another program than {program.name}")
        self._hooks = hooks
        self._liveness = liveness_of(program) if hooks is not None and liveness is None else liveness
        self._executors: Mapping[type, Executor[M, V]] = {
            ir.Assign: self._assign,
            ir.AugAssign: self._aug_assign,
            ir.Update: self._update,
            ir.If: self._if,
            ir.For: self._for,
            ir.While: self._while,
            ir.Break: self._break,
            ir.Continue: self._continue,
            ir.Return: self._return,
            ir.Raise: self._raise,
            ir.ExpressionStatement: self._expression,
            ir.Opaque: self._opaque_statement,
            ir.Pass: lambda _node, active, _frame: active,
        }

    def run(self, arguments: Mapping[str, V]) -> None:
        """Walk the whole program."""
        interpretation = self.interpretation
        everywhere = interpretation.everywhere()
        frame: Frame[V, M] = Frame(self.program.shared)
        for name in self.program.parameters:
            frame.variables[name] = Binding(arguments[name], everywhere)
        left = self._block(self.program.body, everywhere, frame)
        if not interpretation.never(left):
            interpretation.returned(interpretation.constant(None), left, self.program.span)

    def _block(self, statements: tuple[ir.Statement, ...], active: M, frame: Frame[V, M]) -> M:
        for statement in statements:
            if self.interpretation.never(active):
                break
            active = self.alive(self._executors[type(statement)](statement, active, frame))
            if self._hooks is not None:
                active = self._told(self._hooks, statement, active, frame)
        return active

    def _told(self, hooks: Hooks[V, M], statement: ir.Statement, active: M, frame: Frame[V, M]) -> M:
        """The runs that go on to the next statement, once the hooks have had their turn."""
        if frame.waiting is None or self.interpretation.never(active):
            return active
        assert self._liveness is not None
        live = LiveVariables((*frame.waiting, (frame, self._liveness.after(statement))))
        hooks.after_statement(statement, active, live)
        return self.alive(active)

    def enter(self, node: ir.For | ir.While, iterable: V | None, active: M, frame: Frame[V, M]) -> M:
        """Tells the hooks of the loop."""
        if self._hooks is None or frame.waiting is None or self.interpretation.never(active):
            return active
        assert self._liveness is not None
        live = LiveVariables((*frame.waiting, (frame, self._liveness.entering(node))))
        self._hooks.entering_loop(node, iterable, active, live)
        return self.alive(active)

    def _assign(self, node: ir.Assign, active: M, frame: Frame[V, M]) -> M:
        value = self.evaluate(node.value, active, frame)
        active = self.alive(active)
        for target in node.targets:
            self.bind(target, value, active, frame)
        return active

    def _aug_assign(self, node: ir.AugAssign, active: M, frame: Frame[V, M]) -> M:
        interpretation, target = self.interpretation, node.target
        if isinstance(target, ir.Name):
            old = self.evaluate(target, active, frame)
            value = self.evaluate(node.value, active, frame)
            self._refuse_shared(target, old, frame)
            new = self._augmented(node, old, value, active)
            self.bind(target, new, self.alive(active), frame)
            return active
        container = self.evaluate(target.name, active, frame)
        index = self.evaluate(target.index, active, frame)
        old = interpretation.subscript(container, index, active, target.span)
        value = self.evaluate(node.value, active, frame)
        self._refuse_shared(target.name, container, frame)
        # A part of a list is a new list, and one of an array is the array itself: setting it says all.
        if interpretation.mutable(old) and not isinstance(target.index, ir.Slice):
            raise unsupported("a change in place of an element", node.span, "use a list of numbers")
        new = self._augmented(node, old, value, active)
        active = self.alive(active)
        changed = interpretation.set_item(container, index, new, active, target.span)
        self._replace(target.name, changed, frame)
        return active

    def _augmented(self, node: ir.AugAssign, old: V, value: V, active: M) -> V:
        try:
            return self.interpretation.augmented(node.operator, old, value, active, node.span)
        except UnsupportedConstruct as refused:
            raise refused.at(node.span) from None

    def _update(self, node: ir.Update, active: M, frame: Frame[V, M]) -> M:
        old = self.evaluate(node.name, active, frame)
        arguments = self._all(node.arguments, active, frame)
        self._refuse_shared(node.name, old, frame)
        active = self.alive(active)
        if not self.interpretation.never(active):
            new = self.interpretation.update(old, node.method, arguments, active, node.span)
            self._replace(node.name, new, frame)
        return active

    def _expression(self, node: ir.ExpressionStatement, active: M, frame: Frame[V, M]) -> M:
        self.evaluate(node.value, active, frame)
        return active

    def _opaque_statement(self, node: ir.Opaque, active: M, frame: Frame[V, M]) -> M:
        self._opaque(node, active, frame)
        return self.interpretation.nowhere()

    def _if(self, node: ir.If, active: M, frame: Frame[V, M]) -> M:
        interpretation = self.interpretation
        test = self.condition(node.test, active, frame)
        active = self.alive(active)
        then, other = interpretation.both(active, test), interpretation.both(active, interpretation.negate(test))
        after_then = self._block(node.body, then, frame)
        after_other = self._block(node.orelse, other, frame)
        if after_then is then and after_other is other:
            return active
        return interpretation.join(after_then, after_other)

    def _for(self, node: ir.For, active: M, frame: Frame[V, M]) -> M:
        def turn(active: M) -> M:
            loop.continued = self.interpretation.nowhere()
            return self.interpretation.join(self._block(node.body, active, frame), loop.continued)

        loop: Loop[M] = Loop(self.interpretation.nowhere(), self.interpretation.nowhere(), active, self._exits)
        frame.loops.append(loop)
        finished = self.loop(node, active, frame, turn)
        frame.loops.pop()
        return self._after_loop(node, finished, loop, frame)

    def _while(self, node: ir.While, active: M, frame: Frame[V, M]) -> M:
        interpretation = self.interpretation
        loop: Loop[M] = Loop(interpretation.nowhere(), interpretation.nowhere(), active, self._exits)
        active = self.enter(node, None, active, frame)
        finished = interpretation.nowhere()
        frame.loops.append(loop)
        frame.turns.append(0)
        for turn in range(interpretation.fuel + 1):
            frame.turns[-1] = turn
            self.count_turn(node.span)
            active = interpretation.checkpoint(active)
            test = self.condition(node.test, active, frame)
            active = self.alive(active)
            finished = interpretation.join(finished, interpretation.both(active, interpretation.negate(test)))
            active = interpretation.both(active, test)
            if interpretation.never(active):
                break
            if turn == interpretation.fuel:
                interpretation.exhausted(active, node.span)
                self._exits += 1
                break
            loop.continued = interpretation.nowhere()
            active = interpretation.join(self._block(node.body, active, frame), loop.continued)
            if interpretation.never(active):
                break
        frame.turns.pop()
        frame.loops.pop()
        return self._after_loop(node, finished, loop, frame)

    def _after_loop(self, node: ir.For | ir.While, finished: M, loop: Loop[M], frame: Frame[V, M]) -> M:
        if node.orelse and not self.interpretation.never(finished):
            finished = self._block(node.orelse, finished, frame)
        if loop.exits == self._exits and not node.orelse:
            return loop.entering
        return self.interpretation.join(finished, loop.broken)

    def _break(self, _node: ir.Break, active: M, frame: Frame[V, M]) -> M:
        loop, active = frame.loops[-1], self.alive(active)
        loop.broken = self.interpretation.join(loop.broken, active)
        return self.interpretation.nowhere()

    def _continue(self, _node: ir.Continue, active: M, frame: Frame[V, M]) -> M:
        loop, active = frame.loops[-1], self.alive(active)
        loop.continued = self.interpretation.join(loop.continued, active)
        return self.interpretation.nowhere()

    def _return(self, node: ir.Return, active: M, frame: Frame[V, M]) -> M:
        interpretation = self.interpretation
        value = self.evaluate(node.value, active, frame)
        active = self.alive(active)
        if not interpretation.never(active):
            self._exits += 1
            if not frame.calls:
                interpretation.returned(value, active, node.span)
            else:
                old = frame.result
                frame.result = value if old is None else interpretation.select(active, value, old, node.span)
        return interpretation.nowhere()

    def _raise(self, node: ir.Raise, active: M, frame: Frame[V, M]) -> M:
        arguments = self._all(node.arguments, active, frame)
        active = self.alive(active)
        if not self.interpretation.never(active):
            self._exits += 1
            self.interpretation.raised(node.exception, arguments, active, node.span)
        return self.interpretation.nowhere()

    def _call_function(self, node: ir.CallFunction, active: M, frame: Frame[V, M]) -> V:
        function = self.program.function(node.function)
        if any(call.function == node.function for call in frame.calls):
            raise unsupported(f"the recursive function {in_source(node.function)}", node.span, "write it as a loop")
        inner: Frame[V, M] = Frame(function.shared, (*frame.calls, node), [*frame.turns], self._waiting(node, frame))
        for name, argument in node.arguments:
            inner.variables[name] = Binding(self.evaluate(argument, active, frame), self.interpretation.everywhere())
        left = self._block(function.body, self.alive(active), inner)
        none = self.interpretation.constant(None)
        if inner.result is None:
            result = none
        elif self.interpretation.never(left):
            result = inner.result
        else:
            result = self.interpretation.select(left, none, inner.result, node.span)
        return result

    def _waiting(self, node: ir.CallFunction, frame: Frame[V, M]) -> Scopes[V, M] | None:
        """What callers hold while a function is called; None if that is not all in variables, or nobody asks."""
        names = None if self._liveness is None else self._liveness.across(node)
        return None if names is None or frame.waiting is None else (*frame.waiting, (frame, names))
