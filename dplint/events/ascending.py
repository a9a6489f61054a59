"""Numbers in ascending order: sorted once, for all that is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Floats


class Ascending:
    """Some numbers, none of them NaN."""

    def __init__(self, numbers: Floats) -> None:
        self.values = np.sort(numbers)

    @classmethod
    def of(cls, numbers: Floats | Ascending) -> Ascending:
        """These numbers, which may have been sorted already."""
        return numbers if isinstance(numbers, Ascending) else cls(numbers)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def finite(self) -> Ascending:
        """Those that are finite."""
        low, high = np.searchsorted(self.values, -np.inf, "right"), np.searchsorted(self.values, np.inf, "left")
        if high - low == len(self):
            return self
        found = Ascending.__new__(Ascending)
        found.values = self.values[low:high]
        return found

    @cached_property
    def distinct(self) -> Floats:
        """Each number once."""
        return self.values[self._starts]

    @cached_property
    def counts(self) -> npt.NDArray[np.intp]:
        """How often each of them comes."""
        return np.diff(np.append(self._starts, len(self)))

    @cached_property
    def _starts(self) -> npt.NDArray[np.intp]:
        new = np.ones(len(self), np.bool_)
        np.not_equal(self.values[1:], self.values[:-1], out=new[1:])
        return np.flatnonzero(new)

    def quantiles(self, shares: Sequence[float]) -> Floats:
        """What `numpy.quantile` gives for finite numbers, of which there must be some."""
        places = np.asarray(shares, np.float64) * (len(self) - 1)
        below = np.floor(places)
        part = places - below
        low = self.values[below.astype(np.intp)]
        high = self.values[np.minimum(below + 1, len(self) - 1).astype(np.intp)]
        with np.errstate(over="ignore", invalid="ignore"):
            step = high - low
            return np.where(part >= 0.5, high - step * (1 - part), low + step * part)
