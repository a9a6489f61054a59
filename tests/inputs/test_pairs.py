"""Every pair obeys its relation, and the published patterns are there."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Categories, Claim, Columns, Interval, Mechanism, Parameter, Relation, Span
from dplint.inputs.forms import data_form
from dplint.inputs.pairs import choose_pairs
from dplint.inputs.records import local_pairs, record_pairs
from dplint.inputs.vectors import scalar_pairs, vector_pairs

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
"""FIELD.md 1.1, written out for n = 4; StatDP's Table 1 has "all above & all below" as one row for two pairs."""


def test_the_published_patterns_are_there_in_both_orders():
    """For "linf" with sensitivity 1 the pairs are those of the table and their mirror images, and no others."""
    made = {(tuple(p.d1), tuple(p.d2)) for p in vector_pairs(Relation.LINF, 1.0, None, (4,))}

    expected = {(tuple(a), tuple(b)) for a, b in TABLE_1}
    assert made == expected | {(b, a) for a, b in expected}


def distance(d1, d2, relation):
    steps = [abs(a - b) for a, b in zip(d1, d2, strict=True)]
    return {"l1": sum(steps), "l2": math.sqrt(sum(s * s for s in steps)), "linf": max(steps)}[relation]


@given(
    relation=st.sampled_from(["linf", "l1", "l2"]),
    sensitivity=st.sampled_from([0.5, 1.0, 2.0, 3.25]),
    low=st.integers(-20, 20),
    width=st.integers(1, 30) | st.none(),
    sizes=st.sets(st.integers(1, 12), min_size=1, max_size=2),
)
def test_vectors_stay_within_relation_and_domain(relation, sensitivity, low, width, sizes):
    """The distance never exceeds the sensitivity, entries lie in the domain, and no pair is trivial."""
    domain = None if width is None else Interval(low, low + width, False)

    pairs = vector_pairs(Relation(relation), sensitivity, domain, tuple(sizes))

    assert pairs
    for pair in pairs:
        assert 0 < distance(pair.d1, pair.d2, relation) <= sensitivity * (1 + 1e-9)
        assert len(pair.d1) == len(pair.d2) == pair.size
        if domain is not None:
            assert all(domain.low <= v <= domain.high for v in [*pair.d1, *pair.d2])
    both = {(repr(p.d1), repr(p.d2)) for p in pairs}
    assert both == {(b, a) for a, b in both}


DOMAINS = [
    Interval(0, 1, True),
    Interval(-2.5, 7.0, False),
    Categories(("a", "b", "c")),
    Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "y"))))),
]


@pytest.mark.parametrize("domain", DOMAINS)
def test_records_differ_in_one_record(domain):
    """ "add-remove": one side is the other with one record more; "replace-one": same length, one differs."""
    for pair in record_pairs(Relation.ADD_REMOVE, domain, (3,)):
        longer, shorter = sorted([pair.d1, pair.d2], key=len, reverse=True)
        assert len(longer) == len(shorter) + 1
        assert any([*longer[:i], *longer[i + 1 :]] == shorter for i in range(len(longer)))
    for pair in record_pairs(Relation.REPLACE_ONE, domain, (3,)):
        assert sum(a != b for a, b in zip(pair.d1, pair.d2, strict=True)) == 1


@pytest.mark.parametrize("domain", DOMAINS)
def test_records_reach_both_ends_of_the_domain_and_an_empty_side(domain):
    """Boundary records and an empty side are among the pairs (DESIGN section 5)."""
    pairs = record_pairs(Relation.ADD_REMOVE, domain, (3,))
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


def test_any_tries_every_two_categories_of_a_small_domain():
    """Local privacy: all ordered pairs of distinct values."""
    pairs = {(p.d1, p.d2) for p in local_pairs(Categories((1, 2, 3)))}

    assert pairs == {(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)}


def test_scalars_move_by_the_sensitivity_and_touch_the_edges():
    """A scalar is a vector of length one; with a domain its edges are tried too."""
    pairs = {(p.d1, p.d2) for p in scalar_pairs(2.0, Interval(-3, 10, False))}

    assert {(-3.0, -1.0), (10.0, 8.0)} <= pairs
    assert all(abs(a - b) <= 2.0 for a, b in pairs)


def mechanism(annotation, **claim):
    span = Span(1, 1, 1, 2)
    return Mechanism(
        file="f.py",
        path="/f.py",
        import_root="/",
        project_root="/",
        module="f",
        qualname="f",
        span=span,
        claim_span=span,
        claim=Claim(epsilon=1.0, **claim),
        parameters=(Parameter("data", annotation=annotation),),
        data="data",
        rng=None,
        digest="0",
    )


@pytest.mark.parametrize(
    ("annotation", "form"),
    [
        (None, "list"),
        ("list[float]", "list"),
        ("np.ndarray", "array"),
        ("npt.NDArray[np.float64]", "array"),
        ("'pd.DataFrame'", "frame"),
        ("float", "scalar"),
        ("tuple[float, ...]", "tuple"),
    ],
)
def test_the_annotation_decides_the_form_of_the_data(annotation, form):
    """A list unless the annotation says otherwise."""
    assert data_form(mechanism(annotation)) == form


def test_integers_stay_integers():
    """An integer domain or annotation gives Python ints, and leaves out what scaling makes fractional."""
    pairs = choose_pairs(mechanism("list[int]", relation=Relation.L1))

    assert pairs
    assert all(type(v) is int for p in pairs for v in [*p.d1, *p.d2])


def test_a_missing_domain_is_refused_with_an_example():
    """`source` reports this as a finding; the guard here keeps other callers honest."""
    with pytest.raises(ValueError, match="needs a domain"):
        choose_pairs(mechanism(None, relation=Relation.ADD_REMOVE))


def test_a_bool_needs_no_domain():
    """Local privacy over a bool."""
    assert {(p.d1, p.d2) for p in choose_pairs(mechanism("bool", relation=Relation.ANY))} == {
        (False, True),
        (True, False),
    }
