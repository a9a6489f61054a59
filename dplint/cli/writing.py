"""Writing the reports of a check, each in its format to its place."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.cli.formats import Output
from dplint.cli.output import report_stream
from dplint.report.format import Report
from dplint.report.formats import format_of


def write_reports(report: Report, outputs: Sequence[Output]) -> None:
    """Write the report in all formats that are asked for.

    Raises:
        click.FileError: a file cannot be written.
        UnknownFormatError: there is no such format; the command line has refused that before.
    """
    for output in outputs:
        form = format_of(output.form)
        with report_stream(output.path) as stream:
            form.write(report, stream)
            if report.statistics and form.for_people:
                from dplint.report.tally import tally  # noqa: PLC0415 - seldom wanted

                stream.write(tally(report.gathered, report.seconds))
