"""What a loop binds is known behind it, whatever statement binds it."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in

CLAIM = '@dp(epsilon="epsilon", neighbors="l1")\n'
STARTS = "def released(rng, values, epsilon):\n    total = 0.0\n    for value in values:\n        "
BINDINGS = {
    "assignment": "total = total + value",
    "assignment expression": "print(rng.laplace() if (total := total + value) else 0.0)",
    "assignment expression in a test": "if (total := total + value) and rng.laplace() > 0: continue",
    "augmented": "total += value",
    "inner loop": "for total in [value]: continue",
    "inner test": "while (total := value) < rng.laplace(): continue",
    "with": "with abs(value) as total: continue",
}


@pytest.mark.parametrize("binding", BINDINGS.values(), ids=BINDINGS.keys())
def test_what_a_loop_binds_to_exact_data_is_exact_data_behind_it(binding: str) -> None:
    found = findings_in(f"{CLAIM}{STARTS}{binding}\n    return total\n")

    assert "DP201" in {one.code for one in found}


@pytest.mark.parametrize("binding", BINDINGS.values(), ids=BINDINGS.keys())
def test_and_noise_behind_the_loop_covers_it(binding: str) -> None:
    found = findings_in(f"{CLAIM}{STARTS}{binding}\n    return total + rng.laplace(scale=1 / epsilon)\n")

    assert "DP201" not in {one.code for one in found}
