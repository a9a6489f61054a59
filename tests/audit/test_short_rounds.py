"""Rounds at the end of a budget, in which there is no time to look for events anew."""

from __future__ import annotations

import time

import pytest

from dplint.audit.betting import proposing as pace_module
from dplint.audit.betting.input_groups import InputGroup
from dplint.audit.betting.rounds import Rounds
from dplint.outcomes import NoViolation, Violation
from dplint.runner import time_had
from tests.audit.conftest import outcome_of, read_fixtures

pytestmark = pytest.mark.process

TARGETS = read_fixtures("statdp") | read_fixtures("checkdp")


@pytest.fixture
def played(monkeypatch):
    """What each turn did, of audits whose turns are all short from the fourth round on, however slow runs are."""
    monkeypatch.setattr(pace_module, "_SHORT", float("inf"))
    monkeypatch.setattr(pace_module, "_OF_RUNS", 0.99)  # else there may be no time left for more runs
    monkeypatch.setattr(time_had, "now", time.process_time)  # a busy machine would leave little of the budget
    found: list[tuple[int, list[str]]] = []

    def noted(owner, name):
        inner = getattr(owner, name)

        def noting(self, *given, **named):
            if found:
                found[-1][1].append(name)
            return inner(self, *given, **named)

        monkeypatch.setattr(owner, name, noting)

    turn = Rounds._turn

    def begun(self, claim_test, number):
        found.append((number, []))
        yield from turn(self, claim_test, number)

    monkeypatch.setattr(Rounds, "_turn", begun)
    for owner, name in ((InputGroup, "renew"), (InputGroup, "screen"), (InputGroup, "deepen")):
        noted(owner, name)
    return found


def bets_on(name):
    """The outcome of bets for three seconds of the processor: half a dozen rounds."""
    return outcome_of(TARGETS[name], budget=3.0, max_runs=None, exact_seconds=0.0, proof_seconds=0.0)


def test_short_rounds_make_more_runs_of_what_is_known(played):
    assert isinstance(bets_on("gap_svt"), NoViolation)

    assert all("screen" in done for number, done in played if number < 3)
    short = [done for number, done in played if number >= 3 and not {"screen", "renew"} & {*done}]
    assert short
    assert all("deepen" in done for done in short[:-1]), "the last may have ended before"
    looking = [done for _, done in played if "renew" in done]
    assert all("screen" in done for done in looking[:-1]), "the last may have ended between the two"


def test_where_there_is_time_events_are_looked_for_in_each_round(played, monkeypatch):
    monkeypatch.setattr(pace_module, "_SHORT", 0.0)

    assert isinstance(bets_on("gap_svt"), NoViolation)

    assert max(number for number, _ in played) >= 3
    assert all("screen" in done for _, done in played[:-1])


def test_what_is_wrong_is_found_all_the_same(played):
    assert isinstance(bets_on("isvt3"), Violation)
    assert isinstance(bets_on("isvt4"), Violation)
