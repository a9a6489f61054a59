"""Parts of a check: written and read without a loss, put together as the whole, and refused where they are not one."""

import json
from dataclasses import replace

import pytest
import report_samples as samples

from dplint.outcomes import Dealt, Plan, Result, Shard
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.json_document import check_json
from dplint.report.parts import PartError, merged, read_part
from tests.report.evidence_samples import EVERY_KIND

EVENTS = (
    *samples.EVENTS,
    *(replace(one, mechanism=replace(one.mechanism, qualname=f"kind{i}")) for i, one in enumerate(EVERY_KIND)),
)
WHOLE = gather(EVENTS)


def part(number, of=2, events=EVENTS, digest="d", mechanisms=None, seconds=3.5):
    """The text that a shard writes which has every of-th event."""
    everything = [one for one in events if not isinstance(one, Plan)]
    own = everything[number - 1 :: of]
    planned = tuple(one.mechanism for one in own if isinstance(one, Result))
    names = {one.mechanism.name for one in everything if isinstance(one, Result)}
    dealt = Dealt(Shard(number, of), len(names) if mechanisms is None else mechanisms, digest)
    return check_json(Report(meet(gather((Plan(planned, dealt), *own))), seconds))


def by_name(results):
    return {one.mechanism.name: one for one in results}


@pytest.mark.parametrize("of", [1, 2, 5])
def test_parts_together_are_the_whole(of):
    parts = [read_part(f"part{number}.json", part(number, of)) for number in range(1, of + 1)]
    found = merged(parts[::-1])
    assert by_name(found.results) == by_name(WHOLE.results)
    assert (found.errors, found.silenced) == (WHOLE.errors, WHOLE.silenced)
    assert found.findings == WHOLE.findings
    assert {one.name for one in found.mechanisms} == {one.mechanism.name for one in WHOLE.results}
    assert found.dealt is None


def test_a_violation_finds_again_what_explains_it():
    again, whole = meet(merged([read_part("p", part(1, 1))])), meet(WHOLE)
    assert any(one.explained_by for one in whole.results)
    assert [one.explained_by for one in again.results] == [one.explained_by for one in whole.results]


def test_a_mechanism_without_an_outcome_is_an_error_once():
    planned = tuple(one.mechanism for one in WHOLE.results[:1])
    text = check_json(Report(gather((Plan(planned, Dealt(Shard(1, 1), 1, "d")),)), 1.0))
    (error,) = merged([read_part("p", text)]).errors
    assert "ended without an outcome" in error.message


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([1], "shard 2/2 missing"), ([1, 1, 2], "shard 1/2 is there twice, in 'a' and 'b'")],
)
def test_every_shard_is_there_once(numbers, said):
    with pytest.raises(PartError, match=said):
        merged([read_part(name, part(number)) for name, number in zip("abc", numbers, strict=False)])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"of": 3}, "they are not of the same check"),
        ({"digest": "e"}, "let all shards see the same files"),
        ({"events": EVENTS[:3]}, "mechanisms, and the check has"),
    ],
)
def test_parts_are_of_one_check(other, said):
    count = len({one.mechanism.name for one in EVENTS if isinstance(one, Result)})
    with pytest.raises(PartError, match=said):
        merged([read_part("a", part(1)), read_part("b", part(2, **{"mechanisms": count, **other}))])


def test_what_is_no_part_is_refused():
    whole = check_json(Report(WHOLE, 1.0))
    good = json.loads(part(1))
    other_version = json.dumps({**good, "shard": {**good["shard"], "version": "0.0.1"}})
    damaged = json.dumps({**good, "shard": {**good["shard"], "events": good["shard"]["events"][1:]}})
    wrong = json.dumps({**good, "shard": {**good["shard"], "events": [["Plan", 3]]}})
    for text, said in (
        ("{", "is no JSON report"),
        ("[]", "is no JSON report"),
        ("{}", "is no JSON report"),
        (whole, "report of a whole check"),
        (other_version, "written by dplint 0.0.1"),
        (damaged, "is damaged"),
        (wrong, "is damaged"),
    ):
        with pytest.raises(PartError, match=said):
            read_part("p.json", text)
