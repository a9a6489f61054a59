"""The search for the worst input: it comes to what is known to be worst, and says which branches it went through."""

import math

import pytest

from dplint.audit.exact.worst import WorstSearch, branch_covers
from dplint.audit.inputs import find_choices
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.inputs.pairs import are_neighbours
from dplint.jobs import AuditSettings, WorstJob
from dplint.outcomes import Taken
from tests.exact.exact_tools import targets


def searched(target, seconds, *, patterns, enough=math.inf, seed=1):
    settings = AuditSettings(method="anytime", epsilons=(0.1,), seed=seed)
    job = WorstJob(mechanism=target.mechanism, program=target.program, settings=settings, seconds=seconds)
    with AuditSession(job, claim_settings(target.mechanism, (0.1,)), lambda *_: None) as session:
        setting = session.claimed[0]
        (choice, *_) = find_choices(job, session, setting.fitting(session.find_pairs()), setting, quick=True)
        search = WorstSearch(session, target.program, choice, setting, seconds, patterns=patterns)
        search.run(enough)
        return search, branch_covers(session, target.program, search.computed)


def written(tmp_path, body, claim):
    path = tmp_path / "module.py"
    path.write_text(f"from dplint import dp\n\n\n@dp(epsilon=1.0, {claim})\ndef f(rng, data):\n    {body}\n")
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


@pytest.mark.parametrize(
    ("file", "name", "supremum"),
    [
        ("sparse_vector.py", "alg3", 0.2),  # n epsilon / (2 c) for four answers, attained
        ("sparse_vector.py", "alg5", math.inf),
        ("selection.py", "exp_mech", 0.1),
        ("sums.py", "private_sum", 0.1),
    ],
)
def test_random_pairs_are_climbed_from_to_the_supremum(file, name, supremum):
    target = targets(f"dpfinder/{file}")[name]
    search, _ = searched(target, 10.0, patterns=False, enough=0.99 * supremum)
    assert 0.99 * supremum <= search.worst.loss.low <= supremum + 1e-9
    assert all(are_neighbours(target.mechanism, one.pair.d1, one.pair.d2) for one in search.computed)


SIGNS = "return (1.0 if {gate} else 0.0) + rng.laplace(scale=1.0)"


@pytest.mark.parametrize(
    ("gate", "claim", "taken", "impossible"),
    [
        ("data[0] > 3", 'neighbors="linf", size=2, domain=(0.0, 10.0)', Taken.BOTH, ()),
        ("data[0] + data[1] > 20", 'neighbors="linf", size=2, domain=(0.0, 10.0)', Taken.ONLY_FALSE, (True,)),
        # The claim does not name the lengths: nobody knows what longer data do.
        ("sum(data) > 1e7", 'neighbors="add-remove", domain=(0, 9)', Taken.ONLY_FALSE, ()),
        # Possible, but too far away for the search: no certificate.
        ("data[0] ** 2 > 1e40", 'neighbors="linf", size=2', Taken.ONLY_FALSE, ()),
    ],
)
def test_branches_that_were_taken_and_those_that_cannot_be(gate, claim, taken, impossible, tmp_path):
    _, covers = searched(written(tmp_path, SIGNS.format(gate=gate), claim), 0.3, patterns=True)
    (cover,) = covers
    assert (cover.line, cover.taken, cover.impossible) == (6, taken, impossible)


def test_a_branch_on_noise_is_no_branch_of_data(tmp_path):
    body = "return (1.0 if data[0] + rng.laplace(scale=1.0) > 3 else 0.0)"
    _, covers = searched(written(tmp_path, body, 'neighbors="linf", size=1'), 0.2, patterns=True)
    assert covers == ()


def test_those_who_wait_see_the_climb_and_the_input(tmp_path):
    """A curve of the losses so far, against the claim or the largest of them, and the input in few digits."""
    target = written(tmp_path, "return data[0] + rng.laplace(scale=1.0)", 'neighbors="linf", size=1')
    settings = AuditSettings(method="anytime", epsilons=(1.0,), seed=1)
    job = WorstJob(mechanism=target.mechanism, program=target.program, settings=settings, seconds=1.0)
    told = []
    with AuditSession(job, claim_settings(target.mechanism, (1.0,)), lambda phase, *_: told.append(phase)) as session:
        setting = session.claimed[0]
        (choice, *_) = find_choices(job, session, setting.fitting(session.find_pairs()), setting, quick=True)
        WorstSearch(session, target.program, choice, setting, 1.0).run(enough=0.99)
    climbing = [one for one in told if one.startswith("climbing")]
    assert climbing[-1] == "climbing [           @] 1 of 1 on 1 inputs: [1], [2]"
