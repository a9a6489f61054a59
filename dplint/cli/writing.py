"""Writing the reports of a check, each in its format to its place."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator, Iterator, Sequence

from dplint.cli.formats import Output
from dplint.cli.output import report_stream
from dplint.outcomes import CheckEvent, Progress
from dplint.report.format import Report
from dplint.report.formats import FormatError, format_of


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


def loading_formats(events: Iterator[CheckEvent], outputs: Sequence[Output]) -> Generator[CheckEvent, None, None]:
    """The events as they come. While audits go on, and this process waits, what writes the reports is loaded."""
    loading = False
    try:
        for event in events:
            if isinstance(event, Progress) and not loading:
                loading = True
                threading.Thread(target=_load, args=(outputs,), name="dplint loads formats", daemon=True).start()
            yield event
    finally:
        if isinstance(events, Generator):
            events.close()


def _load(outputs: Sequence[Output]) -> None:
    with contextlib.suppress(FormatError):  # which is told where it is used
        for output in outputs:
            format_of(output.form)
