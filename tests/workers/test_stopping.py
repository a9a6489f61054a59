"""A check that is asked to end: what is known so far is reported, what was not begun says so, no process is left."""

from contextlib import closing

import pytest

from dplint.check import check_paths
from dplint.config import load_settings
from dplint.outcomes import Failed, FailureKind, NoViolation, Progress, Result, StopReason, Underpowered
from dplint.workers.pool import Stop

pytestmark = pytest.mark.process

SLOW = """
import time
from dplint import dp


@dp(epsilon=3.0, neighbors="any", domain=["a", "b"])
def first(rng, answer):
    time.sleep(0.002)
    return answer if rng.random() < 0.7 else "ab"[rng.integers(2)]


@dp(epsilon=3.0, neighbors="any", domain=["a", "b"])
def second(rng, answer):
    time.sleep(0.002)
    return answer if rng.random() < 0.6 else "ab"[rng.integers(2)]
"""
"""Half an hour for StatDP's test of the profile nightly, each; and so much time that nobody waits for it."""


def checked(tmp_path, stop, asks, **settings):
    """The outcomes by function, of a check that is asked to end once an event lets `asks` say so."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "slow.py").write_text(SLOW)
    outcomes = {}
    loaded = load_settings(tmp_path, {"jobs": 1, "profile": "nightly", "cache": False, **settings})
    with closing(check_paths([tmp_path / "slow.py"], loaded, stop)) as events:
        for event in events:
            if isinstance(event, Progress) and asks(event):
                stop.request()
            if isinstance(event, Result):
                outcomes[event.mechanism.qualname] = event.outcome
    return outcomes


def test_statdp_says_nothing_before_its_end(tmp_path, nothing_left):
    outcomes = checked(tmp_path, Stop(), lambda progress: progress.done > 0, method="statdp")

    assert {outcome.kind for outcome in outcomes.values()} == {FailureKind.CANCELLED}
    assert "before its test was complete" in outcomes["first"].reason
    assert "before this audit began" in outcomes["second"].reason


def test_the_anytime_test_tells_what_it_knows(tmp_path, nothing_left):
    outcomes = checked(tmp_path, Stop(), lambda progress: progress.done > 1000, method="anytime")

    assert isinstance(outcomes["first"], NoViolation | Underpowered)
    assert outcomes["first"].effort.stop is StopReason.CANCELLED
    assert outcomes["first"].effort.runs > 0
    assert isinstance(outcomes["second"], Failed)


def test_a_request_before_the_first_audit_leaves_nothing_to_do(tmp_path, nothing_left):
    stop = Stop()
    stop.request()
    outcomes = checked(tmp_path, stop, lambda progress: False, method="statdp")

    assert {type(outcome) for outcome in outcomes.values()} == {Failed}
    assert {outcome.kind for outcome in outcomes.values()} == {FailureKind.CANCELLED}


@pytest.mark.parametrize("early", [True, False])
def test_a_listener_hears_once(early):
    stop, heard = Stop(), []
    if early:
        stop.tell(lambda: heard.append(stop.requested))
    stop.request()
    stop.request()
    if not early:
        stop.tell(lambda: heard.append(stop.requested))

    assert heard == [True]
