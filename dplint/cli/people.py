"""Output for people. Only this file of the command line imports rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeVar

from rich.panel import Panel
from rich.text import Text

from dplint.check.programs import Programs
from dplint.cli.buffer import source_line
from dplint.contracts.tree import Budget
from dplint.outcomes import Answer, CheckError, CheckEvent
from dplint.report.budget import print_budgets
from dplint.report.document import Document
from dplint.report.program import print_programs
from dplint.report.progress import LiveProgress
from dplint.report.terminal import SafeConsole, console_of, print_document
from dplint.workers.pool import Stop

Event = TypeVar("Event", bound=CheckEvent | Answer)


def live(stream: Iterable[Event], stop: Stop | None) -> Iterator[Event]:
    """The events, shown on stderr as they come; a request to stop is shown too."""
    with LiveProgress(SafeConsole(stderr=True, highlight=False)) as display:
        if stop is not None:
            stop.tell(display.stopping)
        for event in stream:
            display.show(event)
            yield event


def write_document(told: Document, stream: TextIO) -> None:
    """Write one document."""
    print_document(told, console_of(stream))


def write_budgets(budgets: Sequence[Budget], errors: Iterable[CheckError], stream: TextIO) -> None:
    """Write what mechanisms spend, and what could not be read."""
    console = console_of(stream)
    for error in errors:
        where = f"{error.file}:{error.line}" if error.line is not None else error.file
        console.print(f"{where}: {error.message}", style="bold red", markup=False)
    print_budgets(budgets, console)


def write_programs(programs: Programs, stream: TextIO) -> None:
    """Write the programs of a file."""
    print_programs(programs, console_of(stream), source_line)


def write_box(text: str, stream: TextIO) -> None:
    """Write a text that nobody should overlook."""
    console_of(stream).print(Panel(Text(text), expand=False, border_style="yellow"))


def write_markdown(markdown: str, stream: TextIO) -> None:
    """Write Markdown as people like to read it."""
    from rich.markdown import Markdown  # noqa: PLC0415 - slow to import, and seldom wanted

    console_of(stream).print(Markdown(markdown))
