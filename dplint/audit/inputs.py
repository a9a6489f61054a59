"""The pairs of an audit, and the data values that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.runner.client import DataValue


@dataclass(frozen=True)
class Inputs:
    """The pairs of an audit, and their distinct data values, each of which is run only once for all its pairs."""

    pairs: tuple[Pair, ...]
    sides: tuple[tuple[int, int], ...]
    """For each pair, the numbers of its two data values."""
    data: tuple[DataValue, ...]

    @property
    def sizes(self) -> dict[int, list[int]]:
        """The numbers of the data values of the pairs of each size, small sizes first."""
        found: dict[int, dict[int, None]] = {}
        for pair, sides in sorted(zip(self.pairs, self.sides, strict=True), key=lambda row: row[0].size):
            found.setdefault(pair.size, {}).update(dict.fromkeys(sides))
        return {size: list(numbers) for size, numbers in found.items()}


def gather_inputs(session: AuditSession, pairs: Sequence[Pair]) -> Inputs:
    """Number the data values of the pairs; equal ones share a number."""
    numbers: dict[str, int] = {}
    data: list[DataValue] = []
    sides: list[tuple[int, int]] = []
    for pair in pairs:
        both = []
        for side in (1, 2):
            value = session.data_value(pair, side)
            key = repr(value)
            if key not in numbers:
                numbers[key] = len(data)
                data.append(value)
            both.append(numbers[key])
        sides.append((both[0], both[1]))
    return Inputs(tuple(pairs), tuple(sides), tuple(data))
