"""Training loops: each wrong one is named by the rule that is about it, and nothing is said of right ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.outcomes import Finding
from dplint.rules import check_module
from dplint.source.read import read_source

FOLDER = Path(__file__).parents[2] / "fixtures" / "training"
CAUSES = {
    "accountant_per_epoch": "DP609",
    "actual_batch_size": "DP603",
    "batch_clip": "DP504",
    "batch_norm": "DP604",
    "best_checkpoint": "DP607",
    "delta_of_size": "DP608",
    "empty_batches": "DP606",
    "epsilon_before_end": "DP609",
    "jax_batch_mean": "DP603",
    "jax_same_key": "DP605",
    "loss_history": "DP607",
    "microbatch_clip": "DP504",
    "noise_without_clip": "DP602",
    "non_finite": "DP606",
    "poisson_off": "DP601",
    "rate_of_batches": "DP610",
    "replace_relation": "DP611",
    "seed_in_step": "DP605",
    "shuffled_loader": "DP601",
    "weighted_sampler": "DP601",
}


def findings(side: str, name: str, *, claimed: bool = True) -> list[Finding]:
    path = FOLDER / side / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    if not claimed:
        text = "\n".join(line for line in text.splitlines() if not line.startswith("@dp("))
    source = read_source(path, file=path.name, text=text, without_claims=not claimed)
    assert source.module is not None
    assert not source.errors
    return check_module(source.module, source.mechanisms, path.name, all_functions=not claimed)


def names(side: str) -> list[str]:
    return sorted(path.stem for path in (FOLDER / side).glob("*.py"))


def test_there_are_twenty_of_each() -> None:
    assert len(names("right")) == 20
    assert names("wrong") == sorted(CAUSES)


@pytest.mark.parametrize("name", names("wrong"))
def test_a_wrong_loop_is_named_with_its_cause_alone(name: str) -> None:
    assert {one.code for one in findings("wrong", name)} == {CAUSES[name]}


@pytest.mark.parametrize("name", names("wrong"))
def test_the_place_is_near_the_comment(name: str) -> None:
    lines = (FOLDER / "wrong" / f"{name}.py").read_text(encoding="utf-8").splitlines()
    comment = next(number for number, line in enumerate(lines, 1) if line.strip().startswith("# wrong:"))

    assert any(abs(one.span.line - comment) <= 7 for one in findings("wrong", name))


@pytest.mark.parametrize("name", names("right"))
def test_nothing_is_said_of_a_right_loop(name: str) -> None:
    assert findings("right", name) == []


@pytest.mark.parametrize("name", names("right"))
def test_nothing_is_said_of_a_right_loop_without_its_claim(name: str) -> None:
    assert findings("right", name, claimed=False) == []
