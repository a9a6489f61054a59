"""Categories that occur and show in the output, and clipping in many styles that leaves as many values as before."""

from __future__ import annotations

import pytest

from dplint.outcomes import Severity
from tests.rules.snippets import findings_in

TABLE = """import pandas as pd

@dp(epsilon=1.0, neighbors="add-remove", domain={"city": ["a", "b"], "age": (0, 100)})
def m(rng, df: pd.DataFrame):
"""
WORDS = """import math
from collections import defaultdict

@dp(epsilon="epsilon", delta=1e-5, neighbors="add-remove", domain=["a", "b", "c"])
def m(rng, words: list, epsilon):
"""
COUNTED = """from collections import Counter

@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def m(rng, words: list, epsilon):
"""
SHOWN = {
    "value_counts": TABLE
    + """
    counts = df["city"].value_counts()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "rounded": TABLE
    + """
    counts = df["city"].value_counts()
    noisy = counts + rng.laplace(scale=1, size=len(counts))
    return noisy.clip(lower=0).round().astype(int).to_dict()""",
    "sizes of groups": TABLE
    + """
    counts = df.groupby("city").size()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "groups of a categorical that occur": TABLE
    + """
    counts = df.groupby("city", observed=True).size()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "groups by a categorical and by what occurs": TABLE
    + """
    counts = df.groupby([pd.cut(df["age"], [0, 50, 100]), "city"]).size()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "groups of a categorical, but only those that occur": TABLE
    + """
    counts = df.groupby(pd.cut(df["age"], [0, 50, 100]), observed=True).size()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "sums of groups": TABLE
    + """
    sums = df.groupby("city")["age"].sum()
    return sums + rng.laplace(scale=100, size=len(sums))""",
    "a table of two columns": TABLE
    + """
    table = pd.crosstab(df["city"], df["age"] > 50)
    return table + rng.laplace(scale=1, size=table.shape)""",
    "sizes of groups, unstacked": TABLE
    + """
    table = df.groupby(["city", "age"]).size().unstack(fill_value=0)
    return table + rng.laplace(scale=1, size=table.shape)""",
    "the name of the largest": TABLE
    + """
    counts = df["city"].value_counts()
    return (counts + rng.gumbel(scale=2, size=len(counts))).idxmax()""",
    "a pivot table": TABLE
    + """
    table = df.pivot_table(index="city", values="age", aggfunc="sum")
    return table + rng.laplace(scale=100, size=table.shape)""",
    "rows that both tables have": TABLE
    + """
    table = pd.DataFrame({"city": ["a", "b"]}).merge(df.groupby("city", as_index=False)["age"].sum(), on="city")
    table["age"] += rng.laplace(scale=100, size=len(table))
    return table""",
    "a dict that counts": WORDS
    + """
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return {word: n + rng.laplace(scale=1 / epsilon) for word, n in counts.items()}""",
    "a Counter, of which the winner shows": COUNTED
    + """
    noisy = {word: n + rng.laplace(scale=1 / epsilon) for word, n in Counter(words).items()}
    return max(noisy, key=noisy.get, default=None)""",
    "a set, of which the least shows": COUNTED
    + """
    noisy = {}
    for word in set(words):
        noisy[word] = words.count(word) + rng.laplace(scale=1 / epsilon)
    return sorted(noisy, key=noisy.get)[0]""",
    "a defaultdict that counts": WORDS
    + """
    counts = defaultdict(int)
    for word in words:
        counts[word] += 1
    out = {}
    for word, n in counts.items():
        out[word] = n + rng.laplace(scale=1 / epsilon)
    return out""",
}
NOT_SHOWN = {
    "labels that are given": TABLE
    + """
    counts = df["city"].value_counts().reindex(["a", "b"], fill_value=0)
    return counts + rng.laplace(scale=1, size=2)""",
    "bins that are given": TABLE
    + """
    counts = pd.cut(df["age"], [0, 50, 100]).value_counts()
    return counts + rng.laplace(scale=1, size=2)""",
    "all of a categorical": TABLE
    + """
    counts = df.groupby("city", observed=False).size()
    return counts + rng.laplace(scale=1, size=len(counts))""",
    "a table of two columns, with all rows": TABLE
    + """
    table = pd.crosstab(df["city"], df["age"] > 50).reindex(index=["a", "b"], columns=[False, True], fill_value=0)
    return table + rng.laplace(scale=1, size=table.shape)""",
    "the name of the largest of all": TABLE
    + """
    counts = df["city"].value_counts().reindex(["a", "b"], fill_value=0)
    return (counts + rng.gumbel(scale=2, size=2)).idxmax()""",
    "a pivot table of all of a categorical": TABLE
    + """
    bands = df.assign(band=pd.cut(df["age"], [0, 50, 100]))
    table = bands.pivot_table(index="band", values="age", aggfunc="count", observed=False)
    return table + rng.laplace(scale=1, size=table.shape)""",
    "rows of a table without data": TABLE
    + """
    cities = pd.DataFrame({"city": ["a", "b"]})
    table = cities.merge(df.groupby("city", as_index=False).size(), on="city", how="left").fillna({"size": 0})
    table["size"] += rng.laplace(scale=1, size=len(table))
    return table""",
    "rows of the second table": TABLE
    + """
    cities = pd.DataFrame({"city": ["a", "b"]})
    table = df.groupby("city", as_index=False).size().merge(cities, on="city", how="right").fillna({"size": 0})
    table["size"] += rng.laplace(scale=1, size=len(table))
    return table""",
    "a total of groups": TABLE
    + """
    return df.groupby("city")["age"].count().sum() + rng.laplace(scale=1)""",
    "keys that are given": WORDS
    + """
    counts = dict.fromkeys(["a", "b", "c"], 0)
    for word in words:
        counts[word] += 1
    return {word: n + rng.laplace(scale=1 / epsilon) for word, n in counts.items()}""",
    "keys that are asked for": WORDS
    + """
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return {word: counts.get(word, 0) + rng.laplace(scale=1 / epsilon) for word in ["a", "b", "c"]}""",
    "behind a noisy threshold, with delta": WORDS
    + """
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    out = {}
    for word, n in counts.items():
        noisy = n + rng.laplace(scale=1 / epsilon)
        if noisy > 1 + math.log(1 / (2 * 1e-5)) / epsilon:
            out[word] = noisy
    return out""",
}
CLIPPED = {
    "a list, if the norm is too large": """
    if math.sqrt(sum(x * x for x in v)) > bound:
        v = [x / 2 for x in v]
    return [x + rng.laplace(scale=bound / epsilon) for x in v]""",
    "a list by a loop": """
    w = []
    if sum(v) > bound:
        for x in v:
            w.append(x / 2)
    else:
        w = list(v)
    return [x + rng.laplace(scale=bound / epsilon) for x in w]""",
    "in place, by a test": """
    for i in range(len(v)):
        if v[i] > bound:
            v[i] = bound
        v[i] = v[i] + rng.laplace(scale=bound / epsilon)
    return v""",
    "in place, twice": """
    for i in range(len(v)):
        v[i] = min(v[i], bound)
        v[i] += rng.laplace(scale=bound / epsilon)
    return v""",
}
UNCLIPPED = {
    "a list that loses what is too large": """
    w = v
    if sum(v) > bound:
        w = [x for x in v if x < bound]
    return [x + rng.laplace(scale=bound / epsilon) for x in w]""",
    "a loop that ends early": """
    if sum(v) > bound:
        w = []
        for x in v:
            if x > bound:
                break
            w.append(x)
    else:
        w = v
    return [x + rng.laplace(scale=bound / epsilon) for x in w]""",
    "two for each": """
    if sum(v) > bound:
        w = []
        for x in v:
            w.append(x / 2)
            w.append(x / 2)
    else:
        w = v
    return [x + rng.laplace(scale=bound / epsilon) for x in w]""",
    "in place, the next one": """
    for i in range(len(v) - 1):
        v[i] = v[i] + rng.laplace(scale=bound / epsilon)
        v[i + 1] = min(v[i + 1], bound)
    return v""",
}
VECTOR = """import math

@dp(epsilon="epsilon", neighbors="l1")
def m(rng, v: list, epsilon, bound=1.0):
"""


def codes(source):
    return {finding.code for finding in findings_in(source)}


@pytest.mark.parametrize("source", SHOWN.values(), ids=SHOWN)
def test_categories_that_occur_show(source):
    found = codes(source)

    assert "DP203" in found
    assert "since pandas 3" not in " ".join(one.message for one in findings_in(source))
    assert not found & {"DP201", "DP204", "DP208"}  # one finding for one fault


@pytest.mark.parametrize(
    "groups",
    [
        """df.groupby(pd.cut(df["age"], [0, 50, 100]))""",
        """df.assign(band=pd.cut(df["age"], [0, 50, 100])).groupby(["band"])""",
        """df.groupby(by=df["city"].astype(pd.CategoricalDtype(["a", "b"])))""",
    ],
)
def test_of_categories_that_are_listed_the_version_of_pandas_decides(groups):
    """Before pandas 3, `observed=False` was the default, and all of them were there."""
    end = ".size()\n    return counts + rng.laplace(scale=1, size=len(counts))"
    (found,) = [one for one in findings_in(f"{TABLE}\n    counts = {groups}{end}") if one.code == "DP203"]

    assert found.severity is Severity.WARNING
    assert "since pandas 3" in found.message
    assert "observed=False" in found.message


@pytest.mark.parametrize("source", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_categories_that_are_given_do_not_show(source):
    assert "DP203" not in codes(source)


def test_the_nearest_of_fixed_centres_is_no_selection_by_scores():
    source = """
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 10.0))
def m(rng, points: list, epsilon):
    counts = [0, 0]
    for p in points:
        counts[min(range(2), key=lambda k: abs(p - [2.0, 8.0][k]))] += 1
    return {}
"""
    noisy, exact = (
        "[c + rng.laplace(scale=1 / epsilon) for c in counts]",
        "[rng.laplace(scale=1 / epsilon), max(counts)]",
    )

    assert not codes(source.format(noisy)) & {"DP201", "DP208"}
    assert codes(source.format(exact)) & {"DP201", "DP208"} == {"DP201"}


@pytest.mark.parametrize("body", ["int(np.argmax([s * turn for s in scores]))", "int(np.argmax([total, 3.0]))"])
def test_a_selection_among_all_scores_in_a_loop_is_one(body):
    source = f"""
@dp(epsilon="epsilon", neighbors="linf")
def m(rng, scores: list, epsilon):
    out, total = [rng.laplace(scale=1 / epsilon)], 0
    for turn in range(2):
        total += scores[turn]
        out.append({body})
    return out
"""
    assert "DP208" in codes(source)


@pytest.mark.parametrize("body", CLIPPED.values(), ids=CLIPPED)
def test_clipping_before_noise_is_no_release(body):
    assert not codes(VECTOR + body) & {"DP201", "DP203", "DP205"}


@pytest.mark.parametrize("body", UNCLIPPED.values(), ids=UNCLIPPED)
def test_what_shows_beside_the_noise_is_told(body):
    assert codes(VECTOR + body) & {"DP201", "DP203", "DP205"}
