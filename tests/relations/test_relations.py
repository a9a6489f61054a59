"""Every relation answers for itself: its pairs are neighbours by an independent definition, and it is found by name."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Categories, Columns, Interval
from dplint.relations import (
    CUSTOM,
    DataKind,
    DataSpace,
    RelationError,
    UnknownRelationError,
    known,
    relation_named,
    relation_names,
)

VECTORS = ("linf", "l1", "l2", "linf-monotone")
TABLE_1 = [
    ([1, 1, 1, 1], [2, 1, 1, 1]),
    ([1, 1, 1, 1], [0, 1, 1, 1]),
    ([1, 1, 1, 1], [2, 0, 0, 0]),
    ([1, 1, 1, 1], [0, 2, 2, 2]),
    ([1, 1, 1, 1], [2, 2, 0, 0]),
    ([1, 1, 1, 1], [2, 2, 2, 2]),
    ([1, 1, 1, 1], [0, 0, 0, 0]),
    ([1, 1, 0, 0], [0, 0, 1, 1]),
]
"""StatDP's Table 1, written out for n = 4; it has "all above & all below" as one row for two pairs."""
DOMAINS = [
    Interval(0, 1, True),
    Interval(-2.5, 7.0, False),
    Categories(("a", "b", "c")),
    Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "y"))))),
]


def pairs_of(name, **space):
    return relation_named(name).pairs(DataSpace(**space))


def distance(d1, d2, name):
    steps = [abs(a - b) for a, b in zip(d1, d2, strict=True)]
    if name == "linf-monotone":
        signs = {math.copysign(1, a - b) for a, b in zip(d1, d2, strict=True) if a != b}
        return max(steps) if len(signs) < 2 else math.inf
    return {"l1": sum(steps), "l2": math.sqrt(sum(s * s for s in steps)), "linf": max(steps)}[name]


def one_more(d1, d2):
    """Whether one list is the other with one record taken out."""
    longer, shorter = sorted([d1, d2], key=len, reverse=True)
    return any([*longer[:i], *longer[i + 1 :]] == shorter for i in range(len(longer)))


def one_other(d1, d2):
    return len(d1) == len(d2) and sum(a != b for a, b in zip(d1, d2, strict=True)) <= 1


def test_the_published_patterns_are_there_in_both_orders():
    """For "linf" with sensitivity 1 the pairs are those of the table and their mirror images, and no others."""
    made = {(tuple(p.d1), tuple(p.d2)) for p in pairs_of("linf", sizes=(4,))}

    expected = {(tuple(a), tuple(b)) for a, b in TABLE_1}
    assert made == expected | {(b, a) for a, b in expected}


def test_half_of_the_answers_move_one_way_where_half_half_is_no_neighbour():
    """Only such a pair breaks a choice of two at epsilon 1.5 each: by 1.88 with probability 0.05, of 1.5 claimed."""
    made = {(tuple(p.d1), tuple(p.d2)) for p in pairs_of("linf-monotone", sizes=(5,))}
    halves = {((1, 1, 1, 1, 1), (2, 2, 1, 1, 1)), ((1, 1, 1, 1, 1), (0, 0, 1, 1, 1))}

    assert halves | {(b, a) for a, b in halves} <= made

    def loss(d1, d2):
        """The largest loss of two choices by weights e**(1.5 v), one after the other without putting back."""
        first, second = (
            {(i, j): w[i] / sum(w) * w[j] / (sum(w) - w[i]) for i in range(5) for j in range(5) if i != j}
            for w in ([math.exp(1.5 * v) for v in d] for d in (d1, d2))
        )
        return max(math.log(first[k] / second[k]) for k in first)

    assert max(loss(a, b) for a, b in made - halves - {(b, a) for a, b in halves}) < 1.5
    assert max(loss(a, b) for a, b in made) > 1.88


@given(
    name=st.sampled_from(VECTORS),
    sensitivity=st.sampled_from([0.5, 1.0, 2.0, 3.25]),
    low=st.integers(-20, 20),
    width=st.integers(1, 30) | st.none(),
    sizes=st.sets(st.integers(1, 12), min_size=1, max_size=2),
)
def test_vectors_stay_within_relation_and_domain(name, sensitivity, low, width, sizes):
    """The distance never exceeds the sensitivity, entries lie in the domain, and no pair is trivial."""
    domain = None if width is None else Interval(low, low + width, False)

    pairs = pairs_of(name, sensitivity=sensitivity, domain=domain, sizes=tuple(sizes))

    assert pairs
    for pair in pairs:
        assert 0 < distance(pair.d1, pair.d2, name) <= sensitivity * (1 + 1e-9)
        assert len(pair.d1) == len(pair.d2) == pair.size
        if domain is not None:
            assert all(domain.low <= v <= domain.high for v in [*pair.d1, *pair.d2])
    both = {(repr(p.d1), repr(p.d2)) for p in pairs}
    assert both == {(b, a) for a, b in both}


@given(
    name=st.sampled_from(VECTORS),
    d1=st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=5),
    moves=st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]), min_size=5, max_size=5),
    sensitivity=st.sampled_from([0.5, 1.0, 2.0]),
)
def test_a_vector_knows_its_neighbours(name, d1, moves, sensitivity):
    d2 = [a + b for a, b in zip(d1, moves, strict=False)]

    near = relation_named(name).are_neighbours(d1, d2, sensitivity)

    assert near == (distance(d1, d2, name) <= sensitivity * (1 + 1e-9))
    assert not relation_named(name).are_neighbours(d1, [*d1, 0.0], sensitivity)


@given(records=st.lists(st.sampled_from("ab"), max_size=5), others=st.lists(st.sampled_from("ab"), max_size=5))
def test_records_know_their_neighbours(records, others):
    assert relation_named("add-remove").are_neighbours(records, others, 1.0) == (
        abs(len(records) - len(others)) == 1 and one_more(records, others)
    )
    assert relation_named("replace-one").are_neighbours(records, others, 1.0) == one_other(records, others)


@pytest.mark.parametrize("domain", DOMAINS)
def test_records_differ_in_one_record(domain):
    """ "add-remove": one side is the other with one record more; "replace-one": same length, one differs."""
    for pair in pairs_of("add-remove", domain=domain, sizes=(3,)):
        assert abs(len(pair.d1) - len(pair.d2)) == 1
        assert one_more(pair.d1, pair.d2)
    for pair in pairs_of("replace-one", domain=domain, sizes=(3,)):
        assert sum(a != b for a, b in zip(pair.d1, pair.d2, strict=True)) == 1


@pytest.mark.parametrize("domain", DOMAINS)
def test_records_reach_both_ends_of_the_domain_and_an_empty_side(domain):
    """Boundary records and an empty side are among the pairs."""
    pairs = pairs_of("add-remove", domain=domain, sizes=(3,))
    seen = [record for pair in pairs for record in [*pair.d1, *pair.d2]]

    assert any(pair.d1 == [] for pair in pairs)
    match domain:
        case Interval(low, high):
            assert {low, high} <= set(seen)
        case Categories(values):
            assert set(values) <= set(seen)
        case Columns():
            assert {"age": 0, "job": "x"} in seen
            assert {"age": 90, "job": "y"} in seen


def test_records_of_a_domain_with_one_value_can_only_be_added():
    domain = Categories(("a",))

    assert {(len(p.d1), len(p.d2)) for p in pairs_of("add-remove", domain=domain, sizes=(2,))} == {
        (2, 3),
        (3, 2),
        (0, 1),
        (1, 0),
    }
    assert pairs_of("replace-one", domain=domain, sizes=(2,)) == []


def test_any_tries_every_two_categories_of_a_small_domain():
    """Local privacy: all ordered pairs of distinct values."""
    pairs = {(p.d1, p.d2) for p in pairs_of("any", domain=Categories((1, 2, 3)))}

    assert pairs == {(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)}


@pytest.mark.parametrize("name", VECTORS)
def test_scalars_move_by_the_sensitivity_and_touch_the_edges(name):
    """A scalar is a vector of length one; with a domain its edges are tried too."""
    made = pairs_of(name, sensitivity=2.0, domain=Interval(-3, 10, False), scalar=True)
    pairs = {(p.d1, p.d2) for p in made}

    assert {(-3.0, -1.0), (10.0, 8.0)} <= pairs
    assert all(abs(a - b) <= 2.0 for a, b in pairs)


@pytest.mark.parametrize("name", relation_names())
@pytest.mark.parametrize("domain", DOMAINS[:2])
def test_what_a_relation_says_of_itself_holds_of_its_pairs(name, domain):
    relation = relation_named(name)
    pairs = relation.pairs(DataSpace(domain=domain, sizes=(3, 4)))
    both = {(repr(p.d1), repr(p.d2)) for p in pairs}
    moved = [all(a != b for a, b in zip(p.d1, p.d2, strict=True)) for p in pairs if relation.data is DataKind.VECTOR]

    assert relation.name == name
    assert both == {(b, a) for a, b in both}, "each in both orders"
    assert len(both) == len(pairs), "without repetitions"
    assert all(relation.are_neighbours(p.d1, p.d2, 1.0) for p in pairs)
    if relation.data is not DataKind.VALUE:
        assert relation.same_size is all(len(p.d1) == len(p.d2) for p in pairs)
    if relation.all_move:
        assert any(moved)
    for text in (relation.neighbours, relation.neighbours_if_scalar or ""):
        assert "{" not in text.format(sensitivity="1", square="1")


def test_one_value_is_enough_where_records_may_be_added():
    assert [name for name in relation_names() if relation_named(name).needs_two_values] == ["any", "replace-one"]


def test_the_custom_relation_knows_nothing_and_is_no_name_for_a_claim():
    assert relation_named("custom") is CUSTOM
    assert "custom" not in relation_names()
    assert (CUSTOM.pairs, CUSTOM.are_neighbours, CUSTOM.same_size, CUSTOM.size_is_private) == (None, None, None, False)


@pytest.mark.parametrize("name", ["linff", "", "add_remove", "known", "LINF"])
def test_an_unknown_relation_is_an_error(name):
    with pytest.raises(
        UnknownRelationError, match="no neighbour relation: there are add-remove, any, l1, l2, linf, linf-monotone"
    ):
        relation_named(name)


@pytest.mark.parametrize("text", ["", "RELATION = 'hamming'", "from dplint.relations.known.l1 import RELATION"])
def test_a_file_without_a_relation_of_its_name_is_told_clearly(tmp_path, monkeypatch, text):
    (tmp_path / "some_moves.py").write_text(text)
    monkeypatch.setattr(known, "__path__", [*known.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"{known.__name__}.some_moves", raising=False)
    relation_names.cache_clear()
    try:
        with pytest.raises(RelationError, match=r'known.some_moves has no relation of its name: .* "some-moves"'):
            relation_named("some-moves")
    finally:
        relation_names.cache_clear()
