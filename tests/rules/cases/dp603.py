"""Further examples of DP603: actual batch size."""

from dplint import dp


# bad: at least one
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / max(len(batch), 1)
    return model


# bad: noise for the mean
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total) / len(batch)) / 1
    return model


# bad: a mask of coins
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = records[torch.rand(len(records)) < rate]
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch.shape[0]
    return model


# bad: a loader of coins
import torch
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=rate)
    for batch in torch.utils.data.DataLoader(records, batch_sampler=sampler):
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / len(batch)
    return model


# bad: JAX
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        key, chosen, noisy = jax.random.split(key, 3)
        batch = records[jax.random.uniform(chosen, (len(records),)) < rate]
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(noisy, weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / len(batch)
    return weights


# good: the expected size
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / (rate * 60000)
    return model


# good: all batches have one size
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in torch.utils.data.DataLoader(records, batch_size=64, drop_last=True):
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / len(batch)
    return model


# good: a record is replaced, and batches are public pieces
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in torch.split(records, 64):
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / len(batch)
    return model


# good: the learning rate falls with the number of parameters
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / len(total)
    return model


# good: no noise
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        rate = rate / (1 + len(batch)) if False else rate
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# bad: one step of JAX, whose claim says how its batch is drawn
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, sample_rate=0.01, steps=3000, neighbors="add-remove", domain=(0, 1))
def step(batch, weights, loss, key, sigma=1.1, clip=1.0):
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
    norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
    total = (gradients * jnp.minimum(1.0, clip / norms)).sum(axis=0)
    return weights - 0.1 * (total + sigma * clip * jax.random.normal(key, weights.shape)) / batch.shape[0]


# good: divided by the expected number
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, sample_rate=0.01, steps=3000, neighbors="add-remove", domain=(0, 1))
def step(batch, weights, loss, key, sigma=1.1, clip=1.0, expected=6):
    gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
    norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
    total = (gradients * jnp.minimum(1.0, clip / norms)).sum(axis=0)
    return weights - 0.1 * (total + sigma * clip * jax.random.normal(key, weights.shape)) / expected
