"""Further examples of DP203: data-derived domain."""

import math

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def mean(rng, incomes, epsilon):
    width = max(incomes) - min(incomes)
    return sum(incomes) / len(incomes) + rng.laplace(scale=width / (len(incomes) * epsilon))


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def mean(rng, incomes, epsilon, low=0.0, high=100.0):
    return sum(incomes) / len(incomes) + rng.laplace(scale=(high - low) / (len(incomes) * epsilon))


# bad: diffprivlib 106: the classes are those that occur
@dp(epsilon="epsilon", neighbors="add-remove", domain=["red", "green", "blue"])
def class_counts(rng, labels, epsilon):
    return {c: labels.count(c) + rng.laplace(scale=1 / epsilon) for c in np.unique(labels)}


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def histogram(rng, values, epsilon):
    counts, edges = np.histogram(values, bins=10)
    return counts + rng.laplace(scale=1 / epsilon, size=10)


# bad: dpmm 18: the bounds are df.max() of the private table
import pandas as pd


@dp(epsilon="epsilon", neighbors="replace-one", data="df", domain={"age": (0, 120)})
def mean_age(rng, df: pd.DataFrame, epsilon):
    top = df["age"].max()
    return df["age"].sum() / len(df) + rng.laplace(scale=top / (len(df) * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def total(rng, values, epsilon):
    kept = np.clip(values, 0, np.quantile(values, 0.99))
    return sum(kept) + rng.laplace(scale=100 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def total(rng, values, epsilon):
    spread = np.std(values)
    return sum(values) + rng.laplace(scale=spread / epsilon)


# bad
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_city(rng, df: pd.DataFrame, epsilon):
    rows = []
    for city in df["city"].unique():
        rows.append((city, (df["city"] == city).sum() + rng.laplace(scale=1 / epsilon)))
    return rows


# bad
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_city(rng, df: pd.DataFrame, epsilon):
    counts = df["city"].value_counts()
    return counts + rng.laplace(scale=1 / epsilon, size=len(counts))


# bad: a type of categories that is made of those that occur
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_city(rng, df: pd.DataFrame, epsilon):
    counts = df["city"].astype("category").value_counts()
    return {city: count + rng.laplace(scale=1 / epsilon) for city, count in counts.items()}


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def histogram(rng, values, epsilon):
    counts, edges = np.histogram(values, bins=10, range=(0, 100))
    return counts + rng.laplace(scale=1 / epsilon, size=10)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def histogram(rng, values, epsilon, edges):
    counts, _ = np.histogram(values, bins=edges)
    return counts + rng.laplace(scale=1 / epsilon, size=len(counts))


# good: unknown categories with delta: only those with a large noisy count are shown
@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=["a", "b", "c"])
def frequent(rng, answers, epsilon):
    shown = {}
    for kind in sorted(set(answers)):
        noisy = answers.count(kind) + rng.laplace(scale=1 / epsilon)
        if noisy > 1 + math.log(1 / (2 * 1e-6)) / epsilon:
            shown[kind] = noisy
    return shown


# good: the number of categories is released with noise
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def distinct(rng, answers, epsilon):
    return len(set(answers)) + rng.laplace(scale=1 / epsilon)


# good: the extremes of noisy values are post-processing
@dp(epsilon="epsilon", neighbors="l1")
def scaled(rng, counts, epsilon):
    noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
    low, high = min(noisy), max(noisy)
    return [(n - low) / max(high - low, 1e-9) for n in noisy]


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def largest(rng, values, epsilon):
    return max(values) + rng.laplace(scale=100 / epsilon)


# good: the smooth sensitivity of the median, by Nissim, Raskhodnikova and Smith
@dp(epsilon="epsilon", delta=1e-6, neighbors="replace-one", domain=(0, 100))
def median(rng, values, epsilon):
    ordered, middle = sorted(values), len(values) // 2
    beta, smooth = epsilon / (2 * math.log(2 / 1e-6)), 0.0
    for k in range(len(ordered) // 2):
        moves = ordered[middle + k] - ordered[middle - k]
        smooth = max(smooth, math.exp(-beta * k) * moves)
    return ordered[middle] + rng.laplace(scale=2 * smooth / epsilon)


# good: the types of columns are public
import pandas as pd
from pandas.api.types import is_numeric_dtype


@dp(epsilon="epsilon", neighbors="replace-one", data="df", domain={"age": (0, 120), "city": ["a", "b"]})
def sums(rng, df: pd.DataFrame, epsilon):
    numbers = [c for c in df.columns if is_numeric_dtype(df[c])]
    scale = 120 / max(epsilon / max(len(numbers), 1), 1e-9)
    return [df[c].sum() + rng.laplace(scale=scale) for c in numbers]


# good
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_city(rng, df: pd.DataFrame, epsilon):
    counts = df["city"].value_counts().reindex(["a", "b"], fill_value=0)
    return counts + rng.laplace(scale=1 / epsilon, size=len(counts))


# good: all groups are listed, with those that nobody is in
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_age(rng, df: pd.DataFrame, epsilon):
    groups = pd.cut(df["age"], bins=[0, 30, 60, 120], labels=["young", "middle", "old"])
    return {name: n + rng.laplace(scale=1 / epsilon) for name, n in groups.value_counts().items()}


# good
import pandas as pd

CITY = pd.CategoricalDtype(["a", "b"])


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
def by_city(rng, df: pd.DataFrame, epsilon):
    counts = df["city"].astype(CITY).value_counts()
    return {city: count + rng.laplace(scale=1 / epsilon) for city, count in counts.items()}


# bad: noise that grows with what it hides, and is none where that is 0
@dp(epsilon="epsilon", neighbors="l1")
def blurred(rng, counts, epsilon):
    noise = rng.laplace(0, 1 / epsilon, len(counts))
    return np.asarray(counts) * (1 + noise)


# bad: the same, multiplied out
@dp(epsilon="epsilon", neighbors="l1")
def blurred(rng, total, epsilon):
    return total + total * rng.laplace(0, 1 / epsilon)


# good: what is divided by has noise of its own
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def mean(rng, values, epsilon):
    count = max(1.0, len(values) + rng.laplace(0, 2 / epsilon))
    return (sum(values) + rng.laplace(0, 2 / epsilon)) / (1 + count)
