"""Pairs for machine numbers are neighbours to the last bit, and provoke what they are meant to."""

from fractions import Fraction

import numpy as np
import pytest
from test_pairs import mechanism

from dplint.claims import Interval
from dplint.inputs.machine_pairs import machine_pairs


def made(annotation="list[float]", **claim):
    return machine_pairs(mechanism(annotation, **claim))


def sides(pairs):
    return {(repr(pair.d1), repr(pair.d2)) for pair in pairs}


def test_zero_and_the_sensitivity_come_first():
    (first, turned, *_) = made("float", sensitivity=0.1)

    assert (first.d1, first.d2) == (0.0, 0.1)
    assert (turned.d1, turned.d2) == (0.1, 0.0)


@pytest.mark.parametrize("sensitivity", [1.0, 0.1, 3.0, 1e-3])
@pytest.mark.parametrize("relation", ["linf", "l1", "l2"])
def test_answers_move_by_no_more_than_the_sensitivity_to_the_last_bit(sensitivity, relation):
    """2**53 + 1 is no float, so that a pair at 2**53 could be one of twice the sensitivity."""
    pairs = made("list[float]", sensitivity=sensitivity, relation=relation, size=(2,))

    assert len(pairs) > 20
    for pair in pairs:
        moves = [abs(Fraction(a) - Fraction(b)) for a, b in zip(pair.d1, pair.d2, strict=True)]
        norm = {"linf": max(moves), "l1": sum(moves), "l2": sum(move**2 for move in moves)}[relation]
        assert 0 < norm <= Fraction(sensitivity) ** (2 if relation == "l2" else 1)


def test_each_pair_comes_in_both_orders_within_domain_and_sizes():
    for relation in ("add-remove", "replace-one"):
        pairs = made(relation=relation, domain=Interval(0, 10, True), size=(30,))

        assert sides(pairs) == {(two, one) for one, two in sides(pairs)}
        assert {min(len(pair.d1), len(pair.d2)) for pair in pairs} == {30}
        assert all(isinstance(x, int) and 0 <= x <= 10 for pair in pairs for x in (*pair.d1, *pair.d2))


@pytest.mark.parametrize(
    ("dtype", "domain", "size"),
    [
        ("int8", Interval(0, 10, True), 20),
        ("uint8", Interval(0, 10, True), 30),
        ("int16", Interval(0, 1000, True), 40),
        ("int16", Interval(-1000, 1000, True), 40),
        ("int32", Interval(0, 2**30, True), 4),
        ("uint32", Interval(0, 2**30, True), 5),
    ],
)
def test_some_pair_of_records_overflows(dtype, domain, size):
    """By NumPy's own sum, which wraps around: it moves by more than a record of the domain can move it."""
    pairs = made(relation="add-remove", domain=domain, size=(size,))

    moved = [
        abs(int(np.array(one.d1).astype(dtype).sum(dtype=dtype)) - int(np.array(one.d2).astype(dtype).sum(dtype=dtype)))
        for one in pairs
    ]
    assert max(moved) > 2 * max(abs(domain.low), domain.high)


@pytest.mark.parametrize(("dtype", "size"), [("float16", 200), ("float32", 10_000)])
def test_some_pair_of_records_moves_a_sum_in_few_bits_by_nearly_two_records(dtype, size):
    """The running sum, in the order of the data, of numbers from 0 to 1."""
    pairs = made(relation="add-remove", domain=Interval(0.0, 1.0, False), size=(size,))

    sums = [[float(np.cumsum(side, dtype=dtype)[-1]) for side in (one.d1, one.d2)] for one in pairs]
    assert max(abs(one - two) for one, two in sums) > 1.8


def test_a_large_bound_overflows_a_float():
    pairs = made(relation="add-remove", domain=Interval(0.0, 1e308, False), size=(3,))

    with np.errstate(over="ignore"):
        assert {(np.isinf(np.sum(one.d1)), np.isinf(np.sum(one.d2))) for one in pairs} >= {(True, False), (False, True)}
