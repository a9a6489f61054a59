"""Thirty-eight mechanisms of fixtures/outputs, inputs, realistic and arguments on one pair each, against closed forms.

Noise of scale s on a number that moves by d loses d / s; independent numbers add up. The others are said where they
stand, by SciPy alone. A quarter of them in every run of the tests, all at night.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from tests.exact.exact_tools import largest, losses, program
from tests.examples import one_in

EPSILON = 0.7
LOW, HIGH, FLAT = [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]


def at_least_one(scale):
    """Each of two answers, 0 or 1, reaches 1 with noise: the larger of both losses of all four outputs."""
    p, q = stats.laplace.sf(1, 0, scale), stats.laplace.sf(1, 1, scale)
    ratios = [i * math.log(p / q) + (2 - i) * math.log((1 - p) / (1 - q)) for i in range(3)]
    return max(map(abs, ratios))


def first_above(data, threshold):
    """P(the first answer above a noisy threshold has this index), by quadrature over the threshold."""

    def probability(index):
        def integrand(t):
            below = math.prod(stats.laplace.cdf(t - q, 0, 4 / EPSILON) for q in data[:index])
            rest = stats.laplace.sf(t - data[index], 0, 4 / EPSILON) if index < len(data) else 1.0
            return stats.laplace.pdf(t, threshold, 2 / EPSILON) * below * rest

        ends = [-120, -30, 0, 1, 2, 30, 120]
        return sum(integrate.quad(integrand, a, b, epsabs=1e-12)[0] for a, b in itertools.pairwise(ends))

    return np.array([probability(i) for i in range(len(data) + 1)])


def spread(one, other):
    """The largest loss in either order."""
    return np.abs(np.log(one / other)).max()


def softmax(scores):
    return special.softmax(np.array(scores) * EPSILON / 2)


SCORES = [3.0, 1.0, 2.0], [2.0, 2.0, 1.0]
ROWS = [
    ("outputs/sequences.py", "indices_both_leaks", LOW, HIGH, at_least_one(1)),
    ("outputs/sequences.py", "indices_both", LOW, HIGH, at_least_one(2)),
    ("outputs/sequences.py", "all_equal", LOW, HIGH, 1.0),
    ("outputs/structures.py", "dict_both_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "dict_both", LOW, HIGH, 1.0),
    ("outputs/structures.py", "dict_key_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "dict_key", LOW, HIGH, 1.0),
    ("outputs/structures.py", "nested_dict_both_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "nested_dict_both", LOW, HIGH, 1.0),
    ("outputs/structures.py", "nested_dict_shared", LOW, HIGH, 1.0),
    ("outputs/structures.py", "records_both_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "records_both", LOW, HIGH, 1.0),
    ("outputs/structures.py", "records_length_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "records_length", LOW, HIGH, 1.0),
    ("outputs/structures.py", "nested_tuple_both_leaks", LOW, HIGH, 2.0),
    ("outputs/structures.py", "nested_tuple_both", LOW, HIGH, 1.0),
    ("outputs/structures.py", "tuple_shared_leaks", LOW, [1.0, 0.0], math.inf),  # the difference has no noise
    ("outputs/structures.py", "tuple_shared", LOW, HIGH, 1.0),
    ("outputs/texts.py", "text_length_leaks", LOW, HIGH, 2.0),
    ("outputs/texts.py", "text_length", LOW, HIGH, 1.0),
    ("outputs/texts.py", "raises_type_leaks", LOW, HIGH, 2.0),
    ("outputs/texts.py", "raises_type", LOW, HIGH, 1.0),
    ("outputs/texts.py", "raises_kinds_leaks", LOW, HIGH, 2.0),
    ("outputs/texts.py", "raises_kinds", LOW, HIGH, 1.0),
    ("inputs/arguments.py", "group_noise_leaks", LOW, HIGH, 2 * EPSILON),
    ("inputs/arguments.py", "counted_leaks", LOW, HIGH, 2 * EPSILON),
    ("inputs/arguments.py", "counted", LOW, HIGH, EPSILON / 2),
    ("inputs/arguments.py", "unpacked_leaks", [1.0], [1.0, 60.0], 2 * EPSILON),
    ("inputs/arguments.py", "unpacked", [1.0], [1.0, 60.0], EPSILON),
    ("inputs/arguments.py", "grid", [3], [3, 5], EPSILON),
    ("inputs/orders.py", "outlier", [3.0, 200.0], [4.0, 99.0], EPSILON),
    ("inputs/sizes.py", "two_records_leaks", [10.0], [10.0, 20.0], math.inf),
    ("inputs/sizes.py", "two_records", [10.0], [10.0, 20.0], 20 * EPSILON / 100),
    ("inputs/values.py", "wide_gap", [3.0, 5.0], [4.0, 6.0], EPSILON),
    ("realistic/src/census/selection.py", "best_site", *SCORES, spread(*map(softmax, SCORES))),
    ("realistic/src/census/means.py", "mean_within_range", [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], EPSILON),
    ("realistic/src/census/survey.py", "ever_fined", True, False, EPSILON),
    ("arguments/cutoffs.py", "far_threshold", LOW, HIGH, spread(first_above(LOW, 1.0), first_above(HIGH, 1.0))),
]


@pytest.mark.parametrize("row", one_in(4, ROWS))
def test_against_a_closed_form(row):
    file, name, d1, d2, expected = row
    found = losses(program(file, name), d1, d2, epsilon=EPSILON, k=1, T=1.0)
    both = [largest(side) for side in (found.forwards, found.backwards)]
    low, high = max(one[0] for one in both), max(one[1] for one in both)
    if expected == math.inf:
        assert low == math.inf
    else:
        assert low - 1e-9 <= expected <= high + 1e-9
        assert high - low < 1e-8


def test_messages_of_exceptions_are_not_overlooked():
    """`raise RuntimeError("overfull" if ... else "empty")`: the kind alone tells nothing, the message does."""
    with pytest.raises(Exception, match="several messages"):
        losses(program("outputs/texts.py", "raises_message_words_leaks"), LOW, HIGH)
