"""`--statistics`: counts by code and verdict, runs and seconds."""

import report_samples as samples

from dplint.outcomes import Result, Silenced
from dplint.report.gathered import gather
from dplint.report.tally import tally, tally_json


def test_counts_by_code_the_most_frequent_first():
    found = tally_json(gather(samples.EVENTS), 2.5)
    assert list(found["codes"].items()) == [
        ("DP901", 6), ("DP001", 1), ("DP101", 1), ("DP904", 1), ("DP905", 1), ("DP909", 1),
        ("error", 1),
    ]  # fmt: skip
    assert found["verdicts"] == {
        "violation": 6, "proved": 1, "no violation found": 1, "underpowered": 1, "untestable": 1, "failed": 1,
    }  # fmt: skip
    assert (found["runs"], found["earlier_runs"], found["seconds"]) == (8 * 3_600_000 + 4_100, 0, 2.5)


def test_the_table_says_the_same_in_words():
    lines = [line.split(maxsplit=2) for line in tally(gather(samples.EVENTS), 2.5).splitlines()]
    assert ["6", "DP901", "violation"] in lines
    assert ["1", "error", "something could not be checked"] in lines
    assert ["1", "no", "violation found"] in lines
    assert lines[-1] == ["28,804,100", "runs", "in 2 min 3 s of auditing; 2.5 s in all"]


def test_what_is_silenced_was_audited_too():
    found = tally_json(gather([Silenced(Result(samples.mechanism(), samples.ANYTIME_NO_VIOLATION))]), 1.0)
    assert found["verdicts"] == {"silenced by comments": 1}
    assert (found["runs"], found["earlier_runs"]) == (2_100_000, 1_500_000)
    assert "(in earlier passes: 1,500,000)" in tally(
        gather([Result(samples.mechanism(), samples.ANYTIME_NO_VIOLATION)]), 1.0
    )


def test_nothing_found_has_no_tables():
    assert tally(gather([]), 0.5).splitlines() == ["", "statistics", "  0 runs in 0.0 s of auditing; 0.5 s in all"]


def test_what_the_cache_knew_was_not_run():
    known = Result(samples.mechanism(), samples.NO_VIOLATION, cached=True)
    found = tally_json(gather([known, samples.RESULTS[0]]), 1.0)
    assert (found["cached"], found["runs"]) == (1, 3_600_000)
    assert "\n  1 mechanism from the cache\n  3,600,000 runs in 12 s" in tally(gather([known, samples.RESULTS[0]]), 1.0)
