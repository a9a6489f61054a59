"""Further examples of DP214: a mean over what is left."""

from dplint import dp


# bad: what is no number becomes none
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": ["31", "99", "unknown"]})
def mean(rng, df: pd.DataFrame, epsilon):
    ages = pd.to_numeric(df["age"], errors="coerce")
    return ages.mean() + rng.laplace(scale=99 / len(df) / epsilon)


# bad: polars
import polars as pl


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": ["31", "99", "unknown"]})
def mean(rng, df: pl.DataFrame, epsilon):
    ages = df["age"].cast(pl.UInt8, strict=False)
    return ages.mean() + rng.laplace(scale=99 / df.height / epsilon)


# bad: an array
import numpy as np


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 99))
def mean(rng, ages, epsilon):
    ages = np.asarray(ages)
    return np.mean(ages[ages > 17]) + rng.laplace(scale=99 / (len(ages) * epsilon))


# bad: gaps are dropped
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": [(0, 99), None]})
def mean(rng, df: pd.DataFrame, epsilon):
    return float(df["age"].dropna().mean()) + rng.laplace(scale=99 / len(df) / epsilon)


# good: all are numbers that fit
import polars as pl


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": (0, 99)})
def mean(rng, df: pl.DataFrame, epsilon):
    ages = df["age"].cast(pl.UInt8, strict=False)
    return ages.mean() + rng.laplace(scale=99 / df.height / epsilon)


# good: gaps are filled
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": (0, 99)})
def mean(rng, df: pd.DataFrame, epsilon):
    ages = pd.to_numeric(df["age"], errors="coerce").fillna(0).clip(0, 99)
    return ages.mean() + rng.laplace(scale=99 / len(df) / epsilon)


# good: a sum, divided by the number of all
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": (0, 99)})
def mean(rng, df: pd.DataFrame, epsilon):
    ages = pd.to_numeric(df["age"], errors="coerce")
    return ages.sum() / len(df) + rng.laplace(scale=99 / len(df) / epsilon)


# good: noise for the whole range
import numpy as np


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 99))
def mean(rng, ages, epsilon):
    ages = np.asarray(ages)
    grown = np.mean(ages[ages > 17]) if np.any(ages > 17) else 0.0
    return grown + rng.laplace(scale=99 / epsilon)


# good: the rows are chosen by their places
import numpy as np


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 99))
def mean(rng, ages, epsilon):
    ages = np.asarray(ages)
    return np.mean(ages) + rng.laplace(scale=99 / (len(ages) * epsilon))
