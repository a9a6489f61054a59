"""Further examples of DP606: skipped steps."""

from dplint import dp


# bad: a loss that is infinite
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
            if torch.isinf(loss).any():
                continue
            loss.backward()
            optimizer.step()
    return model


# bad: a loss that is no number
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
            if torch.isnan(loss):
                continue
            loss.backward()
            optimizer.step()
    return model


# bad: no records
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
            if features.shape[0] == 0:
                continue
            loss.backward()
            optimizer.step()
    return model


# bad: an empty list
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        if not batch:
            continue
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# bad: too few
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        if len(batch) < 1:
            continue
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# bad: steps for batches with records alone
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
            if len(features) > 0:
                optimizer.zero_grad()
                loss_function(model(features), labels).backward()
                optimizer.step()
    return model


# good: a sample is left out, and the step is made
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64):
    for features, labels in records:
        sums = [torch.zeros_like(parameter) for parameter in model.parameters()]
        for feature, label in zip(features, labels):
            model.zero_grad()
            loss = loss_function(model(feature[None]), label[None])
            if not torch.isfinite(loss):
                continue
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            for total, parameter in zip(sums, model.parameters()):
                total += parameter.grad
        with torch.no_grad():
            for total, parameter in zip(sums, model.parameters()):
                parameter -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# good: what is no number becomes zero
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
            loss = torch.nan_to_num(loss)
            loss.backward()
            optimizer.step()
    return model


# good: noise is added to an empty batch
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for _ in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        if not batch:
            model.add_noise_(sigma * clip)
            continue
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# good: every second step
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, gradients, sigma=1.1, clip=1.0, rate=0.01, size=600, steps=100):
    for step in range(steps):
        batch = [record for record in records if torch.rand(1).item() < rate]
        if step % 2 == 0:
            continue
        model(batch).backward()
        for parameter, total in zip(model.parameters(), gradients(model, batch, clip)):
            parameter.data -= 0.1 * (total + sigma * clip * torch.randn_like(total)) / size
    return model


# good: no noise follows
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
            if torch.isnan(loss):
                continue
    return model


# good: what is printed depends on it
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
            if len(features) > 0:
                print("a step")
    return model
