"""A list in place of a set of indices: `hits.add(i)` in a loop over `enumerate`, and `sorted(hits)` in the end.

The indices of a loop are distinct and go up. So a set that is empty in front of a loop, and that a turn adds its own
index to once at most, has as many elements as were added, and sorted it is the list of them in the order in which they
were. The program has a set as a dict whose keys are its elements. Nothing else may be done with it but to ask for its
length, and to return it sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from dplint.program.nodes import (
    Assign,
    Call,
    Comprehension,
    Constant,
    DictDisplay,
    For,
    ItemTarget,
    ListDisplay,
    Name,
    Node,
    Program,
    Return,
    TupleTarget,
    Update,
    While,
)
from dplint.program.walk import bound_names, rebuilt, walk


def with_lists(program: Program) -> Program:
    """The same program, with lists for such sets."""
    body = program.body
    for place, loop in enumerate(program.body):
        for begin in program.body[:place]:
            match begin:
                case Assign(targets=(Name(id=name),), value=DictDisplay(keys=())) if isinstance(loop, For):
                    if _is_index_set(program, begin, loop, name):
                        body = tuple(rebuilt(body, partial(_as_list, name)))
    return replace(program, body=body) if body is not program.body else program


def _is_index_set(program: Program, begin: Assign, loop: For, name: str) -> bool:
    """Whether the loop alone adds to the set of that name, each turn its own index once at most."""
    added = [node for one in walk(loop.body) for node in _added(one, name)]
    match loop:
        case For(
            target=TupleTarget(elements=(Name(id=index), _)),
            iterable=Call(function="enumerate", arguments=(_,), keywords=()),
        ) if added == [index] and index not in bound_names(walk(loop.body)):
            pass
        case _:
            return False
    loops = [node for node in walk(loop.body) if isinstance(node, For | While | Comprehension)]
    nested = any(isinstance(one, ItemTarget) and one.name.id == name for one in walk(loops))
    others = [one for one in program.body if one is not begin]
    asked = sum(_asks(node, name) for node in walk(others))
    mentioned = sum(isinstance(node, Name) and node.id == name for node in walk(others))
    hidden = name in program.parameters or any(_any_mentions(one.body, name) for one in program.functions)
    return not nested and not hidden and mentioned == asked + 1


def _added(node: Node, name: str) -> Iterator[str]:
    """The name of what a statement adds to the set; empty for what has none."""
    match node:
        case Assign(targets=(ItemTarget(name=Name(id=one), index=index),), value=Constant()) if one == name:
            yield index.id if isinstance(index, Name) else ""


def _any_mentions(nodes: Iterable[Node], name: str) -> bool:
    return any(isinstance(one, Name) and one.id == name for one in walk(nodes))


def _asks(node: Node, name: str) -> bool:
    """Whether it is the length of the set, or returns it sorted."""
    match node:
        case Call(function="len", arguments=(Name(id=one),)):
            return one == name
        case Return(value=Call(function="sorted", arguments=(Name(id=one),), keywords=())):
            return one == name
    return False


def _as_list(name: str, node: Any) -> Any:
    """What takes the place of a node; None for most."""
    match node:
        case Assign(targets=(Name(id=one),), value=DictDisplay(keys=())) if one == name:
            return replace(node, value=ListDisplay((), node.value.span))
        case Assign(targets=(ItemTarget(name=Name(id=one), index=index),)) if one == name:
            return Update(Name(name, node.span), "append", (index,), node.span)
        case Return(value=Call(function="sorted", arguments=(Name(id=one),))) if one == name:
            return Return(Name(name, node.span), node.span)
    return None
