"""Further examples of DP604: batch normalisation."""

from dplint import dp


# bad: weights alone are in the state, too
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8, affine=False), nn.Flatten(), nn.Linear(5408, 10))
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


# bad: of several machines
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.SyncBatchNorm(8), nn.Flatten(), nn.Linear(5408, 10))
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
    return model.state_dict()


# bad: by its full name
import torch


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = torch.nn.Sequential(torch.nn.Linear(9, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, 2))
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


# bad: written to a file
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(5408, 10))
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
    torch.save(model.state_dict(), "model.pt")
    return None


# bad: moved to another device
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(5408, 10))
    model = model.to("cuda")
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


# bad: in a class
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.last = nn.Linear(8, 2)

    def forward(self, features):
        return self.last(self.norm(features))


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = Net()
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


# good: groups of channels
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.GroupNorm(4, 8), nn.Flatten(), nn.Linear(5408, 10))
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


# good: layers
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.LayerNorm(26), nn.Flatten(), nn.Linear(5408, 10))
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


# good: nothing is kept
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8, track_running_stats=False), nn.Flatten(), nn.Linear(5408, 10)
    )
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


# good: the parameters alone
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(5408, 10))
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
    return [parameter.detach() for parameter in model.parameters()]


# good: the statistics are those of before
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(5408, 10))
    model.eval()
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


# good: another model
import torch
from torch import nn


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, model, loss_function, sigma=1.1, clip=1.0, size=64):
    other = nn.BatchNorm2d(8)
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


# good: in a class
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.last = nn.Linear(8, 2)

    def forward(self, features):
        return self.last(self.norm(features))


@dp(epsilon=8.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
def train(records, loss_function, sigma=1.1, clip=1.0, size=64):
    model = Net()
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
