"""`try`, and `with` of what does nothing but catch, or lock, or let pass."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import libcst as cst

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    Break,
    Compare,
    Constant,
    Continue,
    Expression,
    ExpressionStatement,
    For,
    Handler,
    If,
    Name,
    Node,
    Pass,
    Raise,
    Return,
    Statement,
    Subscript,
    Try,
    TupleDisplay,
    Update,
    While,
)
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.program.walk import bound_names as bound_variables
from dplint.program.walk import children, exchanged, mentions, rebuilt, walk
from dplint.source.bindings import bound_names
from dplint.source.lowering.caught_texts import USED, CaughtTexts
from dplint.source.lowering.inlining import with_flag
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.own_exceptions import own_exception
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Instance, Scope, top_level_names

Block: TypeAlias = Callable[[cst.BaseSuite], tuple[Statement, ...]]
_IDLE = frozenset({"contextlib.nullcontext", "threading.Lock", "threading.RLock", "warnings.catch_warnings"})


class Catching:
    """Lowers `raise`, `try` and some `with`. block: lowers the statements of a suite. exceptions: those of the project.

    handles: whether the present place is in a handler. names: what the handlers around it call what they have caught.
    """

    def __init__(
        self, reader: Reader, instances: Instances, block: Block, exceptions: dict[str, tuple[str, ...]]
    ) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._instances = instances
        self._block = block
        self._exceptions = exceptions
        self._texts = CaughtTexts(reader)
        self.handles = 0
        self.names: list[str] = []

    def raised(self, node: cst.Raise) -> Statement:
        """`raise`, of an exception or of what a handler has caught."""
        call = node.exc
        if call is None and self.handles:
            return Raise("", (), self._span(node))
        function = call.func if isinstance(call, cst.Call) else call
        found = None if function is None else own_exception(self._scope, function)
        if found is None:
            raise self._reader.refuse("this raise", node, "raise a built-in exception such as ValueError")
        names = found.names
        # What a caught exception is the cause of, and None, show nothing of it.
        known = ("None", *self.names)
        if node.cause is not None and not (isinstance(node.cause.item, cst.Name) and node.cause.item.value in known):
            raise self._reader.refuse("raise with a cause", node, "leave the cause out")
        arguments = call.args if isinstance(call, cst.Call) else ()
        if found.text is not None:
            given = self._instances.text_of(found.facts, found.text, arguments, node)
            values: tuple[Expression, ...] = (given,)
        elif any(argument.keyword or argument.star for argument in arguments):
            raise self._reader.refuse("this raise", node, "pass the message only")
        else:
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
            refused = Unsupported(USED[0], self._span(handler), USED[1])
            self._scope.unusable[self._scope.local(name.value) or name.value] = refused
            self.names.append(name.value)
            self._texts.begin("" if name.value in bound_names(handler.body) else name.value, handler)
        self.handles += 1
        try:
            return self._block(handler.body)
        finally:
            self.handles -= 1
            if isinstance(name, cst.Name):
                self.names.pop()
                self._texts.end(handler)

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
        body = self._texts.told(body, node.handlers)
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
        """What is last is done whether something was raised or not, and what was raised or returned goes on."""
        span, ways = self._span(node), {type(one) for one in _leaving(whole)}
        if len(ways) > 1 or any(_leaving(last)):
            return None
        again = Handler(("BaseException",), (*rebuilt(last, lambda _: None), Raise("", (), span)), span)
        if not ways:
            return (Try(whole, (again,), last, span),)
        (way,) = ways
        result, done = (Name(self._scope.rename({word})[word], span) for word in ("result", "done"))
        named = _of_names(whole, last) if way is Return else ()
        left: tuple[Statement, ...] = (Break(span) if way is Break else Continue(span),)
        if named is None:
            left = (Return(result, span),)
        elif way is Return:
            # Under another name a list could not be changed any more: the result only says which return it was.
            whole = exchanged(whole, {id(one): Return(_place(one, n), span) for n, one in enumerate(named)})
            left = tuple(
                If(Compare(result, ("==",), (Constant(n, span),), span), (Return(one.value, span),), (), span)
                for n, one in enumerate(named)
            )
        else:
            whole = exchanged(whole, {id(one): Return(Constant(None, span), span) for one in _leaving(whole)})
        try:
            whole = with_flag(whole, result, done)
        except UnsupportedConstruct:
            return None
        return Try(whole, (again,), last, span), If(done, left, (), span)

    def managed(self, node: cst.With) -> tuple[Statement, ...] | None:
        """A block of `suppress(...)`, of a lock, or of an object whose end does nothing; None for any other `with`."""
        if node.asynchronous is not None or len(node.items) != 1:
            return None
        [item] = node.items
        call, span = item.item, self._span(node)
        named = None if item.asname is None else item.asname.name
        if named is None and self._is_idle(call):
            return self._block(node.body)
        if named is None and isinstance(call, cst.Call) and self._scope.canonical(call.func) == "contextlib.suppress":
            names = [exceptions_of(self._scope, one.value) for one in call.args if one.keyword is None and not one.star]
            if len(names) < len(call.args) or None in names:
                return None
            caught = tuple(one for several in names for one in several or ())
            self._scope.tries += 1
            body = self._block(node.body)
            self._scope.tries -= 1
            return (Try(body, (Handler(caught, (Pass(span),), span),), (), span),)
        return self._entered(item, node)

    def _inside(
        self, node: cst.With, name: cst.Name | None, is_end: bool, value: Expression, span: Span
    ) -> tuple[Statement, ...]:
        """What is done where a function yields that a `with` is made of; is_end: it does nothing after that."""
        taken = ExpressionStatement(value, span) if name is None else Assign((self._reader.target(name),), value, span)
        body = self._block(node.body)
        if any(_leaving(body)) and not is_end:
            raise self._reader.refuse("a return, break or continue in a with", node, "leave it, and return behind it")
        return taken, *body

    def _is_idle(self, node: cst.BaseExpression) -> bool:
        """Whether entering and leaving it does nothing that a mechanism could notice."""
        if isinstance(node, cst.Call):
            return self._scope.canonical(node.func) in _IDLE and not node.args
        if not isinstance(node, cst.Name | cst.Attribute):
            return False
        found = self._scope.module_call(node)
        if found is None or found[1].args:
            return False
        facts, call = found
        around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, self._scope.elsewhere)
        return around.canonical(call.func) in _IDLE

    def _entered(self, item: cst.WithItem, node: cst.With) -> tuple[Statement, ...] | None:
        """`with Account(epsilon) as account:` of a class whose `__exit__` does nothing, or of a decorated function."""
        named = None if item.asname is None else item.asname.name
        if isinstance(item.item, cst.Call) and isinstance(named, cst.Name | None):
            managed = self._instances.managed(item.item, lambda is_end: partial(self._inside, node, named, is_end))
            if managed is not None:
                return managed
        manager = self._instances.made(item.item)
        if manager is None or not isinstance(manager.value, Instance):
            return None
        entered = self._instances.entered(manager.value, item.item)
        if entered is None:
            return None
        name = None if item.asname is None else item.asname.name
        before = (*manager.statements, *entered.statements)
        if isinstance(name, cst.Name) and isinstance(entered.value, Instance):
            names = self._instances.names
            names.name(name, entered.value, names.suite or node.body, beside=0)
        elif name is not None or not isinstance(entered.value, Instance | Constant | Name):
            return None
        return *before, *self._block(node.body)


def exceptions_of(scope: Scope, node: cst.BaseExpression) -> tuple[str, ...] | None:
    """The names of the exceptions that a handler is for; None where it is not certain that these are some."""
    if isinstance(node, cst.Tuple):
        several = [exceptions_of(scope, one.value) for one in node.elements]
        return None if None in several else tuple(name for names in several for name in names or ())
    canonical = scope.canonical(node) or ""
    found = getattr(builtins, canonical, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return (found.__name__,)
    own = own_exception(scope, node)
    return None if own is None else own.names[:1]


def _of_names(whole: Sequence[Statement], last: Sequence[Statement]) -> list[Return] | None:
    """The returns, if they give variables, alone or in tuples, that nothing of what is last gives another value."""
    given = [one for one in _leaving(whole) if isinstance(one, Return)]
    plain = all(isinstance(part, Name | Constant | TupleDisplay) for one in given for part in walk(one.value))
    bound = bound_variables(one for one in walk(last) if not isinstance(one, Update))
    return given if plain and not any(mentions(one.value, name) for one in given for name in bound) else None


def _place(node: Return, place: int) -> Expression:
    """Which return it is, once it has looked its variables up as it would do."""
    span = node.span
    looked_up = [
        Compare(one, ("is",), (Constant(None, span),), span) for one in walk(node.value) if isinstance(one, Name)
    ]
    return Subscript(TupleDisplay((Constant(place, span), *looked_up), span), Constant(0, span), span)


def _leaving(nodes: Sequence[Node]) -> Iterator[Return | Break | Continue]:
    """The statements by which some are left."""
    for node in nodes:
        if isinstance(node, Return | Break | Continue):
            yield node
        elif isinstance(node, For | While):
            yield from (one for one in walk(node.body) if isinstance(one, Return))
            yield from _leaving(node.orelse)
        else:
            yield from _leaving([*children(node)])
