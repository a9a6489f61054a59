"""The curve of a sweep: table and picture."""

import io
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import report_samples as samples
from rich.console import Console

from dplint.outcomes import Bounds, ExactDelta, ExactTable
from dplint.report.curve import (
    curve_document,
    curve_shown,
    exact_words,
    line_name,
    loss_svg,
    outcome_words,
    rejected_up_to,
    sweep_svg,
)
from dplint.report.terminal import print_document

CURVE = samples.curve()


@pytest.mark.parametrize(("line", "largest"), [(0, 0.1), (1, 0.6), (2, 1.4)])
def test_the_largest_epsilon_rejected_with_all_smaller_ones(line, largest):
    assert rejected_up_to(CURVE.lines[line]) == largest


def test_an_island_of_rejection_does_not_count():
    line = CURVE.lines[1]
    points = (replace(line.points[0], rejected=False), *line.points[1:])
    assert rejected_up_to(replace(line, points=points)) is None
    assert "nothing rejected" in outcome_words(replace(line, points=points))


def test_a_line_says_whether_its_claim_is_rejected():
    assert outcome_words(CURVE.lines[1]) == (
        "epsilon = 0.7: rejected up to 0.6; claimed 0.7: the claim is not rejected"
    )
    assert outcome_words(replace(CURVE.lines[1], claimed=0.6)).endswith("the claim is rejected too")


def test_a_claim_without_parameters_is_named_by_its_epsilon():
    assert line_name(replace(CURVE.lines[0], parameters=())) == "epsilon = 0.2"


def shown(width=80, encoding="utf-8") -> str:
    return printed(CURVE, width, encoding)


def printed(curve, width=80, encoding="utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    print_document(curve_document(curve), Console(file=stream, width=width))
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_the_table_has_a_row_for_each_epsilon_and_marks_rejection():
    rows = [line.split() for line in shown().splitlines() if re.match(r"\s+\d[\d.]*\s{3,}", line) and "│" not in line]
    table = {row[0]: row[1:] for row in rows}
    assert len(table) == 20
    assert table["0.6"] == ["1", "0", "<", "1e-50", "x", "0.025", "<", "1e-50", "x"]
    assert table["0.7"] == ["1", "0", "0.5", "0", "<", "1e-50", "x"]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_curve_keeps_to_its_width(width):
    assert max(map(len, shown(width).splitlines())) <= width
    assert shown(width, "ascii").isascii()


def test_the_picture_is_the_same_every_time_and_has_a_line_for_each_claim():
    text = sweep_svg(CURVE)
    assert text == sweep_svg(CURVE)
    assert "<svg" in text
    assert "<dc:date>" not in text
    for colour in ("#1f5fa8", "#d9701a", "#2c8a4b"):
        assert f'stroke="{colour}" stroke-width="1.4" stroke-dasharray="6 4"' in text, colour


def test_points_of_the_picture_stand_where_they_belong():
    """The axis goes from 60 to 580 and from p = 0 at 350 to p = 1 at 40: corners and centre are known."""
    points = [replace(CURVE.lines[0].points[0], epsilon=x, p_value=y) for x, y in ((0.0, 0.0), (2.0, 0.5), (4.0, 1.0))]
    text = sweep_svg(replace(CURVE, lines=(replace(CURVE.lines[0], points=tuple(points), claimed=4.0),)))
    assert 'points="60,350 320,195 580,40"' in text


def test_names_in_the_picture_are_text():
    text = sweep_svg(replace(CURVE, mechanism=replace(CURVE.mechanism, qualname="<script>&")))
    assert "<script>" not in text
    ElementTree.fromstring(text)


def test_what_is_computed_stands_beside_what_is_sampled():
    rows = [line.split() for line in shown(160).splitlines()]
    table = {row[0]: row[1:] for row in rows if row and re.fullmatch(r"[\d.]+", row[0]) and len(row) > 4}
    assert table["0.3"] == ["0.7", "0", "<", "1e-50", "x", "0.1", "<", "1e-50", "x"]
    text = " ".join(shown(160).split())
    assert "computed: 0.7 of 0.7 claimed, the largest loss on 16 pairs, D1 = [2, 1], D2 = [1, 1], epsilon = 0.7" in text
    assert "not computed exactly: rounding at line 9 is not understood" in text
    none = replace(CURVE, lines=tuple(replace(line, exact=None, not_exact="") for line in CURVE.lines))
    assert "delta" not in printed(none)


def test_a_loss_that_is_infinite_or_bounded_from_below_says_so():
    line = CURVE.lines[0]
    assert line.exact is not None
    for high, low, words in (
        (math.inf, math.inf, "computed: infinite of"),
        (math.inf, 0.25, "computed: at least 0.25 of"),
    ):
        assert exact_words(replace(line, exact=replace(line.exact, loss=Bounds(low, high)))).startswith(words)


def test_the_picture_has_an_axis_for_deltas_only_where_there_are_some():
    none = replace(CURVE, lines=tuple(replace(line, exact=None) for line in CURVE.lines))
    assert sweep_svg(CURVE).count('id="deltas"') == 1
    assert sweep_svg(none).count('id="deltas"') == 0


def pair_with(deltas, claimed_delta=0.0) -> ExactTable:
    return ExactTable(
        d1=0,
        d2=1,
        arguments=(),
        claimed=1.0,
        claimed_delta=claimed_delta,
        neighbours=True,
        forwards=(),
        backwards=(),
        deltas=tuple(ExactDelta(x, Bounds(y, y)) for x, y in deltas),
        pairs=1,
        certified_by="",
    )


def test_deltas_of_a_pair_are_drawn_from_zero_to_its_loss():
    """The axes go from 60 to 580 and from 350 to 40; the highest number is the round one above 0.4."""
    text = loss_svg("<f>", pair_with([(0.0, 0.4), (1.0, 0.2), (2.0, 0.0)]), None)
    assert 'points="60,40 320,195 580,350"' in text
    assert "proved" not in text
    assert "<f>" not in text
    ElementTree.fromstring(text)


def test_what_is_proved_bounds_every_delta_as_randomised_response_does():
    """At epsilon 0 the difference of both answers of randomised response is tanh(epsilon / 2)."""
    text = loss_svg("f", pair_with([(0.0, 1.0), (math.log(3), 0.0)]), math.log(3))
    first = re.search(r'points="60,([\d.]+) [^"]*580,350"[^>]*stroke-dasharray="6 4"', text)
    assert first is not None
    assert float(first[1]) == pytest.approx(350 - 310 * math.tanh(math.log(3) / 2), abs=0.01)
    assert "proved for all neighbours: ε = 1.1, and what follows from it" in text


def test_what_is_proved_with_a_delta_is_a_point():
    text = loss_svg("f", pair_with([(0.0, 0.1), (2.0, 0.0)], claimed_delta=0.05), 1.0)
    assert re.search(r'<circle cx="320" cy="195" r="4"', text)
    assert "ε = 1, δ = 0.05" in text


def test_a_view_gets_deltas_to_draw_and_words():
    first, _, last = curve_shown(CURVE)["lines"]
    assert first["exact"]["points"][0] == {"epsilon": 0.1, "delta": pytest.approx(0.025)}
    assert (first["exact"]["lower"], last["exact"]) == (0.2, None)
    assert last["exactWords"].startswith("not computed exactly")
