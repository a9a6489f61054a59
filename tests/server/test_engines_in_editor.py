"""The hover over a call that makes an engine of Opacus, in a file that bears no claim."""

import pytest

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]

TEXT = """
import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

model = torch.nn.Linear(784, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
engine = PrivacyEngine()
model, optimizer, loader = engine.make_private(
    module=model,
    optimizer=optimizer,
    data_loader=DataLoader(MNIST("data"), batch_size=256),
    noise_multiplier=1.1,
    max_grad_norm=1.0,
)
for epoch in range(10):
    for features, labels in loader:
        torch.nn.functional.cross_entropy(model(features), labels).backward()
        optimizer.step()
print(engine.get_epsilon(1e-5))
"""


async def test_an_engine_is_told_of_where_it_is_made(editor):
    editor.open("engine.py", TEXT)

    for piece in ("make_private(", "noise_multiplier="):
        hover = await editor.hover("engine.py", piece)
        assert hover.startswith("Epsilon 0.91")
        assert "2,350 steps at rate 1/235 (Poisson sampling)" in hover
    assert await editor.hover("engine.py", "get_epsilon") is None


async def test_the_text_as_it_is_typed_counts(editor):
    editor.open("typed.py", TEXT.replace("range(10)", "range(int(input()))"))

    hover = await editor.hover("typed.py", "make_private(")
    assert hover.startswith("What this engine spends is not known. line 10: how much `235 * int(input())` is")
