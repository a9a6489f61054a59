"""How events name the numbers of an output."""

from __future__ import annotations

from functools import lru_cache

from dplint.events.families.element import Element
from dplint.events.features import Feature
from dplint.events.layout import UNORDERED, parts_of
from dplint.events.places import Place, Through
from dplint.runner.batch import Skeleton

_MOST_NAMED = 500
"""Numbers of an output that models are made of."""


@lru_cache(maxsize=256)
def elements_of(skeleton: Skeleton) -> dict[int, Element]:
    """For each leaf that has a place of its own how an event names it, the shortest way; never from the end."""
    found: dict[int, Element] = {}
    for steps, part in sorted(parts_of(skeleton).items(), key=lambda item: len(item[0])):
        if any(isinstance(step, Through) and step.view in ("values", "str", "words") for step in steps):
            continue
        if part.is_leaf and not (steps and steps[-1] == -1):
            found.setdefault(part.start, Element(Place(steps)))
        elif part.plain and part.type_name not in UNORDERED:
            # Also those that the search for events leaves out of long outputs.
            for index in range(min(part.stop - part.start, _MOST_NAMED)):
                found.setdefault(part.start + index, Element(Place((*steps, index))))
    return dict(sorted(found.items())[:_MOST_NAMED])


@lru_cache(maxsize=256)
def leaves_of(skeleton: Skeleton) -> dict[Feature, int]:
    """For each such name its leaf."""
    return {feature: leaf for leaf, feature in elements_of(skeleton).items()}
