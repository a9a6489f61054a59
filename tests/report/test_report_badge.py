"""The badge says the gravest that a report tells, and never more."""

import json
import xml.etree.ElementTree as ET

import pytest
import report_samples as samples
from evidence_samples import PROVED, PROVED_UP_TO

from dplint.outcomes import Silenced, SilencedBy
from dplint.report.badge import BadgeError, badge, badge_words
from dplint.report.gathered import gather
from dplint.report.json_document import check_json

FINE, SLOW, ENDLESS = samples.RESULTS[6], samples.RESULTS[10], samples.RESULTS[9]


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ((), "no claims"),
        ((PROVED,), "1 proved"),
        ((PROVED, PROVED_UP_TO), "no violation found, 1 of 2 proved"),
        ((FINE,), "no violation found"),
        ((FINE, PROVED, SLOW), "1 of 3 not tested"),
        ((FINE, samples.FINDINGS[1]), "no violation found"),
        ((PROVED, Silenced(samples.RESULTS[0], SilencedBy.BASELINE)), "1 silenced, no other found"),
        ((FINE, SLOW, samples.FINDINGS[0]), "1 finding"),
        ((FINE, samples.FINDINGS[0], *samples.RESULTS[:2]), "2 violations"),
        ((*samples.RESULTS[:2], ENDLESS, samples.ERROR), "2 not checked"),
    ],
)
def test_the_gravest_is_told(events, said):
    report = check_json(gather(events), 1.0)
    assert badge_words(report)[0] == said
    picture = ET.fromstring(badge(report))
    assert picture.get("aria-label") == f"dplint: {said}"
    assert "private" not in badge(report)


def test_green_is_for_proofs_alone():
    colours = {badge_words(check_json(gather(events), 1.0))[1] for events in ((FINE,), (), (SLOW,), (PROVED_UP_TO,))}
    assert badge_words(check_json(gather((PROVED,)), 1.0))[1] not in colours


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"summary": {}, "findings": []}', "null", "\ud800"])
def test_what_is_no_report_is_refused(text):
    with pytest.raises(BadgeError, match="no JSON report"):
        badge(text)


def test_a_part_is_no_whole():
    document = {**json.loads(check_json(gather((FINE,)), 1.0)), "shard": {}}
    with pytest.raises(BadgeError, match="shard"):
        badge(json.dumps(document))
