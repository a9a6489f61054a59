"""`dplint sweep`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

import click

from dplint import check
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.quoting import source_line
from dplint.cli.target import SEPARATOR, require_function, split_target
from dplint.config import Settings
from dplint.outcomes import CheckError, CheckEvent, Curve, Plan
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather
from dplint.report.json_document import sweep_json

_TEST_RUNS = 2_000_000
"""Runs on each side for a point of a curve: to tell 0.6 from a loss of 0.63 takes more than a verdict does."""


def run_sweep(target: str, options: Mapping[str, Any]) -> int:
    """Sweep, write the curve, and return the exit code: 0 if there is a curve and nothing failed, else 2.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    source = _require_function(target)
    require_writable(options["output_file"], options["plot"])
    started = time.monotonic()
    values = overrides({name: value for name, value in options.items() if name != "epsilons"})
    values["method"] = "statdp"
    values.setdefault("test_runs", _TEST_RUNS)
    settings = settings_for(source, values)
    curve: Curve | None = None
    events: list[CheckEvent] = []
    if isinstance(settings, CheckError):
        events.append(settings)
    else:
        with closing(_events(target, settings, options)) as stream:
            for event in stream:
                if isinstance(event, Curve):
                    curve = event
                else:
                    events.append(event)
    # a curve is the outcome of the mechanism that was planned
    gathered = gather(event for event in events if curve is None or not isinstance(event, Plan))
    with report_stream(options["output_file"]) as file:
        _write(curve, gathered, time.monotonic() - started, file, options)
    if curve is not None and options["plot"] is not None:
        _plot(curve, options["plot"])
    return 2 if curve is None or gathered.errors else 0


def _events(target: str, settings: Settings, options: Mapping[str, Any]) -> Generator[CheckEvent | Curve, None, None]:
    shown = not (options["quiet"] or options["no_progress"])
    at = options["at"] or None
    stream = check.sweep(target, options["epsilons"], settings, at=at, level=options["level"])
    return watched(stream, shown=shown)


def _write(curve: Curve | None, gathered: Gathered, seconds: float, stream: TextIO, options: Mapping[str, Any]) -> None:
    if options["form"] == "json":
        stream.write(sweep_json(curve, gathered))
        return
    from dplint.cli.people import write_curve  # noqa: PLC0415 - rich is imported only where it is used

    if gathered.results or gathered.findings or gathered.errors:
        format_of(options["form"]).write(Report(gathered, seconds, source_line, quiet=True), stream)
    if curve is not None:
        write_curve(curve, stream)


def _plot(curve: Curve, path: Path) -> None:
    from dplint.report.curve_picture import write_svg  # noqa: PLC0415 - matplotlib is slow to import

    try:
        write_svg(curve, path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from None


def _require_function(target: str) -> Path:
    """The file of a target whose function is there; whether it bears a claim is for the sweep to see."""
    file, function = split_target(target if SEPARATOR in target else f"{target}{SEPARATOR}")
    assert function is not None
    require_function(file, function)
    return file
