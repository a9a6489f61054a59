"""Statements that say in one line what programs say in several: each is written as Python executes it.

Refusals that have no place inside of a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeGuard

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque, walk
from dplint.source.lowering.reader import Reader

_QUIET = frozenset({"'ignore'", '"ignore"', "'warn'", '"warn"'})
"""What `numpy.errstate` may be told without a change of what is computed."""


class Rewriting:
    """Lowers starred targets, `pop` as a value, assignment expressions in tests and quiet `with` blocks.

    block: lowers the statements of a suite.
    """

    def __init__(self, reader: Reader, block: Callable[[cst.BaseSuite], tuple[ir.Statement, ...]]) -> None:
        self._reader = reader
        self._span = reader.span
        self._scope = reader.scope
        self._block = block
        reader.register({cst.NamedExpr: self._named, cst.Call: self._pops})
        reader.register_iterable(cst.Call, self._pops)

    def fresh(self, word: str, span: Span) -> ir.Name:
        """A variable that the source does not have."""
        return ir.Name(self._scope.rename({word})[word], span)

    # x = xs.pop()

    def popped(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`x = xs.pop(i)` as `x = xs[i]` and `xs.pop(i)`; None if it is no such thing."""
        if not is_popped(value):
            return None
        lowered = self._reader.target(target)
        return self._popped(lowered, value) if isinstance(lowered, ir.Name) else None

    def _popped(self, lowered: ir.Name, value: cst.Call) -> tuple[ir.Statement, ...] | None:
        match value:
            case cst.Call(func=cst.Attribute(value=cst.Name() as receiver), args=given):
                pass
            case _:
                return None
        if self._scope.instance(receiver) is not None or self._scope.local(receiver.value) in self._scope.kinds:
            return None
        name = self._reader.exactly(receiver)
        index = self._reader.expression(given[0].value) if given else ir.Constant(-1, self._span(value))
        plain = len(given) < 2 and not any(argument.keyword or argument.star for argument in given)
        if not plain or not isinstance(index, ir.Constant | ir.Name | ir.Opaque) or not isinstance(name, ir.Name):
            return None
        if lowered.id in (name.id, getattr(index, "id", None)):
            return None
        span = self._span(value)
        taken = ir.Assign((lowered,), ir.Subscript(name, index, span), span)
        return taken, ir.Update(name, "pop", (index,) if given else (), span)

    def _pops(self, node: cst.Call) -> ir.Expression | None:
        """`xs.pop(i)` as a value: what it gives has a name of its own."""
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
        of_object = isinstance(receiver, cst.Attribute) and self._scope.instance(receiver.value) is not None
        of_object = of_object and isinstance(node.func, cst.Attribute) and node.func.attr.value == "pop"
        if not (is_popped(node) or of_object) or receiver is None or any(one.keyword or one.star for one in node.args):
            return None
        if self._scope.instance(receiver) is not None or len(node.args) > 1:
            return None
        name, span = self._reader.exactly(receiver), self._span(node)
        if not isinstance(name, ir.Name):
            return None
        given = [self._reader.expression(one.value) for one in node.args] or [ir.Constant(-1, span)]
        words = [one if isinstance(one, ir.Constant) else self.fresh("given", span) for one in given]
        before = tuple(
            ir.Assign((word,), one, span) for word, one in zip(words, given, strict=True) if isinstance(word, ir.Name)
        )
        item = self.fresh("item", span)
        taken: tuple[ir.Statement, ...] = (
            ir.Assign((item,), ir.Subscript(name, words[0], span), span),
            ir.Update(name, "pop", (words[0],), span),
        )
        return self._reader.staged((*before, *taken), item, span)

    # first, *rest = values

    def unpacked(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`first, *rest = values` as a list that is long enough, and its parts; None for other targets."""
        if not isinstance(target, cst.Tuple | cst.List):
            return None
        starred = [n for n, element in enumerate(target.elements) if isinstance(element, cst.StarredElement)]
        if len(starred) != 1:
            return None
        span, star = self._span(target), starred[0]
        after = len(target.elements) - star - 1
        items = self.fresh("items", span)
        given = ir.Call("list", (self._reader.iterable(value),), (), span)
        lowered: list[ir.Statement] = [ir.Assign((items,), given, span), self._long_enough(items, star + after, span)]
        for number, element in enumerate(target.elements):
            index: ir.Expression = ir.Constant(number if number < star else number - len(target.elements), span)
            if number == star:
                stop = ir.Constant(-after, span) if after else None
                index = ir.Slice(ir.Constant(star, span), stop, None, span)
            part: ir.Expression = ir.Subscript(items, index, span)
            if number == star:
                part = ir.Call("list", (part,), (), span)
            lowered.append(ir.Assign((self._reader.target(element.value),), part, span))
        return tuple(lowered)

    def _long_enough(self, items: ir.Name, least: int, span: Span) -> ir.Statement:
        size = ir.Call("len", (items,), (), span)
        words = f"not enough values to unpack (expected at least {least}, got "
        message = ir.Call("f-string", (ir.Constant(words, span), size, ir.Constant(")", span)), (), span)
        test = ir.Compare(size, ("<",), (ir.Constant(least, span),), span)
        return ir.If(test, (ir.Raise("ValueError", (message,), span),), (), span)

    # (n := len(values)) + 1

    def _named(self, node: cst.NamedExpr) -> ir.Expression:
        """An assignment, and then the name."""
        target, span = self._reader.target(node.target), self._span(node)
        assert isinstance(target, ir.Name)
        assigned = ir.Assign((target,), self._reader.expression(node.value), span)
        return self._reader.staged((assigned,), target, span)

    # with np.errstate(divide="ignore"):

    def quiet(self, node: cst.With) -> tuple[ir.Statement, ...] | None:
        """The body of a block that only keeps NumPy from warning; None for any other `with`."""
        if node.asynchronous is not None or not all(self._is_quiet(item) for item in node.items):
            return None
        return self._block(node.body)

    def _is_quiet(self, item: cst.WithItem) -> bool:
        call = item.item
        if item.asname is not None or not isinstance(call, cst.Call):
            return False
        given = [argument.value for argument in call.args if argument.keyword is not None]
        plain = len(given) == len(call.args) and all(
            isinstance(one, cst.SimpleString) and one.value in _QUIET for one in given
        )
        return plain and self._scope.canonical(call.func) == "numpy.errstate"


def is_popped(value: cst.BaseExpression) -> TypeGuard[cst.Call]:
    """Whether it is `xs.pop(...)`."""
    match value:
        case cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name(value="pop"))):
            return True
    return False


def is_part(target: cst.BaseExpression) -> bool:
    """`xs[1:]`, to which all items of what is assigned are given."""
    return isinstance(target, cst.Subscript) and any(isinstance(one.slice, cst.Slice) for one in target.slice)


def with_refusals(found: Sequence[Unsupported], body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """The statements, with those refusals around or in front of them that have no place inside."""
    if not found:
        return body
    inside = {node.refusal for node in walk(body) if isinstance(node, ir.Opaque) and not node.follows}
    placeless = [refused for refused in dict.fromkeys(found) if refused not in inside]
    match body:
        case (ir.Assign(value=value, span=span),) if placeless:
            body = (ir.Opaque(placeless.pop(), (value,), (), False, span),)
        case (ir.For(iterable=iterable, body=turn, span=span),) if placeless:
            body = (ir.Opaque(placeless.pop(), (iterable,), (turn,), False, span),)
    return *map(opaque, placeless), *body
