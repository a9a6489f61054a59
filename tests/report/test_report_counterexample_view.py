"""What a view of a counterexample shows, and what a view of a curve shows: true to the outcome, and plain JSON."""

import json
import math
from dataclasses import replace

import evidence_samples as evidence
import pytest
import report_samples as samples

from dplint.claims import Categories, Columns, Interval, Parameter
from dplint.outcomes import Bar, Bounds, Distributions, Result
from dplint.report.counterexample_view import drawn, shown_unconfirmed, shown_violation
from dplint.report.curve import curve_shown
from dplint.report.markdown import hover


def result(**changes):
    return Result(samples.mechanism(), replace(samples.anytime_violation(), **changes))


def test_a_view_is_plain_json_without_nan_or_infinity():
    found = result()

    text = json.dumps(shown_violation(found), allow_nan=False)
    assert json.loads(text) == shown_violation(found)


def test_what_differs_is_marked_and_the_rest_is_not():
    found = samples.anytime_violation().counterexample.witness
    cells = shown_violation(result())["data"]

    changed = [cell for cell in cells if cell["differs"]]
    assert [cell["text"] for cell in changed] == [
        [repr(a), repr(b)] for a, b in zip(found.d1, found.d2, strict=True) if a != b
    ]
    assert all(cell["text"][0] == cell["text"][1] for cell in cells if not cell["differs"])


def test_of_tables_both_sides_are_one_table():
    columns = Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "yes")))))
    bearer = replace(
        samples.mechanism(relation="add-remove", domain=columns),
        parameters=(Parameter("table", annotation="pd.DataFrame"),),
        data="table",
    )
    violation = samples.anytime_violation()
    kept, more = {"age": 0, "job": "x"}, {"age": 90, "job": "yes"}
    found = violation.counterexample
    shown = replace(found, witness=replace(found.witness, d1=[kept, kept], d2=[kept, kept, more]))

    view = shown_violation(Result(bearer, replace(violation, counterexample=shown)))

    assert view["table"] == {
        "columns": ["age", "job"],
        "rows": [
            {"side": "both", "cells": ["0", "'x'"], "differs": [False, False], "times": 2},
            {"side": "D2", "cells": ["90", "'yes'"], "differs": [True, True], "times": 1},
        ],
        "more": 0,
    }
    assert shown_violation(result())["table"] is None


def test_the_ratio_allowed_is_e_to_the_epsilon_and_that_found_is_the_quotient():
    violation = samples.anytime_violation()
    limit = shown_violation(result())["limit"]

    assert limit["of"] == "ratio"
    assert limit["allowed"] == pytest.approx(math.exp(violation.epsilon_tested))
    assert limit["found"] == pytest.approx(588 / 182)
    assert limit["atLeast"] is False


def test_an_event_never_seen_on_d2_gives_a_bound_and_no_infinite_ratio():
    never = samples.with_counts(samples.anytime_violation(), count2=0, interval2=Bounds(0.0, 0.01))
    view = shown_violation(Result(samples.mechanism(), never))

    assert view["limit"]["atLeast"] is True
    assert view["limit"]["found"] == pytest.approx(0.103 / 0.01)


def test_only_certain_evidence_speaks_of_certainty():
    certain = samples.violation(count2=0, exact=True, lower=math.inf)
    view = shown_violation(Result(samples.mechanism(), certain))

    assert view["headline"].endswith("is not 0.7-private: no finite epsilon holds")
    assert (view["limit"]["found"], view["bound"]["lower"], view["bound"]["text"]) == ("inf", "inf", "∞")
    assert view["bound"]["certain"] is True
    assert shown_violation(result())["bound"]["certain"] is False


def test_what_the_source_alone_shows_has_exact_numbers_and_is_no_verdict():
    against = evidence.BY_SOURCE.against
    view = shown_unconfirmed(evidence.EXACT.mechanism, evidence.BY_SOURCE)
    confirmed = shown_violation(evidence.EXACT)

    assert json.loads(json.dumps(view, allow_nan=False)) == view
    assert (view["unconfirmed"], confirmed["unconfirmed"]) == ("by the source alone, not confirmed by a run", None)
    assert view["headline"].startswith("By the source alone, not confirmed by a run: answer is not 1-private")
    assert view["bound"]["title"] == "ε ≥ 2.19 by the source alone, not confirmed by a run"
    assert (view["bound"]["certain"], view["bound"]["runs"]) == (True, 0)
    assert [one["interval"] for one in view["probabilities"]] == [
        [side.low, side.high] for side in (against.evidence.p1, against.evidence.p2)
    ]
    shown = hover(evidence.EXACT.mechanism, None, "", by_source=evidence.BY_SOURCE)
    assert "times as likely; 2.72 is allowed (exact)" in shown.replace("\\", ""), "e^1, as is claimed"
    assert [one["count"] for one in view["probabilities"]] == [None, None]
    assert view["limit"]["found"] == pytest.approx(9)
    assert [fact["name"] for fact in view["facts"]] == ["How sure"]
    assert "Whether the function does the same is seen by a test, and none has been made." in view["facts"][0]["text"]
    assert "violated" not in json.dumps(view)


def test_with_a_delta_probabilities_are_compared_and_not_ratios():
    violation = samples.anytime_violation()
    view = shown_violation(result(delta_tested=0.01))

    allowed = math.exp(violation.epsilon_tested) * 182 / 5000 + 0.01
    assert view["limit"] == {
        "of": "probability",
        "allowed": pytest.approx(allowed),
        "found": 588 / 5000,
        "atLeast": False,
    }
    assert "apart from an additional probability of 0.01" in view["promise"]


def test_evidence_beyond_all_measure_is_told_as_that():
    facts = {fact["name"]: fact["text"] for fact in shown_violation(result())["facts"]}
    assert "more than" not in facts["Evidence"]
    tested = tuple(replace(one, p_value=0.0, log_e_value=2000.0) for one in samples.anytime_violation().tested)
    facts = {fact["name"]: fact["text"] for fact in shown_violation(result(tested=tested))["facts"]}
    assert "made its stake more than 1e30" in facts["Evidence"]


def test_bars_keep_their_counts():
    picture = Distributions(
        "output", "numbers", (Bar("", 0.0, 1.0, 3, 4, 1, 0),), (Bar("None", None, None, 1, 0, 0, 0),), 4, 4
    )

    assert drawn(picture) == {
        "measure": "output",
        "kind": "numbers",
        "bars": [{"label": "", "low": 0.0, "high": 1.0, "counts": [3, 4], "inside": [1, 0]}],
        "others": [{"label": "None", "low": None, "high": None, "counts": [1, 0], "inside": [0, 0]}],
        "runs": [4, 4],
        "notes": [],
        "computed": None,
    }


def test_a_curve_says_of_each_line_up_to_where_it_is_rejected():
    curve = samples.curve()
    shown = curve_shown(curve)

    assert [line["rejectedUpTo"] for line in shown["lines"]] == [0.1, 0.6, 1.4]
    assert [line["claimed"] for line in shown["lines"]] == [line.claimed for line in curve.lines]
    epsilons = [point["epsilon"] for point in shown["lines"][0]["points"]]
    assert epsilons == sorted(epsilons)
    json.dumps(shown, allow_nan=False)
