"""Moves that do for all samples of a path, by a linear program: few, small and simple ones.

The dual simplex method on a dense table, for the small linear programs of a search for a proof.

A library for large ones takes a fifth of a second to load, and milliseconds to call. Nothing rests on the numbers that
come out: the checker looks at the proof that is made of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from dplint.proofs.alignment import Move
from dplint.proofs.proposer.samples import PairOfRuns

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


UPWARD = frozenset(["exponential", "gumbel", "geometric"])
"""Noise that moves up alone."""
WHOLE = frozenset(["geometric", "discrete_laplace"])
_HUGE = 1e9
_DENOMINATORS = (12, 240, 10**6)
_LESS_SIMPLE = 1.01
"""What the factor of an offset weighs beside a constant, where either would do."""
_NOT_WHOLE = 10.0
"""What a constant weighs beside rises: halves of both would do for moves by 1, and not for whole numbers."""


Feature: TypeAlias = tuple[int, bool]
"""The offset of a draw; True: where it is positive, else 0."""


class Rows:
    """Rows of a linear program that is built piece by piece."""

    def __init__(self) -> None:
        self._costs: list[float] = []
        self._free: list[bool] = []
        self._rows: list[tuple[dict[int, float], float]] = []
        self._equal: list[bool] = []

    def column(self) -> int:
        """A new unknown."""
        return self._column(0.0, free=True)

    def absolute(self, row: Mapping[int, float], cost: float = 0.0) -> int:
        """A new unknown that is at least |row|."""
        new = self._column(cost, free=False)
        self.at_most({**row, new: -1.0}, 0.0)
        self.at_most({**{key: -value for key, value in row.items()}, new: -1.0}, 0.0)
        return new

    def at_most(self, row: dict[int, float], bound: float) -> None:
        """Row <= bound."""
        self._row(row, bound, equal=False)

    def equals(self, row: dict[int, float], value: float) -> None:
        """Row == value."""
        self._row(row, value, equal=True)

    def solve(self) -> np.ndarray | None:
        """The unknowns, None if there are no such numbers."""
        matrix = np.zeros((len(self._rows), len(self._costs)))
        for number, (row, _) in enumerate(self._rows):
            matrix[number, list(row)] = list(row.values())
        bounds = np.array([bound for _, bound in self._rows])
        return least(matrix, bounds, np.array(self._equal, bool), np.array(self._costs), np.array(self._free, bool))

    def _column(self, cost: float, *, free: bool) -> int:
        self._costs.append(cost)
        self._free.append(free)
        return len(self._costs) - 1

    def _row(self, row: dict[int, float], bound: float, *, equal: bool) -> None:
        self._rows.append(_scaled(row, bound))
        self._equal.append(equal)


def _scaled(row: dict[int, float], bound: float) -> tuple[dict[int, float], float]:
    """The same row with numbers that the solver can tell from each other, where they are huge."""
    largest = max(map(abs, row.values()), default=0.0)
    if largest < _HUGE:
        return row, bound
    return {key: value / largest for key, value in row.items()}, bound / largest


def moves_for(
    samples: Sequence[PairOfRuns], features: Sequence[Sequence[int]], alike: Sequence[object], rising: bool = False
) -> tuple[Move, ...] | None:
    """One move for each draw that does for all samples of one path, None if there is none.

    features: for each draw the numbers of the draws by whose offsets it may move. alike: draws of equal ones move
    alike. rising: whether they may also move by what these offsets are where they are positive.
    """
    rows = Rows()
    constants: dict[object, int] = {}
    factors: dict[object, dict[object, int]] = {}
    columns: list[tuple[int, dict[Feature, int]]] = []
    for draw, (one, kind) in enumerate(zip(features, alike, strict=True)):
        if kind not in constants:
            constants[kind] = rows.column()
            rows.absolute({constants[kind]: 1.0}, _NOT_WHOLE if rising else 1.0)
        own = factors.setdefault(kind, {})
        wanted = [(other, rises) for other in one for rises in ((False, True) if rising else (False,))]
        for other, rises in wanted:
            if (other == draw or other, rises) not in own:
                own[other == draw or other, rises] = rows.column()
                rows.absolute({own[other == draw or other, rises]: 1.0}, _LESS_SIMPLE)
        columns.append(
            (constants[kind], {(other, rises): own[other == draw or other, rises] for other, rises in wanted})
        )
    for sample in samples:
        _add(rows, sample, columns)
    found = rows.solve()
    if found is None:
        return None
    exact = rounded(found)
    return tuple(
        Move(
            exact[constant],
            *(
                tuple((other, exact[c]) for (other, rises), c in own.items() if exact[c] and rises is wanted)
                for wanted in (False, True)
            ),
        )
        for constant, own in columns
    )


def _add(rows: Rows, sample: PairOfRuns, columns: Sequence[tuple[int, Mapping[Feature, int]]]) -> None:
    numbers = sample.sample.numbers
    offsets = [float(offset.at(numbers)) for offset in sample.offsets]
    shifts: list[dict[int, float]] = [
        {
            constant: 1.0,
            **{
                column: offsets[other]
                for (other, rises), column in own.items()
                if offsets[other] > 0 or (offsets[other] and not rises)
            },
        }
        for constant, own in columns
    ]
    for duty in sample.duties:
        row: dict[int, float] = {}
        for draw, factor in duty.factors:
            for column, value in shifts[draw].items():
                row[column] = row.get(column, 0.0) + float(factor) * value
        rest = float(duty.rest.at(numbers))
        if duty.equality:
            rows.equals(row, -rest)
        else:
            rows.at_most({column: -value for column, value in row.items()}, rest)
    cost: dict[int, float] = {}
    for shift, weight, drawn in zip(shifts, sample.weights, sample.draws, strict=True):
        # In shares of the claim, for moves may be of any size.
        share = {column: value * float(weight) for column, value in shift.items()}
        cost[rows.absolute(share)] = 1.0
        if drawn.distribution in UPWARD:
            rows.at_most({column: -value for column, value in shift.items()}, 0.0)
    rows.at_most(cost, 1.0)


def rounded(found: np.ndarray) -> list[Fraction]:
    """The simplest fractions that are as good as the same numbers."""
    exact = [Fraction(value) for value in found]
    for denominator in _DENOMINATORS:
        exact = [Fraction(value).limit_denominator(denominator) for value in found]
        if all(abs(float(one) - value) < 1e-7 for one, value in zip(exact, found, strict=True)):
            break
    return exact
