"""Walking the tree of a program without knowing every node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from dplint.claims import Span
from dplint.program.nodes import Function, Name, Node, Program
from dplint.program.refusals import Unsupported


def children(node: object) -> Iterator[Node]:
    """The direct child nodes, in source order."""
    for field in fields(node):  # type: ignore[arg-type]
        yield from _nodes(getattr(node, field.name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif is_dataclass(value) and not isinstance(value, Span | Function | Unsupported):
        yield value  # type: ignore[misc]


def walk(root: Program | Function | Node | Iterable[Node]) -> Iterator[Node]:
    """Every node below root, root's own helper functions included, parents before children."""
    if isinstance(root, Program):
        yield from walk(root.body)
        for function in root.functions:
            yield from walk(function.body)
    elif isinstance(root, Function):
        yield from walk(root.body)
    elif is_dataclass(root):
        yield root
        for child in children(root):
            yield from walk(child)
    else:
        for node in root:
            yield from walk(node)


def mentions(root: Node, name: str) -> bool:
    """Whether a variable of that name stands anywhere below root."""
    return any(isinstance(node, Name) and node.id == name for node in walk(root))
