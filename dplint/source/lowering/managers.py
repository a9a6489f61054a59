"""Generator functions and methods that are used up at once, and `with` of those that `contextmanager` decorates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from dplint.program.nodes import Name, Statement
from dplint.source.lowering.object_classes import (
    CONTEXT,
    PLAIN,
    ObjectClass,
    full,
    self_of,
    without_decorators,
    without_first,
)
from dplint.source.lowering.reading_in import ReadingIn, Yielded, ends_with_yield, yields
from dplint.source.lowering.scope import Instance, Scope

Receiver: TypeAlias = Callable[[cst.BaseExpression], tuple[tuple[Statement, ...], Instance | ObjectClass] | None]
"""What a method is called of, and what is done to have it."""


def managed(
    scope: Scope, reading: ReadingIn, receiver: Receiver, node: cst.Call, around: Callable[[bool], Yielded]
) -> tuple[Statement, ...] | None:
    """A `with` of a function that `contextlib.contextmanager` decorates, read around what it yields to.

    around: what is done with that; it is told whether the function does nothing more.
    """
    helper = scope.helper(node.func)
    if helper is not None:
        decorators = [full(helper[0], one.decorator) for one in helper[1].decorators]
        if decorators != [CONTEXT]:
            return None
        yielded = around(ends_with_yield(helper[1]))
        opened = reading.opened(helper[0], without_decorators(helper[1]), node, yielded, once=True)
        return (*opened.passed, *opened.body)
    found = receiver(node.func.value) if isinstance(node.func, cst.Attribute) else None
    if found is None or not isinstance(found[1], Instance) or not isinstance(node.func, cst.Attribute):
        return None
    method = found[1].made.method(node.func.attr.value)
    if method is None or method.kind != CONTEXT:
        return None
    bound, yielded = {self_of(method.node): found[1]}, around(ends_with_yield(method.node))
    opened = reading.opened(method.facts, without_first(method.node), node, yielded, bound, once=True)
    return (*found[0], *opened.passed, *opened.body)


def listed(
    scope: Scope, reading: ReadingIn, receiver: Receiver, node: cst.BaseExpression, items: Name
) -> tuple[Statement, ...] | None:
    """What a generator does that is used up before anything else happens, its items in a list; None for all others."""
    if not isinstance(node, cst.Call):
        return None
    helper = scope.helper(node.func)
    if helper is not None:
        return reading.listed(*helper, {}, node, items) if yields(helper[1]) else None
    found = receiver(node.func.value) if isinstance(node.func, cst.Attribute) else None
    if found is None or not isinstance(found[1], Instance) or not isinstance(node.func, cst.Attribute):
        return None
    method = found[1].made.method(node.func.attr.value)
    if method is None or method.kind != PLAIN or not yields(method.node):
        return None
    bound = {self_of(method.node): found[1]}
    return *found[0], *reading.listed(method.facts, without_first(method.node), bound, node, items)
