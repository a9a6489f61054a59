"""Domains that a class gives: pandera schemas, pydantic models and dataclasses, read from the source alone."""

from pathlib import Path

import pytest

from dplint.claims import Categories, Columns, Interval, NumbersOrMissing
from dplint.inputs.forms import data_form
from dplint.source.read import read_source

MODULE = """
from typing import Literal
import pandera.pandas as pa
import pandera.typing as pt
from pandera.typing import DataFrame, Series
from pydantic import BaseModel, Field
from dplint import dp

TOWNS = ["x", "y"]

class Person(pa.DataFrameModel):
{fields}

@dp(epsilon=1.0, neighbors={relation!r})
def m(rng, people: {annotation}):
    return len(people) + rng.laplace()
"""


def read(fields, annotation="DataFrame[Person]", relation="add-remove"):
    text = MODULE.format(fields="\n".join(f"    {one}" for one in fields), annotation=annotation, relation=relation)
    return read_source(Path("claims_under_test.py"), file="claims_under_test.py", text=text)


def domain(*fields, **given):
    source = read(fields, **given)
    return source.mechanisms[0].mechanism.claim.domain if source.mechanisms else None


@pytest.mark.parametrize(
    ("field", "column"),
    [
        ("c: int = pa.Field(ge=0, le=120)", Interval(0, 120, True)),
        ("c: Series[int] = pa.Field(gt=0, lt=120, coerce=True)", Interval(1, 119, True)),
        ("c: float = Field(..., ge=0, le=1.5, description='a share')", Interval(0.0, 1.5, False)),
        ("c: float = pa.Field(in_range={'min_value': -1, 'max_value': 1})", Interval(-1.0, 1.0, False)),
        ("c: float = pa.Field(ge=0, le=1, nullable=True)", NumbersOrMissing(Interval(0.0, 1.0, False), False, True)),
        ("c: str = pa.Field(isin=TOWNS)", Categories(("x", "y"))),
        ("c: str = pa.Field(isin=['a'], nullable=True)", Categories(("a", None))),
        ("c: bool", Categories((False, True))),
        ("c: Literal['p', 'q']", Categories(("p", "q"))),
    ],
)
def test_columns(field, column):
    assert domain(field, "class Config:", "    strict = True") == Columns((("c", column),))


@pytest.mark.parametrize(
    "fields",
    [
        ["c: int"],
        ["c: str"],
        ["c: int = pa.Field(ge=0)"],
        ["c: float = pa.Field(gt=0, le=1)"],
        ["c: int = pa.Field(ge=5, le=1)"],
        ["c: int = pa.Field(ge=0, le=9, unique=True)"],
        ["c: int = pa.Field(ge=0, le=9, notin=[3])"],
        ["c: int = pa.Field(ge=0, le=LIMIT)"],
        ["c: int = 5"],
        ["c: float = pa.Field(in_range={'min_value': 0, 'max_value': 1, 'include_max': False})"],
        ["c: bool", "@pa.check('c')", "def every(cls, c): return c.sum() > 3"],
        ["c: bool", "class Config:", "    unique = ['c']"],
        ["pass"],
    ],
)
def test_what_is_not_all_said_is_no_domain(fields):
    source = read(fields)
    assert source.mechanisms == ()
    assert [one.code for one in source.findings] == ["DP006"]


def test_columns_of_classes_above_come_first_and_aliases_name_them():
    text = ["a: bool = Field(alias='first name')", "", "", "class Child(Person):", "    b: bool"]
    lines = [text[0], *(f"__{one}" for one in text[1:])]
    fields = "\n".join(f"    {one}" if not one.startswith("__") else one[2:] for one in lines)
    source = MODULE.replace("{fields}", fields).format(relation="add-remove", annotation="pt.DataFrame['Child']")
    (found,) = read_source(Path("claims.py"), file="claims.py", text=source).mechanisms

    assert [name for name, _ in found.mechanism.claim.domain.columns] == ["first name", "b"]


@pytest.mark.parametrize(
    ("annotation", "relation", "form"),
    [
        ("DataFrame[Person]", "add-remove", "frame"),
        ("'pt.DataFrame[Person]'", "replace-one", "frame"),
        ("pt.polars.DataFrame[Person]", "add-remove", "polars frame"),
        ("list[Person]", "add-remove", "list of objects"),
        ("Person", "any", "object"),
    ],
)
def test_forms(annotation, relation, form):
    (found,) = read(["c: bool"], annotation=annotation, relation=relation).mechanisms
    assert data_form(found.mechanism) == form


def test_a_domain_of_the_claim_wins():
    text = MODULE.format(fields="    c: bool", relation="add-remove", annotation="DataFrame[Person]")
    text = text.replace("'add-remove'", "'add-remove', domain={'c': (0, 9)}")
    (found,) = read_source(Path("claims.py"), file="claims.py", text=text).mechanisms
    assert found.mechanism.claim.domain == Columns((("c", Interval(0, 9, True)),))
