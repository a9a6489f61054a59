"""On all fixtures that lower and are followed: the masses of all paths add up to one, and agree with lanes.

One file of fixtures in every run of the tests, all at night, each mechanism on the first pair of its claim with the
arguments that an audit chooses first.
"""

import pytest

from dplint.audit.comparing import NotPlain, program_arguments
from dplint.audit.inputs import find_choices
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.inputs.pairs import NoPairs
from dplint.jobs import AuditSettings, WorstJob
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Limits, losses_of_pair
from tests.exact.exact_tools import ROOT
from tests.exact.test_exact_against_runs import agrees, sampled

LIMITS = Limits(paths=300, steps=6_000)
FILES = sorted(path for path in (ROOT / "fixtures").rglob("*.py") if path.parent.name != "broken")
ROUNDED = {("randomness.py", "repeated")}
"""The same noise is added and subtracted, which is exact in real numbers alone."""
LEAST = 250
"""Mechanisms that are compared at night."""


def inputs(target):
    """Both sides of the first pair, as the program takes them; nothing where nobody has such inputs by the source."""
    mechanism = target.mechanism
    if mechanism.claim.pairs is not None or mechanism.claim.make is not None:
        return []
    settings = AuditSettings(method="anytime", epsilons=(0.7,), seed=1)
    job = WorstJob(mechanism=mechanism, program=target.program, settings=settings, seconds=1.0)
    try:
        with AuditSession(job, claim_settings(mechanism, (0.7,)), lambda *_: None) as session:
            setting = session.claimed[0]
            pairs = setting.fitting(session.find_pairs())
            (choice, *_) = find_choices(job, session, pairs, setting, quick=True)
            sides = [session.data_value(pairs[0], side) for side in (1, 2)]
            return [program_arguments(target.program, mechanism, side, choice.values) for side in sides]
    except (NoPairs, NotPlain, ValueError, IndexError):
        return []


def compared(path):
    """How many mechanisms of a file were held against lanes."""
    count = 0
    for target in load_file(path, Settings()):
        if not isinstance(target, Target) or not isinstance(target.program, Program):
            continue
        given = inputs(target)
        try:
            found = losses_of_pair(target.program, *given, limits=LIMITS) if given else None
        except UnsupportedConstruct:
            continue
        for side, law in enumerate(found.laws if found is not None else ()):
            outputs = sampled(target.program, given[side], side)
            if (path.name, target.mechanism.qualname) not in ROUNDED:
                count += agrees(found, law, outputs, target.mechanism.qualname)
    return count


def test_masses_of_one_file():
    assert compared(ROOT / "fixtures" / "checkdp" / "sparse_vector.py") > 4


@pytest.mark.nightly
def test_masses_of_all_fixtures():
    assert sum(map(compared, FILES)) > LEAST
