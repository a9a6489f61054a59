"""What laws of SciPy say of numbers, and `numpy.add.at`."""

import numpy as np
import scipy.stats as stats
from scipy.stats import norm


def values_of_the_normal_law(rng, queries):
    z = np.array([q + rng.normal() for q in queries])
    return norm.cdf(z), norm.sf(z[0]), norm.pdf(z).tolist(), norm.ppf(rng.random()), norm.cdf(0.5, loc=z[1], scale=2)


def values_of_other_laws(rng, queries):
    x = queries[0] + rng.laplace()
    laplace = stats.laplace.cdf(x), stats.laplace.sf(x, 1.0), stats.laplace.pdf(x), stats.laplace.ppf([0.1, 0.5])
    expon = stats.expon.cdf(x), stats.expon.sf(x), stats.expon.pdf(x), stats.expon.ppf(abs(x))
    return laplace, expon, stats.logistic.cdf(x), stats.logistic.sf(x), stats.logistic.pdf(x), stats.logistic.ppf(0.3)


def noise_by_the_inverse_of_a_law(rng, queries):
    return [q + float(stats.laplace.ppf(rng.random(), scale=2.0)) for q in queries]


def values_of_a_law_at_its_ends(rng, queries):
    odd = [0.0, -0.0, np.inf, -np.inf, np.nan, 40.0, -1]
    x = odd[int(rng.integers(7))]
    return norm.cdf(x), norm.ppf(x), stats.expon.sf(x), stats.laplace.pdf(x), norm.cdf(1.0, scale=x)


def counts_that_are_added_up(rng, records):
    counts = np.zeros(4)
    np.add.at(counts, records, 1)
    np.add.at(counts, [0, 3, -1], rng.laplace(size=3))
    return counts + rng.laplace(size=4)


def whole_counts_that_are_added_up(rng, records):
    counts = np.zeros(4, dtype=int)
    np.add.at(counts, np.array(records), 1)
    np.add.at(counts, [int(rng.integers(5))], 2)
    return counts


def numbers_that_cannot_be_added(rng, records):
    counts = np.zeros(2, dtype=int)
    np.add.at(counts, [0], rng.normal() if rng.random() < 0.5 else 1)
    return counts


def places_that_are_a_mask(rng, queries):
    sums = np.array(queries)
    np.add.at(sums, sums > rng.normal(), 10)
    return sums


def parts_that_are_added_in_a_helper(rng, records):
    return _counted(records, 4) + rng.integers(3)


def _counted(records, size):
    found = np.zeros(size)
    np.add.at(found, records, 0.5)
    return found
