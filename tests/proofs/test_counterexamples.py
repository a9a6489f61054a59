"""Where a proof fails, the records that it names are neighbours on which the noise is too small."""

import importlib.util

import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, targets

SCALES = {
    "numbers": {"three_pensioners": 2.0, "one_heavy_age": 1.0, "two_amounts": 1.0},
    "shapes": {"all_fours": 1.0, "four_east": 1.0, "in_turn": 1.0, "old_southerners": 1.0, "two_ages": 1.0},
}
"""Of the one draw of each: with a claim of 1, neighbours whose answers differ by more break it."""


class Silent:
    """A generator whose noise is 0."""

    def laplace(self, scale):
        return 0.0


def differ_by_one_record(one, two):
    shorter, longer = sorted((one, two), key=len)
    if len(one) == len(two):
        return sum(a != b for a, b in zip(one, two, strict=True)) == 1
    return any(shorter == longer[:k] + longer[k + 1 :] for k in range(len(longer)))


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, found in SCALES.items() for name in found])
def test_the_neighbours_of_a_failed_proof(module, name):
    file = FIXTURES / "hidden" / f"{module}.py"
    spec = importlib.util.spec_from_file_location(f"hidden_{module}", file)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)

    found = search(*targets(file)[name], 30.0)

    assert found.proof is None
    assert found.hint is not None, found.reason
    one, two = found.hint.first, found.hint.second
    assert differ_by_one_record(one, two)
    answers = [getattr(loaded, name)(Silent(), data) for data in (one, two)]
    assert abs(answers[0] - answers[1]) > SCALES[module][name]


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, found in SCALES.items() for name in found])
def test_their_right_twins_are_proved(module, name):
    found = search(*targets(FIXTURES / "hidden" / f"{module}.py")[f"{name}_right"], 30.0)

    assert found.proof is not None, found.reason
