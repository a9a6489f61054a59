"""The benchmark mechanisms on all patterns of five and ten answers, against the formulas of the tables of truth.

A formula is attained by some pattern, or a bound that patterns may not reach: the tables say which, and are verified
on their own, in `tests/fixtures`. No interval is wider than 1e-8.
"""

from __future__ import annotations

import math

import pytest

from benchmarks import exact
from dplint.outcomes import Impossible, UnequalVanishing
from dplint.readings.exact import losses_of_pair

EPSILON = 0.1
ATTAINED = {"noisy_max_v1b", "noisy_max_v2a", "noisy_max_v2b", "histogram", "histogram_eps", "isvt1", "isvt4"}
"""Of StatDP's, whose table does not tell: the largest entry moves, all move together, or the loss is infinite."""


def rows():
    number = 0
    for family in exact.FAMILIES[:-1]:
        for row, program, given in exact.rows_of(family, EPSILON):
            for size in (5, 10):
                marks = () if number % 10 == 0 else pytest.mark.nightly
                number += 1
                name = f"{family}-{row['function']}-{size}"
                yield pytest.param(family, row, program, given, size, id=name, marks=marks)


@pytest.mark.parametrize(("family", "row", "program", "given_", "size"), list(rows()))
def test_a_mechanism_on_all_patterns(family, row, program, given_, size):
    name, best = row["function"], -math.inf
    for label, d1, d2 in exact.pairs_of(row, size):
        sides = [{**given_, program.data: data} for data in (d1, d2)]
        found = losses_of_pair(program, *sides, limits=exact.LIMITS, prune=True)
        for side in (found.forwards, found.backwards):
            low, high = max(one.loss.low for one in side), max(one.loss.high for one in side)
            assert low == high == math.inf or high - low < 1e-8, (label, low, high)
            best = max(best, low)
            if low == math.inf:
                match side[0].infinite:
                    case Impossible(mass=mass):
                        assert mass.low > 0, label
                    case UnequalVanishing(order1=one, order2=other):
                        assert one < other, label
                    case None:
                        pytest.fail(f"nothing shows that it is infinite: {label}")
    formula = exact.truth(row, given_, size)
    assert formula is not None
    attained = name in ATTAINED if family == "statdp" else row["true_epsilon"]["kind"] == "attained"
    if attained:
        assert best == formula or abs(best - formula) < 1e-8, (best, formula)
    else:
        assert best <= formula + 1e-8, (best, formula)
