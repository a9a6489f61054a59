"""Pairs beyond the patterns: neighbours by independent definitions, in the domain, looking as people's data does."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Categories, Columns, Interval
from dplint.relations import DataSpace, relation_named, relation_names
from dplint.relations.records import interior_values, numbers_near

DOMAINS = [
    Interval(0, 120, True),
    Interval(-2.5, 7.0, False),
    Categories(("a", "b", "c", "d", "e")),
    Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "y", "z"))))),
]
CONSTANTS = (65, 0.5, "c", 13, -4, "z")


def further(name, **space):
    return relation_named(name).further_pairs(DataSpace(**{"constants": CONSTANTS, **space}))


def is_in(domain, value):
    match domain:
        case Interval(low, high, integer):
            return low <= value <= high and (type(value) is int or not integer)
        case Categories(values):
            return value in values
        case Columns(columns):
            return list(value) == [name for name, _ in columns] and all(is_in(d, value[n]) for n, d in columns)


@pytest.mark.parametrize("name", relation_names())
@pytest.mark.parametrize("domain", DOMAINS)
def test_all_are_neighbours_in_the_domain_and_in_both_orders(name, domain):
    if name not in ("add-remove", "any", "replace-one") and not isinstance(domain, Interval):
        return
    pairs = further(name, domain=domain, integers=isinstance(domain, Interval) and domain.integer)
    both = {(repr(p.d1), repr(p.d2)) for p in pairs}

    assert len(pairs) > 10
    assert both == {(b, a) for a, b in both}
    assert len(both) == len(pairs), "without repetitions"
    for pair in pairs:
        assert pair.d1 != pair.d2
        assert relation_named(name).are_neighbours(pair.d1, pair.d2, 1.0)
        records = [pair.d1, pair.d2] if name == "any" else [*pair.d1, *pair.d2]
        assert all(is_in(domain, record) for record in records)


@pytest.mark.parametrize("name", ["add-remove", "replace-one"])
def test_a_record_is_added_or_replaced(name):
    """By counting, not by the relation's own definition."""
    for pair in further(name, domain=DOMAINS[2]):
        shorter, longer = sorted((pair.d1, pair.d2), key=len)
        if name == "add-remove":
            assert len(longer) == len(shorter) + 1
            assert any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
        else:
            assert len(longer) == len(shorter)
            assert sum(a != b for a, b in zip(longer, shorter, strict=True)) == 1


@given(
    name=st.sampled_from(["linf", "l1", "l2"]),
    sensitivity=st.sampled_from([0.5, 1.0, 3.25]),
    low=st.integers(-20, 20),
    width=st.integers(1, 30) | st.none(),
)
def test_vectors_move_by_the_sensitivity_at_most(name, sensitivity, low, width):
    domain = None if width is None else Interval(low, low + width, False)

    for pair in further(name, sensitivity=sensitivity, domain=domain):
        steps = [abs(a - b) for a, b in zip(pair.d1, pair.d2, strict=True)]
        length = {"l1": sum(steps), "l2": math.hypot(*steps), "linf": max(steps)}[name]
        assert length <= sensitivity * (1 + 1e-9)
        if domain is not None:
            assert all(domain.low <= v <= domain.high for v in [*pair.d1, *pair.d2])


def test_small_sizes_constants_and_orders_are_among_them():
    """What the patterns leave out: sizes of one to three, a constant and its neighbours, sorted and tied data."""
    pairs = further("add-remove", domain=DOMAINS[0])
    data = [side for pair in pairs for side in (pair.d1, pair.d2)]
    records = {record for side in data for record in side}

    assert {(len(p.d1), len(p.d2)) for p in pairs} >= {(0, 1), (1, 2), (2, 3), (3, 4), (12, 13), (13, 14)}
    assert {64, 65, 66} <= records
    assert any(len(side) > 2 and sorted(set(side)) == side for side in data), "sorted, all different"
    assert any(len(side) > 2 and sorted(set(side), reverse=True) == side for side in data)
    assert any(len(side) == 4 and side[0] == side[1] != side[2] == side[3] for side in data), "ties in pairs"
    assert any(len(side) > 2 and side[:-1] == [0] * (len(side) - 1) and side[-1] == 120 for side in data), "an outlier"


def test_answers_are_negative_fractional_and_far_apart():
    pairs = further("linf")
    data = [side for pair in pairs for side in (pair.d1, pair.d2)]

    assert {len(side) for side in data} >= {1, 2, 3}
    assert any(min(side) < 0 for side in data)
    assert any(max(side) - min(side) > 500 for side in data)
    assert any(side[0] % 1 for side in data)
    assert any(64.0 < side[0] < 65.0 for side in data), "between a constant and its neighbour"


@pytest.mark.parametrize("name", ["add-remove", "replace-one", "linf"])
def test_where_the_claim_names_sizes_there_are_no_others(name):
    """So `size=5` is a way to say that there is always data."""
    sizes = {5, 8}
    for pair in further(name, domain=DOMAINS[0], sizes=(5, 8), exact=True):
        assert min(len(pair.d1), len(pair.d2)) in sizes
    for pair in relation_named(name).pairs(DataSpace(domain=DOMAINS[0], sizes=(5, 8), exact=True)):
        assert min(len(pair.d1), len(pair.d2)) in sizes


def test_no_data_is_a_size_that_can_be_named():
    pairs = relation_named("add-remove").pairs(DataSpace(domain=DOMAINS[0], sizes=(0,), exact=True))

    assert {frozenset((len(p.d1), len(p.d2))) for p in pairs} == {frozenset((0, 1))}


def test_constants_come_first_and_only_those_of_the_domain():
    assert interior_values(Interval(0, 120, True), [65, 1000, "x"])[:3] == [65, 66, 64]
    assert interior_values(Categories(("a", "b", "c")), ["c", "z"]) == ["c", "a", "b"]
    assert set(numbers_near([2, "x", True], 1.0)) == {1.0, 1.5, 2.0, 2.5, 3.0}
    people = interior_values(DOMAINS[3], [40, "z"])
    assert {"age": 40, "job": "z"} in people
    assert len(people) == len({repr(one) for one in people})


def test_records_with_columns_are_changed_by_one_that_is_at_the_end_of_a_column():
    """A bound that is the largest value moves by one record among many in the middle: counts above half of it fall."""
    domain = Columns((("age", Interval(0, 90, True)), ("income", Interval(0.0, 100.0, False))))
    space = DataSpace(sizes=(5, 10), domain=domain, constants=(2, 1, 0.0, 1.5))

    def above_half(records):
        top = max((one["income"] for one in records), default=0.0)
        return sum(one["income"] > top / 2 for one in records)

    for name in ("add-remove", "replace-one"):
        moves = [abs(above_half(p.d1) - above_half(p.d2)) for p in relation_named(name).further_pairs(space)]
        assert max(moves) >= 3
