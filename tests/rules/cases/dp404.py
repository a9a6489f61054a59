"""Further examples of DP404: assumption of the accountant."""

from dplint import dp

import numpy as np


# bad: Opacus 80: the accountant is told a sampling rate, and a plain loader gives shuffled batches
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(values, epsilon, sigma=1.0):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(values, batch_size=64, shuffle=True)
    total = 0.0
    for batch in loader:
        total += sum(batch) + np.random.normal(scale=sigma / epsilon)
        accountant.step(noise_multiplier=sigma, sample_rate=64 / 1000)
    return total if accountant.get_epsilon(delta=1e-6) <= epsilon else None


# good: a coin for each record
import dp_accounting


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, sigma=1.0):
    event = dp_accounting.PoissonSampledDpEvent(0.1, dp_accounting.GaussianDpEvent(sigma))
    picked = values[rng.random(len(values)) < 0.1]
    return sum(picked) + rng.normal(scale=sigma / epsilon), event


# bad: the engine itself, told not to sample
from opacus import PrivacyEngine


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(loader, epsilon, model, optimizer):
    engine = PrivacyEngine()
    model, optimizer, private = engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        noise_multiplier=1.1,
        max_grad_norm=1.0,
        poisson_sampling=False,
    )
    for batch in private:
        optimizer.step(batch)
    return model


# bad: TF-privacy 19, in the words of its successor: batches in the order of the data
import dp_accounting


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, sigma=1.0):
    event = dp_accounting.PoissonSampledDpEvent(32 / 1000, dp_accounting.GaussianDpEvent(sigma))
    total = 0.0
    for start in range(0, len(values), 32):
        total += sum(values[start : start + 32]) + rng.normal(scale=sigma / epsilon)
    return total, event


# bad: so many records are chosen in each step
from tensorflow_privacy import compute_rdp


def batch_of(rng, values, size):
    return rng.choice(values, size=size, replace=False)


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, sigma=1.0):
    spent = compute_rdp(0.01, sigma, 100, [2, 4, 8])
    return [sum(batch_of(rng, values, 10)) + rng.normal(scale=sigma / epsilon) for _ in range(100)], spent


# bad
from autodp.transformer_zoo import AmplificationBySampling


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, gaussian, sigma=1.0):
    spent = AmplificationBySampling()(gaussian, 0.1)
    rng.shuffle(values)
    return sum(values[:10]) + rng.normal(scale=sigma / epsilon), spent


# bad: one of twenty records may be published under this delta
@dp(epsilon="epsilon", delta=0.05, neighbors="replace-one", domain=(0, 1), size=[20])
def total(rng, values, epsilon):
    return sum(values) + rng.normal(scale=5 / epsilon)


# good: batches of a fixed size, and the accounting for those
import dp_accounting


@dp(epsilon="epsilon", delta=1e-6, neighbors="replace-one", domain=(0, 1), size=[1000])
def train(rng, values, epsilon, sigma=1.0):
    event = dp_accounting.SampledWithoutReplacementDpEvent(1000, 32, dp_accounting.GaussianDpEvent(sigma))
    picked = rng.choice(values, size=32, replace=False)
    return sum(picked) + rng.normal(scale=sigma / epsilon), event


# good: as many as a binomial draw says: Poisson sampling in two steps
import dp_accounting


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, sigma=1.0):
    event = dp_accounting.PoissonSampledDpEvent(0.1, dp_accounting.GaussianDpEvent(sigma))
    picked = rng.choice(values, size=rng.binomial(len(values), 0.1), replace=False)
    return sum(picked) + rng.normal(scale=sigma / epsilon), event


# good: the engine replaces the loader
import torch
from opacus import PrivacyEngine


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(values, epsilon, model, optimizer):
    engine = PrivacyEngine()
    loader = torch.utils.data.DataLoader(values, batch_size=64, shuffle=True)
    model, optimizer, private = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    for batch in private:
        optimizer.step(batch)
    return model if engine.get_epsilon(delta=1e-6) <= epsilon else None


# good: every record takes part in every step, and the rate says so
import dp_accounting


@dp(epsilon="epsilon", delta=1e-6, neighbors="add-remove", domain=(0, 1))
def train(rng, values, epsilon, sigma=1.0):
    event = dp_accounting.PoissonSampledDpEvent(1.0, dp_accounting.GaussianDpEvent(sigma))
    order = rng.permutation(values)
    return sum(order) + rng.normal(scale=sigma / epsilon), event


# good: shuffled, and nothing is said about sampling
@dp(epsilon="epsilon", delta=1e-5, neighbors="replace-one", domain=(0, 1), size=[20])
def total(rng, values, epsilon):
    rng.shuffle(values)
    return sum(values) + rng.normal(scale=5 / epsilon)


# good
from autodp.transformer_zoo import AmplificationBySampling


@dp(epsilon="epsilon", delta=1e-6, neighbors="replace-one", domain=(0, 1))
def train(rng, values, epsilon, gaussian, sigma=1.0):
    spent = AmplificationBySampling(PoissonSampling=False)(gaussian, 0.1)
    return sum(rng.choice(values, size=10, replace=False)) + rng.normal(scale=sigma / epsilon), spent
