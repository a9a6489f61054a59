"""`dplint check`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dplint import check
from dplint.cli.buffer import Buffer, read_buffer
from dplint.cli.formats import Output, outputs
from dplint.cli.interrupts import INTERRUPTED, asked_by_interrupt
from dplint.cli.output import require_writable, watched
from dplint.cli.overrides import overrides, repeat_words, settings_by_file
from dplint.cli.quoting import source_line
from dplint.cli.writing import Style, write_reports
from dplint.config import SettingsByFile, hint
from dplint.outcomes import CheckError, CheckEvent
from dplint.report.gathered import Gathered, exit_code, gather
from dplint.workers.stopping import Stop


@dataclass(frozen=True, slots=True)
class Request:
    """What to check, and what to do with the outcome. values: the settings that were given as options."""

    paths: tuple[Path, ...]
    buffer: Buffer | None
    values: Mapping[str, object]
    outputs: Sequence[Output]
    options: Mapping[str, Any]

    @property
    def start(self) -> Path:
        """Where the settings are looked for."""
        return self.paths[0] if self.buffer is None else self.buffer.path


def run_check(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check the paths, write the reports, and return the exit code; after a Ctrl-C, the report of what is known so far.

    Raises:
        click.ClickException: a path does not exist, an option is wrong, or a report cannot be written.
    """
    request = read_request(paths, options)
    stop = Stop()
    gathered, seconds = examine(request, stop, stop)
    report(request, gathered, seconds)
    if stop.requested:
        return INTERRUPTED
    code = exit_code(gathered)
    return 0 if code == 1 and options["exit_zero"] else code


def read_request(paths: Sequence[Path], options: Mapping[str, Any]) -> Request:
    """What is asked for.

    Raises:
        click.UsageError: a path does not exist, or options do not fit.
    """
    chosen = outputs(options["formats"], options["output_file"])
    require_writable(*(one.path for one in chosen), options["picture"])
    buffer = read_buffer(paths, options["stdin_filename"])
    if buffer is None:
        for path in paths:
            require_path(path)
    elif options["watch"]:
        raise click.UsageError("--watch is for files; a text on the standard input does not change.")
    return Request(tuple(paths), buffer, overrides(options), chosen, options)


def examine(request: Request, stop: Stop, asked: Stop) -> tuple[Gathered, float]:
    """What a check finds, and the seconds that it took. asked: the request to end that a person can make.

    Raises:
        click.UsageError: an option is wrong.
    """
    started = time.monotonic()
    settings = settings_by_file(request.start, request.values)
    if isinstance(settings, CheckError):
        gathered = gather([settings])
    else:
        shown = not (request.options["quiet"] or request.options["no_progress"])
        events = _events(request, settings, stop)
        with asked_by_interrupt(asked), closing(watched(events, asked, shown=shown)) as stream:
            gathered = gather(stream)
    return gathered, time.monotonic() - started


def report(request: Request, gathered: Gathered, seconds: float) -> None:
    """Write all reports that are asked for.

    Raises:
        click.FileError: a file cannot be written.
    """
    options = request.options
    style = Style(
        source=source_line if request.buffer is None else request.buffer.source(source_line),
        quiet=options["quiet"],
        statistics=options["statistics"],
        repeat=repeat_words(request.values),
    )
    write_reports(gathered, seconds, request.outputs, style)
    if options["picture"] is not None:
        _picture(gathered, seconds, options["picture"])


def require_path(path: Path) -> None:
    """Raise a usage error that names the nearest sibling if the path does not exist."""
    if path.exists():
        return
    parent = path.parent
    if not parent.is_dir():
        require_path(parent)
        raise click.UsageError(f"'{path}' does not exist: '{parent}' is not a folder.")
    siblings = sorted(entry.name for entry in parent.iterdir() if _is_candidate(entry))
    near = hint(path.name, siblings, noun="folders and Python files there") if siblings else "There is no Python file."
    raise click.UsageError(f"'{path}' does not exist. {near}")


def _events(request: Request, settings: SettingsByFile, stop: Stop) -> Iterator[CheckEvent]:
    if request.buffer is None:
        return check.check_paths(request.paths, settings, stop)
    return check.check_text(request.buffer.raw, request.buffer.path, settings, stop)


def _is_candidate(entry: Path) -> bool:
    return entry.suffix == ".py" or (entry.is_dir() and not entry.name.startswith("."))


def _picture(gathered: Gathered, seconds: float, path: Path) -> None:
    from dplint.cli.people import write_picture  # noqa: PLC0415 - rich is imported only where it is used

    try:
        write_picture(gathered, seconds, path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from None
