"""Bounds and categories from the data."""

BAD = [
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
    def mean(rng, incomes, epsilon):
        width = max(incomes) - min(incomes)
        return sum(incomes) / len(incomes) + rng.laplace(scale=width / (len(incomes) * epsilon))
    """,
    # diffprivlib 106: the classes are those that occur
    """
    @dp(epsilon="epsilon", neighbors="add-remove", domain=["red", "green", "blue"])
    def class_counts(rng, labels, epsilon):
        return {c: labels.count(c) + rng.laplace(scale=1 / epsilon) for c in np.unique(labels)}
    """,
    """
    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def histogram(rng, values, epsilon):
        counts, edges = np.histogram(values, bins=10)
        return counts + rng.laplace(scale=1 / epsilon, size=10)
    """,
    # dpmm 18: the bounds are df.max() of the private table
    """
    import pandas as pd

    @dp(epsilon="epsilon", neighbors="replace-one", data="df", domain={"age": (0, 120)})
    def mean_age(rng, df: pd.DataFrame, epsilon):
        top = df["age"].max()
        return df["age"].sum() / len(df) + rng.laplace(scale=top / (len(df) * epsilon))
    """,
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
    def total(rng, values, epsilon):
        kept = np.clip(values, 0, np.quantile(values, 0.99))
        return sum(kept) + rng.laplace(scale=100 / epsilon)
    """,
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
    def total(rng, values, epsilon):
        spread = np.std(values)
        return sum(values) + rng.laplace(scale=spread / epsilon)
    """,
    """
    import pandas as pd

    @dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"city": ["a", "b"], "age": (0, 120)})
    def by_city(rng, df: pd.DataFrame, epsilon):
        rows = []
        for city in df["city"].unique():
            rows.append((city, (df["city"] == city).sum() + rng.laplace(scale=1 / epsilon)))
        return rows
    """,
]
GOOD = [
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
    def mean(rng, incomes, epsilon, low=0.0, high=100.0):
        return sum(incomes) / len(incomes) + rng.laplace(scale=(high - low) / (len(incomes) * epsilon))
    """,
    """
    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def histogram(rng, values, epsilon):
        counts, edges = np.histogram(values, bins=10, range=(0, 100))
        return counts + rng.laplace(scale=1 / epsilon, size=10)
    """,
    """
    @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
    def histogram(rng, values, epsilon, edges):
        counts, _ = np.histogram(values, bins=edges)
        return counts + rng.laplace(scale=1 / epsilon, size=len(counts))
    """,
    # unknown categories with delta: only those with a large noisy count are shown
    """
    @dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=["a", "b", "c"])
    def frequent(rng, answers, epsilon):
        shown = {}
        for kind in sorted(set(answers)):
            noisy = answers.count(kind) + rng.laplace(scale=1 / epsilon)
            if noisy > 1 + math.log(1 / (2 * 1e-6)) / epsilon:
                shown[kind] = noisy
        return shown
    """,
    # the number of categories is released with noise
    """
    @dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
    def distinct(rng, answers, epsilon):
        return len(set(answers)) + rng.laplace(scale=1 / epsilon)
    """,
    # the extremes of noisy values are post-processing
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def scaled(rng, counts, epsilon):
        noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
        low, high = min(noisy), max(noisy)
        return [(n - low) / max(high - low, 1e-9) for n in noisy]
    """,
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
    def largest(rng, values, epsilon):
        return max(values) + rng.laplace(scale=100 / epsilon)
    """,
]
