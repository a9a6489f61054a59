"""Panels, source lines and colours, as far as the stream can show them."""

from __future__ import annotations

from typing import TextIO

from dplint.report.console import console_of
from dplint.report.format import Format, Report
from dplint.report.terminal import print_report


def write(report: Report, stream: TextIO) -> None:
    """Write the report of a check for people."""
    print_report(
        report.gathered,
        report.seconds,
        console_of(stream),
        report.source,
        quiet=report.quiet,
        repeat=report.repeat,
        verbose=report.verbose,
    )


FORMAT = Format("rich", "for people, with colours on a terminal", write)
