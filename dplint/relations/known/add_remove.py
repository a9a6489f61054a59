"""`add-remove`, or unbounded: one of two sequences of records has one record more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dplint.claims import Literal
from dplint.relations.records import DOMAIN_EXAMPLE, alike, further_record_pairs, holds_missing, record_pairs
from dplint.relations.relation import DataKind, Neighbourhood, Relation


def _patterns(corners: list[Literal], n: int) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    """Uniform and mixed data of n records, and one more, in front or at the end; and empty data."""
    low, high, *others = corners
    half = [low] * (n // 2) + [high] * (n - n // 2)
    yield "all lowest, a highest added", [low] * n, [*[low] * n, high]
    yield "all highest, a lowest added", [high] * n, [*[high] * n, low]
    yield "all lowest, one more", [low] * n, [low] * (n + 1)
    yield "all highest, one more", [high] * n, [high] * (n + 1)
    yield "half half, a highest added", half, [*half, high]
    yield "a highest in front", [low] * n, [high, *[low] * n]
    for extra in others:
        yield "all lowest, a middle one added", [low] * n, [*[low] * n, extra]
        if holds_missing(extra):
            yield "all missing, a highest added", [extra] * n, [*[extra] * n, high]
    yield "empty, a highest added", [], [high]
    yield "empty, a lowest added", [], [low]


def _change(base: list[Literal], value: Literal) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    """One more record at the end, in front and in the middle."""
    yield f"{value!r} added", base, [*base, value]
    if base:
        yield f"{value!r} in front", base, [value, *base]
        middle = len(base) // 2
        yield f"{value!r} in the middle", base, [*base[:middle], value, *base[middle:]]


def _are_neighbours(d1: Sequence[Literal], d2: Sequence[Literal], _sensitivity: float) -> bool:
    shorter, longer = sorted((list(d1), list(d2)), key=len)
    if len(longer) != len(shorter) + 1:
        return False
    same = next((i for i, record in enumerate(shorter) if not alike(record, longer[i])), len(shorter))
    return alike(longer[same + 1 :], shorter[same:])


RELATION = Relation(
    name="add-remove",
    data=DataKind.RECORDS,
    neighbours="one of them has one record more, and all others are the same",
    are_neighbours=_are_neighbours,
    pairs=partial(record_pairs, _patterns),
    further_pairs=partial(further_record_pairs, _change),
    domain_example=DOMAIN_EXAMPLE,
    same_size=False,
    definition=Neighbourhood.ONE_MORE,
)
