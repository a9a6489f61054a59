"""Further examples of DP608: delta of the size."""

from dplint import dp


# bad: nine tenths
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
        target_delta=0.9 / len(records),
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


# bad: a tenth
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
        target_delta=1 / (10 * len(records)),
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


# bad: when it is asked for
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
    return model, engine.get_epsilon(delta=1 / len(records))


# bad: a record is replaced, and one of them may be published
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
        target_epsilon=1.0,
        target_delta=1 / len(records),
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


# bad: in a variable
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    delta = 1 / len(records)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=delta,
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


# good: a number
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
        target_delta=1e-6,
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


# good: the number of records is public, and delta is far below one over it
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
        target_epsilon=1.0,
        target_delta=0.01 / len(records),
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


# good: as many as a caller says
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, count, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1 / count,
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


# good: over the public ones
import torch
from opacus import PrivacyEngine


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, public, model, loss_function, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=64)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        target_epsilon=8.0,
        target_delta=1 / len(public),
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


# good: a power of ten
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
    return model, engine.get_epsilon(delta=10**-6)
