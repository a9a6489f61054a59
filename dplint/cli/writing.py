"""The end of a check: its exit code, its reports, each in its format to its place, and the file of a baseline.

A baseline is read before the check, and written after it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dplint.cli.options import Output
from dplint.cli.output import report_stream, say
from dplint.config import shown
from dplint.contents import content
from dplint.outcomes import CheckEvent, Outcome, Progress, Underpowered
from dplint.report.fingerprints import BaselineError, Rename, SourceLine, baseline_text, read_baseline, without_known
from dplint.report.format import Report
from dplint.report.formats import FormatError, format_of
from dplint.report.gathered import Gathered, exit_code


def code_of(gathered: Gathered) -> int:
    """As `exit_code`; 2 also where nothing at all could be tried of a claim, such as on a machine that is too busy."""
    return 2 if any(_is_untried(result.outcome) for result in gathered.results) else exit_code(gathered)


def _is_untried(outcome: Outcome) -> bool:
    return isinstance(outcome, Underpowered) and not outcome.tested and not outcome.losses


def write_reports(report: Report, outputs: Sequence[Output]) -> None:
    """Write the report in all formats that are asked for.

    Raises:
        click.FileError: a file cannot be written.
        UnknownFormatError: there is no such format; the command line has refused that before.
    """
    for output in outputs:
        form, told = format_of(output.form), replace(report, day=time.strftime("%Y-%m-%d", time.gmtime()))
        if form.files and output.path is not None:
            told = replace(told, earlier=_held(output.path))
        with report_stream(output.path) as stream:
            form.write(told, stream)


def _held(path: Path) -> str:
    """What a file holds that is about to be written anew, empty where there is none."""
    try:
        return content(path).decode("utf-8", "replace")
    except OSError:
        return ""


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


def require_baseline(path: Path | None, options: Mapping[str, Any]) -> frozenset[str] | None:
    """The fingerprints of the baseline, None if there is none to be heeded.

    A file that the settings name may be missing, one that an option names may not. An empty one knows nothing.

    Raises:
        click.UsageError: the options do not fit, or the file is no baseline.
    """
    if path is None:
        if options["write_baseline"]:
            raise click.UsageError(
                "--write-baseline needs the name of the file: --baseline FILE, or `baseline` in pyproject.toml."
            )
        return None
    if options["write_baseline"]:
        return None
    try:
        text = "" if str(path) == os.devnull else content(path).decode("utf-8")
        return read_baseline(text) if text else frozenset()
    except FileNotFoundError:
        if options["baseline"] is None:
            return None
        raise click.UsageError(f"'{shown(path)}' does not exist. --write-baseline makes it.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"'{shown(path)}' cannot be read: {error}") from None
    except BaselineError as error:
        raise click.UsageError(f"'{shown(path)}' {error}. --write-baseline makes a new one.") from None


def heed(gathered: Gathered, baseline: frozenset[str], path: Path, source: SourceLine) -> Gathered:
    """What is new."""
    return without_known(gathered, baseline, source, _from(path))


def write(gathered: Gathered, path: Path, source: SourceLine) -> Gathered:
    """Accept all that is reported: write it into the file; what is left are errors and failed audits.

    Raises:
        click.FileError: the file cannot be written.
    """
    text = baseline_text(gathered, source, _from(path))
    with report_stream(path) as stream:
        stream.write(text)
    left = without_known(gathered, read_baseline(text), source, _from(path))
    say(f"Wrote {len(left.known)} of {_all(gathered)} to {shown(path)}.")
    return left


def _all(gathered: Gathered) -> str:
    counts = gathered.counts
    count = sum(counts[name] for name in ("violations", "untestable", "failed", "findings", "errors"))
    return f"{count} problem" if count == 1 else f"{count} problems"


def _from(path: Path) -> Rename:
    """Names of files as the folder of the baseline sees them."""
    home = path.absolute().parent

    def rename(file: str) -> str:
        try:
            return Path(os.path.relpath(Path(file).absolute(), home)).as_posix()
        except ValueError:  # another drive
            return file

    return rename
