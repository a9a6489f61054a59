"""The console of a stream: how wide it is, and whether it has colours."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from rich.console import Console

PLAIN_WIDTH = 100
"""Width of a report that does not go to a terminal."""


def console_of(stream: TextIO) -> Console:
    """Colours only on a terminal and not under NO_COLOR; FORCE_COLOR is for stdout, not for files."""
    is_file = stream is not sys.stdout
    wide = stream.isatty() or "COLUMNS" in os.environ
    return Console(
        file=stream, width=None if wide else PLAIN_WIDTH, highlight=False, force_terminal=False if is_file else None
    )
