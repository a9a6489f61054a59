"""Every draw of the three sources, scalar and with a size, with fixed and with noisy parameters."""

import random

import numpy as np
from numpy.random import default_rng as make
from numpy.random import laplace


def two_generators(rng, answer):
    other = np.random.default_rng()
    return rng.random() + other.random(), other.laplace(), rng.laplace(), random.random(), np.random.rand()


def random_state_argument(rng: np.random.RandomState, n):
    return (
        rng.laplace(0, 2),
        rng.randint(5),
        rng.rand(),
        rng.randn(),
        rng.random_sample(),
        rng.choice(3),
        rng.binomial(n, 0.5),
    )


def random_state_sizes(rng: np.random.RandomState, n):
    return (
        rng.rand(3),
        rng.rand(2, 2),
        rng.randn(2),
        rng.randint(0, 4, size=3),
        rng.random_sample(2),
        rng.exponential(size=2),
    )


def random_state_of_its_own(answer):
    rng = np.random.RandomState()
    return answer + rng.laplace(), rng.randint(2, 9), rng.uniform(), rng.permutation(3)


def numpy_module(answer):
    return (
        np.random.laplace(),
        np.random.normal(answer, 2),
        np.random.exponential(3),
        np.random.gumbel(),
        np.random.uniform(-1, 1),
    )


def numpy_module_one_sided(answer):
    return np.random.rayleigh(2), np.random.weibull(2, 3), np.random.pareto(2.5), np.random.wald(answer, 1)


def numpy_module_bounded_and_ratios(answer):
    return (
        np.random.power(0.5),
        np.random.triangular(-1, 0, 2),
        np.random.vonmises(0, 1),
        np.random.f(2, 5),
        np.random.noncentral_f(3, 20, 1),
        np.random.noncentral_chisquare(3, 2),
    )


def numpy_module_rare_counts(n):
    return np.random.zipf(2), np.random.logseries(0.5), np.random.hypergeometric(n, 4, 3), np.random.zipf(3, size=2)


def python_other_tails(answer):
    return random.weibullvariate(2.0, 1.5), random.paretovariate(3), random.paretovariate(alpha=answer)


def python_arguments_by_their_own_names(answer):
    return (
        random.gauss(mu=answer, sigma=2),
        random.lognormvariate(mu=0, sigma=1),
        random.uniform(a=1, b=answer),
        random.betavariate(alpha=1, beta=2),
        random.gammavariate(beta=2, alpha=1.5),
        random.weibullvariate(alpha=1, beta=2),
        random.randint(b=9, a=2),
        random.choice(seq=[1, 2]),
    )


def python_sample(queries, n):
    few = random.sample(queries, 2)
    return few, random.sample(range(5), k=3), random.sample([1, 2.5, "x"], 3), len(random.sample(queries, 0))


def numpy_module_integers(n):
    return (
        np.random.randint(5),
        np.random.randint(2, 9),
        np.random.random_integers(3),
        np.random.random_integers(2, 4),
        np.random.poisson(2),
    )


def numpy_module_integers_are_python_integers(n):
    x = np.random.randint(1, 2**40)
    return x * 2**40, -x // 2, 2 ** -np.random.randint(1, 3)


def numpy_module_uniforms(n):
    return (
        np.random.random(),
        np.random.rand(),
        np.random.random_sample(),
        np.random.random(2),
        np.random.rand(3),
        np.random.rand(2, 2),
    )


def numpy_module_standard_forms(n):
    return (
        np.random.randn(),
        np.random.randn(2),
        np.random.standard_normal(),
        np.random.standard_exponential(2),
        np.random.logistic(),
    )


def numpy_module_choice(names):
    return (
        np.random.choice(names),
        np.random.choice(4),
        np.random.choice([0.5, 2], p=[0.1, 0.9]),
        np.random.choice(3, 2),
        np.random.permutation(3),
    )


def numpy_module_sizes(queries):
    return (
        np.array(queries) + np.random.laplace(0, 1, len(queries)),
        np.random.binomial(3, 0.5, size=4),
        np.random.geometric(0.3, 2),
    )


def numpy_module_imported_name(answer):
    return answer + laplace(scale=2), laplace(0, 1, 3)


def numpy_module_other_distributions(answer):
    return (
        np.random.beta(1, 2),
        np.random.gamma(2, 3),
        np.random.chisquare(2),
        np.random.lognormal(),
        np.random.standard_cauchy(),
        np.random.standard_t(3),
        np.random.negative_binomial(2, 0.5),
        np.random.multinomial(3, [0.5, 0.5]),
    )


def python_module(answer):
    return (
        random.random(),
        random.uniform(-1, 1),
        random.expovariate(2),
        random.gauss(0, 1),
        random.normalvariate(answer, 2),
    )


def python_module_integers(n):
    return (
        random.randint(1, 6),
        random.randrange(5),
        random.randrange(2, 9),
        random.randint(0, n),
        random.randint(0, 2**70),
    )


def python_module_choice(names, queries):
    return (
        random.choice(names),
        random.choice(queries),
        random.choice([1, "a", None]),
        random.choice("abc"),
        random.choice(range(3)),
    )


def python_module_other_distributions(answer):
    return random.betavariate(1, 2), random.gammavariate(2, 1), random.lognormvariate(0, 1)


def python_module_noisy_parameters(n):
    k = random.randint(1, 4)
    return (
        random.expovariate(k),
        random.gauss(k, 1 / k),
        random.randrange(k),
        random.uniform(0, k),
        random.choice([k, -k]),
    )


def python_module_coins(bits):
    return [b if random.random() < 0.75 else random.randint(0, 1) for b in bits]


def python_generator_of_its_own(answer):
    rng = random.Random()
    safe = random.SystemRandom()
    return answer + rng.gauss(0, 1), rng.randrange(3), safe.random(), safe.choice([1, 2])


def python_generator_argument(rng: random.Random, answer):
    return rng.random(), rng.randint(1, 3), rng.expovariate(1.5), rng.choice(["x", "y"]), rng.gauss(mu=answer, sigma=1)


def draws_unused(rng, queries):
    rng.random()
    for q in queries:
        rng.laplace()
    return rng.random()


def draws_in_indices_and_slices(rng, queries):
    return queries[rng.integers(3)], queries[: rng.integers(1, 4)], [queries[rng.integers(5)] for _ in range(2)]


def draws_in_ranges_and_conditions(rng, queries):
    out = []
    for i in range(rng.integers(1, 4)):
        while rng.random() < 0.3:
            out.append(i)
        if rng.integers(2) and rng.random() < 0.5:
            break
    return out


def draws_are_numbers_of_a_kind(rng, n):
    return (
        rng.integers(3) / 2,
        rng.random() // 0.1,
        rng.geometric(0.5) * 2,
        rng.binomial(3, 0.5) - 1,
        -rng.poisson(2),
        int(rng.integers(3)) ** 2,
    )


def draws_compared(rng, queries):
    return (
        rng.random() < 0.5,
        rng.integers(2) == 1,
        rng.laplace() > rng.laplace(),
        rng.laplace(size=2) > 0,
        rng.choice([1, 2]) == 1,
    )
