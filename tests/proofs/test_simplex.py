"""Small linear programs: the same cost as the method of a library finds, and unknowns that keep to all rows."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linprog

from dplint.proofs.proposer import linear_program
from dplint.proofs.proposer.linear_program import Rows, least


def random_program(rng, *, solvable):
    """Whole numbers of a few units, which have many corners of the same cost. solvable: made around a solution."""
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
    def rows(which):
        return (matrix[which], bounds[which]) if which.any() else (None, None)

    low = [(None if one else 0.0, None) for one in free]
    found = linprog(costs, *rows(~equal), *rows(equal), low, method="highs")
    return found.fun if found.status == 0 else None


@pytest.mark.parametrize("solvable", [True, False])
def test_it_finds_the_least_cost_or_that_there_are_no_such_unknowns(solvable):
    rng = np.random.default_rng(5)
    solved = 0
    for _ in range(200):
        program = random_program(rng, solvable=solvable)
        found, cost = least(*program), by_library(*program)
        assert (found is None) == (cost is None)
        if found is not None:
            matrix, bounds, equal, costs, free = program
            assert costs @ found == pytest.approx(cost, abs=1e-6)
            assert np.all(matrix @ found <= bounds + 1e-6)
            assert matrix[equal] @ found == pytest.approx(bounds[equal], abs=1e-6)
            assert np.all(found[~free] >= -1e-6)
            solved += 1

    assert solved == 200 if solvable else 10 < solved < 190


def test_it_comes_to_an_end_where_exchanges_go_round_in_circles(monkeypatch):
    """Also from the first exchange on by the rule that is for that."""
    monkeypatch.setattr(linear_program, "_CAREFUL", -1)
    test_it_finds_the_least_cost_or_that_there_are_no_such_unknowns(solvable=True)


def test_it_is_given_up_where_it_takes_too_long(monkeypatch):
    program = np.array([[-1.0, -1.0]]), np.array([-1.0]), np.array([False]), np.ones(2), np.array([False, False])
    assert least(*program) is not None
    monkeypatch.setattr(linear_program, "_MOST", 0)

    assert least(*program) is None


def test_a_large_one_is_solved_too(monkeypatch):
    def cost():
        rows = Rows()
        unknowns = [rows.column() for _ in range(30)]
        for number, one in enumerate(unknowns):
            rows.absolute({one: 1.0}, 1.0 + number / 100)
            rows.at_most({one: -1.0}, -float(number))
        rows.equals(dict.fromkeys(unknowns, 1.0), 500.0)
        return rows.solve()[unknowns]

    own = cost()
    monkeypatch.setattr(linear_program, "_LARGE", 0)
    of_library = cost()

    assert own == pytest.approx(of_library, abs=1e-6)
    assert sum(own) == pytest.approx(500.0)


@pytest.mark.process
def test_a_proof_of_the_sparse_vector_technique_loads_no_large_library():
    """It would take longer than the proof."""
    script = (
        "import sys\nfrom tests.proofs.proof_tools import FIXTURES, targets\n"
        "from dplint.proofs.searching import search\n"
        "found = search(*targets(FIXTURES / 'statdp' / 'sparse_vector.py')['svt'], 30.0)\n"
        "print(found.settled, 'scipy.optimize' in sys.modules, 'scipy.sparse' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert found.stdout.split() == ["True", "False", "False"]
