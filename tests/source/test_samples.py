"""Domains that a sample says: what a CSV file of the project gives to a claim."""

import pytest

from dplint.check.loading import load_files
from dplint.claims import Categories, Columns, Interval, NumbersOrMissing
from dplint.config import SettingsByFile, load_settings
from dplint.source.domains import DomainError
from dplint.source.samples import sample_domain

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
    "another form": ("people.parquet", b"x", "no name of a CSV file"),
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
