"""Walking the tree of a program without knowing every node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from dplint.claims import Span
from dplint.program.nodes import (
    Assign,
    AugAssign,
    CallFunction,
    Clause,
    Comprehension,
    Draw,
    For,
    Function,
    ItemTarget,
    Name,
    Node,
    Opaque,
    Program,
    TupleTarget,
    Update,
    While,
)
from dplint.program.refusals import Unsupported


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "span")


@cache
def is_node(kind: type) -> bool:
    """Whether objects of the class are nodes."""
    return is_dataclass(kind) and not issubclass(kind, Span | Function | Unsupported)


def children(node: object) -> Iterator[Node]:
    """The direct child nodes, in source order."""
    for name in _fields(type(node)):  # type: ignore[arg-type]  # classes are hashable, whatever mypy thinks
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif is_node(type(value)):  # type: ignore[arg-type]
        yield value  # type: ignore[misc]


def once_at_most(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes, and those below them, to which a run comes once at most; parents before children."""
    for node in nodes:
        if not isinstance(node, Comprehension | For | While):
            yield node
            yield from once_at_most(children(node))


def walk(root: Program | Function | Node | Iterable[Node]) -> Iterator[Node]:
    """Every node below root, root's own helper functions included, parents before children."""
    if isinstance(root, Program):
        yield from walk(root.body)
        for function in root.functions:
            yield from walk(function.body)
    elif isinstance(root, Function):
        yield from walk(root.body)
    elif isinstance(root, Iterable):
        for node in root:
            yield from _below(node)
    else:
        yield from _below(root)


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from _below(child)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, or a tuple of some, with what `change` gives, if not None, in place of nodes and of tuples of some."""
    changed = change(node)
    if changed is not None:
        return changed
    if isinstance(node, tuple):
        return tuple(rebuilt(one, change) for one in node)
    if not is_node(type(node)):  # type: ignore[arg-type]
        return node
    return replace(node, **{one.name: rebuilt(getattr(node, one.name), change) for one in fields(node)})


def rebuilt_program(program: Program, change: Callable[[Any], Any]) -> Program:
    """A program with what `change` gives in place of nodes in its body and its functions."""
    functions = tuple(replace(one, body=rebuilt(one.body, change)) for one in program.functions)
    return replace(program, body=rebuilt(program.body, change), functions=functions)


def exchanged(node: Any, others: Mapping[int, Node]) -> Any:
    """A node, or a tuple of some, with other nodes in place of those that have these ids."""
    return rebuilt(node, lambda one: others.get(id(one)))


def without_places(node: object) -> object:
    """What expressions have in common that are written alike; what two draws and calls of helpers give may differ."""
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    if draws(node) or isinstance(node, CallFunction | Opaque):
        return id(node)
    if not is_node(type(node)):  # type: ignore[arg-type]
        return type(node), repr(node)
    return type(node), tuple(without_places(getattr(node, name)) for name in _fields(type(node)))  # type: ignore[arg-type]


def draws(node: object) -> bool:
    """Whether the node draws: then it is not repeated, moved, or left out."""
    return isinstance(node, Draw)


def mentions(root: Node, name: str) -> bool:
    """Whether a variable of that name stands anywhere below root."""
    return any(isinstance(node, Name) and node.id == name for node in walk(root))


def bound_names(nodes: Iterable[Node]) -> frozenset[str]:
    """The variables that these nodes, not those below them, assign or change."""
    found: set[str] = set()
    for node in nodes:
        targets: list[object] = []
        if isinstance(node, Assign):
            targets = list(node.targets)
        elif isinstance(node, For | Clause | AugAssign):
            targets = [node.target]
        elif isinstance(node, Update):
            targets = [node.name]
        while targets:
            target = targets.pop()
            if isinstance(target, TupleTarget):
                targets += target.elements
            elif isinstance(target, ItemTarget):
                targets.append(target.name)
            elif isinstance(target, Name):
                found.add(target.id)
    return frozenset(found)
