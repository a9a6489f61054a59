"""The exact curve of a sweep: the loss and the deltas of the pair that loses most, held against closed forms."""

from __future__ import annotations

import math
import sys

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditSettings, SweepJob
from dplint.outcomes import Curve

EPSILONS = (0.3, 0.1, 0.6, 0.9)
HEAD = 'from dplint import dp\n\n\n@dp(epsilon="epsilon", neighbors="l1", size=2)\ndef f(rng, queries, epsilon):\n'
LAPLACE = "    return [q + rng.laplace(scale=1.25 / epsilon) for q in queries]\n"
ROUNDED = "    return [round(q + rng.laplace(scale=1 / epsilon)) for q in queries]\n"


def line_of(tmp_path, body, exact_seconds=1.0):
    (tmp_path / "module.py").write_text(HEAD + body)
    (target,) = [one for one in load_file(tmp_path / "module.py", Settings()) if isinstance(one, Target)]
    settings = AuditSettings(
        select_runs=2_000, test_runs=2_000, seed=1, exact_seconds=exact_seconds, interpreter=sys.executable
    )
    job = SweepJob(
        mechanism=target.mechanism, program=target.program, settings=settings, epsilons=EPSILONS, at=(0.5,), level=0.05
    )
    curve = carry_out(job, lambda *_: None)
    assert isinstance(curve, Curve), curve
    (line,) = curve.lines
    return line


@pytest.mark.process
def test_laplace_noise_has_the_loss_and_the_deltas_of_its_closed_form(tmp_path):
    """An entry that moves by 1 under noise of scale 2.5: a loss of 0.4, and 1 - e**((epsilon - 0.4) / 2) below it."""
    found = line_of(tmp_path, LAPLACE).exact
    assert found is not None
    assert found.loss.low == pytest.approx(0.4, abs=1e-9)
    assert found.loss.high == pytest.approx(0.4, abs=1e-9)
    assert math.dist(found.d1, found.d2) == 1
    assert [one.epsilon for one in found.deltas] == sorted(EPSILONS)
    for one in found.deltas:
        expected = max(0.0, 1 - math.exp((one.epsilon - 0.4) / 2))
        assert one.delta.low - 1e-12 <= expected <= one.delta.high + 1e-12
        assert one.delta.high - one.delta.low < 1e-9


@pytest.mark.process
def test_what_is_refused_or_turned_off_says_so_and_the_curve_is_there(tmp_path):
    refused = line_of(tmp_path, ROUNDED)
    assert refused.exact is None
    assert "not computed exactly" in refused.not_exact
    assert "line 6" in refused.not_exact
    assert len(refused.points) == len(EPSILONS)
    off = line_of(tmp_path, LAPLACE, exact_seconds=0.0)
    assert (off.exact, off.not_exact) == (None, "not computed exactly: the settings turn that off")
