"""What a kind of edit is: proposals for a mechanism, and an example that says what they are good for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dplint.outcomes import Edit
from dplint.repairs.subject import Subject


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits that may mend a mechanism. title: what they do, as a command: "Multiply the scale by 2".

    place: where it applies, so that of many of one kind at a place the one with the least noise is shown. combines:
    whether it is worth a second edit if it does not do by itself. far: it is far-fetched, and tried last.
    """

    title: str
    edits: tuple[Edit, ...]
    place: str = ""
    combines: bool = True
    far: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """Two texts of a module with one mechanism: a candidate of the kind makes the second of the first."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of edit. order: those with smaller ones are tried first. second: whether it may follow another edit."""

    name: str
    candidates: Callable[[Subject], Iterator[Candidate]]
    example: Example
    order: int
    second: bool = False
