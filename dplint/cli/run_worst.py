"""`dplint worst`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import click

from dplint.check.worst import worst
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.quoting import source_line
from dplint.cli.target import require_function, split_target
from dplint.outcomes import CheckError, CheckEvent, Plan, WorstInput
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import gather
from dplint.report.worst_json import worst_json


def run_worst(target: str, options: Mapping[str, Any]) -> int:
    """Search, write what was found, and return the exit code: 1 if it loses more than claimed, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    file, function = split_target(target)
    if function is None:
        raise click.UsageError(f"{target!r} does not name a function; write FILE::FUNCTION")
    require_function(file, function)
    require_writable(options["output_file"])
    started = time.monotonic()
    settings = settings_for(file, overrides({}))
    found: WorstInput | None = None
    events: list[CheckEvent] = []
    if isinstance(settings, CheckError):
        events.append(settings)
    else:
        shown = not (options["quiet"] or options["no_progress"])
        search = worst(target, settings, seconds=options["seconds"], epsilon=options["epsilon"])
        with closing(watched(search, shown=shown)) as stream:
            for event in stream:
                if isinstance(event, WorstInput):
                    found = event
                else:
                    events.append(event)
    gathered = gather(event for event in events if found is None or not isinstance(event, Plan))
    with report_stream(options["output_file"]) as out:
        if options["form"] == "json":
            out.write(worst_json(found, gathered))
        else:
            from dplint.cli.people import write_worst_input  # noqa: PLC0415 - rich is imported only where it is used

            if gathered.results or gathered.findings or gathered.errors:
                report = Report(gathered, time.monotonic() - started, source_line, quiet=True)
                format_of(options["form"]).write(report, out)
            if found is not None:
                write_worst_input(target, found, out)
    if found is None:
        return 2
    return 1 if found.refutes else 0
