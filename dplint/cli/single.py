"""Commands about one mechanism: gather what is told, and write the one answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, TextIO, TypeVar

from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.quoting import source_line
from dplint.cli.target import function_file
from dplint.config import Settings
from dplint.outcomes import CheckError, CheckEvent, Curve, ExactTable, Plan, Sensitivity, WorstInput
from dplint.report.document import Document
from dplint.report.format import Report
from dplint.report.formats import format_of
from dplint.report.gathered import Gathered, gather

A = TypeVar("A", Curve, ExactTable, WorstInput, Sensitivity)
C = TypeVar("C", ExactTable, WorstInput, Sensitivity)


def answered(
    settings: Settings | CheckError,
    begin: Callable[[Settings], Iterator[CheckEvent | A]],
    kind: type[A],
    options: Mapping[str, Any],
) -> tuple[A | None, Gathered]:
    """The answer of this kind, None if there is none, and all else that was told; shown on stderr as it goes on."""
    answer: A | None = None
    events: list[CheckEvent] = []
    if isinstance(settings, CheckError):
        events.append(settings)
    else:
        shown = not (options["quiet"] or options["no_progress"])
        with closing(watched(begin(settings), shown=shown)) as stream:
            for event in stream:
                if isinstance(event, kind):
                    answer = event
                else:
                    assert not isinstance(event, Curve | ExactTable | WorstInput | Sensitivity)
                    events.append(event)
    # The answer is the outcome of the mechanism that was planned.
    return answer, gather(event for event in events if answer is None or not isinstance(event, Plan))


def write_answer(
    answer: A | None,
    gathered: Gathered,
    started: float,
    options: Mapping[str, Any],
    *,
    as_json: Callable[[A | None, Gathered], str],
    for_people: Callable[[A, TextIO], None],
) -> None:
    """Write it where the options say, in their form. started: by the monotonic clock.

    Raises click.FileError if the file cannot be written.
    """
    with report_stream(options["output_file"]) as out:
        if options["form"] == "json":
            out.write(as_json(answer, gathered))
            return
        if gathered.results or gathered.findings or gathered.errors:
            report = Report(gathered, time.monotonic() - started, source_line, quiet=True)
            format_of(options["form"]).write(report, out)
        if answer is not None:
            for_people(answer, out)


def run_single(
    target: str,
    options: Mapping[str, Any],
    begin: Callable[[Settings], Iterator[CheckEvent | C]],
    kind: type[C],
    *,
    as_json: Callable[[C | None, Gathered], str],
    told: Callable[[str, C], Document],
) -> int:
    """Compute something of one function, write it, and return the exit code: 1 if it refutes the claim, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, or a file cannot be written.
    """
    file = function_file(target)
    require_writable(options["output_file"])
    started = time.monotonic()
    settings = settings_for(file, overrides({"static_only": options.get("static_only")}))
    answer, gathered = answered(settings, begin, kind, options)

    def for_people(one: C, out: TextIO) -> None:
        from dplint.cli.people import write_document  # noqa: PLC0415 - rich is imported only where it is used

        write_document(told(target, one), out)

    write_answer(answer, gathered, started, options, as_json=as_json, for_people=for_people)
    return 2 if answer is None else int(answer.refutes)
