"""None and NaN are tried where the domain admits them, and nowhere else."""

import math

import pytest

from dplint.claims import Categories, Columns, Interval, NumbersOrMissing
from dplint.inputs.pairs import are_neighbours, choose_pairs, further_pairs
from dplint.relations import relation_named
from dplint.source.domains import DomainError, check_pairs_exist, read_domain
from tests.inputs.test_pairs import mechanism

AGES = NumbersOrMissing(Interval(0, 120, True), none=True, nan=False)
SHARES = NumbersOrMissing(Interval(0.0, 1.0, False), none=True, nan=True)
NAN = math.nan


def entries(value):
    """All values without parts in the data."""
    if isinstance(value, list):
        return [entry for one in value for entry in entries(one)]
    return [entry for one in value.values() for entry in entries(one)] if isinstance(value, dict) else [value]


def tried(**claim):
    """The kinds of values in all pairs: None, "nan" and "number"."""
    made = mechanism(None, **claim)
    found = [*choose_pairs(made), *further_pairs(made, [65, 0.5])]
    values = [entry for pair in found for side in (pair.d1, pair.d2) for entry in entries(side)]
    return {
        None if one is None else "nan" if isinstance(one, float) and math.isnan(one) else "number" for one in values
    }


@pytest.mark.parametrize("relation", ["add-remove", "replace-one", "any"])
@pytest.mark.parametrize(
    ("domain", "kinds"),
    [
        (Interval(0, 120, True), {"number"}),
        (Interval(0.0, 1.0, False), {"number"}),
        (AGES, {"number", None}),
        (SHARES, {"number", None, "nan"}),
        (Columns((("age", AGES), ("share", Interval(0.0, 1.0, False)))), {"number", None}),
        (Categories((1, 2, None)), {"number", None}),
    ],
)
def test_pairs_hold_what_the_domain_admits(relation, domain, kinds):
    assert tried(relation=relation, domain=domain) == kinds


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("domain", [AGES, SHARES, Columns((("age", AGES), ("who", Categories(("a", "b")))))])
def test_one_number_among_missing_ones_is_tried_first(relation, domain):
    """What fills gaps by a mean of the data is moved by it once for each gap."""
    numbers = set()
    for pair in choose_pairs(mechanism(None, relation=relation, domain=domain)):
        longer = max(pair.d1, pair.d2, key=len)
        values = [next(iter(one.values())) if isinstance(one, dict) else one for one in longer]
        present = [one for one in values if one is not None and not math.isnan(one)]
        if len(values) > 3 and len(present) == 1:
            numbers.update(present)

    assert numbers >= {1.0 if domain is SHARES else 120}


@pytest.mark.parametrize(
    ("written", "domain"),
    [
        ([(0, 120), None], AGES),
        ([None, (0, 120)], AGES),
        ([(0.0, 1.0), NAN, None], SHARES),
        ([{"low": 0, "high": 1}, NAN], None),
        ({"age": [(0, 120), None]}, Columns((("age", AGES),))),
    ],
)
def test_a_domain_is_read(written, domain):
    if domain is None:
        with pytest.raises(DomainError, match="no interval"):
            read_domain(written)
    else:
        assert read_domain(written) == domain


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ([(0, 1), "x"], "beside an interval a list holds None, math.nan"),
        ([(0, 1), None, None], "beside an interval"),
        ([(0, 1), (2, 3)], "beside an interval"),
        ([(1, 0), None], "reversed"),
        ([0.5, NAN], r"write \[\(low, high\), math.nan\]"),
    ],
)
def test_what_is_no_domain_says_what_to_write(written, words):
    with pytest.raises(DomainError, match=words):
        read_domain(written)


@pytest.mark.parametrize("name", ["l1", "l2", "linf"])
def test_answers_have_no_missing_ones(name):
    with pytest.raises(DomainError, match="moves numbers"):
        check_pairs_exist(AGES, relation_named(name))


@pytest.mark.parametrize(
    ("domain", "d1", "d2", "are"),
    [
        (SHARES, [NAN, 0.5], [float("nan")], True),
        (SHARES, [NAN], [None], False),
        (SHARES, [0.5, None], [0.5], True),
        (AGES, [NAN], [], False),
        (AGES, [None], [], True),
        (Interval(0, 9, True), [None], [], False),
        (Interval(0.0, 9.0, False), [NAN], [], False),
    ],
)
def test_neighbours_by_adding_a_record(domain, d1, d2, are):
    made = mechanism(None, relation="add-remove", domain=domain)

    assert are_neighbours(made, d1, d2) is are
    assert are_neighbours(made, d2, d1) is are


def test_nan_is_the_same_record_as_nan():
    made = mechanism(None, relation="replace-one", domain=SHARES)

    assert are_neighbours(made, [float("nan"), 0.5], [float("nan"), NAN])
    assert not are_neighbours(made, [float("nan")], [float("nan")])
    assert not are_neighbours(made, [NAN, 0.5], [0.5, NAN])
