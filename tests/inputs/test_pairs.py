"""Data is handed over as its annotation says, and the pairs of a mechanism are those of its claim's relation."""

from dataclasses import replace

import pytest

from dplint.claims import Claim, Interval, Mechanism, Pair, Parameter, Span
from dplint.inputs import pairs
from dplint.inputs.forms import data_form
from dplint.inputs.pairs import NoPairs, choose_pairs
from dplint.relations import relation_named


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
    made = choose_pairs(mechanism("list[int]", relation="l1"))

    assert made
    assert all(type(v) is int for p in made for v in [*p.d1, *p.d2])


def test_a_missing_domain_is_refused_with_an_example():
    """`source` reports this as a finding; the guard here keeps other callers honest."""
    with pytest.raises(NoPairs, match=r"needs a domain, e.g. domain=\(0, 100\)"):
        choose_pairs(mechanism(None, relation="add-remove"))


def test_pairs_of_the_users_own_function_are_not_made_here():
    with pytest.raises(NoPairs, match="come from the function that the claim names"):
        choose_pairs(mechanism(None, relation="custom", pairs=":pairs"))


def test_a_pair_that_is_none_is_refused(monkeypatch):
    """It would be a false alarm."""
    wrong = replace(relation_named("l1"), pairs=lambda _: [Pair([0.0, 0.0], [1.0, 1.0], "both", 2)])
    monkeypatch.setattr(pairs, "relation_of", lambda _: wrong)

    with pytest.raises(NoPairs, match=r'"l1" has made a pair that is none: \[0.0, 0.0\] and \[1.0, 1.0\]'):
        choose_pairs(mechanism(None, relation="l1"))


def test_rounding_makes_no_pair_wrong():
    """Near 1e9 floats are 1e-7 apart, which is much in comparison with a sensitivity of 1e-5."""
    domain = Interval(1e9, 1e9 + 1, False)

    assert choose_pairs(mechanism(None, relation="l2", domain=domain, sensitivity=1e-5))


def test_a_bool_needs_no_domain():
    """Local privacy over a bool."""
    assert {(p.d1, p.d2) for p in choose_pairs(mechanism("bool", relation="any"))} == {
        (False, True),
        (True, False),
    }
