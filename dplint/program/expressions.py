"""The half of the evaluator that walks expressions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeAlias

from dplint.program.frames import Binding, Frame
from dplint.program.nodes import (
    Binary,
    BoolOp,
    Call,
    CallFunction,
    Clause,
    Compare,
    Comprehension,
    Constant,
    DictDisplay,
    Draw,
    Expression,
    For,
    IfExp,
    ListDisplay,
    MethodCall,
    Name,
    Program,
    Slice,
    Subscript,
    Target,
    TupleDisplay,
    TupleTarget,
    Unary,
)
from dplint.program.reading import M, Reading, V
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.sharing import shared_change

Handler: TypeAlias = Callable[[Any, M, Frame[V, M]], V]


class ExpressionEvaluator(ABC, Generic[V, M]):
    """Evaluates expressions and binds targets; `Evaluator` adds the statements."""

    def __init__(self, program: Program, reading: Reading[V, M]) -> None:
        self.program = program
        self.reading = reading
        self._exits = 0
        self._evaluators: Mapping[type, Handler[M, V]] = {
            Constant: lambda node, _active, _frame: self.reading.constant(node.value),
            Name: self._name,
            Binary: self._binary,
            Unary: self._unary,
            Compare: self._compare,
            BoolOp: self._bool_op,
            IfExp: self._if_exp,
            ListDisplay: self._list,
            TupleDisplay: self._tuple,
            DictDisplay: self._dict,
            Comprehension: self._comprehension,
            Slice: self._slice,
            Subscript: self._subscript,
            Call: self._call,
            MethodCall: self._method,
            CallFunction: self._call_function,
            Draw: self._draw,
        }

    def evaluate(self, node: Expression, active: M, frame: Frame[V, M]) -> V:
        """The value of an expression in the active runs."""
        return self._evaluators[type(node)](node, active, frame)

    def condition(self, node: Expression, active: M, frame: Frame[V, M]) -> M:
        """The active runs' truth of a condition; what decides it is reported to the reading as a branch."""
        if isinstance(node, Unary) and node.operator == "not":
            return self.reading.negate(self.condition(node.operand, active, frame))
        if isinstance(node, BoolOp):
            return self._condition_chain(node, active, frame)
        value = self.evaluate(node, active, frame)
        active = self.alive(active)
        truth = self.reading.truth(value, active, node.span)
        self.reading.branch(truth, self.alive(active), node)
        return truth

    def alive(self, active: M) -> M:
        """The active runs that no exception has ended."""
        left = self.reading.alive(active)
        if left is not active:
            self._exits += 1
        return left

    def bind(self, target: Target, value: V, active: M, frame: Frame[V, M]) -> None:
        """Assign to a target in the active runs."""
        reading = self.reading
        if isinstance(target, Name):
            self._bind_name(target, value, active, frame)
        elif isinstance(target, TupleTarget):
            items = reading.unpack(value, len(target.elements), active, target.span)
            for element, item in zip(target.elements, items, strict=True):
                self.bind(element, item, active, frame)
        else:
            old = self.evaluate(target.name, active, frame)
            index = self.evaluate(target.index, active, frame)
            self._refuse_shared(target.name, old, frame)
            self._replace(target.name, reading.set_item(old, index, value, active, target.span), frame)

    def _bind_name(self, target: Name, value: V, active: M, frame: Frame[V, M]) -> None:
        reading = self.reading
        old = frame.variables.get(target.id)
        if old is None or reading.always(active):
            frame.variables[target.id] = Binding(value, active)
            return
        unassigned = reading.never(reading.both(old.assigned, reading.negate(active)))
        kept = value if unassigned else reading.select(active, value, old.value, target.span)
        frame.variables[target.id] = Binding(kept, reading.either(old.assigned, active))

    def _replace(self, name: Name, value: V, frame: Frame[V, M]) -> None:
        frame.variables[name.id] = Binding(value, frame.variables[name.id].assigned)

    def _refuse_shared(self, name: Name, value: V, frame: Frame[V, M]) -> None:
        if name.id in frame.shared and self.reading.mutable(value):
            raise UnsupportedConstruct(shared_change(name))

    def loop(
        self,
        node: For | Clause,
        active: M,
        frame: Frame[V, M],
        body: Callable[[M], M],
    ) -> M:
        """Run body for each item; returns the runs that used all their items up."""
        reading = self.reading
        span = node.iterable.span
        iterable = self.evaluate(node.iterable, active, frame)
        active = self.alive(active)
        finished = reading.nowhere()
        for item, exists in reading.iterate(iterable, active, span):
            active = reading.checkpoint(self.alive(active))
            if reading.never(active):
                break
            if not reading.always(exists):
                if isinstance(node, For):
                    reading.branch(exists, active, node)
                finished = reading.either(finished, reading.both(active, reading.negate(exists)))
                active = reading.both(active, exists)
                if reading.never(active):
                    break
            self.bind(node.target, item, active, frame)
            active = body(active)
        return reading.either(finished, self.alive(active))

    @abstractmethod
    def _call_function(self, node: CallFunction, active: M, frame: Frame[V, M]) -> V: ...

    def _all(self, nodes: Sequence[Expression], active: M, frame: Frame[V, M]) -> list[V]:
        return [self.evaluate(node, active, frame) for node in nodes]

    def _name(self, node: Name, active: M, frame: Frame[V, M]) -> V:
        reading = self.reading
        binding = frame.variables.get(node.id)
        if binding is not None and (binding.assigned is active or reading.always(binding.assigned)):
            return binding.value
        assigned = reading.nowhere() if binding is None else binding.assigned
        missing = reading.both(active, reading.negate(assigned))
        if not reading.never(missing):
            reading.raised("UnboundLocalError", (), missing, node.span)
        return reading.constant(None) if binding is None else binding.value

    def _binary(self, node: Binary, active: M, frame: Frame[V, M]) -> V:
        left = self.evaluate(node.left, active, frame)
        right = self.evaluate(node.right, active, frame)
        return self.reading.binary(node.operator, left, right, active, node.span)

    def _unary(self, node: Unary, active: M, frame: Frame[V, M]) -> V:
        operand = self.evaluate(node.operand, active, frame)
        if node.operator == "not":
            return self.reading.from_mask(self.reading.negate(self.reading.truth(operand, active, node.span)))
        return self.reading.unary(node.operator, operand, active, node.span)

    def _compare(self, node: Compare, active: M, frame: Frame[V, M]) -> V:
        reading = self.reading
        left = self.evaluate(node.left, active, frame)
        right = self.evaluate(node.comparators[0], active, frame)
        value = reading.compare(node.operators[0], left, right, active, node.span)
        for operator, comparator in zip(node.operators[1:], node.comparators[1:], strict=True):
            so_far = reading.truth(value, active, node.span)
            reading.branch(so_far, active, node)
            active = reading.both(active, so_far)
            if reading.never(active):
                break
            left, right = right, self.evaluate(comparator, active, frame)
            last = reading.compare(operator, left, right, active, node.span)
            value = reading.select(so_far, last, value, node.span)
        return value

    def _condition_chain(self, node: BoolOp, active: M, frame: Frame[V, M]) -> M:
        reading = self.reading
        conjunction = node.operator == "and"
        result = reading.everywhere() if conjunction else reading.nowhere()
        for operand in node.operands:
            truth = self.condition(operand, active, frame)
            result = reading.both(result, truth) if conjunction else reading.either(result, truth)
            active = self.alive(reading.both(active, truth if conjunction else reading.negate(truth)))
            if reading.never(active):
                break
        return result

    def _bool_op(self, node: BoolOp, active: M, frame: Frame[V, M]) -> V:
        reading = self.reading
        value = self.evaluate(node.operands[0], active, frame)
        undecided = reading.everywhere()
        for previous, operand in zip(node.operands, node.operands[1:], strict=False):
            active = self.alive(active)
            truth = reading.truth(value, active, previous.span)
            reading.branch(truth, active, previous)
            goes_on = truth if node.operator == "and" else reading.negate(truth)
            undecided = reading.both(undecided, goes_on)
            active = reading.both(active, goes_on)
            if reading.never(active):
                break
            value = reading.select(undecided, self.evaluate(operand, active, frame), value, node.span)
        return value

    def _if_exp(self, node: IfExp, active: M, frame: Frame[V, M]) -> V:
        reading = self.reading
        test = self.condition(node.test, active, frame)
        active = self.alive(active)
        then, other = reading.both(active, test), reading.both(active, reading.negate(test))
        if reading.never(other):
            return self.evaluate(node.body, then, frame)
        if reading.never(then):
            return self.evaluate(node.orelse, other, frame)
        body = self.evaluate(node.body, then, frame)
        return reading.select(then, body, self.evaluate(node.orelse, other, frame), node.span)

    def _list(self, node: ListDisplay, active: M, frame: Frame[V, M]) -> V:
        return self.reading.list_display(self._all(node.elements, active, frame), active, node.span)

    def _tuple(self, node: TupleDisplay, active: M, frame: Frame[V, M]) -> V:
        return self.reading.tuple_display(self._all(node.elements, active, frame), active, node.span)

    def _dict(self, node: DictDisplay, active: M, frame: Frame[V, M]) -> V:
        return self.reading.dict_display(node.keys, self._all(node.values, active, frame), active, node.span)

    def _comprehension(self, node: Comprehension, active: M, frame: Frame[V, M]) -> V:
        """A loop over each clause. `any` and `all` send the runs that they have decided out of the loops."""
        reading = self.reading
        result = reading.list_display((), active, node.span)
        decided = reading.nowhere()

        def element(active: M) -> M:
            nonlocal result, decided
            if node.kind == "list":
                item = self.evaluate(node.element, active, frame)
                active = self.alive(active)
                result = reading.update(result, "append", (item,), active, node.span)
                return active
            truth = self.condition(node.element, active, frame)
            stop = truth if node.kind == "any" else reading.negate(truth)
            active = self.alive(active)
            decided = reading.either(decided, reading.both(active, stop))
            return reading.both(active, reading.negate(stop))

        # Each clause holds what it repeats, from the inside out: functions that call one another would be a cycle, and
        # keep all values of the reading until the next garbage collection.
        step: Callable[[M], M] = element
        for clause in reversed(node.clauses):
            step = partial(self._clause, clause, frame, step)
        step(active)
        if node.kind == "list":
            return result
        return reading.from_mask(decided if node.kind == "any" else reading.negate(decided))

    def _clause(self, clause: Clause, frame: Frame[V, M], step: Callable[[M], M], active: M) -> M:
        """A loop of a comprehension; `step` is what is done for each item that its conditions let through."""
        return self.loop(clause, active, frame, partial(self._filtered, clause, frame, step))

    def _filtered(self, clause: Clause, frame: Frame[V, M], step: Callable[[M], M], active: M) -> M:
        reading = self.reading
        skipped = reading.nowhere()
        for test in clause.conditions:
            truth = self.condition(test, active, frame)
            active = self.alive(active)
            skipped = reading.either(skipped, reading.both(active, reading.negate(truth)))
            active = reading.both(active, truth)
        after = active if reading.never(active) else step(active)
        return reading.either(skipped, after)

    def _slice(self, node: Slice, active: M, frame: Frame[V, M]) -> V:
        parts = [
            None if part is None else self.evaluate(part, active, frame) for part in (node.start, node.stop, node.step)
        ]
        return self.reading.slice(parts[0], parts[1], parts[2], node.span)

    def _subscript(self, node: Subscript, active: M, frame: Frame[V, M]) -> V:
        value = self.evaluate(node.value, active, frame)
        index = self.evaluate(node.index, active, frame)
        return self.reading.subscript(value, index, active, node.span)

    def _call(self, node: Call, active: M, frame: Frame[V, M]) -> V:
        arguments = self._all(node.arguments, active, frame)
        keywords = {name: self.evaluate(value, active, frame) for name, value in node.keywords}
        return self.reading.call(node.function, arguments, keywords, active, node.span)

    def _method(self, node: MethodCall, active: M, frame: Frame[V, M]) -> V:
        receiver = self.evaluate(node.receiver, active, frame)
        arguments = self._all(node.arguments, active, frame)
        keywords = {name: self.evaluate(value, active, frame) for name, value in node.keywords}
        return self.reading.method(receiver, node.method, arguments, keywords, active, node.span)

    def _draw(self, node: Draw, active: M, frame: Frame[V, M]) -> V:
        parameters = {name: self.evaluate(value, active, frame) for name, value in node.parameters}
        size = None if node.size is None else self.evaluate(node.size, active, frame)
        return self.reading.draw(node, parameters, size, self.alive(active))
