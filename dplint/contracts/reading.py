"""Reads a claimed function statement by statement, and gathers what the functions that it calls spend."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from dplint.amounts import Amount, name, number
from dplint.claims import Mechanism
from dplint.contracts.accountants import held_by_module, held_by_object
from dplint.contracts.calls import Calls, calls_contract
from dplint.contracts.engines import BATCH, turns_over
from dplint.contracts.expressions import Expressions, bind_all
from dplint.contracts.frames import Frame, Head, Run, leak, spoil_containers
from dplint.contracts.objects import Owner
from dplint.contracts.trainings import paid
from dplint.contracts.tree import Choice, Node, Part, Repeat, Series, spends
from dplint.contracts.values import Accountant, Data, Hidden, Loader, Public, Value, shown, spoil, touch
from dplint.contracts.views import Defined, View
from dplint.syntax import parse_expression

_MOST_UNROLLED = 20
_ROUNDS = 4


def read_spending(mechanism: Mechanism, node: Defined, view: View, owner: Owner | None = None) -> tuple[Node, Run]:
    """What one call of a mechanism spends, and what of it is not understood. owner: of a method."""
    run = Run(mechanism.claim, mechanism.rng, owner=owner)
    frame = Frame(run, view)
    given = node.args
    for one in (*given.posonlyargs, *given.args, *given.kwonlyargs):
        frame.env[one.arg] = Public(one.arg, amount=name(one.arg))
    for extra in (given.vararg, given.kwarg):
        if extra is not None:
            frame.env[extra.arg] = Public(extra.arg)
    if mechanism.data in frame.env and mechanism.data is not None:
        frame.env[mechanism.data] = Data(Part(), mechanism.claim.domain)
    if owner is not None:
        why = frame.why(node, "what the object holds besides is not understood")
        run.own = frame.env[given.args[0].arg] = Public("self", parts=(Hidden(why),))
        if owner.data is not None:
            frame.env[f"self.{owner.data}"] = Data(Part(), mechanism.claim.domain)
    reading = _Reading()
    if owner is not None:
        for attribute, made in held_by_object(owner, view.is_tool):
            kept = reading.accountant(Frame(run, view), made)
            if kept is not None:
                frame.env[f"self.{attribute}"] = kept
    run.met = any(isinstance(one, ast.Call) and calls_contract(view, one, frame) for one in ast.walk(node))
    reading.block(frame, node.body)
    frame.items[:0] = paid(run)
    return frame.spent(), run


def read_lines(frame: Frame, body: Sequence[ast.stmt]) -> None:
    """Read lines in a frame, to see what is found in its run."""
    _Reading().block(frame, body)


class _Reading:
    def __init__(self) -> None:
        self._expressions = Expressions(self)
        self._calls = Calls(self, self._expressions)

    def accountant(self, frame: Frame, made: ast.expr) -> Accountant | None:
        return self._calls.accountant(frame, made)

    def value(self, frame: Frame, node: ast.expr) -> Value:
        if isinstance(node, ast.Call):
            return self._calls.value(frame, node)
        if isinstance(node, ast.Name) and node.id not in frame.env:
            key = (frame.view.file, node.id)
            if key not in frame.run.held:
                made = held_by_module(frame.view.tree, node.id, frame.view.is_tool)
                frame.run.held[key] = None if made is None else self.accountant(Frame(frame.run, frame.view), made)
            held = frame.run.held[key]
            if held is not None:
                return held
        return self._expressions.value(frame, node)

    def block(self, frame: Frame, body: Sequence[ast.stmt]) -> bool:
        for place, statement in enumerate(body):
            if isinstance(statement, ast.If):
                return self._choice(frame, statement, body[place + 1 :])
            if self._statement(frame, statement):
                return True
        return False

    def _choice(self, frame: Frame, node: ast.If, rest: Sequence[ast.stmt]) -> bool:
        """An `if`, with what follows it: that belongs to the branch that goes on."""
        tested = self.value(frame, node.test)
        why = leak(tested, frame, node.test, "the data decides here")
        branches = [frame.branch(), frame.branch()]
        ends: list[bool] = []
        for branch, inner in zip(branches, (node.body, node.orelse), strict=True):
            branch.control = frame.control or why
            ends.append(self.block(branch, inner))
        if why is not None and any(ends):
            frame.run.unclear[why] = None
            frame.unclear(node, "the data decides where this ends")
        if any(ends) and not all(ends):
            going = branches[ends.index(False)]
            going.control = frame.control
            ends[ends.index(False)] = self.block(going, rest)
            frame.env, frame.credits, frame.standard = going.env, going.credits, going.standard
        elif not any(ends):
            frame.merge(node, branches)
        if any(branch.items for branch in branches):
            nodes = tuple(branch.spent() for branch in branches)
            frame.items.append(Choice(frame.view.file, frame.view.span(node.test), ast.unparse(node.test), nodes))
        return all(ends) or (not any(ends) and self.block(frame, rest))

    def _statement(self, frame: Frame, node: ast.stmt) -> bool:
        """Read one statement; whether what follows it is never reached."""
        match node:
            case ast.Return(value=value) | ast.Raise(exc=value):
                self._end(frame, node, value)
                return True
            case ast.Break() | ast.Continue():
                if frame.control is not None:
                    frame.run.unclear[frame.control] = None
                return True
            case ast.For(target=target, iter=over, body=body, orelse=other) if not other:
                walked = self.value(frame, over)
                self._loop(frame, node, Head(target, walked, tuple(body)), body)
            case ast.While(test=test, body=body, orelse=other) if not other:
                self._while(frame, node, test, body)
            case ast.With():
                return self._with(frame, node)
            case ast.Try():
                return self._try(frame, node)
            case _:
                self._plain(frame, node)
        return False

    def _plain(self, frame: Frame, node: ast.stmt) -> None:
        """A statement without others in it that runs on."""
        match node:
            case ast.Expr(value=value):
                self.value(frame, value)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assign(frame, node)
            case ast.FunctionDef(name=called) | ast.ClassDef(name=called):
                frame.bind(called, self._expressions.of_names(frame, node, called))
            case ast.Assert(test=test):
                why = leak(self.value(frame, test), frame, node, "the data decides here")
                if why is not None:
                    frame.run.unclear[why] = None
            case ast.Pass() | ast.Import() | ast.ImportFrom():
                pass
            case _:
                frame.unclear(node, f"`{type(node).__name__.lower()}` is not followed")

    def _with(self, frame: Frame, node: ast.With) -> bool:
        for item in node.items:
            entered = self.value(frame, item.context_expr)
            if isinstance(entered, Accountant):
                frame.standard = entered
            if item.optional_vars is not None:
                bind_all(frame, item.optional_vars, entered)
        return self.block(frame, node.body)

    def _end(self, frame: Frame, node: ast.stmt, value: ast.expr | None) -> None:
        found = self.value(frame, value) if value is not None else None
        inner = frame.depth > 0 and isinstance(node, ast.Return)
        if found is not None:
            why = leak(found, frame, node, "the data itself is given on")
            if why is not None and not inner:
                frame.run.unclear[why] = None
            if inner:
                frame.returned.append(Hidden(frame.control) if frame.control is not None else found)
        if frame.control is not None:
            frame.run.unclear[frame.control] = None

    def _assign(self, frame: Frame, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if isinstance(node, ast.AugAssign):
            left = parse_expression(ast.unparse(node.target))
            whole = ast.copy_location(ast.BinOp(left, node.op, node.value), node)
            value = self.value(frame, ast.fix_missing_locations(whole))
            targets: list[ast.expr] = [node.target]
            if isinstance(node.target, ast.Name) and isinstance(value, Hidden) and node.target.id in frame.env:
                spoil(frame.env[node.target.id], value.why)  # a list is lengthened in place
        elif node.value is None:
            return
        else:
            value = self.value(frame, node.value)
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Attribute | ast.Subscript) and not frame.holds(target):
                self._into(frame, target, value)
            else:
                bind_all(frame, target, value)

    def _into(self, frame: Frame, target: ast.Attribute | ast.Subscript, value: Value) -> None:
        """An assignment into an object."""
        owner = self.value(frame, target.value)
        why = frame.control or leak(value, frame, target, "the data itself is put in here")
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            why = why or leak(self.value(frame, target.slice), frame, target, "the data decides where this goes")
        if isinstance(owner, Hidden):
            why = why or owner.why
        if isinstance(owner, Accountant):
            frame.run.broken.add(owner.label)
        if isinstance(owner, Data):
            spoil(owner, frame.why(target, "the data is changed here"))
        touch(owner)
        if why is not None:
            spoil(owner, why)
            spoil_containers(frame, target, why)
        elif isinstance(owner, Public) and isinstance(value, Accountant):
            frame.run.broken.add(value.label)

    # loops

    def _loop(self, frame: Frame, node: ast.For, head: Head, body: list[ast.stmt]) -> None:
        over = head.over
        items = over.items if isinstance(over, Public) and not over.box.changed else None
        jumps = any(isinstance(one, ast.Break | ast.Continue) for part in body for one in ast.walk(part))
        if items is not None and len(items) <= _MOST_UNROLLED and not jumps and head.target is not None:
            for item in items:
                bind_all(frame, head.target, item)
                if self.block(frame, body):
                    return
            return
        self.turns(frame, node, head, lambda inner: self.block(inner, body))
        why = None if over is None else leak(over, frame, node, "the last turn of this loop is part of the data")
        if why is not None and head.target is not None:
            bind_all(frame, head.target, Hidden(why))

    def _while(self, frame: Frame, node: ast.While, test: ast.expr, body: list[ast.stmt]) -> None:
        def turn(inner: Frame) -> bool:
            why = leak(self.value(inner, test), inner, test, "the data decides here")
            if why is not None:
                inner.run.unclear[why] = None
                inner.control = inner.control or why
            self.block(inner, body)
            return True

        self.turns(frame, node, Head(None, None, (test, *body)), turn)

    def turns(self, frame: Frame, node: ast.AST, head: Head, body: Callable[[Frame], bool]) -> None:
        """Read one turn that stands for all, until what it leaves behind is no news at its head."""
        over = head.over
        private = isinstance(over, Loader) and bool(over.engine)
        why = leak(over, frame, node, "this loop walks through the data") if over is not None and not private else None
        assigned = _assigned(head.body)
        for one in assigned & set(frame.env):
            frame.env[one] = self._carried(frame, node, one)
        known, engines, times = dict(frame.run.unclear), dict(frame.run.engines), _times(frame, over)
        for turn in range(_ROUNDS):
            frame.run.unclear, frame.run.engines = dict(known), {label: replace(engines[label]) for label in engines}
            inner = frame.branch()
            inner.control = frame.control or why
            inner.credits = ()
            inner.loops += 1
            if isinstance(over, Loader) and private:  # each turn has a batch of its own, which no earlier turn has seen
                head = replace(head, over=replace(over, why=frame.why(node, BATCH)))
            inner.batch = [head.over] if isinstance(head.over, Loader) and private else []
            inner.times = None if frame.times is None or times is None else frame.times * times
            marker = frame.run.fresh("turn")
            if head.target is not None:
                self._bind_turn(inner, head, marker, why)
            ends = body(inner)
            news = {n for n in assigned & set(frame.env) if shown(inner.env[n]) and not shown(frame.env[n])}
            if not news and (turn or not private):
                break
            for one in news:
                found = leak(inner.env[one], inner, node, "the data itself is kept here")
                assert found is not None
                frame.env[one] = Hidden(found)
        for one in assigned & set(inner.env):
            later = inner.env[one]
            frame.env[one] = later if isinstance(later, Hidden) else Public(frame.run.fresh(one), parts=(later,))
        frame.credits = ()
        if inner.items:
            frame.items.append(self._repeat(frame, node, head, inner, marker, ends))

    def _carried(self, frame: Frame, node: ast.AST, one: str) -> Value:
        """What a variable that the loop assigns may hold at its head."""
        value = frame.env[one]
        why = leak(value, frame, node, f"`{one}` is another part of the data in each turn")
        if isinstance(value, Accountant):
            frame.run.broken.add(value.label)
        return Hidden(why) if why is not None else Public(frame.run.fresh(one), parts=(value,))

    def _bind_turn(self, inner: Frame, head: Head, marker: str, why: object) -> None:
        assert head.target is not None
        turn = Public(marker, parts=(head.over,) if head.over is not None else ())
        if why is not None or not isinstance(head.target, ast.Name):
            bind_all(inner, head.target, turn)
        else:
            inner.env[head.target.id] = turn

    def _repeat(self, frame: Frame, node: ast.AST, head: Head, inner: Frame, marker: str, ends: bool) -> Repeat:
        """A loop that spends."""
        over, body = head.over, inner.spent()
        leaves = list(spends(body))
        distinct = isinstance(over, Public) and over.distinct and not over.box.changed
        own = all(any(c.operator == "==" and c.right == marker for c in leaf.part.conditions) for leaf in leaves)
        jumps = any(isinstance(one, ast.Break | ast.Return | ast.Raise) for part in head.body for one in ast.walk(part))
        whole = not ends and not jumps
        return Repeat(frame.view.file, frame.view.span(node), _times(frame, over), distinct and own, whole, body)

    def _try(self, frame: Frame, node: ast.Try) -> bool:
        """What a handler does may follow any part of the body, and what was allowed in there is not relied upon."""
        before = dict(frame.env)
        credits_before = frame.credits
        body = frame.branch()
        ended = self.block(body, [*node.body, *node.orelse])
        frame.items += body.items
        handlers: list[Frame] = []
        for handler in node.handlers:
            other = frame.branch()
            other.env = {n: self._after(frame, node, n, before, body) for n in {*before, *body.env}}
            other.credits = ()
            if handler.name is not None:
                other.bind(handler.name, Public(frame.run.fresh(handler.name)))
            done = self.block(other, handler.body)
            if other.items:
                nodes = (other.spent(), Series())
                frame.items.append(Choice(frame.view.file, frame.view.span(handler), "an exception", nodes))
            if not done:
                handlers.append(other)
        going = [*([] if ended else [body]), *handlers]
        if going:
            frame.merge(node, going)
            frame.credits = frame.credits if not handlers else tuple(c for c in credits_before if c in body.credits)
        last = self.block(frame, node.finalbody)
        return last or not going

    def _after(self, frame: Frame, node: ast.AST, one: str, before: dict[str, Value], body: Frame) -> Value:
        first, last = before.get(one), body.env.get(one)
        if first is last and first is not None:
            return first
        for value in (first, last):
            why = leak(value, frame, node, "part of the data") if value is not None else None
            if why is not None:
                return Hidden(why)
        return Public(frame.run.fresh(one), parts=tuple(v for v in (first, last) if v is not None))


def _times(frame: Frame, over: Value | None) -> Amount | None:
    """How often a loop turns."""
    if isinstance(over, Loader):
        return turns_over(frame, over)
    if not isinstance(over, Public) or over.box.changed:
        return None
    if over.items is not None:
        return number(len(over.items))
    # What has no size given is as long as `len` says.
    return over.count or (name(f"len({over.key})") if over.amount is not None else None)


def _assigned(body: tuple[ast.AST, ...]) -> set[str]:
    """The names that a loop gives values to."""
    nodes = [one for part in body for one in ast.walk(part)]
    return {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
