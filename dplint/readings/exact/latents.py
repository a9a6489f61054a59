"""Outputs that nobody looks at before they are returned: paths that differ in these alone become one.

Randomised response on 20 bits has a million outputs, but after each turn of its loop two paths that differ in the bit
that was appended, and in nothing that anybody reads. They are merged, and the bit becomes a *latent constant*: one of
several rows of constants, with probabilities, independent of all that follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dplint.program.nodes import (
    Assign,
    AugAssign,
    For,
    ItemTarget,
    Name,
    Node,
    Program,
    Return,
    Statement,
    Update,
    While,
)
from dplint.program.walk import walk

_PLAIN = (bool, int, float, str)
_CONSTANTS = frozenset([bool, int, float, str, type(None)])


@dataclass(frozen=True, slots=True)
class LatentConstant:
    """One column of the rows of a latent, by the latent's number: stands in a list in the place of a constant."""

    latent: int
    column: int


@dataclass(frozen=True, slots=True)
class UnreadLists:
    """names: the variables of the mechanism itself that are assigned, appended to, stored into and returned, not read.

    places: the ids of its statements that stand in no branch, behind which more paths are together; none without names.
    """

    names: frozenset[str]
    places: frozenset[int]


def unread_lists(program: Program) -> UnreadLists:
    """Those of a program, which has to be kept."""
    names = _unread(program)
    return UnreadLists(names, frozenset(map(id, _outside_of_branches(program.body))) if names else frozenset())


def _unread(program: Program) -> frozenset[str]:
    uses: dict[str, int] = defaultdict(int)
    unread: dict[str, int] = defaultdict(int)
    for node in walk(program.body):
        if isinstance(node, Name):
            uses[node.id] += 1
        if isinstance(node, AugAssign) and isinstance(node.target, ItemTarget):
            uses[node.target.name.id] += 1  # it reads the item, too
        for name in _without_reading(node):
            unread[name] += 1
    return frozenset(name for name in uses if uses[name] == unread[name]) - program.shared


def _without_reading(node: Node) -> Iterator[str]:
    match node:
        case Update(name=name, method="append") | ItemTarget(name=name):
            yield name.id
        case Return(value=Name(id=name)):
            yield name
        case Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, Name))


def _outside_of_branches(body: Iterable[Statement]) -> Iterator[Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, For | While):
            yield from _outside_of_branches(statement.body)


def is_constant(value: Any) -> bool:
    """Whether it may become a latent constant."""
    return type(value) in _CONSTANTS or isinstance(value, _PLAIN)
