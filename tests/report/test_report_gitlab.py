"""GitLab's Code Quality: every field that GitLab asks for is there, with the values that it knows."""

import json
from dataclasses import replace

import report_samples as samples

from dplint.outcomes import Severity
from dplint.report.format import Report
from dplint.report.formats.gitlab import gitlab
from dplint.report.gathered import gather

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def source(file, line):
    return None


def entries(*events):
    text = gitlab(Report(gather(events), 0.0, source))
    assert not text.startswith("\ufeff"), "GitLab refuses a byte order mark"
    return json.loads(text)


def test_every_entry_has_what_gitlab_asks_for():
    found = entries(*samples.EVENTS, samples.FINDINGS[0])
    assert len(found) == 13
    for entry in found:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert all(isinstance(entry[key], str) and entry[key] for key in set(entry) - {"location"})
        assert entry["severity"] in SEVERITIES
        assert not entry["location"]["path"].startswith(("./", "/"))
        begin = entry["location"]["positions"]["begin"]
        assert begin["line"] >= 1
        assert begin["column"] >= 1
    assert len({entry["fingerprint"] for entry in found}) == len(found)


def test_severities():
    info = replace(samples.FINDINGS[1], severity=Severity.INFO, code="DP906")
    found = {entry["check_name"]: entry["severity"] for entry in entries(*samples.EVENTS, info)}
    assert found == {
        "not-checked": "blocker", "DP905": "blocker", "DP901": "critical", "DP001": "major",
        "DP904": "minor", "DP909": "minor", "DP101": "minor", "DP906": "info",
    }  # fmt: skip


def test_nothing_wrong_is_an_empty_array():
    assert entries(samples.RESULTS[6]) == []
