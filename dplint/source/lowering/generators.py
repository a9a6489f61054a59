"""Generators that are written out: in a loop, item by item; `next(q for q in queries if q > 1)`; and what a mechanism
yields that is a generator function, as the list of its items.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.bindings import names_in_target
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.reader import Reader
from dplint.source.walking import nodes_below

_LAZY = (cst.GeneratorExp, cst.Lambda)


class Generators:
    """Lowers what a function does with them. body: of the function."""

    def __init__(self, reader: Reader, instances: Instances, body: cst.CSTNode | None, *, own: bool = False) -> None:
        """own: whether it is the mechanism itself, not a function that it calls."""
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._stepped = instances.stepped
        self._body = body
        self._own = own
        reader.register({cst.Call: self._next})
        reader.register_iterable(cst.Call, self._next)

    def looped(
        self, node: cst.For, block: Callable[[cst.BaseSuite], tuple[ir.Statement, ...]]
    ) -> tuple[ir.Statement, ...] | None:
        """A loop over a generator; None for all others."""
        stepped = None if node.asynchronous else self._stepped(node.iter)
        if stepped is not None:
            [clause], span = stepped.clauses, self._span(node)
            item = ir.Assign((self._reader.target(node.target),), stepped.element, span)
            turn: tuple[ir.Statement, ...] = (item, *block(node.body))
            for test in reversed(clause.conditions):
                turn = (ir.If(test, turn, (), span),)
            orelse = () if node.orelse is None else block(node.orelse.body)
            return (ir.For(clause.target, clause.iterable, turn, orelse, span),)
        return None

    def yielded(self, node: cst.Yield) -> tuple[ir.Statement, ...] | None:
        """A `yield` that is a statement; None where nobody has said what becomes of the items."""
        items, span = self._scope.listed, self._span(node)
        if items is None:
            return None
        if not isinstance(node.value, cst.From):
            value = ir.Constant(None, span) if node.value is None else self._reader.expression(node.value)
            return (ir.Update(items, "append", (value,), span),)
        item = ir.Name(self._scope.rename({"item"})["item"], span)
        append = ir.Update(items, "append", (item,), span)
        return (ir.For(item, self._reader.used_up(node.value.item), (append,), (), span),)

    def _next(self, node: cst.Call) -> ir.Expression | None:
        """`next(q for q in queries if q > 1)`; None for everything else."""
        if self._scope.canonical(node.func) != "next" or any(one.keyword or one.star for one in node.args):
            return None
        match node.args:
            case [cst.Arg(value=given)] | [cst.Arg(value=given), cst.Arg()]:
                made = self._of_iter(given) or given
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
    ) -> ir.Expression | None:
        """`next(q for q in queries if q > 1)` as a loop that ends with its first item."""
        part, span = made.for_in, self._span(node)
        if part.inner_for_in is not None or part.asynchronous is not None:
            return None
        names = self._scope.rename({"found", "missing"})
        found, missing = ir.Name(names["found"], span), ir.Name(names["missing"], span)
        last: ir.Expression = ir.Constant(None, span) if default is None else self._reader.expression(default)
        if default is None and not self._may_end_here(node):
            raise self._refuse("next without a default in a function or a generator", node, "give it a default")
        # Python evaluates the default after the iterable, so one of the two must be nothing but looked up.
        sure = isinstance(last, ir.Constant) or (isinstance(last, ir.Name) and last.id in self._scope.parameters)
        if default is not None and not sure and self._scope.local(getattr(part.iter, "value", "")) is None:
            raise self._refuse("this default of next", default, "give the default a name first")
        bound = set(names_in_target(part.target))
        clash = any(isinstance(one, cst.Name) and one.value in bound for one in nodes_below(part.iter))
        iterable = self._reader.iterable(part.iter) if clash else None

        def taken(_: cst.BaseSuite) -> tuple[ir.Statement, ...]:
            tests = [self._reader.expression(one.test) for one in part.ifs]
            item = ir.Assign((found,), self._reader.expression(made.elt), span)
            body: tuple[ir.Statement, ...] = (
                item,
                ir.Assign((missing,), ir.Constant(False, span), span),
                ir.Break(span),
            )
            for test in reversed(tests):
                body = (ir.If(test, body, (), span),)
            return body

        self._scope.renamed.append(self._scope.rename(bound))
        try:
            loop = cst.For(part.target, part.iter, cst.IndentedBlock(()))
            self._scope.placed(loop, node)
            looped = None if clash else self.looped(loop, taken)
            if looped is None:
                iterable = iterable or self._reader.iterable(part.iter)
                looped = (ir.For(self._reader.target(part.target), iterable, taken(loop.body), (), span),)
        finally:
            self._scope.renamed.pop()
        before = ir.Assign((found,), last, span), ir.Assign((missing,), ir.Constant(True, span), span)
        stop = ir.If(missing, (ir.Raise("StopIteration", (), span),), (), span)
        return self._reader.staged((*before, *looped, *(() if default is not None else (stop,))), found, span)

    def _may_end_here(self, node: cst.Call) -> bool:
        """Whether a StopIteration leaves the mechanism as it is: a generator makes another exception of it."""
        lazy = [one for one in nodes_below(self._body) if isinstance(one, _LAZY)] if self._body is not None else []
        within = any(part is node for one in lazy for part in nodes_below(one))
        return self._own and self._body is not None and not self._scope.calls and not within
