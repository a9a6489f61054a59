"""`dplint check`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

import click

from dplint import check
from dplint.cli.interrupts import INTERRUPTED, asked_by_interrupt
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, repeat_words, settings_for
from dplint.config import hint
from dplint.outcomes import CheckError
from dplint.report.concise import concise
from dplint.report.gathered import Gathered, exit_code, gather
from dplint.report.json_document import check_json
from dplint.workers.stopping import Stop


def run_check(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Check the paths, write the report, and return the exit code; after a Ctrl-C, the report of what is known so far.

    Raises:
        click.ClickException: a path does not exist, an option is wrong, or the report cannot be written.
    """
    for path in paths:
        require_path(path)
    require_writable(options["output_file"], options["picture"])
    started = time.monotonic()
    values = overrides(options)
    settings = settings_for(paths[0], values)
    stop = Stop()
    if isinstance(settings, CheckError):
        gathered = gather([settings])
    else:
        shown = not (options["quiet"] or options["no_progress"])
        events = check.check_paths(paths, settings, stop)
        with asked_by_interrupt(stop), closing(watched(events, stop, shown=shown)) as stream:
            gathered = gather(stream, settings.select, settings.ignore)
    seconds = time.monotonic() - started
    with report_stream(options["output_file"]) as file:
        _write(gathered, seconds, file, options, repeat_words(values))
    if options["picture"] is not None:
        _picture(gathered, seconds, options["picture"])
    return INTERRUPTED if stop.requested else exit_code(gathered)


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


def _is_candidate(entry: Path) -> bool:
    return entry.suffix == ".py" or (entry.is_dir() and not entry.name.startswith("."))


def _write(gathered: Gathered, seconds: float, stream: TextIO, options: Mapping[str, Any], repeat: str) -> None:
    match options["form"]:
        case "json":
            stream.write(check_json(gathered, seconds))
        case "concise":
            stream.write(concise(gathered, seconds, quiet=options["quiet"]))
        case _:
            from dplint.cli.people import write_report  # noqa: PLC0415 - rich is imported only where it is used

            write_report(gathered, seconds, stream, quiet=options["quiet"], repeat=repeat)


def _picture(gathered: Gathered, seconds: float, path: Path) -> None:
    from dplint.cli.people import write_picture  # noqa: PLC0415 - rich is imported only where it is used

    try:
        write_picture(gathered, seconds, path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from None
