"""Counterexamples on tables: every row once, said which side has it, and what differs in it."""

from dataclasses import replace

import pytest

from dplint.claims import Categories, Columns, Interval, Parameter
from dplint.report.difference import frames
from tests.report.report_samples import mechanism

DOMAIN = Columns((("age", Interval(0, 90, True)), ("job", Categories(("x", "yes")))))
HIGH, LOW, OLD = {"age": 90, "job": "x"}, {"age": 0, "job": "x"}, {"age": 0, "job": "yes"}


def framed(d1, d2, annotation="pd.DataFrame", room=60):
    bearer = mechanism(relation="add-remove", domain=DOMAIN)
    data = Parameter("table", annotation=annotation)
    return frames(replace(bearer, parameters=(data,), data="table"), d1, d2, room)


def told(found):
    return [(row.label, row.cells, row.times) for row in found.rows[1:]]


def test_a_row_that_is_added_stands_alone():
    found = framed([LOW, LOW, LOW], [LOW, LOW, HIGH, LOW])

    assert found.rows[0].cells == ("age", "job")
    assert told(found) == [("both", ("0", "'x'"), 2), ("D2", ("90", "'x'"), 1), ("both", ("0", "'x'"), 1)]
    assert [row.differs for row in found.rows[1:]] == [(False, False), (True, True), (False, False)]


def test_of_a_row_that_is_replaced_the_cells_that_differ():
    found = framed([HIGH, LOW, LOW], [HIGH, OLD, LOW])

    assert told(found)[1:3] == [("D1", ("0", "'x'"), 1), ("D2", ("0", "'yes'"), 1)]
    assert [row.differs for row in found.rows[2:4]] == [(False, True), (False, True)]


def test_an_empty_side_and_many_rows_of_one_user():
    assert told(framed([], [HIGH] * 6)) == [("D2", ("90", "'x'"), 6)]


@pytest.mark.parametrize("rows", [[HIGH], [HIGH, LOW]])
def test_lines_are_aligned_and_as_wide_as_said(rows):
    found = framed(rows, [OLD] * 3)
    lines = ["".join(text for text, _ in found.pieces(row)) for row in found.rows]

    starts = {line.index(row.cells[1]) for line, row in zip(lines, found.rows, strict=True)}
    assert starts == {found.widths[0] + 2}
    assert max(map(len, lines)) <= found.width


def test_long_tables_are_cut():
    found = framed([{"age": i, "job": "x"} for i in range(100)], [])
    assert (len(found.rows), found.more) == (25, 76)


@pytest.mark.parametrize(
    ("d1", "d2", "annotation", "room"),
    [
        ([1, 2], [1], "pd.DataFrame", 60),
        ([LOW], [{"age": 1}], "pd.DataFrame", 60),
        ([], [], "pd.DataFrame", 60),
        ([LOW], [HIGH], "list[dict]", 60),
        ([LOW], [HIGH], "pd.DataFrame", 12),
    ],
)
def test_what_is_no_table_or_too_wide(d1, d2, annotation, room):
    assert framed(d1, d2, annotation, room) is None
