"""`raise`, and what an `except` is for."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from dplint.program.nodes import (
    Pass,
    Raise,
    Statement,
)
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope

Block: TypeAlias = Callable[[cst.BaseSuite], tuple[Statement, ...]]


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

    def raised(self, node: cst.Raise) -> Statement:
        """`raise`, of an exception or of what a handler has caught."""
        call = node.exc
        if call is None and self.handles:
            return Pass(self._span(node))
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
        return Raise(names[0], values, self._span(node))

    def block(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> tuple[Statement, ...]:
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
