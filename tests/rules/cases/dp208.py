"""Selections by exact scores."""

BAD = [
    # dpsynth 35: the query with the largest error
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def worst_marginal(rng, errors, epsilon):
        worst = int(np.argmax(errors))
        return worst, errors[worst] + rng.laplace(scale=1 / epsilon)
    """,
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def order(rng, scores, epsilon):
        ranking = np.argsort(scores)
        noisy = sum(scores) + rng.laplace(scale=len(scores) / epsilon)
        return ranking.tolist(), noisy
    """,
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def weighted(rng, scores, epsilon):
        total = sum(scores)
        return int(rng.choice(len(scores), p=[s / total for s in scores])) + 0 * epsilon
    """,
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def best(rng, scores, epsilon, exact: bool):
        noisy = [s + rng.gumbel(scale=2 / epsilon) for s in scores]
        if exact:
            return scores.index(max(scores))
        return noisy.index(max(noisy))
    """,
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def best(rng, scores, epsilon):
        winner = max(range(len(scores)), key=lambda i: scores[i])
        noisy = rng.laplace(scale=1 / epsilon)
        return int(np.asarray(scores).argmax()), noisy
    """,
]
GOOD = [
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def best(rng, scores, epsilon):
        noisy = np.asarray(scores) + rng.gumbel(scale=2 / epsilon, size=len(scores))
        return int(np.argmax(noisy))
    """,
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def exponential(rng, scores, epsilon):
        weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / 2)
        return int(rng.choice(len(scores), p=weights / weights.sum()))
    """,
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def ranking(rng, counts, epsilon):
        noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
        return sorted(range(len(noisy)), key=lambda i: noisy[i])
    """,
    # the order of the parameters is public
    """
    @dp(epsilon="epsilon", neighbors="linf")
    def weighted(rng, scores, epsilon, weights):
        first = int(np.argmax(weights))
        return first, scores[first] + rng.laplace(scale=1 / epsilon)
    """,
    # a median that gets noise
    """
    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
    def middle(rng, values, epsilon):
        return sorted(values)[len(values) // 2] + rng.laplace(scale=10 / epsilon)
    """,
]
