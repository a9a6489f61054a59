"""What a baseline knows of verdicts: which function, what it was, and nothing that failed."""

from dataclasses import replace

import pytest
import report_samples as samples

from dplint.outcomes import Result
from dplint.report.fingerprints import BaselineError, baseline_text, read_baseline, without_known
from dplint.report.gathered import exit_code, gather


def no_source(_file, _line):
    return None


def same(file):
    return file


def left(events, known):
    return without_known(gather(events), read_baseline(known), no_source, same)


KNOWN = baseline_text(gather(samples.EVENTS), no_source, same)
VIOLATION = samples.RESULTS[0]


def test_all_that_is_reported_is_known_but_for_what_failed():
    rest = left(samples.EVENTS, KNOWN)
    assert exit_code(rest) == exit_code(gather((samples.RESULTS[9],))) == 2
    assert rest.findings == ()
    assert {type(one.outcome).__name__ for one in rest.results} == {"Failed", "NoViolation", "Proved"}
    assert len(rest.known) + len(rest.results) == len(gather(samples.EVENTS).results) + len(samples.FINDINGS)


def test_a_verdict_with_other_numbers_is_the_same_one():
    worse = replace(VIOLATION, outcome=replace(VIOLATION.outcome, epsilon_lower=99.0))
    assert left((worse,), KNOWN).results == ()


@pytest.mark.parametrize("change", [{"digest": "0" * 32}, {"qualname": "another"}, {"file": "src/other.py"}])
def test_a_verdict_on_something_else_is_new(change):
    other = Result(replace(VIOLATION.mechanism, **change), VIOLATION.outcome)
    assert left((other,), KNOWN).results == (other,)


def test_writing_again_keeps_what_is_known():
    gathered = left(samples.EVENTS, KNOWN)
    assert baseline_text(gathered, no_source, same) == KNOWN


def test_an_empty_baseline_knows_nothing():
    empty = baseline_text(gather(()), no_source, same)
    assert read_baseline(empty) == frozenset()
    assert left((VIOLATION,), empty).results == (VIOLATION,)


def test_a_cut_baseline_is_none():
    for length in range(len(KNOWN) - 1):
        with pytest.raises(BaselineError):
            read_baseline(KNOWN[:length])
