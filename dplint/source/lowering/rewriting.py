"""Statements that say in one line what programs say in several: each is written as Python executes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeGuard

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    Call,
    Compare,
    Constant,
    Expression,
    ExpressionStatement,
    If,
    Name,
    Opaque,
    Pass,
    Raise,
    Slice,
    Statement,
    Subscript,
    Unary,
    Update,
)
from dplint.source.bindings import statements
from dplint.source.lowering.catching import exceptions_of
from dplint.source.lowering.reader import Reader
from dplint.source.module_names import bound_names as names_in_target

_QUIET = frozenset({"'ignore'", '"ignore"', "'warn'", '"warn"'})
"""What `numpy.errstate` may be told without a change of what is computed."""


class Rewriting:
    """Lowers starred targets, `pop` as a value, assignment expressions in tests and quiet `with` blocks.

    block: lowers the statements of a suite.
    """

    def __init__(self, reader: Reader, block: Callable[[cst.BaseSuite], tuple[Statement, ...]]) -> None:
        self._reader = reader
        self._span = reader.span
        self._scope = reader.scope
        self._block = block
        reader.register({cst.NamedExpr: self._named, cst.Call: self._pops})
        reader.register_iterable(cst.Call, self._pops)

    def fresh(self, word: str, span: Span) -> Name:
        """A variable that the source does not have."""
        return Name(self._scope.rename({word})[word], span)

    # x = xs.pop()

    def popped(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`x = xs.pop(i)` as `x = xs[i]` and `xs.pop(i)`; None if it is no such thing."""
        if not is_popped(value):
            return None
        lowered = self._reader.target(target)
        return self._popped(lowered, value) if isinstance(lowered, Name) else None

    def _popped(self, lowered: Name, value: cst.Call) -> tuple[Statement, ...] | None:
        match value:
            case cst.Call(func=cst.Attribute(value=cst.Name() as receiver), args=given):
                pass
            case _:
                return None
        if self._scope.instance(receiver) is not None or self._scope.local(receiver.value) in self._scope.kinds:
            return None
        name = self._reader.exactly(receiver)
        index = self._reader.expression(given[0].value) if given else Constant(-1, self._span(value))
        plain = len(given) < 2 and not any(argument.keyword or argument.star for argument in given)
        if not plain or not isinstance(index, Constant | Name | Opaque) or not isinstance(name, Name):
            return None
        if lowered.id in (name.id, getattr(index, "id", None)):
            return None
        span = self._span(value)
        taken = Assign((lowered,), Subscript(name, index, span), span)
        return taken, Update(name, "pop", (index,) if given else (), span)

    def _pops(self, node: cst.Call) -> Expression | None:
        """`xs.pop(i)` or `entries.pop(key, default)` as a value: what it gives has a name of its own."""
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
        of_object = isinstance(receiver, cst.Attribute) and self._scope.instance(receiver.value) is not None
        of_object = of_object and isinstance(node.func, cst.Attribute) and node.func.attr.value == "pop"
        if not (is_popped(node) or of_object) or receiver is None or any(one.keyword or one.star for one in node.args):
            return None
        if self._scope.instance(receiver) is not None or len(node.args) > 2:
            return None
        name, span = self._reader.exactly(receiver), self._span(node)
        if not isinstance(name, Name):
            return None
        given = [self._reader.expression(one.value) for one in node.args] or [Constant(-1, span)]
        words = [one if isinstance(one, Constant) else self.fresh("given", span) for one in given]
        before = tuple(
            Assign((word,), one, span) for word, one in zip(words, given, strict=True) if isinstance(word, Name)
        )
        item = self.fresh("item", span)
        taken: tuple[Statement, ...] = (
            Assign((item,), Subscript(name, words[0], span), span),
            Update(name, "pop", (words[0],), span),
        )
        if len(words) == 2:
            known = Compare(words[0], ("in",), (name,), span)
            taken = (If(known, taken, (Assign((item,), words[1], span),), span),)
        return self._reader.staged((*before, *taken), item, span)

    # first, *rest = values

    def unpacked(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`first, *rest = values` as a list that is long enough, and its parts; None for other targets."""
        if not isinstance(target, cst.Tuple | cst.List):
            return None
        starred = [n for n, element in enumerate(target.elements) if isinstance(element, cst.StarredElement)]
        if len(starred) != 1:
            return None
        span, star = self._span(target), starred[0]
        after = len(target.elements) - star - 1
        items = self.fresh("items", span)
        given = Call("list", (self._reader.iterable(value),), (), span)
        lowered: list[Statement] = [Assign((items,), given, span), self._long_enough(items, star + after, span)]
        for number, element in enumerate(target.elements):
            index: Expression = Constant(number if number < star else number - len(target.elements), span)
            if number == star:
                stop = Constant(-after, span) if after else None
                index = Slice(Constant(star, span), stop, None, span)
            part: Expression = Subscript(items, index, span)
            if number == star:
                part = Call("list", (part,), (), span)
            lowered.append(Assign((self._reader.target(element.value),), part, span))
        return tuple(lowered)

    def _long_enough(self, items: Name, least: int, span: Span) -> Statement:
        size = Call("len", (items,), (), span)
        words = f"not enough values to unpack (expected at least {least}, got "
        message = Call("f-string", (Constant(words, span), size, Constant(")", span)), (), span)
        test = Compare(size, ("<",), (Constant(least, span),), span)
        return If(test, (Raise("ValueError", (message,), span),), (), span)

    # (n := len(values)) + 1

    def _named(self, node: cst.NamedExpr) -> Expression:
        """An assignment, and then the name."""
        target, span = self._reader.target(node.target), self._span(node)
        assert isinstance(target, Name)
        assigned = Assign((target,), self._reader.expression(node.value), span)
        return self._reader.staged((assigned,), target, span)

    # with np.errstate(divide="ignore"):

    def quiet(self, node: cst.With) -> tuple[Statement, ...] | None:
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

    # try, where it only logs

    def passes_on(
        self,
        node: cst.Try | cst.TryStar,
        handlers: Sequence[tuple[Statement, ...]],
        others: Sequence[tuple[Statement, ...]],
    ) -> bool:
        """Whether what is raised in a `try` goes on as it is, and nothing else is done.

        handlers, others: the lowered blocks of its `except`s, and of `else` and `finally`.
        """
        if isinstance(node, cst.TryStar):
            return False
        for handler, lowered in zip(node.handlers, handlers, strict=True):
            *_, last = statements(handler.body)
            bare = isinstance(last, cst.Raise) and last.exc is None
            named = set(names_in_target(handler.name))
            if not (
                bare and (handler.type is None or exceptions_of(self._scope, handler.type) is not None)
            ) or not _does_nothing(lowered[:-1], named):
                return False
        return all(_does_nothing(block, ()) for block in others)


def is_popped(value: cst.BaseExpression) -> TypeGuard[cst.Call]:
    """Whether it is `xs.pop(...)`."""
    match value:
        case cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name(value="pop"))):
            return True
    return False


def _does_nothing(block: Sequence[Statement], bound: Collection[str]) -> bool:
    """Whether statements look at nothing but these names, which certainly have a value."""
    named = (one.value for one in block if isinstance(one, ExpressionStatement))
    plain = all(isinstance(one, Name) and one.id in bound for one in named)
    return plain and all(isinstance(one, Pass | ExpressionStatement) for one in block)


def known_test(test: Expression) -> bool | None:
    """What a test of constants comes to; None for all others."""
    match test:
        case Unary(operator="not", operand=inner):
            known = known_test(inner)
            return None if known is None else not known
        case Compare(left=Constant(value=str() | int() as left), operators=("==" | "!=" as operator,), comparators=(Constant(value=str() | int() as right),)):  # fmt: skip  # noqa: E501
            return (left == right) == (operator == "==")
        case Compare(left=Constant(value=left), operators=("is" | "is not" as operator,), comparators=(Constant(value=None),)):  # fmt: skip  # noqa: E501
            return (left is None) == (operator == "is")
        case Constant(value=bool() | None as value):
            return bool(value)
    return None


def is_part(target: cst.BaseExpression) -> bool:
    """`xs[1:]`, to which all items of what is assigned are given."""
    return isinstance(target, cst.Subscript) and any(isinstance(one.slice, cst.Slice) for one in target.slice)
