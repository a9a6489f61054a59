"""Output for people. Only this file of the command line imports rich."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO, TypeVar

from rich.console import Console

from dplint.check.programs import Programs
from dplint.cli.quoting import source_line
from dplint.outcomes import CheckEvent, Curve
from dplint.report.curve import print_curve
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Gathered
from dplint.report.program import print_programs
from dplint.report.progress import LiveProgress
from dplint.report.terminal import print_report, save_picture
from dplint.workers.stopping import Stop

Event = TypeVar("Event", bound=CheckEvent | Curve)
PLAIN_WIDTH = 100
"""Width of a report that does not go to a terminal."""


def live(stream: Iterable[Event], stop: Stop | None) -> Iterator[Event]:
    """The events, shown on stderr as they come; a request to stop is shown too."""
    with LiveProgress(Console(stderr=True, highlight=False)) as display:
        if stop is not None:
            stop.tell(display.stopping)
        for event in stream:
            display.show(event)
            yield event


def write_report(
    gathered: Gathered, seconds: float, stream: TextIO, source: SourceLine, *, quiet: bool, repeat: str = ""
) -> None:
    """Write the report of a check."""
    print_report(gathered, seconds, _console(stream), source, quiet=quiet, repeat=repeat)


def write_curve(curve: Curve, stream: TextIO) -> None:
    """Write the curve of a sweep."""
    print_curve(curve, _console(stream))


def write_programs(programs: Programs, stream: TextIO) -> None:
    """Write the programs of a file."""
    print_programs(programs, _console(stream), source_line)


def write_markdown(markdown: str, stream: TextIO) -> None:
    """Write Markdown as people like to read it."""
    from rich.markdown import Markdown  # noqa: PLC0415 - slow to import, and seldom wanted

    _console(stream).print(Markdown(markdown))


def write_picture(gathered: Gathered, seconds: float, path: Path) -> None:
    """Write the report of a check as SVG. Raises OSError if the file cannot be written."""
    save_picture(gathered, seconds, path, source_line)


def _console(stream: TextIO) -> Console:
    """Colours only on a terminal and not under NO_COLOR; FORCE_COLOR is for stdout, not for files."""
    is_file = stream is not sys.stdout
    wide = stream.isatty() or "COLUMNS" in os.environ
    return Console(
        file=stream, width=None if wide else PLAIN_WIDTH, highlight=False, force_terminal=False if is_file else None
    )
