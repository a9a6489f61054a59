"""What is known of an expression that has to do with records: see `record_uses`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from dplint.source.lowering.object_classes import ObjectClass


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a class. key: of the class, which tells it from others. or_none: whether it may be None instead."""

    key: int
    made: ObjectClass = field(compare=False)
    or_none: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A list; of what, None while nothing is known to be in it."""

    item: Record | None


@dataclass(frozen=True, slots=True)
class Passing:
    """What gives such items one after the other, and is used up by that."""

    item: Kind


@dataclass(frozen=True, slots=True)
class Together:
    """A tuple of these."""

    parts: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """None."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a name is of which no assignment has been seen yet."""


Kind: TypeAlias = Record | Listed | Passing | Together | Missing | Unknown | None
"""What an expression gives; None for all that is no record and holds none."""


def record_of(made: ObjectClass) -> Record:
    """A record of that class."""
    return Record(id(made.bodies[0][1]), made)


def records_in(kind: Kind) -> set[int]:
    """The classes of the records in it."""
    match kind:
        case Record(key):
            return {key}
        case Listed(item) | Passing(item):
            return records_in(item)
        case Together(parts):
            return {one for part in parts for one in records_in(part)}
    return set()
