"""Further examples of DP602: noise without the clip."""

from dplint import dp


# bad: a product with a standard draw
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=4.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: a number that is no 1
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + torch.normal(0.0, sigma, total.shape)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: the clip has no default
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, clip, sigma=1.1, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + torch.randn(total.shape) * sigma) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: before the noise is chosen
import torch
from opacus.accountants import RDPAccountant
from opacus.accountants.utils import get_noise_multiplier


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=4.0, size=64, rate=0.01):
    sigma = get_noise_multiplier(target_epsilon=8.0, target_delta=1e-5, sample_rate=rate, steps=100)
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + torch.normal(0.0, sigma, total.shape)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: JAX
import jax
import jax.numpy as jnp
import dp_accounting


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in records:
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, 4.0 / norms)
        noise = sigma * jax.random.normal(jax.random.split(key)[0], weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
        key, _ = jax.random.split(key)
    event = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    return weights, event


# good: clipped to 1
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: clipped to 1, if nothing else is said
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: times the clip
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=4.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + torch.normal(0.0, sigma * clip, total.shape)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: the accountant is told of less
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=4.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma / clip, sample_rate=rate)
    return model


# good: nothing is counted here
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=4.0, size=64, rate=0.01):
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * torch.randn_like(total)) / size
    return model


# good: JAX
import jax
import jax.numpy as jnp
import dp_accounting


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in records:
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, 4.0 / norms)
        noise = 4.0 * sigma * jax.random.normal(jax.random.split(key)[0], weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
        key, _ = jax.random.split(key)
    event = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    return weights, event
