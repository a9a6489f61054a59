"""Statements that say in one line what programs say in several: each is written as Python executes it.

`raise`, and what an `except` is for.

Refusals that have no place inside of a statement.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias, TypeGuard

import libcst as cst

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque, walk
from dplint.source.bindings import names_in_target, statements
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope

Block: TypeAlias = Callable[[cst.BaseSuite], tuple[ir.Statement, ...]]


class Catching:
    """Lowers `raise`, and the blocks of handlers. block: lowers the statements of a suite.

    handles: whether the present place is in a handler. names: what the handlers around it call what they have caught.
    """

    def __init__(self, reader: Reader, block: Block) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._block = block
        self.handles = 0
        self.names: list[str] = []

    def raised(self, node: cst.Raise) -> ir.Statement:
        """`raise`, of an exception or of what a handler has caught."""
        call = node.exc
        if call is None and self.handles:
            return ir.Pass(self._span(node))
        function = call.func if isinstance(call, cst.Call) else call
        names = None if function is None else self._scope.exception(function)
        if names is None:
            raise self._reader.refuse("this raise", node, "raise a built-in exception such as ValueError")
        # What a caught exception is the cause of, and None, show nothing of it.
        known = ("None", *self.names)
        if node.cause is not None and not (isinstance(node.cause.item, cst.Name) and node.cause.item.value in known):
            raise self._reader.refuse("raise with a cause", node, "leave the cause out")
        arguments = call.args if isinstance(call, cst.Call) else ()
        if any(argument.keyword or argument.star for argument in arguments):
            raise self._reader.refuse("this raise", node, "pass the message only")
        values = tuple(self._reader.expression(argument.value) for argument in arguments)
        return ir.Raise(names[0], values, self._span(node))

    def block(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> tuple[ir.Statement, ...]:
        """The statements of a handler."""
        name = handler.name.name if handler.name is not None else None
        if isinstance(name, cst.Name):
            self.names.append(name.value)
        self.handles += 1
        try:
            return self._block(handler.body)
        finally:
            self.handles -= 1
            if isinstance(name, cst.Name):
                self.names.pop()


def exceptions_of(scope: Scope, node: cst.BaseExpression) -> tuple[str, ...] | None:
    """The names of the exceptions that a handler is for; None where it is not certain that these are some."""
    if isinstance(node, cst.Tuple):
        several = [exceptions_of(scope, one.value) for one in node.elements]
        return None if None in several else tuple(name for names in several for name in names or ())
    canonical = scope.canonical(node) or ""
    found = getattr(builtins, canonical, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return (found.__name__,)
    own = scope.exception(node)
    return None if own is None else own[:1]


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
        """`xs.pop(i)` or `entries.pop(key, default)` as a value: what it gives has a name of its own."""
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
        of_object = isinstance(receiver, cst.Attribute) and self._scope.instance(receiver.value) is not None
        of_object = of_object and isinstance(node.func, cst.Attribute) and node.func.attr.value == "pop"
        if not (is_popped(node) or of_object) or receiver is None or any(one.keyword or one.star for one in node.args):
            return None
        if self._scope.instance(receiver) is not None or len(node.args) > 2:
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
        if len(words) == 2:
            known = ir.Compare(words[0], ("in",), (name,), span)
            taken = (ir.If(known, taken, (ir.Assign((item,), words[1], span),), span),)
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

    # try, where it only logs

    def passes_on(
        self,
        node: cst.Try | cst.TryStar,
        handlers: Sequence[tuple[ir.Statement, ...]],
        others: Sequence[tuple[ir.Statement, ...]],
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


def _does_nothing(block: Sequence[ir.Statement], bound: Collection[str]) -> bool:
    """Whether statements look at nothing but these names, which certainly have a value."""
    named = (one.value for one in block if isinstance(one, ir.ExpressionStatement))
    plain = all(isinstance(one, ir.Name) and one.id in bound for one in named)
    return plain and all(isinstance(one, ir.Pass | ir.ExpressionStatement) for one in block)


def known_test(test: ir.Expression) -> bool | None:
    """What a test of constants comes to; None for all others."""
    match test:
        case ir.Unary(operator="not", operand=inner):
            known = known_test(inner)
            return None if known is None else not known
        case ir.Compare(left=ir.Constant(value=str() | int() as left), operators=("==" | "!=" as operator,), comparators=(ir.Constant(value=str() | int() as right),)):  # fmt: skip  # noqa: E501
            return (left == right) == (operator == "==")
        case ir.Compare(left=ir.Constant(value=left), operators=("is" | "is not" as operator,), comparators=(ir.Constant(value=None),)):  # fmt: skip  # noqa: E501
            return (left is None) == (operator == "is")
        case ir.Constant(value=bool() | None as value):
            return bool(value)
    return None


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
