"""Writing the reports of a check, each in its format to its place."""

# ruff: noqa: PLC0415 - a format is imported where it is used: nobody pays for another one

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from dplint.cli.formats import FOR_PEOPLE, Output
from dplint.cli.output import report_stream
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Gathered


@dataclass(frozen=True, slots=True)
class Style:
    """How reports are written.

    source: gives lines of files. statistics: whether counts are added. repeat: options that a command to reproduce a
    violation needs besides the seed.
    """

    source: SourceLine
    quiet: bool = False
    statistics: bool = False
    repeat: str = ""


def write_reports(gathered: Gathered, seconds: float, outputs: Sequence[Output], style: Style) -> None:
    """Write all of them.

    Raises:
        click.FileError: a file cannot be written.
    """
    for output in outputs:
        with report_stream(output.path) as stream:
            _write(gathered, seconds, output.form, stream, style)
            if style.statistics and output.form in FOR_PEOPLE:
                from dplint.report.tally import tally

                stream.write(tally(gathered, seconds))


def _write(gathered: Gathered, seconds: float, form: str, stream: TextIO, style: Style) -> None:
    match form:
        case "json":
            from dplint.report.tally import check_json_with_tally

            stream.write(check_json_with_tally(gathered, seconds, tallied=style.statistics))
        case "concise":
            from dplint.report.concise import concise

            stream.write(concise(gathered, seconds, quiet=style.quiet))
        case "sarif":
            from dplint.report.sarif import sarif

            stream.write(sarif(gathered, seconds, style.source))
        case "github":
            from dplint.report.github import github

            stream.write(github(gathered, seconds, quiet=style.quiet))
        case "gitlab":
            from dplint.report.gitlab import gitlab

            stream.write(gitlab(gathered, style.source))
        case "junit":
            from dplint.report.junit import junit

            stream.write(junit(gathered, seconds))
        case _:
            from dplint.cli.people import write_report

            write_report(gathered, seconds, stream, style.source, quiet=style.quiet, repeat=style.repeat)
