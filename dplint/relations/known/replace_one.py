"""`replace-one`, or bounded: two sequences of equally many records differ in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dplint.claims import Literal
from dplint.relations.records import DOMAIN_EXAMPLE, alike, further_record_pairs, holds_missing, record_pairs
from dplint.relations.relation import DataKind, Neighbourhood, Relation


def _patterns(corners: list[Literal], n: int) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    """Uniform and mixed data of n records with one of them replaced, in front and at the end; a single record."""
    low, high, *others = corners
    half = [low] * (n // 2) + [high] * (n - n // 2)
    yield "all lowest, one highest", [low] * n, [high, *[low] * (n - 1)]
    yield "all highest, one lowest", [high] * n, [low, *[high] * (n - 1)]
    yield "all lowest, last highest", [low] * n, [*[low] * (n - 1), high]
    yield "half half, one moved", half, [high, *half[1:]]
    yield "single record", [low], [high]
    for extra in others:
        yield "all lowest, one in the middle", [low] * n, [extra, *[low] * (n - 1)]
        if holds_missing(extra):
            yield "all missing, one highest", [extra] * n, [high, *[extra] * (n - 1)]


def _change(base: list[Literal], value: Literal) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    """The first record replaced, the last one, and the one in the middle."""
    for where, place in (("the first", 0), ("the last", len(base) - 1), ("a middle one", len(base) // 2)):
        if 0 <= place < len(base) and not alike(base[place], value):
            yield f"{where} becomes {value!r}", base, [*base[:place], value, *base[place + 1 :]]


def _are_neighbours(d1: Sequence[Literal], d2: Sequence[Literal], _sensitivity: float) -> bool:
    return len(d1) == len(d2) and sum(not alike(a, b) for a, b in zip(d1, d2, strict=True)) <= 1


RELATION = Relation(
    name="replace-one",
    data=DataKind.RECORDS,
    neighbours="they have equally many records, and all but one are the same",
    are_neighbours=_are_neighbours,
    pairs=partial(record_pairs, _patterns),
    further_pairs=partial(further_record_pairs, _change),
    domain_example=DOMAIN_EXAMPLE,
    same_size=True,
    definition=Neighbourhood.ONE_REPLACED,
)
