"""Further examples of DP504: gradient of a batch."""

from dplint import dp


# bad
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer, clip, sigma):
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=clip)
        for parameter in model.parameters():
            noise = torch.randn_like(parameter.grad) * sigma * clip
            parameter.grad.add_(noise / len(batch))
        optimizer.step()
    return model


# good: clipped for a smooth training, without noise
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer):
    for batch in batches:
        model(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model


# bad
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer, epochs, sigma):
    for epoch in range(epochs):
        for batch in batches:
            optimizer.zero_grad()
            model(batch).mean().backward()
            torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
            for parameter in model.parameters():
                parameter.grad += torch.randn_like(parameter.grad) * sigma
            optimizer.step()
    return model


# bad
from torch.nn.utils import clip_grad_norm_
import torch


def shake(model, sigma):
    for parameter in model.parameters():
        parameter.grad += torch.randn_like(parameter.grad) * sigma


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer, sigma):
    for batch in batches:
        model(batch).mean().backward()
        clip_grad_norm_(model.parameters(), 1.0)
        shake(model, sigma)
        optimizer.step()
    return model


# bad
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer, sigma):
    for batch in batches:
        model(batch).sum().backward()
        total = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if total > 0:
            for parameter in model.parameters():
                parameter.grad = parameter.grad + sigma * torch.randn(parameter.grad.shape)
        optimizer.step()
    return model


# good: the gradients of samples, by a library
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(model, batches, optimizer, sigma):
    for batch in batches:
        model(batch).mean().backward()
        for parameter in model.parameters():
            norms = parameter.grad_sample.flatten(1).norm(dim=1)
            factors = (1 / norms).clamp(max=1)
            parameter.grad = torch.einsum("i,i...", factors, parameter.grad_sample)
            parameter.grad += sigma * torch.randn_like(parameter.grad)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        optimizer.step()
    return model


# good: noise as the input of a generative network
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(generator, judge, batches, optimizer):
    for batch in batches:
        fake = generator(torch.randn(len(batch), 8))
        (judge(fake) - judge(batch)).mean().backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimizer.step()
    return generator


# good: so is what the generator gets afterwards
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(generator, judge, batches, optimizer):
    for batch in batches:
        judge(batch).mean().backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimizer.step()
        judge(generator(torch.randn(len(batch), 8))).mean().backward()
    return generator


# good: the update of a whole client is clipped, and the client is the record
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="clients", domain=(0, 1))
def merge(clients, clip, sigma):
    total = 0.0
    for update in clients:
        total = total + update * min(1.0, clip / torch.norm(update))
    return total + sigma * clip * torch.randn(10)


# bad: pieces of several samples
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(batches, model, optimizer, sigma, clip=1.0):
    for batch in batches:
        total = [torch.zeros_like(one) for one in model.parameters()]
        for piece in batch.split(8):
            optimizer.zero_grad()
            model(piece).mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for kept, parameter in zip(total, model.parameters()):
                kept += parameter.grad
        for kept, parameter in zip(total, model.parameters()):
            parameter.grad = kept + sigma * clip * torch.randn_like(kept)
        optimizer.step()
    return model


# good: pieces of one sample
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(batches, model, optimizer, sigma, clip=1.0):
    for batch in batches:
        total = [torch.zeros_like(one) for one in model.parameters()]
        for piece in batch.split(1):
            optimizer.zero_grad()
            model(piece).mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for kept, parameter in zip(total, model.parameters()):
                kept += parameter.grad
        for kept, parameter in zip(total, model.parameters()):
            parameter.grad = kept + sigma * clip * torch.randn_like(kept)
        optimizer.step()
    return model


# good: twice the noise
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(batches, model, optimizer, sigma, clip=1.0):
    for batch in batches:
        total = [torch.zeros_like(one) for one in model.parameters()]
        for piece in batch.split(8):
            optimizer.zero_grad()
            model(piece).mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for kept, parameter in zip(total, model.parameters()):
                kept += parameter.grad
        for kept, parameter in zip(total, model.parameters()):
            parameter.grad = kept + 2 * sigma * clip * torch.randn_like(kept)
        optimizer.step()
    return model


# good: of pieces whose size is not known
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
def train(batches, model, optimizer, size, sigma, clip=1.0):
    for batch in batches:
        total = [torch.zeros_like(one) for one in model.parameters()]
        for piece in batch.split(size):
            optimizer.zero_grad()
            model(piece).mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for kept, parameter in zip(total, model.parameters()):
                kept += parameter.grad
        for kept, parameter in zip(total, model.parameters()):
            parameter.grad = kept + sigma * clip * torch.randn_like(kept)
        optimizer.step()
    return model
