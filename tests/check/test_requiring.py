"""The setting `require-proof`: what is not proved is a finding, unless it is reported for worse."""

from dataclasses import replace
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.check.judging import Silencing, unproved
from dplint.check.loading import load_text
from dplint.config import load_settings
from dplint.outcomes import Failed, FailureKind, Finding, Silenced, Sizes, Untestable
from dplint.report.gathered import exit_code, gather
from tests.report.evidence_samples import EXACT, SVT_PROOF
from tests.report.report_samples import NO_VIOLATION as NOTHING

MECHANISM, VIOLATION = EXACT.mechanism, EXACT.outcome
FULL = replace(SVT_PROOF, scope=replace(SVT_PROOF.scope, sizes=Sizes(0, None)))
BOUNDED = replace(SVT_PROOF, scope=replace(SVT_PROOF.scope, sizes=Sizes(0, 5)))


def settings(**values):
    return load_settings(Path(), values)


def message(outcome, **values):
    found = unproved(MECHANISM, outcome, settings(**values))
    return None if found is None else found.message


def test_nothing_is_asked_for_by_default():
    assert message(NOTHING) is None


@pytest.mark.parametrize("asked", ["bounded", "full"])
def test_what_is_proved_and_what_is_worse(asked):
    failed = Failed(kind=FailureKind.IMPORT, reason="no module")

    assert [message(one, require_proof=asked) for one in (FULL, VIOLATION, failed)] == [None] * 3


def test_a_bounded_proof():
    assert message(BOUNDED, require_proof="bounded") is None
    assert "for a part of the claim only" in message(BOUNDED, require_proof="full")


def test_the_reason_is_that_of_the_search():
    told = replace(NOTHING, effort=replace(NOTHING.effort, notes=("no proof by shifts of the noise: of `round`",)))

    assert message(told, require_proof="full").endswith("asks for a proof: of `round`")
    assert "proofs = false" in message(NOTHING, require_proof="full", proofs=False)
    assert "in seconds" in message(NOTHING, require_proof="full", runs=5)
    assert message(Untestable(reason="it is a generator"), require_proof="full").endswith("it is a generator")


SOURCE = """\
from dplint import dp


@dp(epsilon="epsilon", neighbors="linf", size=1){comment}
def without(rng, answers, epsilon):
    return round(answers[0]) + rng.laplace(scale=2 / epsilon)
"""


@pytest.mark.parametrize(("comment", "kind"), [("", Finding), ("  # dplint: ignore[DP910] looked at", Silenced)])
def test_comments(tmp_path, comment, kind):
    """It is about the function, as a verdict is: a comment at a decorator silences it."""
    asked = settings(require_proof="full")
    loaded = load_text(tmp_path / "release.py", SOURCE.format(comment=comment).encode(), asked)
    silencing = Silencing()
    silencing.enter(loaded)
    missing = unproved(loaded.pending[0].mechanism, NOTHING, asked)

    assert isinstance(silencing.finding(missing, asked), kind)


@pytest.mark.process
def test_a_check(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nrequire-proof = 'full'\n")
    (tmp_path / "release.py").write_text(SOURCE.format(comment=""))
    values = {"budget": 0.5, "cache": False, "exact": False}
    events = list(check_paths([tmp_path / "release.py"], load_settings(tmp_path, values)))

    assert [(one.code, one.function) for one in events if isinstance(one, Finding)] == [("DP910", "without")]
    assert exit_code(gather(events)) == 1
