"""Further examples of DP405: known bad construct."""

import numpy as np

from dplint import dp


# bad
import diffprivlib


@dp(epsilon="epsilon", neighbors="l2")
def covariance(values, epsilon):
    return diffprivlib.mechanisms.Wishart(epsilon=epsilon, sensitivity=1).randomise(np.outer(values, values))


# good
import opendp.prelude as odp


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    domain, distance = odp.atom_domain(T=float), odp.absolute_distance(T=float)
    measurement = odp.m.make_laplace(domain, distance, scale=1 / epsilon)
    return measurement(sum(values))


# bad
from diffprivlib.mechanisms.wishart import Wishart as Mechanism


@dp(epsilon="epsilon", neighbors="l2")
def covariance(values, epsilon):
    mechanism = Mechanism(epsilon=epsilon, sensitivity=1)
    return mechanism.randomise(np.outer(values, values))


# bad
from opendp.meas import make_base_stability


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=["a", "b"])
def counts(answers, epsilon):
    return make_base_stability(n=100, scale=1 / epsilon, threshold=10.0)(answers)


# bad
import tensorflow_privacy as tfp


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(values, epsilon):
    spent, _ = tfp.compute_dp_sgd_privacy(len(values), 64, 1.1, 10, 1e-6)
    return spent


# bad
from opacus.accountants.analysis import rdp


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(values, epsilon, orders):
    return rdp.get_privacy_spent(orders=orders, rdp=len(values), delta=1e-6)


# good
from diffprivlib.mechanisms import Gaussian


@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def total(values, epsilon):
    return Gaussian(epsilon=epsilon, delta=1e-5, sensitivity=1).randomise(sum(values))


# good: a function of that name of one's own
def Wishart(value):
    return value


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return Wishart(sum(values)) + rng.laplace(scale=1 / epsilon)


# good
from diffprivlib import tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def mean(values, epsilon):
    return tools.mean(values, epsilon=epsilon, bounds=(0, 1))


# good
import scipy.stats


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    prior = scipy.stats.wishart(df=3)
    return sum(values) + rng.laplace(scale=1 / epsilon)
