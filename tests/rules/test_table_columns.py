"""Noise that is stored into columns of a table that was computed: right ones, and twins that leave data as it is."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in

HEAD = """import pandas as pd

@dp(epsilon=1.0, neighbors="add-remove", domain={"city": ["a", "b"], "age": (0, 100)})
def m(rng, df: pd.DataFrame):
    n = df.groupby("city")["age"].agg(["size", "sum"]).reindex(["a", "b"], fill_value=0)
"""
RIGHT = {
    "one after the other": """
    n["size"] += rng.laplace(scale=2, size=len(n))
    n["sum"] += rng.laplace(scale=200, size=len(n))
    return n""",
    "by loc, and turned": """
    n.loc[:, "size"] = n["size"] + rng.laplace(scale=2, size=2)
    n.loc[:, "sum"] += rng.laplace(scale=200, size=2)
    return n.unstack()""",
    "in a loop over names": """
    for column, scale in (("size", 2), ("sum", 200)):
        n[column] += rng.laplace(scale=scale, size=len(n))
    return n""",
    "by assign": """
    return n.assign(size=n["size"] + rng.laplace(scale=2, size=2), sum=n["sum"] + rng.laplace(scale=200, size=2))""",
    "labels that were given": """
    counts = df.groupby("city").size().reindex(["a", "b"], fill_value=0)
    return {"towns": list(counts.index), "counts": (counts + rng.laplace(scale=1, size=2)).tolist()}""",
    "some rows are stored into again": """
    n["size"] += rng.laplace(scale=2, size=len(n))
    n["sum"] += rng.laplace(scale=200, size=len(n))
    n.loc[n["size"] < 0, "size"] = 0
    return n""",
    "joined to a table without data": """
    base = pd.DataFrame({"city": ["a", "b"]})
    n = pd.merge(base, df.groupby("city").size().reset_index(name="count"), how="left")
    n["count"] += rng.laplace(scale=1, size=2)
    return n""",
    "of names that are not known": """
    n = df.groupby("city").size().reset_index(name="count")
    n["count"] += rng.laplace(scale=1, size=2)
    return n""",
}
WRONG = {
    "a column is forgotten": """
    n["size"] += rng.laplace(scale=1, size=len(n))
    return n""",
    "exact data is stored into some rows": """
    n["size"] += rng.laplace(scale=2, size=len(n))
    n["sum"] += rng.laplace(scale=200, size=len(n))
    n.loc[n["size"] < 0, "size"] = df["age"].sum()
    return n""",
    "joined to the records": """
    n = pd.merge(df, df.groupby("city").size().reset_index(name="count"), how="left")
    n["count"] += rng.laplace(scale=1, size=len(n))
    return n""",
    "no noise is stored": """
    n["size"] += 1
    n["sum"] += 1
    return n""",
    "a column of the records": """
    table = df.copy()
    table["age"] += rng.laplace(scale=100, size=len(table))
    return table""",
    "labels of the records": """
    counts = df.groupby("city").size().reindex(df["city"].unique(), fill_value=0)
    return {"towns": list(counts.index), "counts": (counts + rng.laplace(scale=1, size=len(counts))).tolist()}""",
    "assigned without noise": """
    return n.assign(size=n["size"] + rng.laplace(scale=2, size=2), sum=n["sum"] + 1)""",
}


def codes(body: str) -> set[str]:
    return {one.code for one in findings_in(HEAD + body.removeprefix("\n"))}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_nothing_is_said_of_tables_whose_columns_got_noise(body: str) -> None:
    assert "DP201" not in codes(body)


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_what_has_no_noise_is_told(body: str) -> None:
    assert "DP201" in codes(body)


JOINED = """import polars as pl

@dp(epsilon=1.0, neighbors="add-remove", domain={"city": ["a", "b"], "age": (0, 100)})
def m(rng, df: pl.DataFrame):
    base = pl.DataFrame({"city": ["a", "b"]})
    sums = df.group_by("city").agg(pl.col("age").sum())
    table = TABLE.with_columns(pl.col("age").fill_null(0)).sort("city")
    return {city: age + rng.laplace(scale=100) for city, age in zip(table["city"], table["age"])}
"""


def test_the_column_that_a_table_without_data_is_joined_by_is_that_of_this_table() -> None:
    def found(table: str) -> set[str]:
        return {one.code for one in findings_in(JOINED.replace("TABLE", table))}

    assert not found('base.join(sums, on="city", how="left")')
    assert "DP201" in found('sums.join(base, on="city", how="left")')
    assert "DP201" in found('base.join(sums, on="city", how="inner")')
    assert "DP201" in found('base.join(sums, on="city", how="left").with_columns(sums["city"].alias("city"))')
