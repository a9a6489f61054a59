"""Further examples of DP213: rows multiplied by a join."""

from dplint import dp


# bad
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    both = pd.merge(df, df, on="city")
    return len(both) + rng.laplace(scale=1 / epsilon)


# bad: with some of the columns
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    both = df.merge(df[["city", "age"]], on="city")
    return (both["age_x"] > 17).sum() + rng.laplace(scale=1 / epsilon)


# bad: with some of the rows
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    old = df[df["age"] > 64]
    both = df.merge(old, on="city")
    return len(both) + rng.laplace(scale=1 / epsilon)


# bad: polars
import polars as pl


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pl.DataFrame, epsilon):
    both = df.join(df, on="city")
    return both.height + rng.laplace(scale=1 / epsilon)


# good: a public table
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    names = pd.DataFrame({"city": ["a", "b"], "name": ["Arth", "Bern"]})
    return len(df.merge(names, on="city")) + rng.laplace(scale=1 / epsilon)


# good: the join is not released
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    both = df.merge(df, on="city")
    return len(df) + rng.laplace(scale=1 / epsilon)


# good: one row of each city
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    one = df.drop_duplicates("city")
    return len(df.merge(one, on="city")) + rng.laplace(scale=2 / epsilon)


# good: no row is multiplied
import polars as pl


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pl.DataFrame, epsilon):
    both = df.join(df, on="city", how="semi")
    return both.height + rng.laplace(scale=1 / epsilon)


# good: pandas holds that each key is there once
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    both = df.merge(df, on="city", validate="one_to_one")
    return len(both) + rng.laplace(scale=1 / epsilon)
