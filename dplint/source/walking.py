"""Walking through a LibCST tree without its whitespace, some ten times faster than LibCST's own visitors.

Those rebuild every node that they visit, and most nodes are whitespace, commas and parentheses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias

import libcst as cst


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIRST = ("decorators", "name", "type_parameters", "params", "bases", "keywords", "returns")
"""What stands before the body of a function or class; LibCST lists some of it behind."""
_IDLE = _words(
    """
    asynchronous bar colon comma default_indent default_newline dot encoding equal first_colon footer
    has_trailing_newline header indent lbrace lbracket leading_lines lines_after_decorators lpar newline operator
    posonly_ind rbrace rbracket relative rpar second_colon semicolon separator star trailing_comma trailing_whitespace
    """
)
Hook: TypeAlias = Callable[[Any], None]
Plan: TypeAlias = tuple[Hook | None, Hook | None, tuple[str, ...]]


@cache
def _inner(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a kind of node that hold others, in the order of the source."""
    names = [one.name for one in fields(kind) if one.name not in _IDLE and "whitespace" not in one.name]
    return tuple(sorted(names, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)))


class _Kinds(dict[type[Any], bool]):
    """Whether a class is a kind of node. `isinstance` takes ten times as long: LibCST's nodes are abstract classes."""

    def __missing__(self, kind: type[Any]) -> bool:
        self[kind] = issubclass(kind, cst.CSTNode)
        return self[kind]


_IS_NODE = _Kinds()


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes right below one, without whitespace, operators and punctuation, in the order of the source."""
    return _in_fields(node, _inner(type(node)))


def _in_fields(node: cst.CSTNode, names: tuple[str, ...]) -> list[cst.CSTNode]:
    """The nodes that stand in some fields of one."""
    found: list[cst.CSTNode] = []
    for name in names:
        value = getattr(node, name)
        kind = type(value)
        if _IS_NODE[kind]:
            found.append(value)
        elif kind is tuple or kind is list:
            found += [item for item in value if _IS_NODE[type(item)]]
    return found


def nodes_below(node: cst.CSTNode, without: Collection[type[cst.CSTNode]] = ()) -> Iterator[cst.CSTNode]:
    """A node and all below it, without whitespace, operators and punctuation, in the order of the source.

    without: what stands inside of nodes of these kinds is left out.
    """
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if type(one) in without:
            continue
        pending += reversed(children(one))


@cache
def _all(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """All fields of a kind of node that may hold others."""
    return tuple(one.name for one in fields(kind))


def comments_below(node: cst.CSTNode) -> Iterator[cst.Comment]:
    """The comments in a node, in no order: they stand in the whitespace that all else here leaves out."""
    pending = [node]
    while pending:
        one = pending.pop()
        if type(one) is cst.Comment:
            yield one
        else:
            pending += _in_fields(one, _all(type(one)))


class Walker:
    """Calls `visit_KIND` before what is below a node, and `leave_KIND` after it.

    As LibCST's visitors do, but for what is left out above; nothing can be skipped.
    """

    def __init__(self) -> None:
        self._plans: dict[type[cst.CSTNode], Plan] = {}
        self._deepest = sys.getrecursionlimit() * 3 // 10
        """Nodes inside one another that LibCST itself can write out with the stack that there is."""

    def walk(self, node: cst.CSTNode, depth: int = 0) -> None:
        """Walk through a node and all below it.

        Raises:
            RecursionError: it is nested too deeply for any step that follows.
        """
        if depth > self._deepest:
            raise RecursionError("nodes are nested too deeply")
        plan = self._plans.get(type(node))
        if plan is None:
            plan = self._plans[type(node)] = self._plan(type(node))
        before, after, names = plan
        if before is not None:
            before(node)
        for name in names:
            value = getattr(node, name)
            if isinstance(value, cst.CSTNode):
                self.walk(value, depth + 1)
            elif isinstance(value, tuple | list):
                for item in value:
                    if isinstance(item, cst.CSTNode):
                        self.walk(item, depth + 1)
        if after is not None:
            after(node)

    def _plan(self, kind: type[cst.CSTNode]) -> Plan:
        name = kind.__name__
        return getattr(self, f"visit_{name}", None), getattr(self, f"leave_{name}", None), _inner(kind)


def is_name(node: cst.CSTNode, name: str) -> bool:
    """Whether a node is that name."""
    return isinstance(node, cst.Name) and node.value == name


def is_text(node: cst.CSTNode) -> bool:
    """Whether a statement is a text alone, as a docstring is."""
    return isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)
