"""How often small numbers come: the one loop over all runs that is left when everything else is done by shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_MOST_COMPARED, _LEAST_EACH = 16, 1 << 10
"""Up to so many numbers, with so many outputs for each, it is faster to compare with every one of them: what
`np.bincount` counts waits for what it counted before.
"""


def tally(numbers: npt.NDArray[Any], size: int) -> npt.NDArray[np.int64]:
    """How often each number below `size` comes among numbers that are all below it, shape (size,)."""
    if not 1 < size <= _MOST_COMPARED or len(numbers) < _LEAST_EACH * size:
        return np.bincount(numbers, minlength=size).astype(np.int64, copy=False)
    found = np.empty(size, np.int64)
    for one in range(size - 1):
        found[one] = np.count_nonzero(numbers == numbers.dtype.type(one))
    found[-1] = len(numbers) - found[:-1].sum()
    return found
