"""What watched runs tell of the cause of a violation, and what is shown where an exception refutes the claim, too."""

from __future__ import annotations

import pytest

from dplint.audit.betting import simpler
from dplint.outcomes import Violation
from tests.audit.conftest import outcome_of
from tests.rules.snippets import findings_in

PREAMBLE = "import numpy as np\nfrom dplint import dp\n\n"
CALLED = " + 0 * eval('0')"
"""Keeps a function from being read, so that it is called."""

SPLIT = """
@dp(epsilon=1.0, neighbors="linf", args={"verbose": False})
def split(rng, queries, verbose=False):
    if verbose:
        return list(queries)
    return queries[0] + rng.laplace(scale=0.1)END
"""
SHORT = """
@dp(epsilon=1.0, neighbors="add-remove", domain=(0, 1))
def short(rng, values):
    if len(values) == 0:
        raise ValueError("no data")
    return sum(values) + rng.laplace(scale=SCALE)END
"""


def one_of(targets, source):
    (target,) = targets(PREAMBLE + source).values()
    return target


@pytest.mark.process
@pytest.mark.parametrize("called", [False, True])
def test_lines_that_the_witness_does_not_take_are_known(targets, called):
    target = one_of(targets, SPLIT.replace("END", CALLED if called else ""))
    outcome = outcome_of(target, max_runs=100_000)

    assert isinstance(outcome, Violation)
    assert [one.text for one in outcome.watched.skipped] == ["return list(queries)"]
    assert [one.below for one in outcome.watched.skipped] == [2]
    assert not outcome.watched.crash


@pytest.mark.process
@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize(("scale", "crash"), [("0.05", False), ("1.0", True)])
def test_an_event_that_is_no_exception_is_shown_where_one_refutes_the_claim(
    request, monkeypatch, targets, scale, crash, called
):
    """Noise of scale 0.05 is twenty times too little, and noise of scale 1 is right: there only the crash is wrong."""
    if called and not request.config.getoption("--nightly"):
        # Millions of calls, in which there is nothing to be found, take a minute. On lanes all are made.
        monkeypatch.setattr(simpler, "_SIMPLER_RUNS", 30_000)
    target = one_of(targets, SHORT.replace("SCALE", scale).replace("END", CALLED if called else ""))
    outcome = outcome_of(target, max_runs=100_000)

    assert isinstance(outcome, Violation)
    witness = outcome.counterexample.witness
    assert (not (witness.d1 and witness.d2)) is crash
    assert outcome.watched.crash is crash
    evidence = outcome.counterexample.evidence
    assert getattr(evidence, "p_value", 0.0) <= 1e-3, "it refutes the claim by itself"


def test_a_finding_knows_the_text_of_its_line_and_of_the_one_where_it_has_its_effect():
    (branch,) = (one for one in findings_in(SHORT.replace("SCALE", "1.0").replace("END", "")) if one.code == "DP205")

    assert branch.text == "if len(values) == 0:"
    assert [one.text for one in branch.related] == ["", 'raise ValueError("no data")']


def test_what_has_its_effect_in_several_places_waits_for_none_of_them():
    source = """
    @dp(epsilon="epsilon", neighbors="l1")
    def large(rng, values, epsilon):
        if sum(values) > 1000:
            return 1
        return 2
    """
    (finding,) = (one for one in findings_in(source) if one.code == "DP205")

    assert not any(one.text for one in finding.related)
