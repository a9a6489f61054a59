"""One pair of neighbouring data."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Literal


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring values of the data parameter.

    pattern: the name of the pattern that made it, for instance "one above". size: length of d1, 1 for a scalar.
    handle: for pairs from the user's own callable, their number in the runner, where the real objects stay; d1 and
    d2 are then what can be shown of them.
    """

    d1: Literal
    d2: Literal
    pattern: str
    size: int
    handle: int | None = None
