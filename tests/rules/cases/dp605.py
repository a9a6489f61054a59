"""Further examples of DP605: the same noise."""

from dplint import dp


# bad: a seed of PyTorch
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, seed, sigma=1.1, clip=1.0, size=64):
    for features, labels in records:
        torch.random.manual_seed(seed)
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# bad: a generator for each parameter
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, seed, sigma=1.1, clip=1.0, size=64):
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
                parameter -= (
                    0.1
                    * (
                        total
                        + sigma
                        * clip
                        * torch.normal(0.0, 1.0, total.shape, generator=torch.Generator().manual_seed(seed))
                    )
                    / size
                )
    return model


# bad: a generator for each batch
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64):
    for features, labels in records:
        generator = torch.Generator().manual_seed(7)
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= (
                    0.1 * (total + sigma * clip * torch.normal(0.0, 1.0, total.shape, generator=generator)) / size
                )
    return model


# bad: a key that is made in each turn
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, seed, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in records:
        key = jax.random.PRNGKey(seed)
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(key, weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
    return weights


# bad: a key that is split once
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    first, second = jax.random.split(key)
    for batch in records:
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(second, weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
    return weights


# good: seeded once
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, seed, sigma=1.1, clip=1.0, size=64):
    torch.manual_seed(seed)
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
                parameter -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# good: a seed for each batch
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, seeds, sigma=1.1, clip=1.0, size=64):
    for features, labels in records:
        torch.manual_seed(next(seeds))
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss_function(model(feature[None]), label[None]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# good: a generator for all
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64):
    generator = torch.Generator()
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
                parameter -= (
                    0.1 * (total + sigma * clip * torch.normal(0.0, 1.0, total.shape, generator=generator)) / size
                )
    return model


# good: a seed of its turn
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for turn, batch in enumerate(records):
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(jax.random.PRNGKey(turn), weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
    return weights


# good: split in each turn
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for batch in records:
        key, now = jax.random.split(key)
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(now, weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
    return weights


# good: keys in a row
import jax
import jax.numpy as jnp


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, loss, key, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for now, batch in zip(jax.random.split(key, steps), records):
        gradients = jax.vmap(jax.grad(loss), in_axes=(None, 0))(weights, batch)
        norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
        clipped = gradients * jnp.minimum(1.0, clip / norms)
        noise = sigma * clip * jax.random.normal(now, weights.shape)
        weights = weights - 0.1 * (clipped.sum(axis=0) + noise) / size
    return weights
