"""The page about precision says what the judgements say, and rules that are seldom right are off."""

from __future__ import annotations

from collections import Counter

from benchmarks import strangers
from benchmarks.corpus import HELD_OUT, PACKAGES, STRANGERS
from benchmarks.precision import PAGE, VERDICTS, everything, judged, page, tally
from dplint.rules import RULES

_ENOUGH = 5
"""Fewer judgements say nothing of a rule."""


def test_the_page_is_computed_from_the_judgements() -> None:
    assert PAGE.read_text(encoding="utf-8").splitlines() == list(page()), "run python -m benchmarks.precision --write"


def test_every_judgement_is_of_a_package_of_the_corpus_and_has_a_reason() -> None:
    tables = {"findings": VERDICTS, "suggestions": ("signed", "not"), "noise_functions": ("private", "other", "none")}
    for name, allowed in tables.items():
        rows = judged(name)
        places = Counter(
            (row["package"], row["file"], row["line"], row["function"], row.get("code"), row["reason"]) for row in rows
        )
        assert set(places.values()) == {1}
        for row in rows:
            assert f"{row['package']}=={row['version']}" in (*PACKAGES, *HELD_OUT)
            assert row["judgement"] in allowed
            assert row["reason"]


def test_what_was_held_out_last_is_judged_before_and_after_and_named_by_version() -> None:
    allowed = {"finding": (*VERDICTS, ""), "suggestion": ("signed", "not", "undecided", "")}
    chosen = {
        "": STRANGERS,
        "2": strangers.SECOND,
        "3": strangers.THIRD,
        "4": strangers.FOURTH,
        "5": strangers.FIFTH,
        "6": strangers.FIFTH,
        "7": strangers.SIXTH,
        "8": strangers.SEVENTH,
        "9": strangers.EIGHTH,
        "10": strangers.NINTH,
        "11": strangers.TENTH,
        "12": strangers.ELEVENTH,
        "13": strangers.TWELFTH,
        "14": strangers.THIRTEENTH,
    }
    for row in (*judged("held_out"), *judged("held_out_again")):
        package = f"{row['package']}=={row['version']}"
        assert any(one.startswith(package) for one in chosen[row.get("round", "")])
        assert {row["before"], row["after"]} <= set(allowed[row["kind"]])
        assert row["before"] or row["after"]
        assert row["reason"]


def test_rules_on_by_default_are_right_in_seven_of_ten_findings() -> None:
    for rule in RULES:
        mine = tally([row for row in everything("after") if row["code"] == rule.code])
        assert rule.opt_in or mine.judged < _ENOUGH or mine.share >= 0.7, rule.code


def test_only_functions_that_protect_data_are_asked_whether_they_get_a_claim() -> None:
    for row in judged("noise_functions"):
        allowed = ("high", "medium", "low", "unknown", "no") if row["judgement"] == "private" else ("",)
        assert row["suggested"] in allowed, row
