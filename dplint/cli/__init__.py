"""The command line. Importing it, and showing help, needs nothing but click; each command imports what it uses."""

from __future__ import annotations

import gc
import io
import signal
import sys
from collections.abc import Sequence
from types import FrameType

import click

from dplint.cli.app import app
from dplint.runner.system import keep_private

__all__ = ["app", "main"]

USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: nothing wrong. 1: a violation or an error-level finding. 2: bad usage, or something could not be checked.
    130: interrupted. 141: the reader of the output went away. 143: told to end.
    """
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    if arguments is None:
        keep_private()
    program = "python -m dplint" if sys.argv[0].endswith("__main__.py") else "dplint"
    try:
        code = app.main(args=None if arguments is None else list(arguments), prog_name=program, standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        return USAGE
    except click.Abort:
        return 130
    finally:
        if arguments is None:
            # The interpreter ends now: to search all that was loaded for garbage would take longer than many commands.
            gc.freeze()
    return code if isinstance(code, int) else 0


def _show(error: click.ClickException) -> None:
    """Say what is wrong; the names in it are other people's."""
    from dplint.report.literals import for_logs, printable  # noqa: PLC0415 - help answers fast

    said = io.StringIO()
    error.show(file=said)
    click.echo(for_logs(printable(said.getvalue())), err=True, nl=False)


def _end(number: int, _frame: FrameType | None) -> None:
    """Leave as after an exception, so that workers are stopped on the way out."""
    sys.exit(128 + number)
