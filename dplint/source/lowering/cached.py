"""Functions of the project whose results `functools.lru_cache` or `cache` keeps: called as if nothing kept them.

That is the same for a function that draws nothing: a list, which has no hash, is a TypeError. What it gives is held by
the cache, too, so that a change of it in place is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import libcst as cst

from dplint.program.nodes import (
    Assign,
    BoolOp,
    Call,
    CallFunction,
    Clause,
    Comprehension,
    Constant,
    Expression,
    Function,
    If,
    IfExp,
    Name,
    Opaque,
    Raise,
    Statement,
)
from dplint.program.walk import draws, walk
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.object_classes import full, without_decorators
from dplint.source.lowering.reader import Reader

_CACHES = frozenset({"functools.cache", "functools.lru_cache"})
_UNKEPT = ("list", "dict", "numpy.ndarray")
"""Types of values of programs that have no hash."""
_PLAIN = frozenset({"float", "int", "len", "str"})


def uncached(facts: ModuleFacts, function: cst.FunctionDef) -> cst.FunctionDef | None:
    """A function without the cache around it; None where there is no cache, or something else beside it."""
    if len(function.decorators) != 1:
        return None
    made = function.decorators[0].decorator
    called = made.func if isinstance(made, cst.Call) else made
    return without_decorators(function) if full(facts, called) in _CACHES else None


def cached(reader: Reader, call: CallFunction, done: Mapping[str, Function], node: cst.Call) -> Expression:
    """The call of a function with a cache around it. done: the functions of the program, as far as they are lowered."""
    if call.function in done and _does_more([done[call.function]], done):
        raise reader.refuse(f"the cached function {call.function}, which draws", node, "leave the decorator out")
    before: list[Statement] = []
    arguments: list[tuple[str, Expression]] = []
    span = reader.span(node)
    for name, given in call.arguments:
        value = given
        if not isinstance(given, Constant) and not (isinstance(given, Call) and given.function in _PLAIN):
            value = Name(reader.scope.rename({"key"})["key"], span)
            before += [Assign((value,), given, span), *_asked_for_a_hash(reader, value)]
        arguments.append((name, value))
    called = CallFunction(call.function, tuple(arguments), span)
    return reader.staged(tuple(before), IfExp(Constant(True, span), called, Constant((), span), span), span)


def _asked_for_a_hash(reader: Reader, key: Name) -> tuple[Statement, ...]:
    """A TypeError where a value, or one in a tuple, has no hash."""
    span = key.span
    raised = (Raise("TypeError", (Constant("unhashable type", span),), span),)
    item = Name(reader.scope.rename({"item"})["item"], span)
    unkept = [Call("isinstance", (one, *(Constant(kind, span) for kind in _UNKEPT)), (), span) for one in (key, item)]
    within = Comprehension("any", unkept[1], (Clause(item, key, ()),), span)
    is_tuple = Call("isinstance", (key, Constant("tuple", span)), (), span)
    return If(unkept[0], raised, (), span), If(BoolOp("and", (is_tuple, within), span), raised, (), span)


def _does_more(functions: Iterable[Function], done: Mapping[str, Function]) -> bool:
    """Whether functions draw, or call what is not known, themselves or by what they call."""
    todo, seen = [*functions], set[str]()
    while todo:
        one = todo.pop()
        seen.add(one.name)
        for part in walk(one.body):
            if draws(part) or isinstance(part, Opaque):
                return True
            if isinstance(part, CallFunction) and part.function in done and part.function not in seen:
                todo.append(done[part.function])
    return False
