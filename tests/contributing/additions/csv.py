"""A line for each problem, with its place, its code and its text, as spreadsheets read it."""

from __future__ import annotations

import csv
import io

from dplint.report import problem_words
from dplint.report.format import Format, Report
from dplint.report.gathered import place, problems


def _text(report: Report) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("file", "line", "column", "code", "text"))
    for problem in problems(report.gathered):
        writer.writerow((*place(problem), problem_words.code(problem) or "", problem_words.text(problem)))
    return stream.getvalue()


FORMAT = Format.of_text("csv", "a table, for spreadsheets", _text)
