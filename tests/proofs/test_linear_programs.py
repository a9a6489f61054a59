"""Small linear programs: unknowns that keep to all rows, at the least cost, also of rows with huge numbers."""

import numpy as np
import pytest
from scipy.optimize import linprog

from dplint.proofs.proposer.linear_program import Rows


def random_program(rng, *, solvable):
    """Whole numbers of a few units, which have many corners of the same cost. solvable: made around a solution.

    Rows, bounds, which rows are equal to theirs, costs, 0 of unknowns that may be negative.
    """
    columns, upper, equal = int(rng.integers(1, 20)), int(rng.integers(0, 30)), int(rng.integers(0, 6))
    rows = upper + equal
    matrix = rng.integers(-2, 3, (rows, columns)).astype(float)
    bounds = rng.integers(-3, 6, rows).astype(float)
    free = rng.random(columns) < 0.4
    is_equal = np.arange(rows) >= upper
    if solvable:
        inside = np.where(free, rng.integers(-3, 4, columns), rng.integers(0, 4, columns))
        bounds = matrix @ inside + np.where(is_equal, 0, rng.integers(0, 3, rows))
    return matrix, bounds, is_equal, np.where(free, 0.0, rng.choice([0.0, 1.0, 1.01, 0.001], columns)), free


def by_library(matrix, bounds, equal, costs, free):
    """The least cost, by another interface with a dense table; None if no unknowns keep to all rows."""

    def rows(which):
        return (matrix[which], bounds[which]) if which.any() else (None, None)

    low = [(None if one else 0.0, None) for one in free]
    found = linprog(costs, *rows(~equal), *rows(equal), low, method="highs")
    return found.fun if found.status == 0 else None


def by_rows(matrix, bounds, equal, costs, free):
    """The unknowns, as a proof asks for them: those that may not be negative are at least |0|."""
    rows = Rows()
    unknowns = [rows.column() if one else rows.absolute({}, cost) for one, cost in zip(free, costs, strict=True)]
    for row, bound, same in zip(matrix, bounds, equal, strict=True):
        (rows.equals if same else rows.at_most)(dict(zip(unknowns, row, strict=True)), float(bound))
    found = rows.solve()
    return None if found is None else found[unknowns]


@pytest.mark.parametrize("solvable", [True, False])
def test_it_finds_the_least_cost_or_that_there_are_no_such_unknowns(solvable):
    rng = np.random.default_rng(5)
    solved = 0
    for _ in range(200):
        program = random_program(rng, solvable=solvable)
        found, cost = by_rows(*program), by_library(*program)
        assert (found is None) == (cost is None)
        if found is not None:
            matrix, bounds, equal, costs, free = program
            assert costs @ found == pytest.approx(cost, abs=1e-6)
            assert np.all(matrix @ found <= bounds + 1e-6)
            assert matrix[equal] @ found == pytest.approx(bounds[equal], abs=1e-6)
            assert np.all(found[~free] >= -1e-6)
            solved += 1

    assert solved == 200 if solvable else 10 < solved < 190


def test_rows_without_unknowns_hold_or_do_not():
    kept, broken = Rows(), Rows()
    kept.at_most({}, 0.0)
    broken.at_most({}, -1.0)

    assert kept.solve() is not None
    assert broken.solve() is None


def test_rows_with_huge_numbers():
    rows = Rows()
    one, other = rows.column(), rows.column()
    rows.absolute({one: 1.0, other: 1.0}, 1.0)
    rows.at_most({one: -1e12, other: 1.0}, -3e12)
    rows.equals({other: 2e12}, -1e12)

    assert rows.solve()[[one, other]] == pytest.approx([3.0, -0.5])
