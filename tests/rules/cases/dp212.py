"""Further examples of DP212: categories numbered by the data."""

from dplint import dp


# bad
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    numbers, _ = pd.factorize(df["city"])
    return numbers.sum() + rng.laplace(scale=2 / epsilon)


# bad: a method of the column
import numpy as np
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    numbers = df["city"].factorize()[0]
    return float(np.mean(numbers == 0)) + rng.laplace(scale=1 / epsilon)


# bad: counted by their numbers
import numpy as np
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    counts = np.bincount(pd.factorize(df["city"])[0], minlength=3)
    return counts + rng.laplace(scale=1 / epsilon, size=3)


# bad: OpenDP 2944, in small
import polars as pl


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pl.DataFrame, epsilon):
    numbers = df["city"].cast(pl.Categorical).to_physical()
    return numbers.sum() + rng.laplace(scale=2 / epsilon)


# good: numbers of a list that is fixed
import polars as pl


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pl.DataFrame, epsilon):
    numbers = df["city"].cast(pl.Enum(["a", "b", "c"])).to_physical()
    return numbers.sum() + rng.laplace(scale=2 / epsilon)


# good
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    numbers = df["city"].map({"a": 0, "b": 1, "c": 2})
    return numbers.sum() + rng.laplace(scale=2 / epsilon)


# good: the numbers are not released
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    numbers = pd.factorize(df["city"])[0]
    return len(df) + rng.laplace(scale=1 / epsilon)


# good: how many categories there are does not hang on their order
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    names = pd.factorize(df["city"])[1]
    return len(names) + rng.laplace(scale=1 / epsilon)


# good: public categories
import numpy as np
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", domain={"city": ["a", "b", "c"], "age": (0, 99)})
def released(rng, df: pd.DataFrame, epsilon):
    numbers = pd.factorize(np.array(["a", "b", "c"]))[0]
    return (df["age"] > numbers.max()).sum() + rng.laplace(scale=1 / epsilon)
