"""The dual simplex method on a dense table, for the small linear programs of a search for a proof.

A library for large ones takes a fifth of a second to load, and milliseconds to call. Nothing rests on the numbers that
come out: the checker looks at the proof that is made of them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

_TINY = 1e-9
"""Below this a number is taken for zero."""
_WRONG = 1e-7
"""By so much a row may miss its bound."""
_LARGE = 100_000
"""With more entries a program is left to a library that knows which of them are zero."""
_CAREFUL, _MOST = 4, 40
"""After so many exchanges, times rows and unknowns, they are made by the rule that cannot go round in circles, and
after so many it is given up."""


def least(
    matrix: np.ndarray, bounds: np.ndarray, equal: np.ndarray, costs: np.ndarray, free: np.ndarray
) -> np.ndarray | None:
    """The unknowns that cost least; None if none keep to all rows, or they are not found.

    matrix, bounds: rows that are at most their bounds, or `equal` to them. costs: of each unknown, none below 0. free:
    whether it may be negative; then it costs nothing.
    """
    if matrix.size > _LARGE:
        return _of_large(matrix, bounds, equal, costs, free)
    rows, columns = matrix.shape
    return _Table(
        matrix.copy(),
        bounds.copy(),
        costs.copy(),
        np.append(free, np.zeros(rows, bool)),
        np.append(np.zeros(columns, bool), equal),
    ).solve()


def _of_large(
    matrix: np.ndarray, bounds: np.ndarray, equal: np.ndarray, costs: np.ndarray, free: np.ndarray
) -> np.ndarray | None:
    from scipy.optimize import linprog  # noqa: PLC0415 - it takes a fifth of a second, and few searches need it
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - as above

    low = [(None if one else 0.0, None) for one in free]
    rows = ((csr_matrix(matrix[which]), bounds[which]) if which.any() else (None, None) for which in (~equal, equal))
    found = linprog(costs, *itertools.chain.from_iterable(rows), low, method="highs")
    return found.x if found.status == 0 else None


@dataclass
class _Table:
    """Each basic number is `values` minus `matrix` times the others, which are 0; `costs` is what those would cost.

    Numbers are the unknowns, and after them what each row leaves of its bound. others, basic: which number a column or
    a row of the table stands for. free: whether a number may be negative. fixed: whether it has to be 0.
    """

    matrix: np.ndarray
    values: np.ndarray
    costs: np.ndarray
    free: np.ndarray
    fixed: np.ndarray

    def __post_init__(self) -> None:
        rows, columns = self.matrix.shape
        self.others = np.arange(columns)
        self.basic = np.arange(columns, columns + rows)

    def solve(self) -> np.ndarray | None:
        """See `least`."""
        rows, columns = self.matrix.shape
        for turn in range(_MOST * (rows + columns)):
            careful = turn > _CAREFUL * (rows + columns)
            row = self._wrong_row(careful=careful)
            if row is None:
                return self._unknowns(columns)
            if self.values[row] > 0:
                # What has to be 0 may as well be counted with the other sign.
                self.matrix[row] *= -1
                self.values[row] *= -1
            column = self._entering(row, careful=careful)
            if column is None:
                return None
            self._exchange(row, column)
        return None

    def _wrong_row(self, *, careful: bool) -> int | None:
        """A row whose number may not be what it is."""
        excess = np.where(self.fixed[self.basic], np.abs(self.values), -self.values)
        excess[self.free[self.basic]] = 0.0
        if not careful:
            worst = int(np.argmax(excess)) if len(excess) else 0
            return worst if len(excess) and excess[worst] > _WRONG else None
        wrong = np.flatnonzero(excess > _WRONG)
        return int(min(wrong, key=lambda one: self.basic[one])) if len(wrong) else None

    def _entering(self, row: int, *, careful: bool) -> int | None:
        """The column that mends a row for the least cost, the surest of those; None if none does."""
        entries = self.matrix[row]
        free = self.free[self.others]
        able = np.where(free, np.abs(entries) > _TINY, entries < -_TINY) & ~self.fixed[self.others]
        if not able.any():
            return None
        each = np.where(able, self.costs / np.where(able, np.abs(entries), 1.0), np.inf)
        equal = np.flatnonzero(each <= each.min() + _TINY)
        return int(equal[np.argmin(self.others[equal]) if careful else np.argmax(np.abs(entries[equal]))])

    def _exchange(self, row: int, column: int) -> None:
        """Let the number of a column be basic in place of that of a row."""
        pivot, leaving = self.matrix[row, column], self.matrix[:, column].copy()
        own, value = self.matrix[row] / pivot, self.values[row] / pivot
        own[column] = 1.0 / pivot
        leaving[row] = 0.0
        self.matrix[:, column] = 0.0
        self.matrix -= np.outer(leaving, own)
        self.values -= leaving * value
        self.matrix[row], self.values[row] = own, value
        cost = self.costs[column]
        self.costs[column] = 0.0
        self.costs -= cost * own
        self.basic[row], self.others[column] = self.others[column], self.basic[row]

    def _unknowns(self, count: int) -> np.ndarray:
        found = np.zeros(count)
        own = self.basic < count
        found[self.basic[own]] = self.values[own]
        return found
