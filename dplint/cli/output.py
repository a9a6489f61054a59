"""Where reports go: streams, files, the live display."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

import click

from dplint.outcomes import CheckEvent, Curve, ExactTable, WorstInput
from dplint.report.literals import for_logs, printable
from dplint.report.words import STOPPING
from dplint.workers.stopping import Stop

Event = TypeVar("Event", bound=CheckEvent | Curve | ExactTable | WorstInput)


def say(text: str, *, err: bool = True) -> None:
    """A line for whoever looks on, on stderr: nothing that is named in it is obeyed by a terminal or a log."""
    click.echo(for_logs(printable(text)), err=err)


@contextmanager
def report_stream(path: Path | None) -> Iterator[TextIO]:
    """The stream of the report: stdout, or a file.

    Raises:
        click.FileError: the file cannot be written.
    """
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # a name in the user's source may hold what the terminal's encoding does not
            sys.stdout.reconfigure(errors="backslashreplace")
        yield sys.stdout
        return
    try:
        stream = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.FileError(str(path), f"{error.strerror}; name a file in a folder that exists") from None
    with stream:
        yield stream


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
