"""Over all fixtures with known answers: no error on a right mechanism, and the bugs that are visible are found."""

from __future__ import annotations

import pytest

from benchmarks.rules import Judged, judge_fixtures
from dplint.outcomes import Severity

JUDGED = judge_fixtures()
RIGHT = [one for one in JUDGED if one.right]
WRONG = [one for one in JUDGED if not one.right]


def test_there_are_mechanisms_of_both_kinds() -> None:
    assert len(RIGHT) >= 40
    assert len(WRONG) >= 40


@pytest.mark.parametrize("judged", RIGHT, ids=lambda one: one.name)
def test_right_mechanisms_have_no_finding(judged: Judged) -> None:
    assert [(one.code, one.message) for one in judged.findings if one.severity is not Severity.INFO] == []


EXPECTED = {
    "statdp/histogram_eps": "DP101",
    "statdp/noisy_max_v1b": "DP207",
    "statdp/noisy_max_v2b": "DP207",
    "statdp/isvt1": "DP205",
    "statdp/isvt2": "DP402",
    "statdp/isvt3": "DP103",
    "statdp/isvt4": "DP206",
    "checkdp/bad_noisy_max": "DP207",
    "checkdp/bad_smart_sum": "DP201",
    "checkdp/bad_gap_svt": "DP206",
    "checkdp/bad_svt1": "DP205",
    "checkdp/bad_svt2": "DP402",
    "checkdp/bad_svt3": "DP103",
    "dpfinder/alg5": "DP205",
    "dpsniper/prefix_sum": "DP501",
    "realistic/adults": "DP101",
    "realistic/mean_income_quick": "DP202",
    "realistic/mean_of_noisy_sum": "DP204",
    "realistic/mean_within_range": "DP203",
    "realistic/people_by_known_district": "DP203",
    "realistic/best_site_score": "DP207",
    "arguments/choose_leaks": "DP208",
    "arguments/block_sum_leaks": "DP106",
    "arguments/windowed_sum_leaks": "DP101",
    "arguments/paged_leaks": "DP201",
}


@pytest.mark.parametrize(("name", "code"), EXPECTED.items())
def test_a_bug_is_found_by_the_rule_that_is_about_it(name: str, code: str) -> None:
    judged = next(one for one in WRONG if one.name == name)

    assert code in {one.code for one in judged.findings}
