"""What programs and rules read by the same code: records, keys, functions that are operators, constants elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.rules import check_module
from dplint.source.read import read_source
from tests.rules.snippets import PREAMBLE, findings_of

CLASSES = """
from collections import namedtuple
from dataclasses import dataclass
import operator

@dataclass(frozen=True)
class PrivateMean:
    mean: float
    count: float = 0.0

    def rounded(self):
        return round(self.mean, 2)

@dataclass
class NoisyCounter:
    width: float

    def count(self, value):
        return value + np.random.laplace(0, self.width)

Noisy = namedtuple("Noisy", "value scale")
"""
MECHANISM = """
@dp(epsilon="epsilon", neighbors="{neighbors}", sensitivity=1)
def release(rng, answers, epsilon):
    {body}
"""


def codes(body: str, neighbors: str = "l1") -> set[str]:
    """What is found in a mechanism of that body."""
    return {one.code for one in findings_of(PREAMBLE + CLASSES + MECHANISM.format(body=body, neighbors=neighbors))}


@pytest.mark.parametrize(
    "body",
    [
        "return PrivateMean(answers[0] + rng.laplace(scale=1 / epsilon), count=answers[0])",
        "made = Noisy(answers[0], 1 / epsilon)\n    return made.value, rng.laplace(scale=1 / epsilon)",
        "made = Noisy(answers[0], rng.laplace(scale=1 / epsilon))\n    value, _ = made\n    return value",
        "made = Noisy(answers[0], rng.laplace(scale=1 / epsilon))\n    return made[0]",
    ],
)
def test_exact_data_in_a_record_is_released_whatever_the_class_is_called(body: str) -> None:
    assert "DP201" in codes(body)


@pytest.mark.parametrize(
    "body",
    [
        "made = Noisy(answers[0] + rng.laplace(scale=1 / epsilon), answers[0])\n    return made.value",
        "made = Noisy(value=answers[0], scale=1 / epsilon)\n    return made.scale, rng.laplace(scale=1 / epsilon)",
        "return PrivateMean(answers[0] + rng.laplace(scale=1 / epsilon))",
        "return NoisyCounter(1 / epsilon).count(answers[0])",  # what has noise words in it is noise, as before
    ],
)
def test_a_record_shows_no_more_than_its_fields(body: str) -> None:
    assert "DP201" not in codes(body)


def test_noise_in_the_key_of_a_sort_is_released_by_the_order() -> None:
    body = "return max(range(len(answers)), key=lambda i: answers[i] + rng.laplace(scale={scale}))"

    assert codes(body.format(scale="2 / epsilon"), "linf") == set()
    assert "DP101" in codes(body.format(scale="epsilon"), "linf")
    assert "DP208" in codes("return max(range(len(answers)), key=lambda i: answers[i])", "linf")
    assert "DP305" not in codes(
        "return sorted(range(9), key=lambda i: i * answers[0] + rng.laplace(scale=1 / epsilon))"
    )


@pytest.mark.parametrize("call", ["np.multiply(1.0, epsilon)", "operator.mul(1.0, epsilon)", "1.0 * epsilon"])
def test_functions_that_are_operators_are_read_as_such(call: str) -> None:
    assert "DP101" in codes(f"return answers[0] + rng.laplace(scale={call})")
    assert codes(f"return answers[0] + rng.laplace(scale=np.divide(1.0, {call}))") == set()


@pytest.mark.parametrize(("head", "name"), [("from limits import SCALE", "SCALE"), ("import limits", "limits.SCALE")])
def test_a_constant_of_another_module_has_its_value(head: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "limits.py").write_text("SCALE = 0.5\n")
    body = f"return answers[0] + rng.laplace(scale={name} / epsilon)"
    path = tmp_path / "m.py"
    path.write_text(f"{head}\n{PREAMBLE}{MECHANISM.format(body=body, neighbors='l1')}")
    source = read_source(path, file="m.py")
    assert source.module is not None

    found = check_module(source.module, source.mechanisms, "m.py")

    assert [one.code for one in found] == ["DP401"]  # half of the scale that one answer needs


def test_a_place_in_exact_sums_is_a_selection_unless_the_level_is_drawn_between_fixed_shares_of_them() -> None:
    body = "return int(np.searchsorted(np.cumsum(answers), {level}))"

    assert "DP208" not in codes(body.format(level="rng.random() * sum(answers)"), "linf")
    assert "DP208" in codes(body.format(level="(sum(answers) + rng.laplace(scale=1 / epsilon)) / 2"), "linf")
