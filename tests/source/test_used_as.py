"""The form of records with columns where no annotation tells it: a table if the function treats them as one."""

from pathlib import Path

import pytest

from dplint.inputs.forms import data_form
from dplint.source.read import read_source

COLUMNS = 'domain={"city": ["a", "b"], "age": (0, 90)}'


def form_of(body, claim=f'neighbors="add-remove", {COLUMNS}', head="", data="people"):
    source = f"from dplint import dp\n{head}\n@dp(epsilon=1.0, {claim})\ndef m(rng, {data}):\n    {body}\n"
    (found,) = read_source(Path("claims_under_test.py"), file="claims_under_test.py", text=source).mechanisms
    return data_form(found.mechanism)


@pytest.mark.parametrize(
    "body",
    [
        'return people["age"].sum() + rng.laplace(scale=90)',
        'return people[["age"]].sum() + rng.laplace(scale=90)',
        'return people.groupby("city").size()',
        "return people.loc[0]",
        "return people.applymap(abs)",
    ],
)
def test_columns_by_their_names_make_a_table(body):
    assert form_of(body) == "frame"
    assert form_of(body, head="import polars as pl") == "polars frame"
    assert form_of(body, head="import polars as pl\nimport pandas as pd") == "frame"


@pytest.mark.parametrize(
    "body",
    [
        "return len(people) + rng.laplace()",
        'return sum(one["age"] for one in people) + rng.laplace(scale=90)',
        'return people[0]["age"]',
        "return people[1:]",
        "return people.count(3)",
        'return (lambda people: people["age"])({"age": 3})',
    ],
)
def test_others_stay_lists(body):
    assert form_of(body) == "list"


def test_an_annotation_a_plain_domain_and_a_single_record_are_left_as_they_are():
    asked = 'return people["age"]'

    assert form_of(asked, data="people: list") == "list"
    assert form_of(asked, claim='neighbors="add-remove", domain=(0, 90)') == "list"
    assert form_of(asked, claim=f'neighbors="any", {COLUMNS}') == "scalar"


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("return len(people) + rng.laplace()", []),
        ("return [len(people) + rng.laplace() for _ in range(len(people))]", []),
        ("return sum(people) + rng.laplace()", ["DP006"]),
        ("return len(people) + helper(people)", ["DP006"]),
        ("people = people[1:]\n    return len(people)", ["DP006"]),
        ("return 1 + rng.laplace()", ["DP006"]),
    ],
)
def test_a_count_needs_no_domain(body, codes):
    source = f'from dplint import dp\n\n@dp(epsilon=1.0, neighbors="add-remove")\ndef m(rng, people):\n    {body}\n'

    assert [one.code for one in read_source(Path("count.py"), file="count.py", text=source).findings] == codes
