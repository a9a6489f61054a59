"""Which inputs a claim speaks of: all that are chosen, and none that breaks its relation, domain or arguments."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Categories, Columns, Fixed, Interval, Parameter
from dplint.inputs.pairs import allows_argument, are_neighbours, choose_pairs
from tests.inputs.test_pairs import mechanism
from tests.relations.test_relations import DOMAINS

PEOPLE = Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "y")))))


@given(
    relation=st.sampled_from(["linf", "l1", "l2"]),
    sensitivity=st.sampled_from([0.1, 0.5, 1.0, 3.25]),
    annotation=st.sampled_from([None, "list[int]", "float", "int"]),
    domain=st.sampled_from([None, Interval(0, 3, True), Interval(-2.5, 7.0, False)]),
)
def test_every_pair_of_numbers_that_is_chosen_is_one(relation, sensitivity, annotation, domain):
    claimed = mechanism(annotation, relation=relation, sensitivity=sensitivity, domain=domain)

    for pair in choose_pairs(claimed):
        assert are_neighbours(claimed, pair.d1, pair.d2), pair


@pytest.mark.parametrize("relation", ["add-remove", "replace-one", "any"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_pair_of_records_that_is_chosen_is_one(relation, domain):
    claimed = mechanism(None, relation=relation, domain=domain)
    pairs = choose_pairs(claimed)

    assert pairs
    assert all(are_neighbours(claimed, pair.d1, pair.d2) for pair in pairs)


ROW, OTHER = {"age": 3, "job": "x"}, {"age": 4, "job": "y"}
NEAR = [
    (None, {"relation": "linf"}, [0.0, 0.0], [1.0, -1.0]),
    (None, {"relation": "l1"}, [0.0, 0.0], [0.5, -0.5]),
    # 0.6 and 0.8 are the sides of a right triangle of length 1.
    (None, {"relation": "l2"}, [0.0, 0.0], [0.6, -0.8]),
    (None, {"relation": "l1", "sensitivity": 2.5}, [10], [12.5]),
    ("float", {"relation": "linf"}, 3, 3.75),
    ("int", {"relation": "linf"}, 3, 4),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True)}, [], [9]),
    (None, {"relation": "add-remove", "domain": PEOPLE}, [ROW, OTHER, ROW], [ROW, ROW]),
    (None, {"relation": "replace-one", "domain": PEOPLE}, [ROW, OTHER], [ROW, ROW]),
    (None, {"relation": "linf", "size": (2, 4)}, [0.0, 0.0], [1.0, 1.0]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True), "size": (2,)}, [1, 2], [1, 2, 3]),
    ("dict", {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1, 2], [1, 2, 3]),
    ("bool", {"relation": "any"}, False, True),
    (None, {"relation": "any", "domain": Categories(("a", None))}, "a", None),
]
FAR = [
    (None, {"relation": "linf"}, [0.0, 0.0], [1.0, -1.1]),
    (None, {"relation": "l1"}, [0.0, 0.0], [0.6, -0.8]),
    (None, {"relation": "l2"}, [0.0, 0.0], [0.7, -0.8]),
    (None, {"relation": "linf"}, [0.0], [1.0 + 1e-6]),
    (None, {"relation": "linf"}, [0.0], [0.0]),
    (None, {"relation": "linf"}, [0.0], [0.0, 0.0]),
    (None, {"relation": "linf"}, [0.0], [math.nan]),
    (None, {"relation": "linf"}, [math.inf], [math.inf, 0.0]),
    (None, {"relation": "linf"}, [True], [False]),
    (None, {"relation": "linf"}, ["0"], ["1"]),
    (None, {"relation": "linf"}, 0.0, 1.0),
    (None, {"relation": "linf", "domain": Interval(0, 1, False)}, [1.0], [1.5]),
    (None, {"relation": "linf", "domain": Interval(0, 5, True)}, [1], [1.5]),
    ("list[int]", {"relation": "linf"}, [1], [1.5]),
    ("float", {"relation": "linf"}, [0.0], [1.0]),
    ("int", {"relation": "linf"}, 3, 3.5),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1], [2]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1, 2], [3]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1], [1, 10]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1], [1, 2, 3]),
    (None, {"relation": "replace-one", "domain": PEOPLE}, [ROW, ROW], [OTHER, OTHER]),
    (None, {"relation": "replace-one", "domain": PEOPLE}, [ROW], [{"age": 3}]),
    (None, {"relation": "replace-one", "domain": PEOPLE}, [ROW], [{"age": 3, "job": "z"}]),
    (None, {"relation": "replace-one", "domain": PEOPLE}, [ROW], [{"job": "x", "age": 5}]),
    (None, {"relation": "any", "domain": Categories((0, 1))}, False, True),
    (None, {"relation": "any", "domain": Interval(0, 1, False)}, 0.0, 2.0),
    # A claim that names sizes is about these alone.
    (None, {"relation": "linf", "size": (2, 4)}, [0, 0, 0], [1, 1, 1]),
    (None, {"relation": "linf", "size": (2, 4)}, [0], [1]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True), "size": (2,)}, [1], [1, 2]),
    (None, {"relation": "add-remove", "domain": Interval(0, 9, True), "size": (2,)}, [1, 2, 3], [1, 2, 3, 4]),
    # {0: 1, 1: 2} and {0: 2}: a record is removed, and another one changed.
    ("dict", {"relation": "add-remove", "domain": Interval(0, 9, True)}, [1, 2], [2]),
    (None, {"relation": "custom", "pairs": ":pairs"}, [0.0], [1.0]),
]


@pytest.mark.parametrize(("annotation", "claim", "d1", "d2"), NEAR)
def test_what_the_relation_allows(annotation, claim, d1, d2):
    claimed = mechanism(annotation, **claim)

    assert are_neighbours(claimed, d1, d2)
    assert are_neighbours(claimed, d2, d1)


@pytest.mark.parametrize(("annotation", "claim", "d1", "d2"), FAR)
def test_what_the_relation_does_not_allow(annotation, claim, d1, d2):
    claimed = mechanism(annotation, **claim)

    assert not are_neighbours(claimed, d1, d2)
    assert not are_neighbours(claimed, d2, d1)


ARGS = (
    ("fixed", Fixed(3)),
    ("some", Categories(("a", 1))),
    ("between", Interval(0, 5, False)),
    ("whole", Interval(0, 5, True)),
)
OTHERS = (Parameter("data"), Parameter("open"), Parameter("kept", default="2"))


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("fixed", [3], [4, 3.0, True]),
        ("some", ["a", 1], ["b", True, 1.0]),
        ("between", [0, 5.0, 2.25], [-0.1, 5.1, math.nan, "2", True]),
        ("whole", [0, 5], [2.0, 6]),
        ("open", [3, "a", None], []),
        ("kept", [], [2, 3]),
        ("data", [], [[0.0]]),
        ("nobody", [], [0]),
    ],
)
def test_arguments(name, allowed, refused):
    claimed = replace(mechanism(None, args=ARGS), parameters=(*OTHERS, *(Parameter(one) for one, _ in ARGS)))

    assert all(allows_argument(claimed, name, value) for value in allowed)
    assert not any(allows_argument(claimed, name, value) for value in refused)
