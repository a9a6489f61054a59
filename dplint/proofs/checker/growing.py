"""A counter in place of the length of a list that only grows: `found.append(i)` counts one, `len(found)` is the count.

A list that is empty at first, that one name alone holds, and that nothing is done to but to append to it, has as many
elements as were appended. So a counter that begins at 0, and goes up by one after each `append`, is equal to its length
wherever that is asked for: an `append` is one statement, which appends or raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Call,
    Constant,
    DictDisplay,
    For,
    ListDisplay,
    Name,
    Node,
    Program,
    Return,
    Statement,
    TupleDisplay,
    Update,
    While,
)
from dplint.program.walk import bound_names, children, rebuilt, walk

_DISPLAYS = (DictDisplay, ListDisplay, TupleDisplay)


def with_counters(program: Program) -> Program:
    """The same program, with a counter for each list that only grows and whose length a loop asks for."""
    body = program.body
    for begin in program.body:
        match begin:
            case Assign(targets=(Name(id=name),), value=ListDisplay(elements=())) if _only_grows(program, begin, name):
                body = tuple(_counted(body, name))
    return replace(program, body=body) if body is not program.body else program


def _only_grows(program: Program, begin: Assign, name: str) -> bool:
    """Whether nothing else binds the name, and it stands only in what appends, asks for the length, or returns it."""
    others = [one for one in program.body if one is not begin]
    binding = (node for node in walk(others) if not isinstance(node, Update))
    if name in program.parameters or name in bound_names(binding):
        return False
    loops = [node for node in walk(others) if isinstance(node, For | While)]
    asked = any(_is_length(node, name) for node in walk(loops))
    return asked and all(_leaves_alone(one, name) for one in others)


def _leaves_alone(node: Node, name: str) -> bool:
    if _is_length(node, name):
        return True
    if isinstance(node, Update) and node.name.id == name:
        given = node.arguments
        return node.method == "append" and len(given) == 1 and all(_leaves_alone(one, name) for one in given)
    if isinstance(node, Return):
        return _is_shown(node.value, name)
    return not (isinstance(node, Name) and node.id == name) and all(_leaves_alone(one, name) for one in children(node))


def _is_shown(node: Node, name: str) -> bool:
    """Whether the list is returned as it is, or as a part of what is."""
    if isinstance(node, _DISPLAYS):
        return all(_is_shown(one, name) for one in children(node))
    return (isinstance(node, Name) and node.id == name) or _leaves_alone(node, name)


def _is_length(node: Node, name: str) -> bool:
    match node:
        case Call(function="len", arguments=(Name(id=other),), keywords=()):
            return other == name
    return False


def _counted(statements: Sequence[Statement], name: str) -> list[Any]:
    counter = f"len({name})"

    def change(node: Any) -> Any:
        if isinstance(node, tuple) and any(isinstance(one, Assign | Update) for one in node):
            return tuple(_counted(node, name))
        return Name(counter, node.span) if _is_length(node, name) else None

    found: list[Any] = []
    for one in statements:
        found.append(rebuilt(one, change))
        match one:
            case Assign(targets=(Name(id=other),), value=ListDisplay(elements=()), span=span) if other == name:
                found.append(Assign((Name(counter, span),), Constant(0, span), span))
            case Update(name=Name(id=other), span=span) if other == name:
                found.append(AugAssign(Name(counter, span), "+", Constant(1, span), span))
    return found
