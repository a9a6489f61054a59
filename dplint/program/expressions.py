"""The half of the evaluator that walks expressions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeAlias

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.interpretation import Binding, Frame, Interpretation, M, V
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.sharing import shared_change

_MOST_TURNS = 1_000_000
"""Of all loops of a walk together; a turn takes a microsecond or more."""
Handler: TypeAlias = Callable[[Any, M, Frame[V, M]], V]


class ExpressionEvaluator(ABC, Generic[V, M]):
    """Evaluates expressions and binds targets; `Evaluator` adds the statements."""

    def __init__(self, program: ir.Program, interpretation: Interpretation[V, M]) -> None:
        self.program = program
        self.interpretation = interpretation
        self._exits = self._turns = 0
        """How many `try` blocks are open."""
        self._evaluators: Mapping[type, Handler[M, V]] = {
            ir.Constant: lambda node, _active, _frame: self.interpretation.constant(node.value),
            ir.Name: self._name,
            ir.Binary: self._binary,
            ir.Unary: self._unary,
            ir.Compare: self._compare,
            ir.BoolOp: self._bool_op,
            ir.IfExp: self._if_exp,
            ir.ListDisplay: self._list,
            ir.TupleDisplay: self._tuple,
            ir.DictDisplay: self._dict,
            ir.Comprehension: self._comprehension,
            ir.Slice: self._slice,
            ir.Subscript: self._subscript,
            ir.Call: self._call,
            ir.MethodCall: self._method,
            ir.CallFunction: self._call_function,
            ir.Draw: self._draw,
            ir.Opaque: self._opaque,
        }

    def evaluate(self, node: ir.Expression, active: M, frame: Frame[V, M]) -> V:
        """The value of an expression in the active runs."""
        return self._evaluators[type(node)](node, active, frame)

    def condition(self, node: ir.Expression, active: M, frame: Frame[V, M]) -> M:
        """The active runs' truth of a condition; what decides it is reported to the interpretation as a branch."""
        if isinstance(node, ir.Unary) and node.operator == "not":
            return self.interpretation.negate(self.condition(node.operand, active, frame))
        if isinstance(node, ir.BoolOp):
            return self._condition_chain(node, active, frame)
        value = self.evaluate(node, active, frame)
        active = self.alive(active)
        truth = self.interpretation.truth(value, active, node.span)
        self.interpretation.branch(truth, self.alive(active), node)
        return truth

    def alive(self, active: M) -> M:
        """The active runs that no exception has ended."""
        left = self.interpretation.alive(active)
        if left is not active:
            self._exits += 1
        return left

    def count_turn(self, span: Span) -> None:
        """Another turn of a loop: a walk that takes very many is left to Python, which is far faster."""
        self._turns += 1
        if self._turns > _MOST_TURNS:
            raise unsupported(f"more than {_MOST_TURNS:,} turns of loops", span, "let NumPy do it, or a closed form")

    def bind(self, target: ir.Target, value: V, active: M, frame: Frame[V, M]) -> None:
        """Assign to a target in the active runs."""
        interpretation = self.interpretation
        if isinstance(target, ir.Name):
            self._bind_name(target, value, active, frame)
        elif isinstance(target, ir.TupleTarget):
            items = interpretation.unpack(value, len(target.elements), active, target.span)
            for element, item in zip(target.elements, items, strict=True):
                self.bind(element, item, active, frame)
        else:
            old = self.evaluate(target.name, active, frame)
            index = self.evaluate(target.index, active, frame)
            self._refuse_shared(target.name, old, frame)
            self._replace(target.name, interpretation.set_item(old, index, value, active, target.span), frame)

    def _bind_name(self, target: ir.Name, value: V, active: M, frame: Frame[V, M]) -> None:
        interpretation = self.interpretation
        old = frame.variables.get(target.id)
        if old is None or interpretation.always(active):
            frame.variables[target.id] = Binding(value, active)
            return
        unassigned = interpretation.never(interpretation.both(old.assigned, interpretation.negate(active)))
        kept = value if unassigned else interpretation.select(active, value, old.value, target.span)
        # It may well have been assigned in these runs before.
        frame.variables[target.id] = Binding(kept, interpretation.either(old.assigned, active))

    def _replace(self, name: ir.Name, value: V, frame: Frame[V, M]) -> None:
        frame.variables[name.id] = Binding(value, frame.variables[name.id].assigned)

    def _refuse_shared(self, name: ir.Name, value: V, frame: Frame[V, M]) -> None:
        if name.id in frame.shared and self.interpretation.mutable(value):
            raise UnsupportedConstruct(shared_change(name))

    def loop(
        self,
        node: ir.For | ir.Clause,
        active: M,
        frame: Frame[V, M],
        body: Callable[[M], M],
    ) -> M:
        """Run body for each item; returns the runs that used all their items up."""
        interpretation = self.interpretation
        span = node.iterable.span
        iterable = self.evaluate(node.iterable, active, frame)
        active = self.alive(active)
        if isinstance(node, ir.For):
            active = self.enter(node, iterable, active, frame)
        finished = interpretation.nowhere()
        frame.turns.append(0)
        for turn, (item, exists) in enumerate(interpretation.iterate(iterable, active, span)):
            frame.turns[-1] = turn
            self.count_turn(span)
            active = interpretation.checkpoint(self.alive(active))
            if interpretation.never(active):
                break
            if not interpretation.always(exists):
                if isinstance(node, ir.For):
                    interpretation.branch(exists, active, node)
                finished = interpretation.join(finished, interpretation.both(active, interpretation.negate(exists)))
                active = interpretation.both(active, exists)
                if interpretation.never(active):
                    break
            self.bind(node.target, item, active, frame)
            active = body(active)
        frame.turns.pop()
        return interpretation.join(finished, self.alive(active))

    @abstractmethod
    def enter(self, node: ir.For | ir.While, iterable: V | None, active: M, frame: Frame[V, M]) -> M:
        """Called before a loop takes its first turn; returns the runs that take it."""

    @abstractmethod
    def _call_function(self, node: ir.CallFunction, active: M, frame: Frame[V, M]) -> V: ...

    def _all(self, nodes: Sequence[ir.Expression], active: M, frame: Frame[V, M]) -> list[V]:
        return [self.evaluate(node, active, frame) for node in nodes]

    def _name(self, node: ir.Name, active: M, frame: Frame[V, M]) -> V:
        interpretation = self.interpretation
        binding = frame.variables.get(node.id)
        if binding is not None and (binding.assigned is active or interpretation.always(binding.assigned)):
            return binding.value
        assigned = interpretation.nowhere() if binding is None else binding.assigned
        missing = interpretation.both(active, interpretation.negate(assigned))
        if not interpretation.never(missing):
            interpretation.raised("UnboundLocalError", (), missing, node.span)
        return interpretation.constant(None) if binding is None else binding.value

    def _binary(self, node: ir.Binary, active: M, frame: Frame[V, M]) -> V:
        left = self.evaluate(node.left, active, frame)
        right = self.evaluate(node.right, active, frame)
        try:
            return self.interpretation.binary(node.operator, left, right, active, node.span)
        except UnsupportedConstruct as refused:
            raise refused.at(node.span) from None

    def _unary(self, node: ir.Unary, active: M, frame: Frame[V, M]) -> V:
        operand = self.evaluate(node.operand, active, frame)
        if node.operator == "not":
            return self.interpretation.from_mask(
                self.interpretation.negate(self.interpretation.truth(operand, active, node.span))
            )
        return self.interpretation.unary(node.operator, operand, active, node.span)

    def _compare(self, node: ir.Compare, active: M, frame: Frame[V, M]) -> V:
        interpretation = self.interpretation
        left = self.evaluate(node.left, active, frame)
        right = self.evaluate(node.comparators[0], active, frame)
        value = interpretation.compare(node.operators[0], left, right, active, node.span)
        for operator, comparator in zip(node.operators[1:], node.comparators[1:], strict=True):
            so_far = interpretation.truth(value, active, node.span)
            interpretation.branch(so_far, active, node)
            active = interpretation.both(active, so_far)
            if interpretation.never(active):
                break
            left, right = right, self.evaluate(comparator, active, frame)
            last = interpretation.compare(operator, left, right, active, node.span)
            value = interpretation.select(so_far, last, value, node.span)
        return value

    def _condition_chain(self, node: ir.BoolOp, active: M, frame: Frame[V, M]) -> M:
        interpretation = self.interpretation
        conjunction = node.operator == "and"
        result = interpretation.everywhere() if conjunction else interpretation.nowhere()
        for operand in node.operands:
            truth = self.condition(operand, active, frame)
            # Operands of `or` may be true together: which runs an operand was evaluated in, its truth does not tell.
            result = interpretation.both(result, truth) if conjunction else interpretation.either(result, truth)
            active = self.alive(interpretation.both(active, truth if conjunction else interpretation.negate(truth)))
            if interpretation.never(active):
                break
        return result

    def _bool_op(self, node: ir.BoolOp, active: M, frame: Frame[V, M]) -> V:
        interpretation = self.interpretation
        value = self.evaluate(node.operands[0], active, frame)
        undecided = interpretation.everywhere()
        for previous, operand in zip(node.operands, node.operands[1:], strict=False):
            active = self.alive(active)
            truth = interpretation.truth(value, active, previous.span)
            interpretation.branch(truth, active, previous)
            goes_on = truth if node.operator == "and" else interpretation.negate(truth)
            undecided = interpretation.both(undecided, goes_on)
            active = interpretation.both(active, goes_on)
            if interpretation.never(active):
                break
            value = interpretation.select(undecided, self.evaluate(operand, active, frame), value, node.span)
        return value

    def _if_exp(self, node: ir.IfExp, active: M, frame: Frame[V, M]) -> V:
        interpretation = self.interpretation
        test = self.condition(node.test, active, frame)
        active = self.alive(active)
        then, other = interpretation.both(active, test), interpretation.both(active, interpretation.negate(test))
        if interpretation.never(other):
            return self.evaluate(node.body, then, frame)
        if interpretation.never(then):
            return self.evaluate(node.orelse, other, frame)
        body = self.evaluate(node.body, then, frame)
        return interpretation.select(then, body, self.evaluate(node.orelse, other, frame), node.span)

    def _list(self, node: ir.ListDisplay, active: M, frame: Frame[V, M]) -> V:
        return self.interpretation.list_display(self._all(node.elements, active, frame), active, node.span)

    def _tuple(self, node: ir.TupleDisplay, active: M, frame: Frame[V, M]) -> V:
        return self.interpretation.tuple_display(self._all(node.elements, active, frame), active, node.span)

    def _dict(self, node: ir.DictDisplay, active: M, frame: Frame[V, M]) -> V:
        if not node.comprehension:
            values = self._all(node.values, active, frame)
        else:
            values = []
            frame.turns.append(0)
            for turn, value in enumerate(node.values):
                frame.turns[-1] = turn
                values.append(self.evaluate(value, active, frame))
            frame.turns.pop()
        return self.interpretation.dict_display(node.keys, values, active, node.span)

    def _comprehension(self, node: ir.Comprehension, active: M, frame: Frame[V, M]) -> V:
        """A loop over each clause. `any` and `all` send the runs that they have decided out of the loops."""
        interpretation = self.interpretation
        result = interpretation.list_display((), active, node.span)
        decided = interpretation.nowhere()

        def element(active: M) -> M:
            nonlocal result, decided
            if node.kind == "list":
                item = self.evaluate(node.element, active, frame)
                active = self.alive(active)
                result = interpretation.update(result, "append", (item,), active, node.span)
                return active
            truth = self.condition(node.element, active, frame)
            stop = truth if node.kind == "any" else interpretation.negate(truth)
            active = self.alive(active)
            decided = interpretation.join(decided, interpretation.both(active, stop))
            return interpretation.both(active, interpretation.negate(stop))

        # Each clause holds what it repeats, from the inside out: functions that call one another would be a cycle, and
        # keep all values of the interpretation until the next garbage collection.
        step: Callable[[M], M] = element
        for clause in reversed(node.clauses):
            step = partial(self._clause, clause, frame, step)
        step(active)
        if node.kind == "list":
            return result
        return interpretation.from_mask(decided if node.kind == "any" else interpretation.negate(decided))

    def _clause(self, clause: ir.Clause, frame: Frame[V, M], step: Callable[[M], M], active: M) -> M:
        """A loop of a comprehension; `step` is what is done for each item that its conditions let through."""
        return self.loop(clause, active, frame, partial(self._filtered, clause, frame, step))

    def _filtered(self, clause: ir.Clause, frame: Frame[V, M], step: Callable[[M], M], active: M) -> M:
        interpretation = self.interpretation
        skipped = interpretation.nowhere()
        for test in clause.conditions:
            truth = self.condition(test, active, frame)
            active = self.alive(active)
            skipped = interpretation.join(skipped, interpretation.both(active, interpretation.negate(truth)))
            active = interpretation.both(active, truth)
        after = active if interpretation.never(active) else step(active)
        return interpretation.join(skipped, after)

    def _slice(self, node: ir.Slice, active: M, frame: Frame[V, M]) -> V:
        parts = [
            None if part is None else self.evaluate(part, active, frame) for part in (node.start, node.stop, node.step)
        ]
        return self.interpretation.slice(parts[0], parts[1], parts[2], node.span)

    def _subscript(self, node: ir.Subscript, active: M, frame: Frame[V, M]) -> V:
        value = self.evaluate(node.value, active, frame)
        index = self.evaluate(node.index, active, frame)
        return self.interpretation.subscript(value, index, active, node.span)

    def _call(self, node: ir.Call, active: M, frame: Frame[V, M]) -> V:
        arguments = self._all(node.arguments, active, frame)
        if node.function == "with-item" and not isinstance(node.arguments[2], ir.TupleDisplay):
            return self._with_item(arguments[0], arguments[1], arguments[2:], active, node)
        keywords = {name: self.evaluate(value, active, frame) for name, value in node.keywords}
        return self.interpretation.call(node.function, arguments, keywords, active, node.span)

    def _with_item(self, value: V, item: V, path: Sequence[V], active: M, node: ir.Call) -> V:
        """A list, dict or array of which an element of an element is another; the value itself is left as it is."""
        if len(path) > 1:
            inner = self.interpretation.subscript(value, path[0], active, node.span)
            item = self._with_item(inner, item, path[1:], self.alive(active), node)
        return self.interpretation.set_item(value, path[0], item, self.alive(active), node.span)

    def _method(self, node: ir.MethodCall, active: M, frame: Frame[V, M]) -> V:
        receiver = self.evaluate(node.receiver, active, frame)
        arguments = self._all(node.arguments, active, frame)
        keywords = {name: self.evaluate(value, active, frame) for name, value in node.keywords}
        return self.interpretation.method(receiver, node.method, arguments, keywords, active, node.span)

    def _draw(self, node: ir.Draw, active: M, frame: Frame[V, M]) -> V:
        parameters = {name: self.evaluate(value, active, frame) for name, value in node.parameters}
        size = None if node.size is None else self.evaluate(node.size, active, frame)
        return self.interpretation.draw(node, parameters, size, self.alive(active), frame.site(node.span, node.turns))

    def _opaque(self, node: ir.Opaque, active: M, _frame: Frame[V, M]) -> V:
        if not self.interpretation.impossible(self.alive(active)):
            raise UnsupportedConstruct(node.refusal)
        return self.interpretation.constant(None)
