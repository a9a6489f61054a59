"""The one evaluator: walks a program by if-conversion, over whatever values a reading has.

Instead of taking a branch it narrows the mask of active runs, walks both sides, and merges what they assign with
`select`. Control flow is understood here and nowhere else: `break`, `continue`, `return` and `raise` take their runs
out of the mask. Conditions that are the same in all runs cost nothing, because the side that no run takes is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dplint.program.expressions import ExpressionEvaluator
from dplint.program.frames import Binding, Frame, Loop
from dplint.program.nodes import (
    Assign,
    AugAssign,
    Break,
    CallFunction,
    Continue,
    ExpressionStatement,
    For,
    If,
    Name,
    Pass,
    Program,
    Raise,
    Return,
    Statement,
    Update,
    While,
)
from dplint.program.reading import M, Reading, V
from dplint.program.refusals import unsupported

Executor: TypeAlias = Callable[[Any, M, Frame[V, M]], M]


def evaluate(program: Program, reading: Reading[V, M], arguments: Mapping[str, V]) -> None:
    """Walk the program once; the reading is told of every branch, draw and output.

    arguments: a value for each of `program.parameters`. Raises KeyError if one is missing, and UnsupportedConstruct
    where the program needs something that the reading cannot do.
    """
    evaluator = Evaluator(program, reading)
    try:
        evaluator.run(arguments)
    finally:
        # The tables of its own methods would keep it, and all arrays of the reading, until the next garbage collection.
        vars(evaluator).clear()


class Evaluator(ExpressionEvaluator[V, M]):
    """Executes statements: each takes the runs that reach it and returns those that go on to the next."""

    def __init__(self, program: Program, reading: Reading[V, M]) -> None:
        super().__init__(program, reading)
        self._executors: Mapping[type, Executor[M, V]] = {
            Assign: self._assign,
            AugAssign: self._aug_assign,
            Update: self._update,
            If: self._if,
            For: self._for,
            While: self._while,
            Break: self._break,
            Continue: self._continue,
            Return: self._return,
            Raise: self._raise,
            ExpressionStatement: self._expression,
            Pass: lambda _node, active, _frame: active,
        }

    def run(self, arguments: Mapping[str, V]) -> None:
        """Walk the whole program."""
        reading = self.reading
        everywhere = reading.everywhere()
        frame: Frame[V, M] = Frame(outermost=True, shared=self.program.shared)
        for name in self.program.parameters:
            frame.variables[name] = Binding(arguments[name], everywhere)
        left = self._block(self.program.body, everywhere, frame)
        if not reading.never(left):
            reading.returned(reading.constant(None), left, self.program.span)

    def _block(self, statements: tuple[Statement, ...], active: M, frame: Frame[V, M]) -> M:
        for statement in statements:
            if self.reading.never(active):
                break
            active = self.alive(self._executors[type(statement)](statement, active, frame))
        return active

    def _assign(self, node: Assign, active: M, frame: Frame[V, M]) -> M:
        value = self.evaluate(node.value, active, frame)
        active = self.alive(active)
        for target in node.targets:
            self.bind(target, value, active, frame)
        return active

    def _aug_assign(self, node: AugAssign, active: M, frame: Frame[V, M]) -> M:
        reading, target = self.reading, node.target
        if isinstance(target, Name):
            old = self.evaluate(target, active, frame)
            value = self.evaluate(node.value, active, frame)
            self._refuse_shared(target, old, frame)
            new = reading.augmented(node.operator, old, value, active, node.span)
            self.bind(target, new, self.alive(active), frame)
            return active
        container = self.evaluate(target.name, active, frame)
        index = self.evaluate(target.index, active, frame)
        old = reading.subscript(container, index, active, target.span)
        value = self.evaluate(node.value, active, frame)
        self._refuse_shared(target.name, container, frame)
        if reading.mutable(old):
            raise unsupported("a change in place of an element", node.span, "use a list of numbers")
        new = reading.augmented(node.operator, old, value, active, node.span)
        active = self.alive(active)
        self._replace(target.name, reading.set_item(container, index, new, active, target.span), frame)
        return active

    def _update(self, node: Update, active: M, frame: Frame[V, M]) -> M:
        old = self.evaluate(node.name, active, frame)
        arguments = self._all(node.arguments, active, frame)
        self._refuse_shared(node.name, old, frame)
        active = self.alive(active)
        if not self.reading.never(active):
            new = self.reading.update(old, node.method, arguments, active, node.span)
            self._replace(node.name, new, frame)
        return active

    def _expression(self, node: ExpressionStatement, active: M, frame: Frame[V, M]) -> M:
        self.evaluate(node.value, active, frame)
        return active

    def _if(self, node: If, active: M, frame: Frame[V, M]) -> M:
        reading = self.reading
        test = self.condition(node.test, active, frame)
        active = self.alive(active)
        then, other = reading.both(active, test), reading.both(active, reading.negate(test))
        after_then = self._block(node.body, then, frame)
        after_other = self._block(node.orelse, other, frame)
        if after_then is then and after_other is other:
            return active
        return reading.either(after_then, after_other)

    def _for(self, node: For, active: M, frame: Frame[V, M]) -> M:
        def turn(active: M) -> M:
            loop.continued = self.reading.nowhere()
            return self.reading.either(self._block(node.body, active, frame), loop.continued)

        loop: Loop[M] = Loop(self.reading.nowhere(), self.reading.nowhere(), active, self._exits)
        frame.loops.append(loop)
        finished = self.loop(node, active, frame, turn)
        frame.loops.pop()
        return self._after_loop(node, finished, loop, frame)

    def _while(self, node: While, active: M, frame: Frame[V, M]) -> M:
        reading = self.reading
        loop: Loop[M] = Loop(reading.nowhere(), reading.nowhere(), active, self._exits)
        finished = reading.nowhere()
        frame.loops.append(loop)
        for turn in range(reading.fuel + 1):
            active = reading.checkpoint(active)
            test = self.condition(node.test, active, frame)
            active = self.alive(active)
            finished = reading.either(finished, reading.both(active, reading.negate(test)))
            active = reading.both(active, test)
            if reading.never(active):
                break
            if turn == reading.fuel:
                reading.exhausted(active, node.span)
                self._exits += 1
                break
            loop.continued = reading.nowhere()
            active = reading.either(self._block(node.body, active, frame), loop.continued)
            if reading.never(active):
                break
        frame.loops.pop()
        return self._after_loop(node, finished, loop, frame)

    def _after_loop(self, node: For | While, finished: M, loop: Loop[M], frame: Frame[V, M]) -> M:
        if node.orelse and not self.reading.never(finished):
            finished = self._block(node.orelse, finished, frame)
        if loop.exits == self._exits and not node.orelse:
            return loop.entering
        return self.reading.either(finished, loop.broken)

    def _break(self, _node: Break, active: M, frame: Frame[V, M]) -> M:
        loop = frame.loops[-1]
        loop.broken = self.reading.either(loop.broken, active)
        return self.reading.nowhere()

    def _continue(self, _node: Continue, active: M, frame: Frame[V, M]) -> M:
        loop = frame.loops[-1]
        loop.continued = self.reading.either(loop.continued, active)
        return self.reading.nowhere()

    def _return(self, node: Return, active: M, frame: Frame[V, M]) -> M:
        reading = self.reading
        value = self.evaluate(node.value, active, frame)
        active = self.alive(active)
        if not reading.never(active):
            self._exits += 1
            if frame.outermost:
                reading.returned(value, active, node.span)
            else:
                old = frame.result
                frame.result = value if old is None else reading.select(active, value, old, node.span)
        return reading.nowhere()

    def _raise(self, node: Raise, active: M, frame: Frame[V, M]) -> M:
        arguments = self._all(node.arguments, active, frame)
        active = self.alive(active)
        if not self.reading.never(active):
            self._exits += 1
            self.reading.raised(node.exception, arguments, active, node.span)
        return self.reading.nowhere()

    def _call_function(self, node: CallFunction, active: M, frame: Frame[V, M]) -> V:
        function = self.program.function(node.function)
        if node.function in frame.calls:
            raise unsupported(f"the recursive function {node.function}", node.span, "write it as a loop")
        inner: Frame[V, M] = Frame(outermost=False, shared=function.shared, calls=(*frame.calls, node.function))
        for name, argument in node.arguments:
            inner.variables[name] = Binding(self.evaluate(argument, active, frame), self.reading.everywhere())
        left = self._block(function.body, self.alive(active), inner)
        none = self.reading.constant(None)
        if inner.result is None:
            result = none
        elif self.reading.never(left):
            result = inner.result
        else:
            result = self.reading.select(left, none, inner.result, node.span)
        return result
