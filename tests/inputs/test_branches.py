"""Pairs that branches ask for: neighbours that the claim speaks of, on the two sides of the branch."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check.loading import Target, load_file
from dplint.claims import Interval
from dplint.config import Settings
from dplint.inputs.arguments_free import sort_parameters
from dplint.inputs.branches import BranchSearch
from dplint.inputs.forms import data_form
from dplint.inputs.pairs import are_neighbours

HIDDEN = Path(__file__).resolve().parents[2] / "fixtures" / "hidden"
TRUTH = json.loads((HIDDEN / "truth.json").read_text())


def mechanism(tmp_path, body, claim, parameters="rng, data"):
    path = tmp_path / "module.py"
    path.write_text(f"from dplint import dp\n\n\n@dp(epsilon=1.0, {claim})\ndef f({parameters}):\n    {body}\n")
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


def search(target, size=3, free=()):
    return BranchSearch(target.program, target.mechanism, {}, free, data_form(target.mechanism), size)


GATES = {
    "a lead": ("data[0] > data[1] + 8.5", 'neighbors="linf", size=3', lambda d: d[0] > d[1] + 8.5),
    "equal entries": ("data[0] == data[2]", 'neighbors="l1", size=3', lambda d: d[0] == d[2]),
    "a Euclidean move": ("data[0] + data[1] > 7.3", 'neighbors="l2", size=3', lambda d: d[0] + d[1] > 7.3),
    "one direction": ("data[0] - data[1] > 4.9", 'neighbors="linf-monotone", size=3', lambda d: d[0] - d[1] > 4.9),
    "a record": (
        "data[1] == 17",
        'neighbors="replace-one", size=3, domain=(0, 99)',
        lambda d: d[1] == 17,
    ),
    "one value": ("data == 404", 'neighbors="any", domain=(0, 1000)', lambda d: d == 404),
    "a category": (
        'data[0] == "b"',
        'neighbors="replace-one", size=3, domain=["a", "b", "c"]',
        lambda d: d[0] == "b",
    ),
}


@pytest.mark.parametrize("name", GATES)
def test_the_first_pair_has_a_side_on_either_way(name, tmp_path):
    gate, claim, python = GATES[name]
    target = mechanism(tmp_path, f"return (1.0 if {gate} else 0.0) + rng.laplace(scale=1.0)", claim)
    first, *others = search(target, 1 if "any" in claim else 3).found()
    assert python(first.pair.d1) != python(first.pair.d2)
    for one in (first, *others):
        assert are_neighbours(target.mechanism, one.pair.d1, one.pair.d2), one
    assert {python(one.pair.d1) for one in (first, *others)} == {True, False}


def test_one_record_more_may_be_what_a_branch_asks_for(tmp_path):
    """No record of the shorter side is compared with 17 in the turn that only the longer side has."""
    body = "return sum(1 for one in data if one == 17) + rng.laplace(scale=1.0)"
    target = mechanism(tmp_path, body, 'neighbors="add-remove", domain=(0, 99)')
    counts = [(one.pair.d1.count(17), one.pair.d2.count(17)) for one in search(target).found()]
    assert any(one != two for one, two in counts)


def test_a_comparison_with_noise_is_not_asked_about(tmp_path):
    target = mechanism(tmp_path, "return data[0] + rng.laplace(scale=1.0) > 5", 'neighbors="linf", size=3')
    assert list(search(target).found()) == []


def test_an_argument_is_looked_for_beside_the_data(tmp_path):
    body = "return data[0] + (2.0 if T > 6.5 and data[1] > T + 3 else 0.0) + rng.laplace(scale=1.0)"
    target = mechanism(tmp_path, body, 'neighbors="linf", size=2, args={"T": (0.0, 10.0)}', "rng, data, T")
    free = sort_parameters(target.program, target.mechanism, {}).free
    assert dict(target.mechanism.claim.args)["T"] == Interval(0.0, 10.0, False)
    found = list(search(target, 2, free).found())

    def gate(data, T):
        return T > 6.5 and data[1] > T + 3

    assert any(gate(one.pair.d1, **one.arguments) != gate(one.pair.d2, **one.arguments) for one in found)


def test_the_same_question_has_the_same_answer(tmp_path):
    gate, claim, _ = GATES["a lead"]
    target = mechanism(tmp_path, f"return (1.0 if {gate} else 0.0) + rng.laplace(scale=1.0)", claim)
    assert list(search(target).found()) == list(search(target).found())


@pytest.mark.parametrize("file", ["leads", pytest.param("shapes", marks=pytest.mark.nightly)])
def test_all_proposals_are_such_as_the_claim_speaks_of(file):
    """A pair that is none could be a false alarm; those who try it look once more."""
    for target in load_file(HIDDEN / f"{file}.py", Settings()):
        assert isinstance(target, Target)
        size = (target.mechanism.claim.size or (5,))[0]
        claim = replace(target.mechanism.claim, size=None)
        given = {"T": 1.0} if "T" in target.program.parameters else {}
        found = list(replace(search(target, size), known=given).found())
        for one in found:
            assert are_neighbours(replace(target.mechanism, claim=claim), one.pair.d1, one.pair.d2), one
