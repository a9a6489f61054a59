"""Every draw of a generator of NumPy, scalar and with a size, with fixed and with noisy parameters."""

import random

import numpy as np
from numpy.random import default_rng as make
from numpy.random import laplace


def generator_scalars(rng, answer):
    return rng.laplace(), rng.normal(), rng.exponential(), rng.gumbel(), rng.logistic(), rng.uniform(), rng.random()


def generator_scalars_with_parameters(rng, answer):
    return (
        rng.laplace(1, 2),
        rng.normal(loc=answer),
        rng.exponential(3),
        rng.gumbel(1.0, scale=2),
        rng.logistic(-1),
        rng.uniform(2, 5),
    )


def generator_integers(rng, n):
    return (
        rng.integers(5),
        rng.integers(2, 9),
        rng.integers(0, 3, endpoint=True),
        rng.integers(low=-2, high=2),
        rng.integers(n),
    )


def generator_counts(rng, n):
    return rng.geometric(0.4), rng.binomial(n, 0.5), rng.poisson(3), rng.poisson(), rng.negative_binomial(3, 0.5)


def generator_standard_forms(rng, answer):
    return rng.standard_normal(), rng.standard_exponential(), rng.standard_normal(3), rng.standard_exponential(size=2)


def generator_other_distributions(rng, answer):
    return rng.beta(2, 3), rng.gamma(2), rng.gamma(1.5, 2.0), rng.chisquare(3), rng.lognormal(), rng.standard_t(4)


def generator_heavy_tails(rng, answer):
    return rng.standard_cauchy(), rng.standard_gamma(2.0), rng.lognormal(1, 0.5), rng.standard_t(df=2)


def generator_one_sided(rng, answer):
    return (
        rng.rayleigh(),
        rng.rayleigh(2.0),
        rng.weibull(1.5),
        rng.pareto(3),
        rng.wald(1.0, 2),
        rng.wald(mean=2, scale=1),
    )


def generator_bounded(rng, answer):
    return rng.power(2), rng.triangular(-1, 0, 2), rng.triangular(0.0, mode=answer, right=5), rng.vonmises(0.5, 2)


def generator_ratios(rng, answer):
    return rng.f(2, 5), rng.noncentral_f(3, 20, 1), rng.noncentral_chisquare(3, nonc=2), rng.f(dfnum=1, dfden=3, size=2)


def generator_rare_counts(rng, n):
    return (
        rng.zipf(2.5),
        rng.logseries(0.4),
        rng.hypergeometric(n, 4, 3),
        rng.hypergeometric(2, 3, 4, size=2),
        rng.zipf(3, 2),
    )


def generator_multinomial(rng, n):
    return rng.multinomial(n, [0.2, 0.3, 0.5]), rng.multinomial(3, [0.5, 0.5])


def generator_sizes(rng, n):
    return (
        rng.laplace(size=3),
        rng.normal(0, 1, 2),
        rng.uniform(size=(2, 2)),
        rng.random(4),
        rng.integers(0, 9, size=3),
        rng.geometric(0.5, size=2),
    )


def generator_sizes_of_tuples(rng, n):
    return rng.laplace(size=(2, 3)), rng.normal(size=(1,)), rng.random((2, 1)), rng.binomial(3, 0.5, size=(2, 2))


def generator_sizes_of_zero(rng, n):
    return rng.laplace(size=0), len(rng.normal(size=0)), rng.random()


def generator_size_none(rng, n):
    return rng.laplace(size=None), rng.integers(5, size=None), rng.random(None)


def generator_sizes_that_are_noisy(rng, n):
    return rng.laplace(size=int(rng.integers(0, 4))), rng.random(rng.integers(1, 3)), rng.random()


def generator_size_of_data(rng, queries):
    noise = rng.laplace(scale=2, size=len(queries))
    return [q + x for q, x in zip(queries, noise)]


def generator_vector_parameters(rng, queries):
    return (
        rng.laplace(queries, 1),
        rng.normal(np.array(queries), 2),
        rng.uniform(0, [1, 2, 3]),
        rng.binomial([1, 2, 3], 0.5),
    )


def generator_vector_parameters_that_are_noisy(rng, queries):
    center = rng.normal(size=3)
    return rng.laplace(center), rng.normal(center, scale=np.abs(center)), rng.poisson(np.exp(center))


def generator_noisy_parameters(rng, n):
    scale = rng.exponential()
    return (
        rng.laplace(scale=scale),
        rng.normal(scale, 2),
        rng.uniform(0, scale),
        rng.exponential(scale),
        rng.gumbel(scale, scale),
    )


def generator_noisy_integer_parameters(rng, n):
    k = int(rng.integers(1, 6))
    return (
        rng.integers(k),
        rng.integers(-k, k),
        rng.binomial(k, 1 / k),
        rng.geometric(1 / k),
        rng.poisson(k),
        rng.integers(k, k + 2),
    )


def generator_parameters_differ_by_branch(rng, n):
    scale = 1 if rng.random() < 0.5 else 10.0
    return rng.laplace(scale=scale), rng.integers(0, 5 if scale == 1 else 50)


def generator_choice(rng, queries):
    return rng.choice(5), rng.choice(queries), rng.choice([1, 2, 3], p=[0.2, 0.3, 0.5]), rng.choice(3, p=[0, 0.5, 0.5])


def generator_choice_of_texts(rng, names):
    return (
        rng.choice(names),
        rng.choice(names, p=[0.5, 0.25, 0.25]),
        rng.choice(["x", "yy"]) == "x",
        str(rng.choice(names)),
    )


def generator_choice_with_size(rng, queries):
    return (
        rng.choice(5, size=3),
        rng.choice(queries, 2, replace=False),
        rng.choice(queries, size=(2, 2)),
        rng.choice(3, size=int(rng.integers(1, 5)), replace=False),
    )


def generator_choice_with_noisy_weights(rng, queries):
    w = rng.exponential(size=3)
    return (
        rng.choice(3, p=w / w.sum()),
        rng.choice(["a", "b", "c"], p=w / np.sum(w)),
        rng.choice([10, 20, 30], size=2, p=w / sum(w)),
    )


def generator_choice_from_noisy_lists(rng, queries):
    kept = [q for q in queries if rng.random() < 0.7] + [9.0]
    return rng.choice(kept), rng.choice(len(kept)), kept[rng.integers(len(kept))]


def generator_choice_of_bools(rng, n):
    return rng.choice([True, False]), rng.choice([0, 1]), rng.choice([0.5, 1]), rng.choice((1, 2))


def generator_permutation(rng, queries):
    return (
        rng.permutation(4),
        rng.permutation(queries),
        [queries[i] for i in rng.permutation(len(queries))],
        rng.permutation(["a", "b"]),
    )


def generator_permutation_of_noise(rng, queries):
    kept = [q for q in queries if rng.random() < 0.6]
    return rng.permutation(kept), rng.permutation(len(kept)), list(rng.permutation(rng.random(2)))


def generator_in_branches(rng, queries):
    total = 0.0
    for q in queries:
        if rng.random() < 0.5:
            total += rng.laplace(q)
        elif rng.random() < 0.5:
            total += int(rng.integers(3))
        else:
            total -= rng.exponential(size=2).sum()
    return total


def generator_in_helpers(rng, queries):
    return _draw(rng, 1), _draw(rng, scale=2.0), [_draw(rng, q + 1) for q in queries]


def _draw(rng, scale):
    if rng.random() < 0.5:
        return rng.laplace(scale=scale)
    return rng.normal(0, scale)


def generator_made_from_the_given_one(rng, answer):
    rng = np.random.default_rng(rng)
    return answer + rng.laplace()


def generator_or_a_new_one(rng, answer):
    generator = rng or np.random.default_rng()
    return generator.laplace(answer)


def generator_of_its_own(queries):
    rng = np.random.default_rng()
    return [q + rng.laplace() for q in queries]


def generator_of_its_own_without_a_name(answer):
    return np.random.default_rng().normal(answer), make().random()


_rng = np.random.default_rng()
_legacy = np.random.RandomState()
_python = random.SystemRandom()


def generators_of_the_module(answer):
    return _rng.laplace(answer, 2), _legacy.normal(answer), _python.gauss(answer, 1), _rng.normal(size=2)


def generator_of_the_module_unless_given(values, rng=None):
    source = rng if rng is not None else _rng
    return [value + source.laplace() for value in values]


def _noisy(value, source):
    return value + source.laplace(scale=2)


def generator_of_the_module_in_a_helper(values):
    return [_noisy(value, _rng) for value in values]


def generator_of_the_module_hidden_by_a_local(answer):
    _rng = make()
    return answer + _rng.laplace()


def generator_of_the_module_where_none_is_given(values, rng=None):
    source = _rng if rng is None else rng
    return [value + source.laplace() for value in values]


def generator_of_the_module_as_the_parameter(values, rng=None):
    if rng is None:
        rng = _rng
    return [value + rng.laplace() for value in values]
