"""The neighbour relations, found by themselves: each is a module of the package `known`, with `RELATION` in it.

A file is named as its relation is, with underscores for hyphens. It is imported when its relation is asked for.
"""

from dplint.relations.registry import (
    CUSTOM,
    RelationError,
    UnknownRelationError,
    relation_named,
    relation_names,
    relation_of,
)
from dplint.relations.relation import DEFAULT_SIZES, DataKind, DataSpace, Neighbourhood, Relation

__all__ = [
    "CUSTOM",
    "DEFAULT_SIZES",
    "DataKind",
    "DataSpace",
    "Neighbourhood",
    "Relation",
    "RelationError",
    "UnknownRelationError",
    "relation_named",
    "relation_names",
    "relation_of",
]
