"""Reads statements: what variables are after them, and what leaves the function."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.rules.flow.calls import CallFlow
from dplint.rules.flow.dicts import is_changed
from dplint.rules.flow.state import Frame, OpenLoop, State, changed_names, merge, path_of, without_repeats
from dplint.rules.flow.terms import Assigned, Term, TermKind

_BOUND_OBJECTS = ("self", "cls")


class StatementFlow(CallFlow):
    """Walks through the statements of a function."""

    # functions

    def enter(
        self, function: cst.FunctionDef | cst.Lambda, values: dict[str, Term], node: cst.Call, state: State
    ) -> Term:
        """Read the body of a function with these values of its parameters, and give what it returns."""
        inner = State(values, state.guards)
        name = function.name.value if isinstance(function, cst.FunctionDef) else "<lambda>"
        before = dict(values)
        frame = self.run(function, name, inner)
        self._share(before, inner, state)
        results = without_repeats(term for term, _, _ in frame.returns)
        if frame.yields:
            return self.make(TermKind.CONTAINER, "yields", node, frame.yields)
        if not results:
            return self.constant(None, node)
        if len(results) == 1:
            return results[0]
        conditions = without_repeats(guard for _, guards, _ in frame.returns for guard in guards[frame.base :])
        return self.make(TermKind.CHOICE, "return", node, results, conditions=conditions)

    def _share(self, before: dict[str, Term], inner: State, state: State) -> None:
        """A list that a function was given and has changed in place is changed for the caller too."""
        for name, given in before.items():
            after = inner.values.get(name, given)
            if after is not given and is_changed(after, given):
                for path in [path for path, term in state.values.items() if term is given]:
                    state.values[path] = after

    def run(self, function: cst.FunctionDef | cst.Lambda, name: str, state: State) -> Frame:
        """Read a function from its beginning."""
        frame = Frame(name, function, len(self.frames), len(state.guards))
        self.frames.append(frame)
        self.graph.functions.append(function)
        loops, self.loops = self.loops, list(self.loops)
        try:
            if isinstance(function, cst.Lambda):
                frame.returns.append((self.read(function.body, state), state.guards, function.body))
                if frame.depth == 0:
                    self.sink("return", [frame.returns[0][0]], function.body, state)
            else:
                self.block(function.body, state)
        finally:
            self.frames.pop()
            self.loops = loops
        return frame

    def yielded(self, term: Term, node: cst.CSTNode, state: State) -> None:
        """Note a value that a generator function gives."""
        kept = self.make(TermKind.CHOICE, "yield", node, [term], conditions=list(state.guards[self.frame.base :]))
        self.frame.yields.append(kept)
        if self.frame.depth == 0:
            self.sink("yield", [kept], node, state)

    # blocks

    def block(self, body: cst.BaseSuite, state: State) -> None:
        """Walk through statements; `state` is what is known after them."""
        for line in body.body:
            if not state.alive or self.graph.full:
                return
            if isinstance(line, cst.SimpleStatementLine):
                for small in line.body:
                    if state.alive:
                        self._small(small, state)
            elif isinstance(line, cst.BaseSmallStatement):
                self._small(line, state)
            else:
                self._compound(line, state)

    def _become(self, state: State, other: State) -> None:
        state.values, state.guards, state.alive = other.values, other.guards, other.alive

    def _compound(self, line: cst.BaseStatement, state: State) -> None:  # noqa: C901 - one case a statement
        match line:
            case cst.If():
                self._if_statement(line, state)
            case cst.For():
                self._for(line, state)
            case cst.While():
                self._while(line, state)
            case cst.With(items=items, body=body):
                for item in items:
                    term = self.read(item.item, state)
                    if item.asname is not None:
                        self.assign(item.asname.name, term, state)
                self.block(body, state)
            case cst.Try() | cst.TryStar():
                self._try(line, state)
            case cst.Match():
                self._match(line, state)
            case cst.FunctionDef(name=name):
                value = (line, dict(state.values))
                state.values[name.value] = self.make(TermKind.FUNCTION, name.value, line, value=value)
            case cst.ClassDef(name=name):
                state.values[name.value] = self.make(TermKind.SYMBOL, name.value, line)
            case _:
                return

    def _if_statement(self, line: cst.If, state: State) -> None:
        condition = self.condition(line.test, state)
        self.graph.branches.append((condition, line.test))
        base = len(state.guards)
        then, other = state.under(condition), state.under(condition)
        self.block(line.body, then)
        if isinstance(line.orelse, cst.If):
            self._if_statement(line.orelse, other)
        elif line.orelse is not None:
            self.block(line.orelse.body, other)
        self._become(state, merge(self.graph, [then, other], base, line, self.mask))

    def _try(self, line: cst.Try | cst.TryStar, state: State) -> None:
        base = len(state.guards)
        before = state.copy()
        body = state.copy()
        self.block(line.body, body)
        if line.orelse is not None and body.alive:
            self.block(line.orelse.body, body)
        ends = [body]
        for handler in line.handlers:
            raised = self.make(TermKind.SYMBOL, "<exception>", handler)
            start = merge(self.graph, [before.under(raised), body.under(raised)], base, handler, self.mask)
            if handler.name is not None:
                self.assign(handler.name.name, raised, start)
            self.block(handler.body, start)
            ends.append(start)
        self._become(state, merge(self.graph, ends, base, line, self.mask))
        if line.finalbody is not None and state.alive:
            self.block(line.finalbody.body, state)

    def _match(self, line: cst.Match, state: State) -> None:
        subject = self.read(line.subject, state)
        condition = self.make(TermKind.COMPARISON, "match", line.subject, [subject])
        base = len(state.guards)
        ends = [state.under(condition)]
        for case in line.cases:
            inner = state.under(condition)
            for name in _captured(case.pattern):
                inner.values[name] = subject
            self.block(case.body, inner)
            ends.append(inner)
        self._become(state, merge(self.graph, ends, base, line, self.mask))

    # loops

    def _for(self, line: cst.For, state: State) -> None:
        iterable = self.read(line.iter, state)
        size = self.make(TermKind.LENGTH, "len", line.iter, [iterable])
        opened = OpenLoop(self.open_loop(line, iterable))
        heads = self._heads(line, state, [size])
        inner = state.copy()
        self.assign(line.target, self.element(iterable, line.target), inner)
        self._loop_body(line, opened, heads, state, inner)

    def _while(self, line: cst.While, state: State) -> None:
        opened = OpenLoop(self.open_loop(line, None))
        heads = self._heads(line, state, [])
        condition = self.condition(line.test, state)
        self.graph.branches.append((condition, line.test))
        always = condition.kind is TermKind.CONSTANT and bool(condition.value)
        if not always:
            for head in heads.values():
                head.conditions.append(condition)
        self._loop_body(line, opened, heads, state, state.copy() if always else state.under(condition), always=always)

    def _heads(self, line: cst.For | cst.While, state: State, conditions: list[Term]) -> dict[str, Term]:
        heads: dict[str, Term] = {}
        for name in dict.fromkeys(changed_names(line.body)):
            if name in state.values:
                head = self.make(TermKind.LOOP, name, line, [state.values[name]], conditions=list(conditions))
                heads[name] = state.values[name] = head
        return heads

    def _loop_body(
        self,
        line: cst.For | cst.While,
        opened: OpenLoop,
        heads: dict[str, Term],
        state: State,
        inner: State,
        *,
        always: bool = False,
    ) -> None:
        base = len(state.guards)
        self.frame.loops.append(opened)
        returns = len(self.frame.returns)
        self.block(line.body, inner)
        self.frame.loops.pop()
        back = merge(self.graph, [inner, *opened.continues], base, line, self.mask)
        for name, head in heads.items():
            if back.alive and back.values.get(name, head) is not head:
                head.args.append(back.values[name])
        loop = self.loops.pop()
        loop.exits += [list(one.guards[base:]) for one in opened.breaks]
        loop.exits += [list(guards[base:]) for _, guards, _ in self.frame.returns[returns:]]
        normal = state.copy()
        normal.alive = not always
        if normal.alive:
            for name, term in (back.values if back.alive else {}).items():
                normal.values.setdefault(name, term)
            if line.orelse is not None:
                self.block(line.orelse.body, normal)
        after = merge(self.graph, [normal, *opened.breaks], base, line, self.mask)
        known = set(heads.values())
        for name, term in list(after.values.items()):
            if term in known or (term.kind is TermKind.CHOICE and term.node is line) or term.loops & loop.bit:
                after.values[name] = self.make(TermKind.EXIT, name, line, [term], value=loop)
        left = [guard for _, guards, _ in self.frame.returns[returns:] for guard in guards[base:]]
        after.guards = (*after.guards[:base], *without_repeats(left))
        self._become(state, after)

    # small statements

    def _small(self, small: cst.BaseSmallStatement, state: State) -> None:  # noqa: C901, PLR0912 - as above
        match small:
            case cst.Assign(targets=targets, value=value):
                term = self.read(value, state)
                for target in targets:
                    self.assign(target.target, term, state)
                    if isinstance(target.target, cst.Name):
                        name = target.target
                        self.graph.assigned.append(Assigned(name.value, term, name, value, self.frame.function))
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
                self.assign(target, self.read(value, state), state)
            case cst.AugAssign(target=target, operator=operator, value=value):
                before, change = self.read(target, state), self.read(value, state)
                self.assign(target, self.operation(operator, small, before, change), state)
            case cst.Expr(value=value):
                self.read(value, state)
            case cst.Return(value=value):
                self._return(value, small, state)
            case cst.Raise():
                self._raise(small, state)
            case cst.Assert(test=test, msg=message):
                self._assert(test, message, small, state)
            case cst.Break() if self.frame.loops:
                self.frame.loops[-1].breaks.append(state.copy())
                state.alive = False
            case cst.Continue() if self.frame.loops:
                self.frame.loops[-1].continues.append(state.copy())
                state.alive = False
            case cst.Import() | cst.ImportFrom():
                return
            case cst.Del(target=cst.Name() as deleted):
                state.values.pop(deleted.value, None)
            case _:
                return

    def _return(self, value: cst.BaseExpression | None, node: cst.Return, state: State) -> None:
        term = self.constant(None, node) if value is None else self.read(value, state)
        if isinstance(value, cst.Name):
            prefix = f"{value.value}."
            parts = [part for path, part in state.values.items() if path.startswith(prefix)]
            if parts:
                term = self.make(TermKind.CONTAINER, "object", value, [term, *parts])
        self.frame.returns.append((term, state.guards, node))
        if self.frame.depth == 0:
            self.sink("return", [term], value if value is not None else node, state)
        state.alive = False

    def _raise(self, small: cst.Raise, state: State) -> None:
        shown = [self.read(small.exc, state)] if small.exc is not None else []
        self.sink("raise", shown, small, state)
        state.alive = False

    def _assert(
        self, test: cst.BaseExpression, message: cst.BaseExpression | None, small: cst.Assert, state: State
    ) -> None:
        condition = self.condition(test, state)
        failed = state.under(condition)
        self.sink("raise", [self.read(message, failed)] if message is not None else [], small, failed)
        state.guards = (*state.guards, condition)

    # stores

    def assign(self, target: cst.BaseExpression, term: Term, state: State) -> None:
        """Store a value."""
        if isinstance(target, cst.Name):
            state.values[target.value] = term
            for path in [path for path in state.values if path.startswith(f"{target.value}.")]:
                del state.values[path]
        elif isinstance(target, cst.Tuple | cst.List):
            self._unpack(target.elements, term, target, state)
        elif isinstance(target, cst.StarredElement):
            self.assign(target.value, term, state)
        elif isinstance(target, cst.Attribute):
            self._store_attribute(target, term, state)
        elif isinstance(target, cst.Subscript):
            before = self.read(target.value, state)
            indices = [self._index(item.slice, state) for item in target.slice]
            stored = path_of(target)
            if _is_whole(target) and isinstance(target.value, cst.Name):
                state.values[target.value.value] = self.make(TermKind.CALL, "array", target, [term], keys=[""])
            elif stored is not None:
                state.values[stored] = self.make(TermKind.CONTAINER, "store", target, [before, *indices, term])

    def _store_attribute(self, target: cst.Attribute, term: Term, state: State) -> None:
        path = path_of(target)
        root = "" if path is None else path.partition(".")[0]
        owner = state.values.get(root)
        if root in _BOUND_OBJECTS or (owner is not None and owner.kind is TermKind.SYMBOL and owner.name == root):
            self.sink("attribute", [term], target, state)
        if path is not None:
            state.values[path] = term

    def _unpack(self, elements: Sequence[cst.BaseElement], term: Term, target: cst.CSTNode, state: State) -> None:
        starred = any(isinstance(element, cst.StarredElement) for element in elements)
        for position, element in enumerate(elements):
            part = None if starred else _part(term, position, len(elements))
            if part is None and not starred and term.kind is TermKind.CHOICE:
                parts = [_part(one, position, len(elements)) for one in term.args]
                known = [one for one in parts if one is not None]
                if len(known) == len(parts):
                    part = self.make(TermKind.CHOICE, term.name, target, known, conditions=list(term.conditions))
            if part is None:
                index = self.constant(position, None)
                part = self.make(TermKind.OPERATION, "[]", element.value, [term, index])
            self.assign(element.value, part, state)


def _part(term: Term, position: int, count: int) -> Term | None:
    if term.kind is TermKind.CONTAINER and term.name in ("tuple", "list") and len(term.args) == count:
        return term.args[position]
    return None


def _is_whole(target: cst.Subscript) -> bool:
    """Whether a store is into all of a list or array: `x[:] = ...`."""
    match target.slice:
        case [cst.SubscriptElement(slice=cst.Slice(lower=None, upper=None, step=None))]:
            return True
        case _:
            return False


def _captured(pattern: cst.MatchPattern) -> list[str]:
    """The names that a simple pattern binds."""
    if isinstance(pattern, cst.MatchAs) and pattern.name is not None:
        return [pattern.name.value]
    return []
