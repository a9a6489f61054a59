"""Numbers in ascending order: sorted once, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Column, Floats, ValueClass


@dataclass(frozen=True)
class Ordered:
    """Numbers in ascending order, infinities perhaps among them, NaN not."""

    numbers: Floats

    @classmethod
    def of(cls, numbers: Floats) -> Ordered:
        """These numbers, of any shape."""
        return cls(np.sort(numbers, axis=None))

    @classmethod
    def of_column(cls, column: Column) -> Ordered:
        """The numbers of a column."""
        return cls.of(column.values[column.classes == ValueClass.NUMBER])

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def finite(self) -> Ordered:
        """Those that are finite."""
        if not len(self) or np.isfinite(self.numbers[[0, -1]]).all():
            return self
        low = np.searchsorted(self.numbers, -np.inf, side="right")
        return Ordered(self.numbers[low : np.searchsorted(self.numbers, np.inf, side="left")])

    @cached_property
    def _starts(self) -> npt.NDArray[np.intp]:
        """Where another number begins."""
        return np.flatnonzero(np.concatenate([[len(self) > 0], self.numbers[1:] != self.numbers[:-1]]))

    @cached_property
    def distinct(self) -> Floats:
        """Each number once."""
        return self.numbers if len(self._starts) == len(self) else self.numbers[self._starts]

    @cached_property
    def counts(self) -> npt.NDArray[np.intp]:
        """How often each of `distinct` comes."""
        return np.diff(self._starts, append=len(self))

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """As `np.quantile` has them, which sorts again and takes a quarter of a millisecond at least."""
        places = np.asarray(shares) * (len(self) - 1)
        below = places.astype(np.intp)
        low, high = self.numbers[below], self.numbers[np.minimum(below + 1, len(self) - 1)]
        part = places - below
        with np.errstate(over="ignore", invalid="ignore"):
            step = high - low
            found: list[float] = np.where(part < 0.5, low + step * part, high - step * (1 - part)).tolist()
        return found
