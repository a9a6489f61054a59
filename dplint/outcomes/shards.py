"""One of the parts that a check is dealt into, so that several machines share it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of`, counted from 1.

    Raises:
        ValueError: there is no such part.
    """

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ValueError(f"there is no part {self.number} of {self.of}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a shard is a part of.

    mechanisms: how many there are in all shards. digest: of them all, with their sources and what their audits depend
    on; shards of one check have the same.
    """

    shard: Shard
    mechanisms: int
    digest: str
