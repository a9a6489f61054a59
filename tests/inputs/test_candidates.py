"""The forms that data may take, in the order of the evidence: a pure function of the mechanism."""

from dataclasses import replace

import pytest

from dplint.claims import Columns, Interval, Parameter, Passed
from dplint.inputs.candidates import candidate_forms
from dplint.inputs.forms import as_settled, covered_forms, data_form, data_words, in_form, passed_as
from dplint.inputs.pairs import choose_pairs, has_whole_numbers
from tests.inputs.test_pairs import mechanism

UNIT = Interval(0.0, 1.0, False)


def function(body, annotation=None, *, default=None, **claim):
    """A mechanism of this body, whose data parameter is called `data`."""
    text = f"def f(data, epsilon):\n    {body}"
    parameters = (Parameter("data", annotation=annotation, default=default),)
    return replace(mechanism(annotation, **claim), source_lines=tuple(text.split("\n")), parameters=parameters)


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("return noise(data.shape)", "array"),
        ("return data.tolist()", "array"),
        ("return torch.nn.functional.one_hot(data, 4)", "tensor"),
        ("return torch.tensor(data) + 1", "list"),
        ("return sum(data.values())", "dict"),
        ("return data.values.sum()", "series"),
        ("return isinstance(data, (int, float))", "scalar"),
        ("return 0 if data < 0 else 1", "scalar"),
        ("return data * 2 + np.random.laplace()", "array"),
        ("return sum(data) * 2 + np.random.laplace()", "list"),
        ('"""Noise.\n\n    Args:\n        data (float): the answer.\n    """', "scalar"),
        ('"""Noise.\n\n    Parameters\n    ----------\n    data : numpy.ndarray\n    """', "array"),
        ("return 0", "list"),
    ],
)
def test_what_is_done_with_the_data_tells_its_form(body, form):
    assert data_form(function(body)) == form


@pytest.mark.parametrize(
    ("annotation", "forms"),
    [
        ("float | np.ndarray", ["scalar", "array"]),
        ("Union[np.ndarray, List[float], None]", ["array", "list"]),
        ("Optional[pd.Series | list]", ["series", "list"]),
        ("int | float", ["scalar"]),
        ("'npt.NDArray[np.float64] | None'", ["array"]),
    ],
)
def test_every_member_of_a_union_is_declared(annotation, forms):
    made = function("return 0", annotation)
    known = candidate_forms(made)
    assert [data_form(in_form(made, one)) for one in known.annotations[: known.declared]] == forms


def test_an_annotation_comes_before_any_use():
    assert data_form(function("return data.shape", "list[float]")) == "list"
    assert data_form(function("return data.shape", "Any")) == "array"


@pytest.mark.parametrize(
    "body",
    [
        "return [i for i, c in enumerate(data) for _ in range(c)]",
        "return range(data[0])",
        "return [c for c in data if isinstance(c, numbers.Integral)]",
        "return data[0] + rng.geometric(0.5)",
    ],
)
def test_whole_numbers_where_only_these_make_sense(body):
    made = function(body)
    assert has_whole_numbers(made)
    assert all(type(number) is int for pair in choose_pairs(made) for number in pair.d1)
    assert not has_whole_numbers(function(body, "list[float]"))
    # Half a step cannot be made of whole numbers, so that other numbers have to be tried.
    assert not has_whole_numbers(replace(made, claim=replace(made.claim, sensitivity=0.5)))


def test_a_domain_says_which_numbers_there_are():
    assert candidate_forms(function("return 0")).open_numbers
    assert not candidate_forms(function("return 0", domain=UNIT)).open_numbers
    assert not candidate_forms(function("return 0", "Sequence[float]")).open_numbers
    assert candidate_forms(function("return 0", "np.ndarray")).open_numbers


def test_records_are_never_one_number():
    made = function("return 0 if data < 0 else 1", relation="add-remove", domain=UNIT)
    assert all(data_form(in_form(made, one)) != "scalar" for one in candidate_forms(made).annotations)


def test_rows_come_as_dicts_arrays_tuples_or_lists():
    made = function("return 0", relation="add-remove", domain=Columns((("a", UNIT), ("b", UNIT))))
    forms = [data_form(in_form(made, one)) for one in candidate_forms(made).annotations]
    assert forms == ["list", "matrix", "list of tuples", "list of lists"]


def test_a_claim_of_sizes_is_about_no_single_number():
    def plausible(made):
        known = candidate_forms(made)
        return [data_form(in_form(made, one)) for one in known.annotations[: known.likely]]

    assert "scalar" in plausible(function("return data"))
    assert "scalar" not in plausible(function("return data", size=(3,)))
    assert "scalar" not in plausible(function("return len(data)"))


def test_the_last_note_tells_the_form_that_was_settled_on():
    made = function("return 0")
    forms = [in_form(made, one) for one in candidate_forms(made).annotations]
    assert len({data_words(one) for one in forms}) == len(forms)
    for one in forms[1:]:
        notes = [passed_as(forms[1]) + "why", passed_as(one) + "why", "something else"]
        assert data_form(as_settled(made, notes)) == data_form(one)
    assert as_settled(made, ["something else"]) == made


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_some_data_has_records_that_all_differ(relation):
    for domain in (UNIT, Interval(0, 100, True), Columns((("a", UNIT), ("b", UNIT)))):
        made = function("return 0", relation=relation, domain=domain)
        sides = [side for pair in choose_pairs(made) for side in (pair.d1, pair.d2)]
        assert any(len(side) >= 5 and len(set(map(repr, side))) == len(side) for side in sides)


def called(made, *annotations, whole=False):
    """The mechanism as callers use it."""
    return replace(made, passed=Passed(annotations, whole))


def forms_of(made):
    return [data_form(in_form(made, one)) for one in candidate_forms(made).annotations]


def test_callers_are_the_last_of_the_evidence():
    assert forms_of(called(function("return 0"), "tuple"))[0] == "tuple"
    assert forms_of(called(function("return data * 2 + np.random.laplace()"), "float"))[0] == "scalar"
    assert forms_of(called(function("return data.shape"), "tuple"))[:2] == ["array", "tuple"]
    assert forms_of(called(function("return 0", default="[1.0]"), "tuple"))[:2] == ["list", "tuple"]
    assert forms_of(called(function("return 0", "list[float]"), "tuple"))[0] == "list"


def test_callers_decide_between_guesses_about_records():
    made = function("return 0", relation="add-remove", domain=Columns((("a", UNIT), ("b", UNIT))))
    assert forms_of(called(made, "list[tuple]"))[0] == "list of tuples"
    assert forms_of(called(made, "pandas.DataFrame"))[0] == "frame"
    assert forms_of(called(made, "float"))[0] == "list"


@pytest.mark.parametrize("annotation", [None, "np.ndarray"])
def test_where_callers_pass_whole_numbers_broken_ones_accuse_nobody_alone(annotation):
    made = function("return 0", annotation)
    whole, broken = (called(made, "numpy.ndarray", whole=whole) for whole in (True, False))
    known = candidate_forms(whole)
    assert [has_whole_numbers(in_form(whole, one)) for one in known.annotations[: known.likely]] == [False, True]
    assert [has_whole_numbers(in_form(whole, one)) for one in known.certain] == [True]
    assert candidate_forms(broken).annotations[0] in candidate_forms(broken).certain


def test_what_callers_pass_is_no_guess():
    known = candidate_forms(called(function("return 0"), "tuple", "float"))
    assert set(known.annotations[: known.likely]) == {"tuple", "float"} <= known.certain
    assert not candidate_forms(function("return 0")).certain


@pytest.mark.parametrize(
    ("annotation", "claim", "forms", "others"),
    [
        ("list[float] | np.ndarray", {}, ["list", "array"], ()),
        ("list[int] | list[float]", {}, ["list"], ()),
        ("np.ndarray | str | Path", {}, ["array"], ("str", "Path")),
        ("float | list[float]", {}, ["scalar", "list"], ()),
        ("float | list[float]", {"relation": "add-remove", "domain": UNIT}, ["list"], ("float",)),
        ("pd.DataFrame | pd.Series", {}, ["series"], ("pd.DataFrame",)),
        ("list[float]", {}, ["list"], ()),
    ],
)
def test_the_members_of_a_union_that_a_claim_covers(annotation, claim, forms, others):
    made = function("return 0", annotation, **claim)
    covered, left = covered_forms(made)
    assert [data_form(in_form(made, one)) for one in covered] == forms
    assert left == others
