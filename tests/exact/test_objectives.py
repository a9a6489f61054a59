"""What the search climbs by where no losses can be computed: counts of runs."""

import math
import sys

import pytest

from dplint.audit.exact.worst import WorstInputs
from dplint.audit.procedure import Facts
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditSettings, WorstJob


def found(target, seconds, epsilon=1.0, mechanism=None, *, compare=False):
    mechanism = mechanism or target.mechanism
    settings = AuditSettings(method="anytime", epsilons=(epsilon,), seed=3, interpreter=sys.executable)
    job = WorstJob(mechanism=mechanism, program=target.program, settings=settings, seconds=seconds, compare=compare)
    with AuditSession(job, claim_settings(mechanism, (epsilon,)), lambda *_: None) as session:
        return WorstInputs().decide(session, job, Facts((), ()))


def written(tmp_path, body, claim):
    path = tmp_path / "module.py"
    path.write_text(f"from dplint import dp\n\n\n@dp(epsilon=1.0, {claim})\ndef f(rng, data):\n    {body}\n")
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


SQUARED = "return (data[0] + rng.laplace(scale={scale})) ** 2 > 4"
CLAIM = 'neighbors="linf", size=1, domain=(0.0, 1.0)'


@pytest.mark.process
def test_counts_of_runs_bound_what_nothing_computes(tmp_path):
    """P(|x + L| > 2) is e^(-2/s) cosh(x/s): on 0 and 1 the loss is log cosh(1/s), the largest of the domain."""
    worst = found(written(tmp_path, SQUARED.format(scale=0.5), CLAIM), 2.0, compare=True)
    true = math.log(math.cosh(2))
    assert {round(worst.d1[0]), round(worst.d2[0])} == {0, 1}
    assert true - 0.2 < worst.loss.low <= true
    assert worst.loss.high == math.inf
    assert worst.by_runs == 100_000
    assert worst.refutes


@pytest.mark.process
def test_a_right_twin_is_not_accused_by_runs(tmp_path):
    worst = found(written(tmp_path, SQUARED.format(scale=2.0), CLAIM), 2.0, compare=True)
    assert worst.loss.low <= math.log(math.cosh(0.5))
    assert not worst.refutes
