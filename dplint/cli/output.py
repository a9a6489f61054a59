"""Where reports go: streams, files, the live display.

The exit code of what was checked.

Writing the reports of a check, each in its format to its place.

The file of a baseline: read before the check, written after it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from dplint.cli.options import Output
from dplint.config import shown
from dplint.contents import content
from dplint.outcomes import CheckEvent, Curve, ExactTable, Outcome, Progress, Sensitivity, Underpowered, WorstInput
from dplint.report.fingerprints import BaselineError, Rename, SourceLine, baseline_text, read_baseline, without_known
from dplint.report.format import Report
from dplint.report.formats import FormatError, format_of
from dplint.report.gathered import Gathered, exit_code
from dplint.report.literals import for_logs, printable
from dplint.report.words import STOPPING
from dplint.workers.pool import Stop

Event = TypeVar("Event", bound=CheckEvent | Curve | ExactTable | WorstInput | Sensitivity)


def say(text: str, *, err: bool = True) -> None:
    """A line for whoever looks on, on stderr: nothing that is named in it is obeyed by a terminal or a log."""
    click.echo(for_logs(printable(text)), err=err)


@contextmanager
def report_stream(path: Path | None) -> Iterator[TextIO]:
    """The stream of the report: stdout, or a file, which has all of it or what it had before.

    Raises:
        click.FileError: it cannot be written, such as on a disk that is full.
    """
    try:
        if path is None:
            if isinstance(sys.stdout, io.TextIOWrapper):
                # a name in the user's source may hold what the terminal's encoding does not
                sys.stdout.reconfigure(errors="backslashreplace")
            yield sys.stdout
            sys.stdout.flush()
        else:
            with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(path, error) from None


def _unwritten(path: Path | None, error: OSError) -> click.FileError:
    if path is None:
        # What is left would fail again when Python flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    hint = "; name a file in a folder that exists" if isinstance(error, FileNotFoundError) else ""
    return click.FileError("the report" if path is None else str(path), f"{error.strerror}{hint}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file, so that a reader sees all of it, or what was there before, also after a kill.

    What is no plain file, such as a pipe, is written as it is, and so is one in a folder where nothing can be made.
    Raises OSError.
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if (mode is not None and not stat.S_ISREG(mode)) or not os.access(target.parent, os.W_OK):
        yield path
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=f".tmp{target.suffix}", dir=target.parent)
    os.close(handle)
    try:
        yield Path(name)
        Path(name).chmod(0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def require_writable(*paths: Path | None) -> None:
    """Refuse files that cannot be written before the work is done, not after.

    Raises:
        click.UsageError: the folder of a file does not exist, or a folder has the name of the file.
    """
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise click.UsageError(f"'{path}' cannot be written: there is no folder '{path.parent}'. Make it first.")
        if path is not None and path.is_dir():
            raise click.UsageError(f"'{path}' cannot be written: it is a folder. Name a file in it.")


def watched(stream: Iterator[Event], stop: Stop | None = None, *, shown: bool) -> Generator[Event, None, None]:
    """The events, shown on stderr as they come if that is a terminal and `shown`.

    The stream is closed at the end, also after an exception: closing it is what stops the workers. The request to
    stop, if there can be one, is acknowledged: by the display, else by a line on stderr.
    """
    try:
        if shown and sys.stderr.isatty():
            from dplint.cli.people import live  # noqa: PLC0415 - rich is imported only where it is used

            yield from live(stream, stop)
        else:
            if stop is not None:
                stop.tell(_acknowledge)
            yield from stream
    finally:
        if isinstance(stream, Generator):
            stream.close()


def _acknowledge() -> None:
    # a signal handler may interrupt a write to the buffer of sys.stderr, so this goes past it
    os.write(2, f"dplint is {STOPPING}\n".encode())


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
    count = counts.violations + counts.untestable + counts.failed + counts.findings + counts.errors
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
