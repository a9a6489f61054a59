"""What a neighbour relation is: a name, what its data looks like, when two values are neighbours, and pairs to try.

Needs the standard library alone: the front ends ask relations too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from dplint.claims import Domain, Pair

DEFAULT_SIZES = (5, 10)
"""Lengths of the data to try where the claim names none."""


class DataKind(StrEnum):
    """What the data of a relation is."""

    VECTOR = "a vector of real answers"
    RECORDS = "a sequence of records"
    VALUE = "one value"
    ANYTHING = "not known"


class Neighbourhood(StrEnum):
    """What makes two values neighbours, as a definition that a proof can start from.

    The first four bound a norm of the difference of two vectors of equal length by the sensitivity; a number is a
    vector of one.
    """

    LARGEST_MOVE = "no number moves by more than the sensitivity"
    SUM_OF_MOVES = "the moves of all numbers add up to the sensitivity at most"
    LENGTH_OF_MOVE = "the Euclidean length of the move is the sensitivity at most"
    ONE_DIRECTION = "no number moves by more than the sensitivity, and all that move do so in one direction"
    ONE_MORE = "one of the two sequences has one record more, anywhere"
    ONE_REPLACED = "the two sequences differ in one record, anywhere"
    ANY_TWO = "any two values"


@dataclass(frozen=True, slots=True)
class DataSpace:
    """What the data of one claim may be, for those who make pairs.

    sensitivity: how far neighbouring vectors may be apart. domain: of a value or a record; a relation that needs one is
    never asked without. sizes: lengths to try. exact: the claim names these sizes, and nothing else is tried. scalar:
    the data is a number in place of a vector. integers: entries are Python ints. constants: numbers and texts that the
    program knows, and that data may have to do with.
    """

    sensitivity: float = 1.0
    domain: Domain | None = None
    sizes: tuple[int, ...] = DEFAULT_SIZES
    exact: bool = False
    scalar: bool = False
    integers: bool = False
    constants: tuple[int | float | str, ...] = ()

    @property
    def shortest(self) -> int:
        """The least length of data: where the claim names sizes, nothing is shorter than the smallest of them."""
        return min(self.sizes) if self.exact else 0


Pairs: TypeAlias = Callable[[DataSpace], list[Pair]]
AreNeighbours: TypeAlias = Callable[[Any, Any, float], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One neighbour relation. Claims name it, and whoever wants to know something of it asks this object.

    name: as claims write it. data: what the data is. neighbours: what makes two values neighbours, after "if"; with
    `{sensitivity}` and `{square}`, its square, in it. neighbours_if_scalar: the same where the data is one number, None
    if there is no difference. are_neighbours: whether two values are neighbours for a sensitivity; None where only the
    user's own function knows. pairs: pairs to try, each in both orders and without repetitions; None as above.
    further_pairs: many more, also in both orders, of which an audit tries those that make the function do something
    new; None for none.
    domain_example: domains as a claim may write them; None if no domain is needed. same_size: whether neighbours are
    equally long, None if that is not known. all_move: whether every element may change at once.
    definition: what `are_neighbours` decides, in a form that a proof can start from; None where there is none, and then
    no proof.
    """

    name: str
    data: DataKind
    neighbours: str
    neighbours_if_scalar: str | None = None
    are_neighbours: AreNeighbours | None
    pairs: Pairs | None
    further_pairs: Pairs | None = None
    domain_example: str | None = None
    same_size: bool | None
    all_move: bool = False
    definition: Neighbourhood | None = None

    @property
    def needs_two_values(self) -> bool:
        """Whether there are no two different neighbours over a domain of one value."""
        return self.data is DataKind.VALUE or (self.data is DataKind.RECORDS and self.same_size is True)

    @property
    def size_is_private(self) -> bool:
        """Whether neighbours are known to differ in their length."""
        return self.same_size is False
