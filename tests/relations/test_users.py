"""Neighbours that differ in all records of one user: by an independent definition, and of every kind that matters."""

import pytest

from dplint.claims import Categories, Claim, Columns, Interval, NumbersOrMissing
from dplint.relations import DataSpace, relation_of

DOMAINS = [
    Columns((("who", Interval(1, 6, True)), ("age", Interval(0, 90, True)))),
    Columns(
        (
            ("pay", NumbersOrMissing(Interval(0.0, 9.0, False), none=True, nan=False)),
            ("who", Categories(("a", "b", "c"))),
        )
    ),
]


def relation(name):
    return relation_of(Claim(epsilon=1.0, relation=name, user="who"))


def others(records, user):
    return [repr(record) for record in records if record["who"] != user]


def differ_in_one_user(name, one, two):
    """Who has records on one side alone (add-remove), or different ones; and that the rest is the same, in order."""
    users = {record["who"] for record in [*one, *two]}
    of = {user: [[r for r in side if r["who"] == user] for side in (one, two)] for user in users}
    changed = [user for user, (first, second) in of.items() if repr(first) != repr(second)]
    if len(changed) != 1 or others(one, changed[0]) != others(two, changed[0]):
        return False
    first, second = of[changed[0]]
    return (not first or not second) if name == "add-remove" else bool(first and second)


@pytest.mark.parametrize("name", ["add-remove", "replace-one"])
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("further", [False, True])
def test_pairs_are_neighbours_in_both_orders_without_repetitions(name, domain, further):
    found = relation(name)
    space = DataSpace(domain=domain, constants=(65, "b"))
    pairs = found.further_pairs(space) if further else found.pairs(space)
    both = {(repr(pair.d1), repr(pair.d2)) for pair in pairs}

    assert len(pairs) > 10
    assert both == {(b, a) for a, b in both}
    assert len(both) == len(pairs)
    for pair in pairs:
        assert differ_in_one_user(name, pair.d1, pair.d2)
        assert found.are_neighbours(pair.d1, pair.d2, 1.0)


@pytest.mark.parametrize("name", ["add-remove", "replace-one"])
def test_a_user_has_one_record_and_many_beside_others_and_alone(name):
    counts, alone = set(), set()
    for pair in relation(name).pairs(DataSpace(domain=DOMAINS[0])):
        longer = max(pair.d1, pair.d2, key=len)
        user = longer[-1]["who"]
        counts.add(sum(record["who"] == user for record in longer))
        alone.add(len(others(longer, user)))

    assert {1, 2, 6} <= counts
    assert alone == {0, 5, 10}


def test_sizes_that_a_claim_names_are_kept():
    space = DataSpace(domain=DOMAINS[0], sizes=(4,), exact=True)
    assert min(len(side) for p in relation("add-remove").pairs(space) for side in (p.d1, p.d2)) == 4


A, B, C = ({"who": who, "age": 5} for who in (1, 2, 3))
OLD = {"who": 1, "age": 60}
ADDED = [([B], [B, A, A], True), ([B], [A, B, A], True), ([], [A, OLD], True), ([B], [B, A, C], False)]
REPLACED = [([A, B], [OLD, B, A], True), ([A, B], [C, B], True), ([A, B], [B], False), ([A, B], [OLD, C], False)]
CASES = [
    *(("add-remove", *case) for case in ADDED), ("add-remove", [A, B], [OLD, B], False),
    ("add-remove", [A, B], [B, A], False), *(("replace-one", *case) for case in REPLACED),
]  # fmt: skip


@pytest.mark.parametrize(("name", "one", "two", "wanted"), CASES)
def test_neighbours_of_users(name, one, two, wanted):
    assert relation(name).are_neighbours(one, two, 1.0) is wanted
    assert relation(name).are_neighbours(two, one, 1.0) is wanted


def test_nothing_is_proved_of_users():
    assert relation("add-remove").definition is None
    assert relation("add-remove").same_size is False
