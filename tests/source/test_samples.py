"""Domains that a sample says: what a CSV file of the project, or a table of a module, gives to a claim."""

import math

import pytest

from dplint.check.loading import load_files
from dplint.claims import Categories, Columns, Interval, NumbersOrMissing
from dplint.config import SettingsByFile, load_settings
from dplint.source.domains import DomainError
from dplint.source.samples import frame_domain, sample_domain

SAMPLE = b"""age,pay,town,member,bonus
31,2.5,x,True,
64,-1.0,"y, z",False,3
18,7,x,True,10
"""
CLAIM = """
import pandas as pd
from dplint import dp

@dp(epsilon=1.0, neighbors="add-remove", domain="data/people.csv")
def size(rng, people: pd.DataFrame):
    return len(people) + rng.laplace()
"""


def test_columns_hold_what_the_sample_holds():
    assert sample_domain("people.csv", SAMPLE) == Columns((
        ("age", Interval(18, 64, True)),
        ("pay", Interval(-1.0, 7.0, False)),
        ("town", Categories(("x", "y, z"))),
        ("member", Categories((False, True))),
        ("bonus", NumbersOrMissing(Interval(3.0, 10.0, False), none=False, nan=True)),
    ))  # fmt: skip


def test_texts_may_be_missing():
    assert sample_domain("a.csv", b"\xef\xbb\xbfa,b\r\nx,1\r\nNA,2\r\n") == Columns(
        (("a", Categories(("x", None))), ("b", Interval(1, 2, True)))
    )


WRONG = {
    "another form": ("people.parquet", b"x", "other tables have to be saved as one"),
    "bounds in a text": ("0..10", b"x", "bounds are written .0, 10."),
    "no file": ("people.csv", None, "has no file 'people.csv'"),
    "a head alone": ("people.csv", b"a,b\n", "at least one"),
    "ragged": ("people.csv", b"a,b\n1\n", "as many entries"),
    "a name twice": ("people.csv", b"a,a\n1,2\n", "different names"),
    "nothing in a column": ("people.csv", b"a,b\n1,\n2,\n", "column 'b': the sample has no value"),
    "no text": ("people.csv", b"\xff\xfe\x00", "cannot be read"),
    "names of people": ("people.csv", b"a\n" + b"".join(b"n%d\n" % i for i in range(61)), "61 different texts"),
}


@pytest.mark.parametrize(("name", "content", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_sample_is_refused(name, content, words):
    with pytest.raises(DomainError, match=words):
        sample_domain(name, content)


def test_infinite_numbers_are_texts():
    assert sample_domain("a.csv", b"a\n1\ninf\n") == Columns((("a", Categories(("1", "inf"))),))


def loaded(folder):
    """The domain, or the codes of what is wrong, as a check has them that keeps what it has read."""
    settings = SettingsByFile.fixed(load_settings(folder, {"cache": True}))
    (one,) = load_files([folder / "m.py"], settings)
    return [*(item.mechanism.claim.domain for item in one.pending), *(finding.code for finding in one.findings)]


def test_a_claim_names_a_file_of_the_project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "m.py").write_text(CLAIM)
    assert loaded(tmp_path) == ["DP010"]

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "people.csv").write_bytes(SAMPLE)
    (domain,) = loaded(tmp_path)
    assert dict(domain.columns)["age"] == Interval(18, 64, True)

    (tmp_path / "data" / "people.csv").write_text("age\n1\n2\n")
    assert loaded(tmp_path) == [Columns((("age", Interval(1, 2, True)),))]


COLUMNS = {
    "age": [31, 64, 18],
    "pay": [2.5, -1, 7],
    "town": ["x", "y", "x"],
    "member": [True, False, True],
    "bonus": [None, 3, 10],
}


@pytest.mark.parametrize("by_record", [False, True])
def test_a_table_that_is_written_out_says_the_same(by_record):
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]

    assert frame_domain("SAMPLE", rows if by_record else COLUMNS) == Columns((
        ("age", Interval(18, 64, True)),
        ("pay", Interval(-1.0, 7.0, False)),
        ("town", Categories(("x", "y"))),
        ("member", Categories((False, True))),
        ("bonus", NumbersOrMissing(Interval(3.0, 10.0, False), none=False, nan=True)),
    ))  # fmt: skip


NO_TABLES = {
    "no columns": ({}, "written out"),
    "no lists": ({"a": 1}, "written out"),
    "other keys": ([{"a": 1}, {"b": 1}], "written out"),
    "not there": (None, "written out"),
    "ragged": ({"a": [1], "b": [1, 2]}, "as many entries"),
    "nothing": ({"a": [None, math.nan]}, "column 'a': the sample has no value"),
    "mixed": ({"a": [1, "x"]}, "column 'a': a sample has"),
    "infinite": ({"a": [1.0, math.inf]}, "column 'a': a sample has"),
    "names of people": ({"a": [f"n{i}" for i in range(61)]}, "61 different texts"),
}


@pytest.mark.parametrize(("table", "words"), NO_TABLES.values(), ids=NO_TABLES)
def test_what_is_no_table_is_refused(table, words):
    with pytest.raises(DomainError, match=words):
        frame_domain("SAMPLE", table)


NAMED = """
import pandas as pd
from dplint import dp

SAMPLE = {}

@dp(epsilon=1.0, neighbors="add-remove", domain=SAMPLE)
def size(rng, people: pd.DataFrame):
    return len(people) + rng.laplace()
"""


@pytest.mark.parametrize("table", ['pd.DataFrame({"age": [31, 18]})', 'pd.read_csv("ages.csv")'])
def test_a_claim_names_a_table_of_its_module(tmp_path, table):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\n")
    (tmp_path / "ages.csv").write_text("age\n31\n18\n")
    (tmp_path / "m.py").write_text(NAMED.format(table))

    assert loaded(tmp_path) == [Columns((("age", Interval(18, 31, True)),))]


@pytest.mark.parametrize("table", ["made_up()", 'pd.DataFrame({"age": ages})', 'pd.DataFrame({"age": [1]}, [5])'])
def test_a_table_that_takes_running_code_is_told(tmp_path, table):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\n")
    (tmp_path / "m.py").write_text(NAMED.format(table))

    assert loaded(tmp_path) == ["DP009"]
