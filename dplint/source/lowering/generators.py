"""Generator functions of the project, read into the loop that uses them up: `for chunk in chunks(values, 2): ...`.

The body of the loop stands where the generator yields, so that all happens in Python's order, one item at a time.
That is so for a generator that yields in one place, last in a loop with which it ends: `continue` and `break` of the
loop then are those of the generator. Of one that never ends, `next` gives another item, and `zip` one for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.program.liveness import live_before
from dplint.program.nodes import (
    Assign,
    Break,
    Call,
    Constant,
    Expression,
    ExpressionStatement,
    For,
    If,
    ListDisplay,
    Name,
    Raise,
    Statement,
    Update,
)
from dplint.program.refusals import UnsupportedConstruct
from dplint.source.bindings import binding_counts, clauses_of, statements
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.lazy import LazyNames
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Generator, Opened, Scope
from dplint.source.module_names import bound_names
from dplint.source.walking import is_text, nodes_below

_USING_UP = frozenset({"list", "tuple", "sum", "max", "min", "sorted"})
_LAZY = (cst.GeneratorExp, cst.Lambda)
LowerSome: TypeAlias = Callable[
    [Scope, Sequence[cst.CSTNode], cst.BaseExpression], tuple[tuple[Statement, ...], Expression]
]
"""Lowers statements in a scope, and then an expression."""


Paired: TypeAlias = tuple[tuple[Statement, ...], Name, Expression, tuple[Statement, ...]]
"""A loop over pairs: what comes before it, its target, what it goes through, and what a turn begins with."""


class Generators:
    """Lowers what a function does with them. lower: lowers a part of a generator. body: of the function."""

    def __init__(
        self, reader: Reader, instances: Instances, lower: LowerSome, body: cst.CSTNode | None, *, own: bool = False
    ) -> None:
        """own: whether it is the mechanism itself, not a function that it calls."""
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._instances = instances
        self._lower = lower
        self._body = body
        self._own = own
        self._lazy = LazyNames(reader, body)
        reader.register({cst.Call: self._next, cst.ListComp: self._listed})
        reader.register_iterable(cst.Call, self._next)

    def looped(
        self, node: cst.For, block: Callable[[cst.BaseSuite], tuple[Statement, ...]]
    ) -> tuple[Statement, ...] | None:
        """A loop over a generator; None for all others."""
        stepped = None if node.asynchronous else self._instances.stepped(node.iter)
        if stepped is not None:
            [clause], span = stepped.clauses, self._span(node)
            item = Assign((self._reader.target(node.target),), stepped.element, span)
            turn: tuple[Statement, ...] = (item, *block(node.body))
            for test in reversed(clause.conditions):
                turn = (If(test, turn, (), span),)
            orelse = () if node.orelse is None else block(node.orelse.body)
            return (For(clause.target, clause.iterable, turn, orelse, span),)
        if node.orelse is not None or node.asynchronous is not None:
            return None

        def yielded(value: Expression, span: Span) -> tuple[Statement, ...]:
            return Assign((self._reader.target(node.target),), value, span), *block(node.body)

        paired = self._paired(node.iter, node.target)
        if paired is not None:
            before, target, iterable, step = paired
            return *before, For(target, iterable, (*step, *block(node.body)), (), self._span(node))
        opened = self._instances.opened(node.iter, yielded)
        return None if opened is None else (*opened.passed, *opened.body)

    def yielded(self, node: cst.Yield) -> tuple[Statement, ...] | None:
        """A `yield` that is a statement; None where nobody has said what becomes of the items."""
        items, span, done = self._scope.listed, self._span(node), self._scope.yielded
        if items is not None:
            done = partial(_appended, items)
        if done is None:
            return None
        if not isinstance(node.value, cst.From):
            return done(Constant(None, span) if node.value is None else self._reader.expression(node.value), span)
        if items is None:
            return None
        try:
            opened = self._instances.opened(node.value.item, done)
        except UnsupportedConstruct:
            # Who catches what it raises has what came before that.
            if self._scope.tries or not self._used_up(node.value.item):
                raise
            opened = None
        if opened is not None:
            return *opened.passed, *opened.body
        item = Name(self._scope.rename({"item"})["item"], span)
        return (For(item, self._reader.used_up(node.value.item), done(item, span), (), span),)

    def _listed(self, node: cst.ListComp) -> Expression | None:
        """A list made of what a generator yields; None for all others."""
        clauses = [*clauses_of(node)] if isinstance(node, cst.ListComp) else []
        if not clauses:
            return None
        first, span = clauses[0], self._span(node)
        if len(clauses) > 1 or first.asynchronous is not None:
            return None
        result = Name(self._scope.rename({"values"})["values"], span)

        def yielded(value: Expression, span: Span) -> tuple[Statement, ...]:
            return Assign((self._reader.target(first.target),), value, span), *turn()

        def turn() -> tuple[Statement, ...]:
            tests = [self._reader.expression(one.test) for one in first.ifs]
            body: tuple[Statement, ...] = (Update(result, "append", (self._reader.expression(node.elt),), span),)
            for test in reversed(tests):
                body = (If(test, body, (), span),)
            return body

        renamed = self._scope.rename(set(bound_names(first.target)))
        self._scope.renamed.append(renamed)
        try:
            paired = self._paired(first.iter, first.target, hidden=renamed)
            if paired is not None:
                before, target, iterable, step = paired
                made: tuple[Statement, ...] = (*before, For(target, iterable, (*step, *turn()), (), span))
            else:
                opened = self._opened_outside(first.iter, yielded, renamed)
                if opened is None:
                    return None
                made = (*opened.passed, *opened.body)
        finally:
            self._scope.renamed.pop()
        start = Assign((result,), ListDisplay((), span), span)
        return self._reader.staged((start, *made), Call("list", (result,), (), span), span)

    def _opened_outside(
        self,
        node: cst.BaseExpression,
        yielded: Callable[[Expression, Span], tuple[Statement, ...]],
        renamed: dict[str, str],
    ) -> Opened | None:
        """A generator whose arguments do not see the variables of the comprehension."""
        if any(isinstance(one, cst.Name) and one.value in renamed for one in nodes_below(node)):
            return None
        return self._instances.opened(node, yielded)

    # next(stream), zip(values, stream)

    def kept(
        self, target: cst.BaseExpression, value: cst.BaseExpression, suite: cst.CSTNode | None
    ) -> tuple[Statement, ...] | None:
        """`stream = noise(rng)` of an endless generator, `noisy = map(f, xs)`; None for everything else."""
        lazy = self._lazy.kept(target, value, suite)
        if lazy is not None:
            return lazy
        if not isinstance(target, cst.Name) or suite is None or self._body is None or not isinstance(value, cst.Call):
            return None
        name = target.value
        if binding_counts(self._body)[name] != 1 or name in self._scope.parameters | self._scope.given:
            return None
        if _mentions(self._body, name) != _mentions(suite, name):
            return None
        found = self._endless(value)
        if found is None:
            return None
        self._scope.generators[name] = found
        for names in self._scope.renamed[:1]:
            names.pop(name, None)
        return found.opened.passed or (ExpressionStatement(Constant(None, self._span(target)), self._span(target)),)

    def _endless(self, node: cst.BaseExpression) -> Generator | None:
        helper = self._scope.helper(node.func) if isinstance(node, cst.Call) else None
        inside = [] if helper is None else [*statements(helper[1].body)]
        inside = [one for one in inside if not is_text(one)]
        match inside:
            case [cst.While(test=cst.Name(value="True"), orelse=None, body=body)]:
                pass
            case _:
                return None
        *before, last = statements(body)
        barred = (cst.Break, cst.Continue)
        if any(isinstance(one, barred) for one in nodes_below(body)):
            return None
        match last:
            case cst.Expr(value=cst.Yield(value=cst.BaseExpression() as value)):
                opened = self._instances.opened(node, None)
                return None if opened is None else Generator(opened, tuple(before), value)
        return None

    def _next(self, node: cst.Call) -> Expression | None:
        """`next(stream)`; None for everything else. In `list(items(...))` the items are a list from here on."""
        if node.args and (self._scope.canonical(node.func) or "") in _USING_UP and node.args[0].keyword is None:
            self._used_up(node.args[0].value)
        if self._scope.canonical(node.func) != "next" or any(one.keyword or one.star for one in node.args):
            return None
        match node.args:
            case [cst.Arg(value=cst.Name(value=name))] if name in self._scope.generators:
                statements_of, value = self._step(self._scope.generators[name], node)
                return self._reader.staged(statements_of, value, self._span(node))
            case [cst.Arg(value=given)] | [cst.Arg(value=given), cst.Arg()]:
                made = self._of_iter(given) or self._scope.iterator(given) or given
                default = node.args[1].value if len(node.args) > 1 else None
                return self._first_of(made, default, node) if isinstance(made, cst.GeneratorExp) else None
        return None

    def _of_iter(self, node: cst.BaseExpression) -> cst.GeneratorExp | None:
        """`(item for item in xs)` for `iter(xs)`; None for everything else."""
        match node:
            case cst.Call(args=[cst.Arg(value=items, keyword=None, star="")]) if (
                self._scope.canonical(node.func) == "iter"
            ):
                target, item = cst.Name("item"), cst.Name("item")
                clause = cst.CompFor(target, items)
                made = cst.GeneratorExp(item, clause)
                for one in (target, item, clause, made):
                    self._scope.placed(one, node)
                return made
        return None

    def _first_of(
        self, made: cst.GeneratorExp, default: cst.BaseExpression | None, node: cst.Call
    ) -> Expression | None:
        """`next(q for q in queries if q > 1)` as a loop that ends with its first item."""
        part, span = made.for_in, self._span(node)
        if part.inner_for_in is not None or part.asynchronous is not None:
            return None
        names = self._scope.rename({"found", "missing"})
        found, missing = Name(names["found"], span), Name(names["missing"], span)
        last: Expression = Constant(None, span) if default is None else self._reader.expression(default)
        if default is None and not self._may_end_here(node):
            raise self._refuse("next without a default in a function or a generator", node, "give it a default")
        # Python evaluates the default after the iterable, so one of the two must be nothing but looked up.
        sure = isinstance(last, Constant) or (isinstance(last, Name) and last.id in self._scope.parameters)
        if default is not None and not sure and self._scope.local(getattr(part.iter, "value", "")) is None:
            raise self._refuse("this default of next", default, "give the default a name first")
        bound = set(bound_names(part.target))
        clash = any(isinstance(one, cst.Name) and one.value in bound for one in nodes_below(part.iter))
        iterable = self._reader.iterable(part.iter) if clash else None

        def taken(_: cst.BaseSuite) -> tuple[Statement, ...]:
            tests = [self._reader.expression(one.test) for one in part.ifs]
            item = Assign((found,), self._reader.expression(made.elt), span)
            body: tuple[Statement, ...] = (item, Assign((missing,), Constant(False, span), span), Break(span))
            for test in reversed(tests):
                body = (If(test, body, (), span),)
            return body

        self._scope.renamed.append(self._scope.rename(bound))
        try:
            loop = cst.For(part.target, part.iter, cst.IndentedBlock(()))
            self._scope.placed(loop, node)
            looped = None if clash else self.looped(loop, taken)
            if looped is None:
                iterable = iterable or self._reader.iterable(part.iter)
                looped = (For(self._reader.target(part.target), iterable, taken(loop.body), (), span),)
        finally:
            self._scope.renamed.pop()
        before = Assign((found,), last, span), Assign((missing,), Constant(True, span), span)
        stop = If(missing, (Raise("StopIteration", (), span),), (), span)
        return self._reader.staged((*before, *looped, *(() if default is not None else (stop,))), found, span)

    def _may_end_here(self, node: cst.Call) -> bool:
        """Whether a StopIteration leaves the mechanism as it is: a generator makes another exception of it."""
        lazy = [one for one in nodes_below(self._body) if isinstance(one, _LAZY)] if self._body is not None else []
        within = any(part is node for one in lazy for part in nodes_below(one))
        return self._own and self._body is not None and not self._scope.calls and not within

    def _used_up(self, node: cst.BaseExpression) -> bool:
        """A generator that is used up before anything else happens, as a list; whether it is one."""
        span = self._span(node)
        result = Name(self._scope.rename({"values"})["values"], span)
        done = self._instances.listed(node, result)
        if done is not None:
            made = Call("list", (result,), (), span)
            self._reader.stands_for(node, self._reader.staged(done, made, span))
        return done is not None

    def _step(self, generator: Generator, node: cst.CSTNode) -> tuple[tuple[Statement, ...], Expression]:
        """One turn of an endless generator, and what it yields."""
        scope = generator.opened.scope
        scope.calls = (*self._scope.calls, self._scope.facts.span(node).place)
        body, value = self._lower(scope, generator.inside, generator.value)
        result = Name(self._scope.rename({"item"})["item"], self._span(node))
        body = (*body, Assign((result,), value, self._span(node)))
        if live_before((*generator.opened.passed, *body)) & {*scope.renamed[0].values()}:
            raise self._refuse("a generator whose variables may have no value", node, "assign them before its branches")
        return body, result

    def _paired(
        self, iterable: cst.BaseExpression, target: cst.BaseExpression, hidden: dict[str, str] | None = None
    ) -> Paired | None:
        """`for x, z in zip(values, noise(rng))`; None for everything else."""
        match iterable, target:
            case (
                cst.Call(
                    func=cst.Name(value="zip"),
                    args=[cst.Arg(value=values, keyword=None), cst.Arg(value=made, keyword=None)],
                ),
                cst.Tuple(elements=[cst.Element(value=first), cst.Element(value=second)]),
            ):
                pass
            case _:
                return None
        if self._scope.canonical(cst.ensure_type(iterable, cst.Call).func) != "zip":
            return None
        names = {one.value for one in nodes_below(iterable) if isinstance(one, cst.Name)}
        if hidden is not None and names & hidden.keys():
            return None
        found = self._scope.generators.get(made.value) if isinstance(made, cst.Name) else self._endless(made)
        if found is None:
            return None
        listed = self._reader.iterable(values)
        passed = () if isinstance(made, cst.Name) else found.opened.passed
        step, item = self._step(found, iterable)
        place = self._reader.target(first)
        # Python has both items before it assigns either.
        kept = Name(self._scope.rename({"item"})["item"], self._span(first))
        span = self._span(target)
        turn = (*step, Assign((place,), kept, span), Assign((self._reader.target(second),), item, span))
        return passed, kept, listed, turn


def _appended(items: Name, value: Expression, span: Span) -> tuple[Statement, ...]:
    return (Update(items, "append", (value,), span),)


def _mentions(node: cst.CSTNode, name: str) -> int:
    return sum(isinstance(one, cst.Name) and one.value == name for one in nodes_below(node))
