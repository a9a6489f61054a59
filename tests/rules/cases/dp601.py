"""Further examples of DP601: fixed batches."""

from dplint import dp


# bad: drops what is left over
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, drop_last=True)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: drawn with replacement, as many as ever
import torch
from opacus.accountants import RDPAccountant
from torch.utils.data import RandomSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, sampler=RandomSampler(records, replacement=True))
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: some records more often
import torch
from opacus.accountants import RDPAccountant
from torch.utils.data import WeightedRandomSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, sampler=WeightedRandomSampler(weights, 60000))
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: a share of the records on each machine
import torch
from opacus.accountants import RDPAccountant
from torch.utils.data.distributed import DistributedSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, sampler=DistributedSampler(records))
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: Opacus, told not to sample
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        noise_multiplier=1.1,
        max_grad_norm=1.0,
        poisson_sampling=False,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model, engine.get_epsilon(delta=1e-5)


# bad: Opacus, issue 813
import torch
from opacus import PrivacyEngine
from torch.utils.data import WeightedRandomSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, weights, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = WeightedRandomSampler(weights, num_samples=1280)
    loader = torch.utils.data.DataLoader(records, batch_size=64, sampler=sampler)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# bad: by position
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, size, True)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: a sampler of coins
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=rate)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: Opacus makes a loader of coins
import torch
from opacus.accountants import RDPAccountant
from opacus.data_loader import DPDataLoader


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = DPDataLoader.from_data_loader(torch.utils.data.DataLoader(records, batch_size=size, shuffle=True))
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: no amplification is claimed
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, weights, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, shuffle=True)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=1.0)
    return model


# good: the engine replaces the loader
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64, shuffle=True, drop_last=True)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model, engine.get_epsilon(delta=1e-5)


# good: public records are shuffled
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, public, model, gradients, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(public, batch_size=size, shuffle=True)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# good: a sampler of one's own, of which nothing is known
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, sampler, model, gradients, sigma=1.1, clip=1.0, size=64, rate=0.01):
    accountant = RDPAccountant()
    loader = torch.utils.data.DataLoader(records, batch_size=size, sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model
