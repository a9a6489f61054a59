"""The console of a stream: how wide it is, whether it has colours, and that nothing it prints is obeyed.

Names of files, functions and exceptions are other people's. Whatever a report prints goes through here, so none of them
steers a terminal, turns the direction of a line, or is a command to the system that keeps the log.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from dplint.report.literals import for_logs, printable

PLAIN_WIDTH = 100
"""Width of a report that does not go to a terminal."""


class SafeConsole(Console):
    """A console on which only styles are escape sequences: all else that would be one is shown as an escape."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As rich has it, with every text made printable."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


class _Log:
    """A stream in which no line is a command to the system that keeps it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(for_logs(text))

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)


def console_of(stream: TextIO) -> Console:
    """Colours only on a terminal and not under NO_COLOR; FORCE_COLOR is for stdout, not for files."""
    is_file = stream is not sys.stdout
    wide = stream.isatty() or "COLUMNS" in os.environ
    log: Any = _Log(stream)
    return SafeConsole(
        file=log, width=None if wide else PLAIN_WIDTH, highlight=False, force_terminal=False if is_file else None
    )
