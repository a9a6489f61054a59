"""What a model or list yields and is changed in place is a change of the model: what is released of it shows that."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.snippets import findings_in

HEAD = """\
import torch


@dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
"""


def codes(body: str, parameters: str = "records, model, sigma") -> set[str]:
    return {one.code for one in findings_in(f"{HEAD}def train({parameters}):\n" + body)}


WRITES = {
    "augmented": "    for p in model.parameters():\n        p += {}\n",
    "by its data": "    for p in model.parameters():\n        p.data.add_({})\n",
    "by its gradient": "    for _, p in model.named_parameters():\n        p.grad = {}\n",
    "copied": "    for p in model.parameters():\n        p.copy_({})\n",
    "listed": "    kept = [p for p in model.parameters() if p.requires_grad]\n    for p in kept:\n        p.sub_({})\n",
    "groups": "    optimizer = torch.optim.SGD(model.parameters())\n    for group in optimizer.param_groups:\n"
    "        for p in group['params']:\n            p.grad = {}\n",
    "pairs": "    for p, q in zip(model.parameters(), model.parameters()):\n        p -= {}\n",
}
RELEASES = ("model", "model.state_dict()", "[p for p in model.parameters()]")
EVERY_STEP = "    for batch in records:\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_exact_data_that_goes_into_a_model_is_seen_when_the_model_is_released(write: str, release: str) -> None:
    assert "DP201" in codes(write.format("sum(records)") + f"    return {release}\n")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_noise_that_goes_into_a_model_is_released_with_it(write: str, release: str) -> None:
    body = EVERY_STEP + indented(write.format("batch + sigma * torch.randn(3)")) + f"    return {release}\n"

    assert codes(body) == set()


def test_noise_that_goes_nowhere_is_still_found() -> None:
    body = (
        EVERY_STEP + indented(WRITES["augmented"].format("0.1; noise = sigma * torch.randn(3)")) + "    return model\n"
    )

    assert codes(body) == {"DP305"}


def test_a_model_of_the_caller_need_not_be_given_back() -> None:
    assert codes(EVERY_STEP + indented(WRITES["augmented"].format("batch + sigma * torch.randn(3)"))) == set()


def test_a_helper_changes_the_model_too() -> None:
    text = dedent(
        """
        import torch


        def shake(model, sigma):
            for p in model.parameters():
                p.grad += torch.randn_like(p.grad) * sigma


        @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
        def train(records, model, optimizer, sigma):
            for batch in records:
                model(batch).backward()
                shake(model, sigma)
                optimizer.step()
            return model
        """
    )

    assert findings_in(text) == []


def test_a_model_that_an_object_keeps() -> None:
    text = dedent(
        """
        import torch


        class Trainer:
            @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="records", domain=(0, 1))
            def train(self, records, sigma):
                for batch in records:
                    for p in self.model.parameters():
                        p -= 0.1 * (batch + torch.randn_like(p) * sigma)
        """
    )

    assert findings_in(text) == []


def test_numbers_of_a_list_stay_what_they_were() -> None:
    body = (
        "    out = [0.0, 0.0]\n    for one in out:\n        one += torch.randn(1)\n    return out[0] + sum(records)\n"
    )

    assert codes(body) == {"DP201", "DP305"}
