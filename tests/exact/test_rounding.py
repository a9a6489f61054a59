"""Places that differ only as rounded floats do: what is possible between them is what rounding made, and shows nothing.

The piecewise mechanism of Wang et al., "Collecting and Analyzing Multidimensional Data with Local Differential Privacy"
(ICDE 2019), loses epsilon exactly on each pair: its density is one number within a window, and e^-epsilon times that
beside it. Its ends are computed, so that in floats they miss each other by some 1e-16.
"""

import math
import sys

import pytest

from dplint.audit.exact.procedure import exact_procedures
from dplint.audit.procedures import audit
from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Impossible, Untestable
from tests.audit.procedure_tools import Handmade
from tests.exact.exact_tools import largest, losses

PIECEWISE = """
import math
from dplint import dp

@dp(epsilon="epsilon", neighbors="any", domain=(-1.0, 1.0))
def piecewise(rng, t, epsilon):
    z = math.exp(epsilon / 2)
    C = (z + 1) / (z - 1)
    l = (C + 1) / 2 * t - (C - 1) / 2
    r = l + C - 1
    if rng.random() < z / (z + 1):
        return rng.uniform(l, r)
    left = l + C
    right = C - r
    u = rng.uniform(0, left + right)
    return -C + u if u < left else r + (u - left)
"""
WIDE = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="any", domain=(-1.0, 1.0))
def wide(rng, t, epsilon):
    return rng.uniform(t * 1e-6, 1.0)
"""
RARE = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="any", domain=(-1.0, 1.0))
def rare(rng, t, epsilon):
    limit = 0.1 + 0.2 - 0.3 if t > 0 else 0.0
    return 1 if rng.random() < limit else 0
"""


def target_of(source, folder):
    (folder / "module.py").write_text(source)
    (target,) = load_file(folder / "module.py", Settings())
    return target


@pytest.mark.parametrize(("d1", "d2"), [(-1.0, 0.6323418066797841), (-1.0, 1.0), (0.3, -0.7), (1.0, -0.9)])
@pytest.mark.parametrize("epsilon", [0.2, 0.7, 1.5])
def test_the_piecewise_mechanism_loses_its_epsilon(tmp_path, d1, d2, epsilon):
    found = losses(target_of(PIECEWISE, tmp_path).program, d1, d2, epsilon=epsilon)
    for side in (found.forwards, found.backwards):
        low, high = largest(side)
        assert low <= epsilon + 1e-9, "no more than it loses is ever certain"
        assert high >= epsilon - 1e-9


def test_what_is_wide_is_still_impossible(tmp_path):
    """The support of D2 begins 2e-6 later: 2e-6 of the length 1 + 1e-6 that D1 is spread over."""
    found = losses(target_of(WIDE, tmp_path).program, -1.0, 1.0, epsilon=1.0)
    (row,) = found.forwards
    assert row.loss.low == math.inf
    assert isinstance(row.infinite, Impossible)
    assert row.infinite.mass.middle == pytest.approx(2e-6 / (1 + 1e-6), rel=1e-9)


@pytest.mark.process
@pytest.mark.parametrize("source", [PIECEWISE, RARE])
def test_nothing_is_refuted_by_what_rounding_made(tmp_path, source):
    """0.1 + 0.2 - 0.3 is 5.6e-17 in floats, and so the probability of an output that is impossible in real numbers."""
    target, nothing = target_of(source, tmp_path), Untestable(reason="nobody else was asked")
    settings = AuditSettings(
        method="anytime", exact_seconds=2.0, epsilons=(0.2, 0.7), seed=1, interpreter=sys.executable
    )
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings)

    outcome = audit(job, lambda *_: None, (*exact_procedures(), Handmade(nothing))).outcome

    assert outcome == nothing
