"""Where reports go: streams, files, the live display."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from dplint.outcomes import Answer, CheckEvent
from dplint.report.literals import for_logs, printable
from dplint.report.words import STOPPING

if TYPE_CHECKING:
    from dplint.workers.pool import Stop

Event = TypeVar("Event", bound=CheckEvent | Answer)


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
def told_as(name: str) -> Iterator[None]:
    """An OSError meanwhile becomes a click.FileError about the file of that name."""
    try:
        yield
    except OSError as error:
        raise click.FileError(name, error.strerror) from None


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
