"""Statements that change a list or dict: `xs.append(x)`, `xs.sort(key=...)`, `del xs[i]`.

`rng.shuffle(items)` as a draw of an order, and the items put in that order, in place.

Every order is as likely as any other, as with `permutation`. What is shuffled is a list or an array under a name of the
function's own: a tuple, a range or a dict would raise, or not, by how long it is, and a run that comes with one is
refused. `random.shuffle` exchanges items one by one, which loses rows of a table: to it arrays have one dimension.
"""

from __future__ import annotations

import libcst as cst

from dplint.distributions import PYTHON
from dplint.program import nodes as ir
from dplint.program.interpretation import in_source
from dplint.program.walk import opaque
from dplint.source.bindings import SCOPES, binding_counts
from dplint.source.lowering.calls import Calls
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.hints import SHUFFLE_HINT
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting
from dplint.source.lowering.scope import Scope
from dplint.source.walking import is_name, nodes_below


class Updates:
    """Lowers such statements."""

    def __init__(self, reader: Reader, rewriting: Rewriting, calls: Calls) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._rewriting = rewriting
        self._calls = calls

    def called(
        self, node: cst.Call, method: str, receiver: cst.BaseExpression
    ) -> ir.Statement | tuple[ir.Statement, ...]:
        """A call of a method that changes its receiver."""
        name = self._reader.exactly(receiver)
        if not isinstance(name, ir.Name):
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
        return ir.Update(name, method, arguments, self._span(node))

    def added(self, node: cst.Call) -> tuple[ir.Statement, ...] | None:
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
        if not isinstance(name, ir.Name):
            raise self._refuse("this call of numpy.add.at", node, "add in a loop: for i in places: x[i] += 1")
        made = ir.Call("added-at", (name, places, items), (), span)
        return (ir.Assign((ir.ItemTarget(name, ir.Slice(None, None, None, span), span),), made, span),)

    def _sort(self, name: ir.Name, node: cst.Call) -> tuple[ir.Statement, ...]:
        """`xs.sort(reverse=True)`, as Python does it so that equal items keep their order: reverse, sort, reverse.

        By a key it is emptied, and given the items of `sorted`.
        """
        words = [one.keyword.value if one.keyword is not None else "" for one in node.args]
        if "key" in words and {*words} <= {"key", "reverse"}:
            span = self._span(node)
            ordered = self._rewriting.fresh("ordered", span)
            made = ir.Assign((ordered,), self._calls.by_key("sorted", name, node.args, node), span)
            return made, ir.Update(name, "clear", (), span), ir.Update(name, "extend", (ordered,), span)
        argument = node.args[0]
        word = argument.keyword.value if argument.keyword is not None and len(node.args) == 1 else ""
        value = argument.value.value if isinstance(argument.value, cst.Name) else ""
        if word != "reverse" or value not in ("True", "False"):
            raise self._refuse("sort with such arguments", node, "write xs = sorted(xs, key=..., reverse=...)")
        methods = ("reverse", "sort", "reverse") if value == "True" else ("sort",)
        return tuple(ir.Update(name, method, (), self._span(node)) for method in methods)

    def deleted(self, node: cst.Del) -> ir.Statement:
        """`del xs[i]` drops what `xs.pop(i)` would give."""
        target = node.target
        if (
            isinstance(target, cst.Subscript)
            and len(target.slice) == 1
            and isinstance(target.slice[0].slice, cst.Index)
        ):
            name = self._reader.exactly(target.value)
            if isinstance(name, ir.Name):
                return ir.Update(name, "pop", (self._reader.index(target.slice),), self._span(node))
        raise self._refuse("this del", node, "leave it out, or keep the rest: xs = xs[1:]")


_FLAT, _ARRAY = "a list or an array of one dimension", "an array"
_MAKERS = {
    **dict.fromkeys(["list", "sorted", "random.sample", "numpy.arange"], _FLAT),
    **dict.fromkeys(["numpy.array", "numpy.zeros", "numpy.ones", "numpy.full"], _ARRAY),
    **dict.fromkeys(["numpy.sort", "numpy.argsort", "numpy.concatenate", "numpy.repeat"], _ARRAY),
}
_COUNTING = frozenset({"len", "int"})


class Shuffles:
    """Lowers such statements of a function whose body that is."""

    def __init__(self, reader: Reader, rewriting: Rewriting, draws: Draws, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._rewriting = rewriting
        self._draws = draws
        self._body = body

    def executed(self, node: cst.Call) -> tuple[ir.Statement, ...] | None:
        """The statements; None for what is no shuffle."""
        stream = self._draws.shuffled(node)
        if stream is None:
            return None
        match node.args:
            case [cst.Arg(value=cst.Name(value=word) as items, keyword=None, star="")]:
                kind = self._kind(word)
            case _:
                raise self._reader.refuse("a shuffle of no name", node, SHUFFLE_HINT)
        refused = self._reader.refuse(f"a shuffle of {word}, which may be no list", node, SHUFFLE_HINT)
        if (kind is None and not self._is_assigned(word)) or (kind == _ARRAY and stream.family == PYTHON):
            raise refused
        span, name = self._reader.span(node), self._reader.exactly(items)
        if not isinstance(name, ir.Name):
            raise self._reader.refuse("a shuffle of no name", node, SHUFFLE_HINT)
        places, place = self._rewriting.fresh("places", span), self._rewriting.fresh("place", span)
        size = ir.Call("len", (name,), (), span)
        drawn = ir.Draw("permutation", (("x", size),), None, stream.label, stream.family, span)
        moved = ir.Comprehension("list", ir.Subscript(name, place, span), (ir.Clause(place, places, ()),), span)
        whole = ir.ItemTarget(name, ir.Slice(None, None, None, span), span)
        shuffled = ir.Assign((places,), drawn, span), ir.Assign((whole,), moved, span)
        if kind is not None:
            return shuffled
        # What a helper gives, or a copy of the data: the runs tell.
        types = ("list",) if stream.family == PYTHON else ("list", "numpy.ndarray")
        is_list = ir.Call("isinstance", (name, *(ir.Constant(one, span) for one in types)), (), span)
        return (ir.If(is_list, shuffled, (opaque(refused.unsupported),), span),)

    def _is_assigned(self, name: str) -> bool:
        return isinstance(self._body, cst.BaseSuite) and binding_counts(self._body)[name] > 0

    def _kind(self, name: str) -> str | None:
        """What everything is that the function gives a name; None where that is not known."""
        if not isinstance(self._body, cst.BaseSuite):
            return None
        kinds = [kind for one in nodes_below(self._body, SCOPES) if (kind := _given(self._scope, one, name))]
        # An argument of that name is the caller's, who sees what becomes of it: no program changes that.
        if not kinds or len(kinds) != binding_counts(self._body)[name]:
            return None
        return _ARRAY if _ARRAY in kinds else _FLAT


def _given(scope: Scope, node: cst.CSTNode, name: str) -> str | None:
    """What a statement gives a name."""
    match node:
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=cst.BaseExpression() as value)
            | cst.AnnAssign(target=cst.Name(value=own), value=cst.BaseExpression() as value)
        ) if own == name:
            return _made(scope, value)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=own))], value=cst.Tuple(elements=values)):
            pairs = zip(own, values, strict=False)
            made = [_made(scope, value.value) for one, value in pairs if is_name(one.value, name)]
            starred = any(isinstance(one, cst.StarredElement) for one in (*own, *values))
            return made[0] if len(made) == 1 and not starred else None
        case cst.AugAssign(target=cst.Name(value=own), operator=cst.AddAssign(), value=value) if own == name:
            return _made(scope, value)
    return None


def _made(scope: Scope, node: cst.BaseExpression) -> str | None:
    """What an expression makes, where that is a list or an array."""
    match node:
        case cst.List() | cst.ListComp() | cst.Call(func=cst.Attribute(attr=cst.Name(value="tolist"))):
            return _FLAT
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            parts = {_made(scope, left), _made(scope, right)}
            return None if None in parts else _ARRAY if _ARRAY in parts else _FLAT
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            # What repeats a list may be an array in truth.
            kind, times = (_made(scope, left), right) if _made(scope, left) else (_made(scope, right), left)
            return kind if kind is None or _is_count(scope, times) else _ARRAY
        case cst.Call(func=function):
            return _MAKERS.get(scope.canonical(function) or "")
    return None


def _is_count(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether it is certainly one whole number."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract(), right=right):
            return _is_count(scope, left) and _is_count(scope, right)
        case cst.Call(func=function):
            return scope.canonical(function) in _COUNTING
    return isinstance(node, cst.Integer)
