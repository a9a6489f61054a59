"""Further examples of DP611: another relation."""

from dplint import dp


# bad: an epsilon that a caller gives
import torch
from opacus import PrivacyEngine


@dp(epsilon="epsilon", delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epsilon, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=epsilon,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# bad: another accountant
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine(accountant="prv")
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# bad: clipped layer by layer
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
        clipping="per_layer",
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# bad: in larger batches
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=1024)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# bad: the state alone
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model.state_dict()


# good: records come and go
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# good: a smaller epsilon than is claimed
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=2.0,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# good: the noise is chosen elsewhere
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
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
    return model


# good: a caller's epsilon, for records that come and go
import torch
from opacus import PrivacyEngine


@dp(epsilon="epsilon", delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epsilon, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=epsilon,
        target_delta=1e-5,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    for _ in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = loss_function(model(features), labels)
            loss.backward()
            optimizer.step()
    return model


# good: twice the noise, counted as once
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="replace-one", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64):
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
                parameter -= 0.1 * (total + 2 * sigma * clip * torch.randn_like(total)) / size
    return model
