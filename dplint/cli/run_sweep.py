"""`dplint inspect sweep`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import click

from dplint import check
from dplint.cli.output import require_writable, whole_file
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.single import answered, write_answer
from dplint.cli.target import SEPARATOR, function_file
from dplint.outcomes import Curve
from dplint.report.curve import curve_document
from dplint.report.json_document import sweep_json

_TEST_RUNS = 2_000_000
"""Runs on each side for a point of a curve: to tell 0.6 from a loss of 0.63 takes more than a verdict does."""


def run_sweep(target: str, options: Mapping[str, Any]) -> int:
    """Sweep, write the curve, and return the exit code: 0 if there is a curve and nothing failed, else 2.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    source = function_file(target if SEPARATOR in target else f"{target}{SEPARATOR}")
    require_writable(options["output_file"], options["plot"])
    started = time.monotonic()
    values = overrides({name: value for name, value in options.items() if name != "epsilons"})
    values["method"] = "statdp"
    values.setdefault("test_runs", _TEST_RUNS)
    settings = settings_for(source, values)
    tested, at = options["epsilon_range"], options["epsilons"]
    curve, gathered = answered(
        settings,
        lambda one: check.sweep(target, tested, one, at=at, level=options["level"]),
        Curve,
        options,
    )

    def for_people(one: Curve, out: TextIO) -> None:
        from dplint.cli.people import write_document  # noqa: PLC0415 - rich is imported only where it is used

        write_document(curve_document(one), out)

    write_answer(curve, gathered, started, options, as_json=sweep_json, for_people=for_people)
    if curve is not None and options["plot"] is not None:
        _plot(curve, options["plot"])
    return 2 if curve is None or gathered.errors else 0


def _plot(curve: Curve, path: Path) -> None:
    from dplint.report.curve_picture import write_svg  # noqa: PLC0415 - only where it is asked for

    try:
        with whole_file(path) as unfinished:
            write_svg(curve, unfinished)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from None
