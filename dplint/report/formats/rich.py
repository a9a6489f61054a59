"""Panels, source lines and colours, as far as the stream can show them."""

from __future__ import annotations

from typing import TextIO

from dplint.report.change_words import change_text
from dplint.report.format import Format, Report
from dplint.report.terminal import console_of, print_report


def write(report: Report, stream: TextIO) -> None:
    """Write the report of a check for people."""
    console = console_of(stream)
    print_report(report, console)
    console.print(change_text(report, console.width), end="", markup=False, highlight=False, soft_wrap=True)


FORMAT = Format("rich", "for people, with colours on a terminal", write)
