"""`next((q for q in queries if q > 1), None)`, and what a mechanism that is a generator function yields, as a list."""

from __future__ import annotations

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.bindings import names_in_target
from dplint.source.lowering.reader import Reader

_LAZY = (cst.GeneratorExp, cst.Lambda)


class Generators:
    """Lowers what a function does with them."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        reader.register({cst.Call: self._next})
        reader.register_iterable(cst.Call, self._next)

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
        """`next((q for q in queries if q > 1), None)`; None for everything else."""
        if self._scope.canonical(node.func) != "next" or any(one.keyword or one.star for one in node.args):
            return None
        match node.args:
            case [cst.Arg(value=cst.GeneratorExp() as made), cst.Arg(value=default)]:
                return self._first_of(made, default, node)
            case [cst.Arg(value=cst.GeneratorExp())]:
                raise self._refuse("next without a default", node, "give it a default")
        return None

    def _first_of(self, made: cst.GeneratorExp, default: cst.BaseExpression, node: cst.Call) -> ir.Expression | None:
        """`next((q for q in queries if q > 1), None)` as a loop that ends with its first item."""
        part, span = made.for_in, self._span(node)
        if part.inner_for_in is not None or part.asynchronous is not None:
            return None
        found, last = ir.Name(self._scope.rename({"found"})["found"], span), self._reader.expression(default)
        # Python evaluates the default after the iterable, so one of the two must be nothing but looked up.
        sure = isinstance(last, ir.Constant) or (isinstance(last, ir.Name) and last.id in self._scope.parameters)
        if not sure and self._scope.local(getattr(part.iter, "value", "")) is None:
            raise self._refuse("this default of next", default, "give the default a name first")
        iterable = self._reader.iterable(part.iter)
        self._scope.renamed.append(self._scope.rename(set(names_in_target(part.target))))
        try:
            target = self._reader.target(part.target)
            tests = [self._reader.expression(one.test) for one in part.ifs]
            item = ir.Assign((found,), self._reader.expression(made.elt), span)
        finally:
            self._scope.renamed.pop()
        body: tuple[ir.Statement, ...] = (item, ir.Break(span))
        for test in reversed(tests):
            body = (ir.If(test, body, (), span),)
        loop = ir.For(target, iterable, body, (), span)
        return self._reader.staged((ir.Assign((found,), last, span), loop), found, span)
