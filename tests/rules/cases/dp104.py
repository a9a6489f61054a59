"""Gaussian noise."""

_CLASSIC = """
    @dp(epsilon="epsilon", delta=1e-5, neighbors="l2"{args})
    def answers(rng, values, epsilon):
        sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
        return [value + rng.normal(scale=sigma) for value in values]
"""
BAD = [
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def total(values, epsilon):
        return sum(values) + random.gauss(0, 1 / epsilon)
    """,
    """
    @dp(epsilon=0.5, neighbors="add-remove", domain=(0, 1))
    def mean(rng, values):
        noisy = sum(values) + rng.standard_normal() * 10
        count = len(values) + rng.standard_normal() * 10
        return noisy, count
    """,
    """
    def add_noise(rng, value, sigma):
        return value + rng.normal(0, sigma)

    @dp(epsilon="epsilon", neighbors="l2")
    def answers(rng, values, epsilon):
        return [add_noise(rng, value, 3 / epsilon) for value in values]
    """,
    _CLASSIC.format(args=""),
    _CLASSIC.format(args=', args={"epsilon": (0.1, 2.0)}'),
]
GOOD = [
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def total(rng, values, epsilon):
        return sum(values) + rng.laplace(scale=1 / epsilon)
    """,
    _CLASSIC.format(args=', args={"epsilon": (0.1, 0.9)}'),
    _CLASSIC.format(args=', args={"epsilon": 0.5}'),
    # Laplace noise does the work
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def smoothed(rng, values, epsilon):
        return sum(values) + rng.laplace(scale=1 / epsilon) + rng.normal(scale=0.1 / epsilon)
    """,
    """
    @dp(epsilon="epsilon", neighbors="l1")
    def shaken(rng, values, epsilon, seed_noise):
        noisy = [value + rng.laplace(scale=1 / epsilon) for value in values]
        return sum(noisy) + rng.normal(scale=0.1 / epsilon)
    """,
]
