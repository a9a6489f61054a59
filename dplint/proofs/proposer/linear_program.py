"""Moves that do for all samples of a path, by a linear program: few, small and simple ones.

Nothing rests on the numbers that come out: the checker looks at the proof that is made of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import highspy
import numpy as np

from dplint.proofs.alignment import Move
from dplint.proofs.proposer.samples import PairOfRuns

UPWARD = frozenset(["exponential", "gumbel", "geometric"])
"""Noise that moves up alone."""
WHOLE = frozenset(["geometric", "discrete_laplace"])
_HUGE, _NEAR = 1e9, 1e-7
_Solver: Any = highspy.Highs.__base__
"""Without callbacks. `Highs` itself writes its version to the standard output as it sets them up."""
_OPTIONS = {"output_flag": False, "threads": 1}
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
        self._rows: list[dict[int, float]] = []
        self._low: list[float] = []
        self._high: list[float] = []

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
        self._row(row, -math.inf, bound)

    def equals(self, row: dict[int, float], value: float) -> None:
        """Row == value."""
        self._row(row, value, value)

    def solve(self) -> np.ndarray | None:
        """The unknowns that cost least, None if there are no such numbers, or they are not found."""
        if not self._costs:
            kept = all(low <= _NEAR and high >= -_NEAR for low, high in zip(self._low, self._high, strict=True))
            return np.zeros(0) if kept else None
        solver = _Solver()
        for option, value in _OPTIONS.items():
            solver.setOptionValue(option, value)
        solver.passModel(self._program())
        solver.run()
        known = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return np.array(solver.getSolution().col_value) if known else None

    def _program(self) -> highspy.HighsLp:
        program, unknowns = highspy.HighsLp(), len(self._costs)
        program.num_col_, program.num_row_ = unknowns, len(self._rows)
        program.col_cost_ = self._costs
        program.col_lower_ = [-highspy.kHighsInf if free else 0.0 for free in self._free]
        program.col_upper_ = [highspy.kHighsInf] * unknowns
        program.row_lower_, program.row_upper_ = self._low, self._high
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.num_col_, matrix.num_row_ = unknowns, len(self._rows)
        matrix.start_ = [0, *itertools.accumulate(map(len, self._rows))]
        matrix.index_ = [column for row in self._rows for column in row]
        matrix.value_ = [value for row in self._rows for value in row.values()]
        return program

    def _column(self, cost: float, *, free: bool) -> int:
        self._costs.append(cost)
        self._free.append(free)
        return len(self._costs) - 1

    def _row(self, row: dict[int, float], low: float, high: float) -> None:
        # Huge numbers are scaled, so that the solver can tell them from each other.
        largest = max(map(abs, row.values()), default=0.0)
        size = largest if largest >= _HUGE else 1.0
        self._rows.append({key: value / size for key, value in row.items()})
        self._low.append(low / size)
        self._high.append(high / size)


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
        if all(abs(float(one) - value) < _NEAR for one, value in zip(exact, found, strict=True)):
            break
    return exact
