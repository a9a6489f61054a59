"""What is known of a notebook by lines of one module is told by cells; data and other files are not touched."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "report"))
import report_samples as samples

from dplint.check.cells import in_cells
from dplint.claims import Span
from dplint.outcomes import CheckError, Finding, Plan, Related, Result, Severity, Silenced
from dplint.source.notebooks import read_notebook

CELLS = ["a = 1\nb = 2", "def f(x):\n    return x + noise(1)", "c = 3"]
NOTEBOOK = read_notebook(
    json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": "text"},
                *({"cell_type": "code", "source": source} for source in CELLS),
            ]
        }
    ).encode()
)
# The module: a line that heads each cell, and then its lines.
LINE_A, LINE_B, LINE_F, LINE_RETURN, LINE_C = 2, 3, 5, 6, 8
FILE = "work/shop.ipynb"


def test_the_lines_of_this_test_are_those_of_the_module():
    lines = NOTEBOOK.text.split("\n")
    assert [lines[n - 1] for n in (LINE_A, LINE_B, LINE_F, LINE_RETURN, LINE_C)] == [
        line for cell in CELLS for line in cell.split("\n")
    ]


def moved(*events):
    return list(in_cells(events, {FILE: NOTEBOOK}))


def finding(message, line=LINE_RETURN, **more):
    span = Span(line, 5, line + 1, 9)
    return Finding(FILE, span, "f", "DP101", Severity.ERROR, message, **more)


def test_a_finding_and_its_places():
    elsewhere, here, other = Span(LINE_B, 1, LINE_B, 2), Span(LINE_F, 1, LINE_F, 2), Span(7, 1, 7, 2, "noise.py")
    related = tuple(Related(span, "x") for span in (elsewhere, here, other))
    (found,) = moved(finding("x", related=related))
    assert (found.file, found.span) == (f"{FILE}:cell 3", Span(2, 5, 3, 9))
    assert [one.span for one in found.related] == [
        Span(2, 1, 2, 2, f"{FILE}:cell 2"),
        Span(1, 1, 1, 2),
        other,
    ]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"`with` in line {LINE_F} is", "`with` in line 1 is"),
        (f"the noise of line {LINE_B}, too", "the noise of line 2 of cell 2, too"),
        (f"lines {LINE_F}, {LINE_RETURN} and {LINE_C}", "lines 1, 2 and 1 of cell 4"),
        ("line 7 of noise.py", "line 7 of noise.py"),
        ("line 23 of noise.py", "line 23 of noise.py"),
        ("lines 3, 12 of noise.py", "lines 3, 12 of noise.py"),
        (f"lines {LINE_F}, {LINE_RETURN}, line 23 of noise.py", "lines 1, 2, line 23 of noise.py"),
        (
            f'File "/x/work/shop.ipynb", line {LINE_B}, in <module>',
            'File "/x/work/shop.ipynb", line 2 of cell 2, in <module>',
        ),
        ('File "/x/noise.py", line 7, in add', 'File "/x/noise.py", line 7, in add'),
        ('File "/x/my_shop.ipynb", line 7, in add', 'File "/x/my_shop.ipynb", line 7, in add'),
        ("in 3 of 8 lines, deadline 5", "in 3 of 8 lines, deadline 5"),
    ],
)
def test_lines_in_sentences(said, told):
    (found,) = moved(finding(said))
    assert found.message == told


def test_verdicts_keep_their_data_and_names():
    mechanism = replace(samples.mechanism("f", line=LINE_F, file=FILE), untestable=None)
    violation = samples.violation(["line 6"], ["line 5"], event="output == 'line 6'")
    noted = replace(violation, effort=replace(violation.effort, notes=(f"a loop in line {LINE_RETURN}",)))
    plan, result = moved(Plan((mechanism,)), Result(mechanism, noted))
    assert (result.mechanism.file, result.mechanism.span.line) == (f"{FILE}:cell 3", 1)
    assert plan.mechanisms == (result.mechanism,)
    assert result.outcome.counterexample == violation.counterexample
    assert result.outcome.effort.notes == ("a loop in line 2",)


def test_a_failed_import_keeps_its_line_where_it_is_in_the_cell_of_the_function():
    mechanism = samples.mechanism("f", line=LINE_F, file=FILE)
    for line, told in ((LINE_RETURN, 2), (LINE_B, None)):
        (result,) = moved(Result(mechanism, replace(samples.NOT_IMPORTED, line=line, cure=f"Mend line {line}.")))
        assert result.outcome.line == told
    assert result.outcome.cure == "Mend line 2 of cell 2."


def test_errors_and_what_is_silenced():
    error, silenced, whole = moved(
        CheckError(FILE, LINE_C, f"does not parse: line {LINE_C}"), Silenced(finding("x")), CheckError(FILE, None, "x")
    )
    assert error == CheckError(f"{FILE}:cell 4", 1, "does not parse: line 1")
    assert silenced.item.file == f"{FILE}:cell 3"
    assert whole == CheckError(FILE, None, "x")


def test_modules_are_left_alone():
    assert moved(*samples.EVENTS) == list(samples.EVENTS)
