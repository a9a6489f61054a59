"""Further examples of DP409: any number of rows of one user."""

from dplint import dp


# bad: a count of rows
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def counted(rng, df: pd.DataFrame, epsilon):
    return len(df[df["x"] > 0.5]) + rng.laplace(scale=1 / epsilon)


# bad: polars
import polars as pl


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def counted(rng, df: pl.DataFrame, epsilon):
    return df.height + rng.laplace(scale=1 / epsilon)


# bad: what is kept are sums
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def summed(rng, df: pd.DataFrame, epsilon):
    sums = df.groupby("person")["x"].sum().head(10)
    return sums.sum() + rng.laplace(scale=10 / epsilon)


# bad: the rows are clipped, and not the sums
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", user="person", domain={"person": [1, 2, 3], "x": (0, 9)})
def summed(rng, df: pd.DataFrame, epsilon):
    sums = df.groupby("person")["x"].sum().nlargest(3)
    return float(sums.sum()) + rng.laplace(scale=6 / epsilon)


# good: the sums of users are clipped
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def summed(rng, df: pd.DataFrame, epsilon):
    return df.groupby("person")["x"].sum().clip(0, 1).sum() + rng.laplace(scale=1 / epsilon)


# good: so many rows of each user
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def summed(rng, df: pd.DataFrame, epsilon):
    return df.groupby("person").head(3)["x"].clip(0, 1).sum() + rng.laplace(scale=3 / epsilon)


# good: each user once
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def counted(rng, df: pd.DataFrame, epsilon):
    return df["person"].nunique() + rng.laplace(scale=1 / epsilon)


# good: so many rows of each, by their numbers
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", user="person", domain={"person": [1, 2, 3], "x": (0, 1)})
def counted(rng, df: pd.DataFrame, epsilon):
    kept = df[df.groupby("person").cumcount() < 2]
    return len(kept) + rng.laplace(scale=2 / epsilon)


# good: a record is a user
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"person": [1, 2, 3], "x": (0, 1)})
def counted(rng, df: pd.DataFrame, epsilon):
    return len(df) + rng.laplace(scale=1 / epsilon)
