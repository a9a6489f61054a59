"""Finds relations by their names."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from dplint.claims import Claim
from dplint.relations import known
from dplint.relations.relation import DataKind, Relation
from dplint.relations.users import by_user

CUSTOM = Relation(
    name="custom",
    data=DataKind.ANYTHING,
    neighbours="the function that the claim names makes a pair of them",
    are_neighbours=None,
    pairs=None,
    same_size=None,
)
"""The relation of a claim whose pairs come from a function of the user's."""


class UnknownRelationError(ValueError):
    """There is no relation of that name; the text says which there are."""


class RelationError(Exception):
    """A file among the relations that holds none, or one of another name."""


@cache
def relation_names() -> tuple[str, ...]:
    """The names that a claim may write, sorted."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(known.__path__)))


def relation_of(claim: Claim) -> Relation:
    """The relation of a claim.

    Raises:
        UnknownRelationError: the claim names none that there is; `source` makes no such claim.
    """
    relation = relation_named(claim.relation)
    return relation if claim.user is None else by_user(relation, claim.user)


@cache
def relation_named(name: str) -> Relation:
    """The relation of that name, imported now.

    Raises:
        UnknownRelationError: there is none.
        RelationError: its file has no `RELATION`, or one of another name.
    """
    if name == CUSTOM.name:
        return CUSTOM
    if name not in relation_names():
        raise UnknownRelationError(f"{name!r} is no neighbour relation: there are {', '.join(relation_names())}")
    module = f"{known.__name__}.{name.replace('-', '_')}"
    found = getattr(importlib.import_module(module), "RELATION", None)
    if not isinstance(found, Relation) or found.name != name:
        raise RelationError(f'{module} has no relation of its name: it must have a RELATION whose name is "{name}"')
    return found
