"""`try` and `raise`."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from dplint.program.nodes import (
    Break,
    Continue,
    For,
    Handler,
    Node,
    Pass,
    Raise,
    Return,
    Statement,
    Try,
    While,
)
from dplint.program.refusals import Unsupported
from dplint.program.walk import children, rebuilt, walk
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope

Block: TypeAlias = Callable[[cst.BaseSuite], tuple[Statement, ...]]
_USED = ("a caught exception used as a value", "return or raise something else")


class Catching:
    """Lowers `raise` and `try`. block: lowers the statements of a suite. exceptions: those of the project.

    handles: whether the present place is in a handler. names: what the handlers around it call what they have caught.
    """

    def __init__(self, reader: Reader, block: Block, exceptions: dict[str, tuple[str, ...]]) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._block = block
        self._exceptions = exceptions
        self.handles = 0
        self.names: list[str] = []

    def raised(self, node: cst.Raise) -> Statement:
        """`raise`, of an exception or of what a handler has caught."""
        call = node.exc
        if call is None and self.handles:
            return Raise("", (), self._span(node))
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
        if len(names) > 1:
            self._exceptions.setdefault(names[0], names)
            if self._exceptions[names[0]] != names:
                raise self._reader.refuse("exceptions of one name", node, "give each a name of its own")
        return Raise(names[0], values, self._span(node))

    def block(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> tuple[Statement, ...]:
        """The statements of a handler."""
        name = handler.name.name if handler.name is not None else None
        if isinstance(name, cst.Name):
            refused = Unsupported(_USED[0], self._span(handler), _USED[1])
            self._scope.unusable[self._scope.local(name.value) or name.value] = refused
            self.names.append(name.value)
        self.handles += 1
        try:
            return self._block(handler.body)
        finally:
            self.handles -= 1
            if isinstance(name, cst.Name):
                self.names.pop()

    def lowered(
        self,
        node: cst.Try | cst.TryStar,
        body: tuple[Statement, ...],
        handlers: Sequence[tuple[Statement, ...]],
        orelse: tuple[Statement, ...],
        last: tuple[Statement, ...],
    ) -> tuple[Statement, ...] | None:
        """The statement, None where it is not followed: `except*`, and a `finally` that something jumps over."""
        if isinstance(node, cst.TryStar):
            return None
        made: list[Handler] = []
        for handler, block in zip(node.handlers, handlers, strict=True):
            names = ("BaseException",) if handler.type is None else exceptions_of(self._scope, handler.type)
            if names is None:
                return None
            made.append(Handler(names, block, self._span(handler)))
        span = self._span(node)
        whole: tuple[Statement, ...] = (Try(body, tuple(made), orelse, span),) if made else body
        return whole if all(isinstance(one, Pass) for one in last) else self._ended(whole, last, node)

    def _ended(
        self, whole: tuple[Statement, ...], last: tuple[Statement, ...], node: cst.Try
    ) -> tuple[Statement, ...] | None:
        """What is last is done whether something was raised or not, and what was raised goes on."""
        if any(_leaves(whole)) or any(_leaves(last)):
            return None
        span = self._span(node)
        again = Handler(("BaseException",), (*rebuilt(last, lambda _: None), Raise("", (), span)), span)
        return (Try(whole, (again,), last, span),)


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


def _leaves(nodes: Sequence[Node]) -> Iterator[bool]:
    """Whether statements are left by `return`, `break` or `continue`, for each of them."""
    for node in nodes:
        if isinstance(node, For | While):
            yield any(isinstance(one, Return) for one in walk(node.body))
            yield from _leaves(node.orelse)
        else:
            yield isinstance(node, Return | Break | Continue)
            yield from _leaves([*children(node)])
