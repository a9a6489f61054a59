"""What is proved of the fixtures, and above all what is not: no wrong mechanism, at any length at which it is wrong.

Who is right is in the tables of truth, which closed forms and quadrature verify.
"""

import pytest

from dplint.proofs.proving import NoProof
from tests.proofs.proof_tools import for_every_length, mechanisms, up_to

ALL = {(folder, name): (program, mechanism, right) for folder, name, program, mechanism, right in mechanisms()}
WRONG = sorted(key for key, (_, _, right) in ALL.items() if right is False)
EVERY_LENGTH = [
    ("statdp", "histogram"),
    ("statdp", "svt"),
    ("checkdp", "num_svt"),
    ("checkdp", "gap_svt"),
    ("checkdp", "adaptive_svt"),
    ("checkdp", "svt"),
    ("checkdp", "partial_sum"),
    ("checkdp", "smart_sum"),
    ("dpsniper", "svt2"),
    ("dpsniper", "numerical_svt"),
    ("dpfinder", "alg1"),
    ("dpfinder", "alg2"),
    ("arguments", "far_threshold"),
    ("arguments", "histogram_verbose"),
    ("dpfinder", "private_sum"),
    ("arguments", "capped_sum"),
    ("arguments", "report_mode"),
    ("arguments", "windowed_sum"),
    ("arguments", "block_sum"),
    ("realistic", "visitor_counts"),
    ("realistic", "residents"),
    ("realistic", "residents_from"),
    ("realistic", "by_decade"),
    ("realistic", "people_by_district"),
    ("realistic", "mean_income"),
    ("realistic", "mean_of_parts"),
]
BOUNDED = [
    ("statdp", "noisy_max_v1a"),
    ("statdp", "noisy_max_v2a"),
    ("checkdp", "noisy_max"),
    ("dpfinder", "exp_mech"),
    ("dpfinder", "report_noisy_max"),
    ("dpsniper", "laplace_mechanism"),
    ("dpsniper", "laplace_parallel"),
    ("arguments", "choose"),
    ("arguments", "nested"),
    ("arguments", "paged"),
    ("realistic", "best_site"),
]
PRIVATE_UP_TO = {
    "noisy_max_v1b": 2,  # n * epsilon / 2
    "bad_noisy_max": 2,  # the same
    "isvt1": 1,  # two answers whose order changes
    "bad_svt1": 1,
    "alg5": 1,
    "isvt2": 2,  # n * epsilon / 2
    "bad_svt2": 2,
    "above_threshold": 2,
    "isvt3": 1,  # the threshold alone pays for one answer, as it does for any
    "bad_svt3": 1,
    "alg4": 1,
    "isvt4": 2,  # n * epsilon / (2 * N)
    "alg3": 2,
    "bad_gap_svt": 4,  # n * epsilon / 4
    "bad_adaptive_svt": 3,  # (3 * n - 2) / 8 * epsilon
    "bad_smart_sum": 1,  # no block is complete
    "prefix_sum": 1,
    "svt34_parallel": 2,
    "choose_leaks": 1,  # of one score the index is 0
}
"""Up to which length a wrong mechanism keeps its claim, by the closed forms of the tables of truth."""


@pytest.mark.parametrize("key", WRONG, ids="/".join)
def test_no_wrong_mechanism_is_proved_for_every_length(key):
    program, mechanism, _ = ALL[key]

    found, _ = for_every_length(program, mechanism)

    assert isinstance(found, NoProof)


@pytest.mark.parametrize("key", WRONG, ids="/".join)
def test_no_wrong_mechanism_is_proved_for_a_length_at_which_it_is_wrong(key):
    program, mechanism, _ = ALL[key]
    first_wrong = PRIVATE_UP_TO.get(key[1], 0) + 1
    if first_wrong > 3:
        pytest.skip("see the nightly test")

    found, _ = up_to(program, mechanism, first_wrong)

    assert isinstance(found, NoProof)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["bad_gap_svt", "bad_adaptive_svt"])
def test_the_two_that_are_private_for_short_data_are_not_proved_for_longer(name):
    program, mechanism, _ = ALL["checkdp", name]

    found, _ = up_to(program, mechanism, PRIVATE_UP_TO[name] + 1)

    assert isinstance(found, NoProof)


@pytest.mark.parametrize("key", EVERY_LENGTH, ids="/".join)
def test_right_mechanisms_that_are_proved_for_every_length(key):
    program, mechanism, _ = ALL[key]

    found, _ = for_every_length(program, mechanism)

    assert not isinstance(found, NoProof), found


@pytest.mark.parametrize("key", BOUNDED, ids="/".join)
def test_right_mechanisms_that_are_proved_for_two_values(key):
    program, mechanism, _ = ALL[key]

    found, _ = up_to(program, mechanism, 2)

    assert not isinstance(found, NoProof), found


def test_a_failed_proof_names_the_pair_that_betrays_the_claim():
    """The wrong histogram: its scale is epsilon, so one count that moves by 1 costs 1 / epsilon."""
    program, mechanism, _ = ALL["statdp", "histogram_eps"]

    found, _ = up_to(program, mechanism, 1)

    assert isinstance(found, NoProof)
    assert found.hint is not None
    (one,), (two,) = found.hint.first, found.hint.second
    epsilon = found.hint.arguments["epsilon"]
    # Noise of scale epsilon on a count that moves so far costs the move over epsilon.
    assert abs(one - two) / epsilon > epsilon
    assert "for the noise of line" in found.reason
    assert "D1 gives [...]" in found.reason
