"""Further examples of DP609: steps that are not counted."""

from dplint import dp


# bad: counted once, after all
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model, accountant.get_epsilon(delta=1e-5)


# bad: counted once, before all
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    accountant.step(noise_multiplier=sigma, sample_rate=rate)
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model, accountant.get_epsilon(delta=1e-5)


# bad: counted once an epoch
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(epochs):
        for _ in range(steps):
            batch = [record for record in records if torch.rand(1).item() < rate]
            model(batch).backward()
            for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
                parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model, accountant.get_epsilon(delta=1e-5)


# bad: never counted
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model, accountant.get_epsilon(delta=1e-5)


# bad: asked before
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    epsilon = engine.accountant.get_epsilon(delta=1e-5)
    epsilon = engine.get_epsilon(delta=1e-5)
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model, epsilon


# bad: the engine counts, and so does the loop
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
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
            engine.accountant.step(noise_multiplier=1.1, sample_rate=1 / len(loader))
    return model, engine.get_epsilon(delta=1e-5)


# good: counted in each turn
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model, accountant.get_epsilon(delta=1e-5)


# good: counted in a loop of its own
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    for _ in range(steps):
        accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model, accountant.get_epsilon(delta=1e-5)


# good: written down at once
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    accountant.history.append((sigma, rate, steps))
    return model, accountant.get_epsilon(delta=1e-5)


# good: asked at the end, and at the beginning
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0
    )
    print(engine.get_epsilon(delta=1e-5))
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model, engine.get_epsilon(delta=1e-5)


# good: told by the engine
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
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


# good: a helper counts
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, note, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100, epochs=3):
    accountant = RDPAccountant()
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
        note(accountant, sigma)
    return model, accountant.get_epsilon(delta=1e-5)


# good: each sample has noise, and all are one step
import torch
from opacus.accountants import RDPAccountant


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    accountant = RDPAccountant()
    for sample in records:
        model(sample).backward()
        for parameter in model.parameters():
            parameter.grad += sigma * clip * torch.randn_like(parameter)
    for parameter in model.parameters():
        parameter.data -= 0.1 * parameter.grad
    accountant.step(noise_multiplier=sigma, sample_rate=rate)
    return model, accountant.get_epsilon(delta=1e-5)


# good: another release is counted beside the steps of the engine
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
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
    noisy = len(records) + 10.0 * torch.randn(1)
    print(noisy.item())
    engine.accountant.step(noise_multiplier=10.0, sample_rate=1.0)
    return model, engine.get_epsilon(delta=1e-5)
