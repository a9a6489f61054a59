"""The state of every claim on the page, and what differs from the page that was in its place."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dplint.cli import main
from dplint.outcomes import Changes
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.page.claims import Claimed, State, differences, held, read_state, state_of
from dplint.report.page.document import page
from tests.report import report_samples as samples
from tests.report.test_report_html import EVIL, Page

ONE = Claimed("epsilon=1", "proved", "a proof, checked", "2026-01-01", "at most 1", "for all data")


def report(*results, day="2026-03-01", **options):
    return Report(gather(results), 1.0, lambda _file, _line: None, day=day, **options)


def test_a_page_is_read_back_whatever_is_in_it():
    state = State("2026-02-01", {f"a.py::{EVIL}": replace(ONE, claim=EVIL, scope="</div>&amp;")})
    assert read_state(f'<p>x</p><template id="dplint-state">{escaped(held(state))}</template>') == state


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


@pytest.mark.parametrize(
    "held_there",
    ["", "[]", "{", '{"format":2}', '{"format":1,"day":1,"claims":{}}', '{"format":1,"day":"","claims":{"a":{}}}'],
)
def test_what_cannot_be_read_is_no_state(held_there):
    assert read_state(f'<template id="dplint-state">{held_there}</template>') is None


def test_a_verdict_stands_since_the_first_page_that_had_it():
    first = state_of(report(*samples.RESULTS, day="2026-01-01"), None)
    second = state_of(report(*samples.RESULTS, day="2026-02-01"), first)
    assert second.day == "2026-02-01"
    assert {one.since for one in second.claims.values()} == {"2026-01-01"}

    changed = next(iter(second.claims))
    other = State(second.day, second.claims | {changed: replace(second.claims[changed], claim="epsilon=9")})
    third = state_of(report(*samples.RESULTS, day="2026-03-01"), other)
    assert [name for name, one in third.claims.items() if one.since == "2026-03-01"] == [changed]


def test_each_difference_is_told_and_nothing_else():
    before = {"a::kept": ONE, "a::gone": ONE, "a::looser": ONE, "a::lost": replace(ONE, budget="spends 1 of 2")}
    now = {
        "a::kept": replace(ONE, spends="at most 0.9"),
        "a::new": ONE,
        "a::looser": replace(ONE, claim="epsilon=2"),
        "a::lost": replace(ONE, verdict="violation", budget="spends 1.5 of 2"),
    }
    told = [words for (words,) in differences(State("", before), State("", now))]
    assert told == [
        "a::gone: no longer in this report",
        "a::looser: the claim was epsilon=1, and is epsilon=2 now",
        "a::lost: proved before, now violation",
        "a::lost: the budget spends 1 of 2 before, and spends 1.5 of 2 now",
        "a::new: new, proved",
    ]


def test_the_page_has_a_line_for_every_claim_and_no_verdict_says_more_than_is_known():
    shown = Page(page(report(*samples.RESULTS)))
    ((_, claims),) = shown.all("section", id="claims")
    for result in samples.RESULTS:
        assert f"{result.mechanism.file}::{result.mechanism.qualname}" in claims
    assert "private" not in claims
    cells = [text for _, text in shown.all("td")]
    assert cells.count("a proof, checked") == cells.count("proved") + cells.count("proved in part") == 1


def test_a_report_about_a_change_alone_keeps_the_state_of_all_claims():
    full = page(report(*samples.RESULTS, day="2026-01-01"))
    alone = page(report(samples.RESULTS[0], earlier=full, changes=Changes("main", "0" * 40, 9, ())))
    assert read_state(alone) == read_state(full)
    assert not Page(alone).all("section", id="changes")


PARTS = """from dplint import dp


@dp(epsilon=0.5, neighbors="linf")
def part(rng, data: float):
    return data + rng.laplace(scale=2.0)


@dp(epsilon=1.0, neighbors="linf")
def whole(rng, data: float):
    return part(rng, data) + part(rng, data)
"""


@pytest.mark.process
def test_a_page_in_the_place_of_another_says_what_differs(tmp_path, monkeypatch):
    """Two parts of 0.5 spend 1.0, all that is claimed; of 0.75, 1.5, which is more."""
    monkeypatch.chdir(tmp_path)
    check = ["check", "parts.py", "--no-progress", "--profile", "commit", "--format", "html=out.html"]
    (tmp_path / "parts.py").write_text(PARTS)
    assert main(check) == 0
    first = Page((tmp_path / "out.html").read_text())
    assert "No earlier page" in first.all("section", id="changes")[0][1]
    assert "part  0.5, line 11" in first.all("section", id="budgets")[0][1]

    (tmp_path / "parts.py").write_text(PARTS.replace("epsilon=0.5", "epsilon=0.75").replace("=2.0", "=1 / 0.75"))
    assert main(check) == 1
    ((_, changes),) = Page((tmp_path / "out.html").read_text()).all("section", id="changes")
    assert "whole: proved before, now violation" in changes
    assert re.search(r"whole: the budget spends 1 of 1\b.* before, and overspends: 1\.5 of 1\b", changes)
    assert "part: the claim was epsilon=0.5" in changes

    assert main(check) == 1
    assert "nothing differs" in (tmp_path / "out.html").read_text()
