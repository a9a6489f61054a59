"""Further examples of DP610: rate of batches."""

from dplint import dp


# bad: a number of records
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=64 / len(loader))
    return model


# bad: a size that a caller gives
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=batch_size / len(loader))
    return model


# bad: in a variable
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    rate = batch_size / len(loader)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model


# bad: to choose the noise
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler
from opacus.accountants.utils import get_noise_multiplier


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    sigma = get_noise_multiplier(target_epsilon=8.0, target_delta=1e-5, sample_rate=256 / len(loader), epochs=3)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=0.001)
    return model


# bad: another accountant
import torch
from opacus.accountants import PRVAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = PRVAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=64 / len(loader))
    return model


# good: one over the number of batches
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=1 / len(loader))
    return model


# good: the records of the loader
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=64 / len(loader.dataset))
    return model


# good: the number of records
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=batch_size / count)
    return model


# good: the length of the data
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=64 / len(records))
    return model


# good: the accountant's own number
import torch
from opacus.accountants import RDPAccountant
from opacus.utils.uniform_sampler import UniformWithReplacementSampler


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, batch_size=64, count=60000):
    accountant = RDPAccountant()
    sampler = UniformWithReplacementSampler(num_samples=60000, sample_rate=0.001)
    loader = torch.utils.data.DataLoader(records, batch_sampler=sampler)
    for batch in loader:
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / batch_size
        accountant.step(noise_multiplier=sigma, sample_rate=0.001)
    return model
