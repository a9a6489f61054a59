"""From a mechanism to the graph of its values.

Reads statements: what variables are after them, and what leaves the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import libcst as cst

from dplint.claims import Columns, Mechanism
from dplint.relations import CUSTOM, DataKind, relation_of
from dplint.rules.flow.calls import Calls
from dplint.rules.flow.dicts import COLUMNS, NAMED_ANSWERS, is_changed, root_of
from dplint.rules.flow.draws import Draws
from dplint.rules.flow.expressions import Expressions, without_budget
from dplint.rules.flow.reading import (
    Frame,
    OpenLoop,
    State,
    TermReader,
    changed_names,
    merge,
    owners_changed,
    without_repeats,
)
from dplint.rules.flow.stores import Stores, is_of_an_object, owners_of
from dplint.rules.flow.terms import Assigned, Graph, Term, TermKind
from dplint.rules.flow.vocabulary import ModuleScope
from dplint.source.bindings import all_parameters
from dplint.source.discover import clip_said


class Statements:
    """Walks through the statements of functions."""

    def __init__(self, reader: TermReader) -> None:
        self._reader = reader
        self._make = reader.make
        self._read = reader.read
        self._stores = Stores(reader)
        Expressions(reader, self._stores)
        Calls(reader, Draws(reader), self._stores, self._enter)

    def _enter(
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
            return self._make(TermKind.CONTAINER, "yields", node, frame.yields)
        if len(results) < 2:
            return results[0] if results else self._reader.constant(None, node)
        conditions = without_repeats(guard for _, guards, _ in frame.returns for guard in guards[frame.base :])
        return self._make(TermKind.CHOICE, "return", node, results, conditions=conditions)

    def _share(self, before: dict[str, Term], inner: State, state: State) -> None:
        """A list that a function was given and has changed in place is changed for the caller too."""
        for name, given in before.items():
            after = inner.values.get(name, given)
            if after is not given and is_changed(after, given):
                for path in [path for path, term in state.values.items() if term is given]:
                    state.values[path] = after

    def run(self, function: cst.FunctionDef | cst.Lambda, name: str, state: State) -> Frame:
        """Read a function from its beginning."""
        frame = Frame(name, function, len(self._reader.frames), len(state.guards))
        self._reader.frames.append(frame)
        self._reader.graph.functions.append(function)
        loops, self._reader.loops = self._reader.loops, list(self._reader.loops)
        try:
            if isinstance(function, cst.Lambda):
                frame.returns.append((self._read(function.body, state), state.guards, function.body))
                if frame.depth == 0:
                    self._reader.sink("return", [frame.returns[0][0]], function.body, state)
            else:
                self._block(function.body, state)
        finally:
            self._reader.frames.pop()
            self._reader.loops = loops
        return frame

    # blocks

    def _block(self, body: cst.BaseSuite, state: State) -> None:
        """Walk through statements; `state` is what is known after them."""
        for line in body.body:
            parts, holder = (line.body, line) if isinstance(line, cst.SimpleStatementLine) else ((line,), body)
            for one in parts:
                if not state.alive or self._reader.graph.full:
                    return
                if isinstance(one, cst.BaseSmallStatement):
                    self._small(one, state, _ends_said(holder))
                else:
                    self._compound(one, state)

    def _merged(self, states: Sequence[State], base: int, node: cst.CSTNode) -> State:
        return merge(self._reader.graph, states, base, node, self._reader.mask)

    def _become(self, state: State, other: State) -> None:
        state.values, state.guards, state.alive = other.values, other.guards, other.alive

    def _compound(self, line: cst.CSTNode, state: State) -> None:  # noqa: C901 - one case a statement
        match line:
            case cst.If():
                self._if_statement(line, state)
            case cst.For():
                self._for(line, state)
            case cst.While():
                self._while(line, state)
            case cst.With(items=items, body=body):
                for item in items:
                    term = self._read(item.item, state)
                    if item.asname is not None:
                        self._stores.assign(item.asname.name, term, state)
                self._block(body, state)
            case cst.Try() | cst.TryStar():
                self._try(line, state)
            case cst.Match():
                self._match(line, state)
            case cst.FunctionDef(name=name):
                state.values[name.value] = self._reader.function(name.value, line, line, dict(state.values))
            case cst.ClassDef(name=name):
                state.values[name.value] = self._make(TermKind.SYMBOL, name.value, line)

    def _if_statement(self, line: cst.If, state: State) -> None:
        condition = self._reader.condition(line.test, state)
        self._reader.graph.branches.append((condition, line.test))
        without = without_budget(line.test)
        if without is not None:
            self._with_budget(line, state, without=without)
            return
        base = len(state.guards)
        then, other = state.under(condition), state.under(condition)
        self._block(line.body, then)
        if isinstance(line.orelse, cst.If):
            self._if_statement(line.orelse, other)
        elif line.orelse is not None:
            self._block(line.orelse.body, other)
        self._become(state, self._merged([then, other], base, line))

    def _with_budget(self, line: cst.If, state: State, *, without: bool) -> None:
        """The branch that is taken where there is an epsilon; nothing is promised of the other."""
        if not without:
            self._block(line.body, state)
        elif isinstance(line.orelse, cst.If):
            self._if_statement(line.orelse, state)
        elif line.orelse is not None:
            self._block(line.orelse.body, state)

    def _try(self, line: cst.Try | cst.TryStar, state: State) -> None:
        base = len(state.guards)
        before = state.copy()
        body = state.copy()
        self._block(line.body, body)
        if line.orelse is not None and body.alive:
            self._block(line.orelse.body, body)
        ends = [body]
        for handler in line.handlers:
            raised = self._make(TermKind.SYMBOL, "<exception>", handler)
            start = self._merged([before.under(raised), body.under(raised)], base, handler)
            if handler.name is not None:
                self._stores.assign(handler.name.name, raised, start)
            self._block(handler.body, start)
            ends.append(start)
        self._become(state, self._merged(ends, base, line))
        if line.finalbody is not None and state.alive:
            self._block(line.finalbody.body, state)

    def _match(self, line: cst.Match, state: State) -> None:
        subject = self._read(line.subject, state)
        condition = self._make(TermKind.COMPARISON, "match", line.subject, [subject])
        base = len(state.guards)
        ends = [state.under(condition)]
        for case in line.cases:
            inner = state.under(condition)
            if isinstance(case.pattern, cst.MatchAs) and case.pattern.name is not None:
                inner.values[case.pattern.name.value] = subject
            self._block(case.body, inner)
            ends.append(inner)
        self._become(state, self._merged(ends, base, line))

    # loops

    def _for(self, line: cst.For, state: State) -> None:
        iterable = self._read(line.iter, state)
        size = self._make(TermKind.LENGTH, "len", line.iter, [iterable])
        opened = OpenLoop(self._reader.open_loop(line, iterable))
        heads = self._heads(line, state, [size])
        inner = state.copy()
        self._stores.assign(line.target, self._reader.element(iterable, line.target), inner)
        self._loop_body(line, opened, heads, state, inner)

    def _while(self, line: cst.While, state: State) -> None:
        opened = OpenLoop(self._reader.open_loop(line, None))
        heads = self._heads(line, state, [])
        condition = self._reader.condition(line.test, state)
        self._reader.graph.branches.append((condition, line.test))
        always = condition.kind is TermKind.CONSTANT and bool(condition.value)
        if not always:
            for head in heads.values():
                head.conditions.append(condition)
        self._loop_body(line, opened, heads, state, state.copy() if always else state.under(condition), always=always)

    def _heads(self, line: cst.For | cst.While, state: State, conditions: list[Term]) -> dict[str, Term]:
        heads: dict[str, Term] = {}
        names = [name for name in changed_names(line) if name in state.values]
        owned = (owners_of(root_of(state.values[name]), state) for name in names)
        owners = [path for paths in owned for path in paths if path in state.values]
        items = {*owners_changed(line), *owners}
        names += owners
        for name in dict.fromkeys(names):
            # How many steps a training makes is a setting, and no secret.
            trained = name in items and is_of_an_object(root_of(state.values[name]))
            decided = [] if trained else list(conditions)
            head = self._make(TermKind.LOOP, name, line, [state.values[name]], conditions=decided)
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
        self._reader.frame.loops.append(opened)
        returns = len(self._reader.frame.returns)
        self._block(line.body, inner)
        self._reader.frame.loops.pop()
        back = self._merged([inner, *opened.continues], base, line)
        for name, head in heads.items():
            if back.alive and back.values.get(name, head) is not head:
                head.args.append(back.values[name])
        loop = self._reader.loops.pop()
        loop.exits += [list(one.guards[base:]) for one in opened.breaks]
        loop.exits += [list(guards[base:]) for _, guards, _ in self._reader.frame.returns[returns:]]
        normal = state.copy()
        normal.alive = not always
        if normal.alive:
            for name, term in (back.values if back.alive else {}).items():
                normal.values.setdefault(name, term)
            if line.orelse is not None:
                self._block(line.orelse.body, normal)
        after = self._merged([normal, *opened.breaks], base, line)
        known = set(heads.values())
        for name, term in list(after.values.items()):
            if term in known or (term.kind is TermKind.CHOICE and term.node is line) or term.loops & loop.bit:
                after.values[name] = self._make(TermKind.EXIT, name, line, [term], value=loop)
        left = [guard for _, guards, _ in self._reader.frame.returns[returns:] for guard in guards[base:]]
        after.guards = (*after.guards[:base], *without_repeats(left))
        self._become(state, after)

    # small statements

    def _small(self, small: cst.BaseSmallStatement, state: State, ends: Sequence[float]) -> None:  # noqa: C901, PLR0912 - as above
        """ends: what a comment behind it says that its value is clipped to."""
        match small:
            case cst.Assign(targets=targets, value=value):
                term = self._read(value, state)
                if ends:
                    clip = [term, *(self._reader.constant(end, value) for end in ends)]
                    term = self._make(TermKind.CALL, "clip", value, clip)
                for target in targets:
                    self._stores.assign(target.target, term, state)
                    if isinstance(target.target, cst.Name):
                        name = target.target
                        self._reader.graph.assigned.append(
                            Assigned(name.value, state.values[name.value], name, value, self._reader.frame.function)
                        )
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
                self._stores.assign(target, self._read(value, state), state)
            case cst.AugAssign(target=target, operator=operator, value=value):
                before, change = self._read(target, state), self._read(value, state)
                self._stores.augment(target, before, self._reader.operation(operator, small, before, change), state)
            case cst.Expr(value=value):
                self._read(value, state)
            case cst.Return(value=value):
                self._return(value, small, state)
            case cst.Raise():
                self._raise(small, state)
            case cst.Assert(test=test, msg=message):
                self._assert(test, message, small, state)
            case cst.Break() if self._reader.frame.loops:
                self._reader.frame.loops[-1].breaks.append(state.copy())
                state.alive = False
            case cst.Continue() if self._reader.frame.loops:
                self._reader.frame.loops[-1].continues.append(state.copy())
                state.alive = False
            case cst.Del(target=cst.Name() as deleted):
                state.values.pop(deleted.value, None)
            case cst.Del(target=cst.Subscript(value=cst.Name(name)) as deleted) if name in state.values:
                for item in deleted.slice:
                    self._reader.index(item.slice, state)
                if state.guards:  # which items are left may tell of what has decided
                    state.values[name] = self._make(TermKind.CONTAINER, "remove", deleted, [state.values[name]])

    def _return(self, value: cst.BaseExpression | None, node: cst.Return, state: State) -> None:
        term = self._reader.constant(None, node) if value is None else self._read(value, state)
        if isinstance(value, cst.Name):
            prefix = f"{value.value}."
            parts = [part for path, part in state.values.items() if path.startswith(prefix)]
            if parts:
                term = self._make(TermKind.CONTAINER, "object", value, [term, *parts])
        self._reader.frame.returns.append((term, state.guards, node))
        if self._reader.frame.depth == 0:
            self._reader.sink("return", [term], value if value is not None else node, state)
        state.alive = False

    def _raise(self, small: cst.Raise, state: State) -> None:
        shown = [self._read(small.exc, state)] if small.exc is not None else []
        self._reader.sink("raise", shown, small, state)
        state.alive = False

    def _assert(
        self, test: cst.BaseExpression, message: cst.BaseExpression | None, small: cst.Assert, state: State
    ) -> None:
        condition = self._reader.condition(test, state)
        failed = state.under(condition)
        self._reader.sink("raise", [self._read(message, failed)] if message is not None else [], small, failed)
        state.guards = (*state.guards, condition)


def build_graph(
    scope: ModuleScope,
    mechanism: Mechanism,
    node: cst.FunctionDef | cst.Lambda,
    is_epsilon: Callable[[Term], bool],
    *,
    scalar: bool,
    guessed: bool = False,
    given: Mapping[cst.Name, TermKind] = MappingProxyType({}),
) -> Graph:
    """The values that a mechanism computes.

    is_epsilon: whether a symbol or a constant may be an epsilon of the claim. scalar: its data is one value, not a
    sequence. guessed: there is no claim, and so nothing that says that the keys of the data are private. given: targets
    of assignments that stand for a parameter, of that kind: what is assigned to them is not followed.
    """
    reader = TermReader(scope, is_epsilon)
    reader.methods = scope.methods_beside(node)
    values: dict[str, Term] = {}
    shape = "scalar" if scalar else "sequence"
    for one in all_parameters(node, variadic=True):
        name = one.name.value
        if name == mechanism.data:
            named = guessed or relation_of(mechanism.claim).data is DataKind.VECTOR
            keys = [COLUMNS] * _has_columns(mechanism) + [NAMED_ANSWERS] * named
            values[name] = reader.make(TermKind.DATA, name, one.name, keys=keys, value=shape)
        elif name == mechanism.rng:
            values[name] = reader.make(TermKind.GENERATOR, "parameter", one.name, value="parameter")
        else:
            values[name] = reader.make(TermKind.SYMBOL, name, one.name)
    if mechanism.data is not None and mechanism.data.startswith("self."):
        values[mechanism.data] = reader.make(TermKind.DATA, mechanism.data, node, value=shape)
    for target, kind in given.items():
        keys = [COLUMNS, NAMED_ANSWERS] if kind is TermKind.DATA else []
        reader.given[target] = reader.make(kind, target.value, target, keys=keys, value="sequence" if keys else None)
    Statements(reader).run(node, mechanism.qualname.rpartition(".")[2], State(values))
    return reader.graph


def _ends_said(line: cst.CSTNode) -> tuple[float, ...]:
    """The two ends of `# dplint: clips [low, high]` behind a line of statements; empty where none is said."""
    after = getattr(line, "trailing_whitespace", None)
    comment = after.comment if isinstance(after, cst.TrailingWhitespace) else None
    return (clip_said(comment.value) if comment else None) or ()


def _has_columns(mechanism: Mechanism) -> bool:
    """Whether the data is a table or a record whose columns are known to all: what the claim or the annotation says.

    Where nothing is said of neighbours, they count as known, as those of most tables and of options to choose from are.
    """
    if mechanism.claim.relation == CUSTOM.name:
        return True
    parameter = mechanism.parameter(mechanism.data) if mechanism.data is not None else None
    annotation = (parameter.annotation or "") if parameter is not None else ""
    return isinstance(mechanism.claim.domain, Columns) or "DataFrame" in annotation
