"""Statements that change a list or dict: `xs.append(x)`, `xs.sort(key=...)`, `del xs[i]`."""

from __future__ import annotations

import libcst as cst

from dplint.program.nodes import Assign, Call, ItemTarget, Name, Slice, Statement, Update
from dplint.program.variables import in_source
from dplint.source.lowering.calls import Calls
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting
from dplint.source.walking import nodes_below


class Updates:
    """Lowers such statements."""

    def __init__(self, reader: Reader, rewriting: Rewriting, calls: Calls) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._rewriting = rewriting
        self._calls = calls

    def called(self, node: cst.Call, method: str, receiver: cst.BaseExpression) -> Statement | tuple[Statement, ...]:
        """A call of a method that changes its receiver."""
        name = self._reader.exactly(receiver)
        if not isinstance(name, Name):
            raise self._refuse(f"{method} on an element", node, "use a list with a name of its own")
        if method == "sort" and node.args:
            return self._sort(name, node)
        if any(argument.keyword or argument.star for argument in node.args):
            raise self._refuse(f"{method} with such arguments", node, "pass plain arguments")
        lower = self._expression
        if method == "extend":
            # An item that asks the list, or fails after others, shows that they are put in one by one.
            named = {one.value for one in nodes_below(node.args[0]) if isinstance(one, cst.Name)}
            shown = in_source(name.id) in named or "." in name.id
            lower = self._reader.iterable if shown else self._reader.used_up
        arguments = tuple(lower(argument.value) for argument in node.args)
        return Update(name, method, arguments, self._span(node))

    def added(self, node: cst.Call) -> tuple[Statement, ...] | None:
        """`numpy.add.at(counts, places, 1)`, as `counts[:] = ...`; None for all others."""
        if self._reader.scope.canonical(node.func) != "numpy.add.at":
            return None
        plain = len(node.args) == 3 and not any(one.keyword or one.star for one in node.args)
        if not plain:
            raise self._refuse("this call of numpy.add.at", node, "add in a loop: for i in places: x[i] += 1")
        span = self._span(node)
        name, places, items = (
            self._reader.exactly(node.args[0].value),
            *map(self._expression, (a.value for a in node.args[1:])),
        )
        if not isinstance(name, Name):
            raise self._refuse("this call of numpy.add.at", node, "add in a loop: for i in places: x[i] += 1")
        made = Call("added-at", (name, places, items), (), span)
        return (Assign((ItemTarget(name, Slice(None, None, None, span), span),), made, span),)

    def _sort(self, name: Name, node: cst.Call) -> tuple[Statement, ...]:
        """`xs.sort(reverse=True)`, as Python does it so that equal items keep their order: reverse, sort, reverse.

        By a key it is emptied, and given the items of `sorted`.
        """
        words = [one.keyword.value if one.keyword is not None else "" for one in node.args]
        if "key" in words and {*words} <= {"key", "reverse"}:
            span = self._span(node)
            ordered = self._rewriting.fresh("ordered", span)
            made = Assign((ordered,), self._calls.by_key("sorted", name, node.args, node), span)
            return made, Update(name, "clear", (), span), Update(name, "extend", (ordered,), span)
        argument = node.args[0]
        word = argument.keyword.value if argument.keyword is not None and len(node.args) == 1 else ""
        value = argument.value.value if isinstance(argument.value, cst.Name) else ""
        if word != "reverse" or value not in ("True", "False"):
            raise self._refuse("sort with such arguments", node, "write xs = sorted(xs, key=..., reverse=...)")
        methods = ("reverse", "sort", "reverse") if value == "True" else ("sort",)
        return tuple(Update(name, method, (), self._span(node)) for method in methods)

    def deleted(self, node: cst.Del) -> Statement:
        """`del xs[i]` drops what `xs.pop(i)` would give."""
        target = node.target
        if (
            isinstance(target, cst.Subscript)
            and len(target.slice) == 1
            and isinstance(target.slice[0].slice, cst.Index)
        ):
            name = self._reader.exactly(target.value)
            if isinstance(name, Name):
                return Update(name, "pop", (self._reader.index(target.slice),), self._span(node))
        raise self._refuse("this del", node, "leave it out, or keep the rest: xs = xs[1:]")
