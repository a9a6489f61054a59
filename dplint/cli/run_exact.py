"""`dplint exact`: call, gather, render."""

from __future__ import annotations

import ast
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from typing import Any, TextIO

import click

from dplint.check.exact import exact
from dplint.claims import Literal
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.quoting import source_line
from dplint.cli.target import require_function, split_target
from dplint.config import Settings
from dplint.outcomes import CheckError, CheckEvent, ExactTable, Plan
from dplint.report.exact_json import exact_json
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather


def run_exact(target: str, options: Mapping[str, Any]) -> int:
    """Compute, write the table, and return the exit code: 1 if the pair loses more than is claimed, 2 if there is none.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    file, function = split_target(target)
    if function is None:
        raise click.UsageError(f"{target!r} does not name a function; write FILE::FUNCTION")
    require_function(file, function)
    require_writable(options["output_file"])
    pair, arguments = _pair(options), [_argument(text) for text in options["arguments"]]
    started = time.monotonic()
    settings = settings_for(file, overrides({}))
    table: ExactTable | None = None
    events: list[CheckEvent] = []
    if isinstance(settings, CheckError):
        events.append(settings)
    else:
        with closing(_events(target, settings, pair, arguments, options)) as stream:
            for event in stream:
                if isinstance(event, ExactTable):
                    table = event
                else:
                    events.append(event)
    gathered = gather(event for event in events if table is None or not isinstance(event, Plan))
    with report_stream(options["output_file"]) as out:
        _write(target, table, gathered, time.monotonic() - started, out, options)
    if table is None:
        return 2
    return 1 if table.refutes else 0


def _events(
    target: str,
    settings: Settings,
    pair: tuple[Literal, Literal] | None,
    arguments: Iterable[tuple[str, Literal]],
    options: Mapping[str, Any],
) -> Generator[CheckEvent | ExactTable, None, None]:
    shown = not (options["quiet"] or options["no_progress"])
    return watched(exact(target, settings, pair=pair, arguments=list(arguments)), shown=shown)


def _pair(options: Mapping[str, Any]) -> tuple[Literal, Literal] | None:
    if options["d1"] is None and options["d2"] is None:
        return None
    if options["d1"] is None or options["d2"] is None:
        raise click.UsageError("--d1 and --d2 belong together: give both, or none for the pairs of the claim.")
    return _value("--d1", options["d1"]), _value("--d2", options["d2"])


def _argument(text: str) -> tuple[str, Literal]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip().isidentifier():
        raise click.UsageError(f"--arg {text!r} gives no value: write NAME=VALUE, such as T=1.0")
    return name.strip(), _value(f"--arg {name}", value)


def _value(option: str, text: str) -> Literal:
    try:
        value: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise click.UsageError(f"{option}: {text!r} is no Python literal, such as '[1.0, 2.0]'") from None
    return value


def _write(
    target: str,
    table: ExactTable | None,
    gathered: Gathered,
    seconds: float,
    stream: TextIO,
    options: Mapping[str, Any],
) -> None:
    if options["form"] == "json":
        stream.write(exact_json(table, gathered))
        return
    from dplint.cli.people import write_exact_table  # noqa: PLC0415 - rich is imported only where it is used

    if gathered.results or gathered.findings or gathered.errors:
        format_of(options["form"]).write(Report(gathered, seconds, source_line, quiet=True), stream)
    if table is not None:
        write_exact_table(target, table, stream)
