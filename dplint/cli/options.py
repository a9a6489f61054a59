"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

AUDIT = (
    click.option(
        "--profile", type=click.Choice(["editor", "commit", "ci", "nightly"]), help="How much effort to make."
    ),
    click.option("--seed", type=int, metavar="N", help="Seed of all audits.  [default: from source and claim]"),
    click.option("--jobs", "-j", type=int, metavar="N", help="Worker processes.  [default: one for each processor]"),
    click.option("--select-runs", type=int, metavar="N", help="Runs a side to choose input and event on."),
    click.option("--test-runs", type=int, metavar="N", help="Fresh runs a side to test them on."),
    click.option("--time-limit", type=float, metavar="SECONDS", help="For one mechanism."),
    click.option("--deadline", type=float, metavar="SECONDS", help="For one request to the code that is checked."),
    click.option("--memory-mib", type=int, metavar="N", help="Memory of the process that runs the code."),
    click.option("--python", "interpreter", metavar="PATH", help="Interpreter that runs the code."),
    click.option(
        "--allow", multiple=True, metavar="EFFECT", help="What the code may do: network, write or process; repeatable."
    ),
    click.option(
        "--solver",
        type=click.Choice(["z3", "simple"]),
        help="How arguments are chosen: z3, or a handful of simple values, for comparison.  [default: z3]",
    ),
)


def audit_options(command: Command) -> Command:
    """Options on how mechanisms are run. All default to None or (), which means: not given."""
    for option in reversed(AUDIT):
        command = option(command)
    return command


def output_options(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Options on where the report goes and how it looks; the first format is the default."""

    def add(command: Command) -> Command:
        choice = click.option("--format", "form", type=click.Choice(formats), default=formats[0], show_default=True)
        file = click.option(
            "--output-file", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file."
        )
        quiet = click.option("--quiet", "-q", is_flag=True, help="Only what is wrong; no progress, no summary.")
        progress = click.option("--no-progress", is_flag=True, help="No live display of the progress.")
        for option in (progress, quiet, file, choice):
            command = option(command)
        return command

    return add
