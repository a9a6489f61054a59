"""Commands around a check: settings, caches, the server for assistants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dplint.cli.groups import GroupedCommand
from dplint.cli.options import audit_options, flag, method_options, value


@click.command(cls=GroupedCommand)
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@flag("--schema", "Print the JSON schema of pyproject.toml instead, for editors.")
@method_options
@audit_options
def config(path: Path, **options: Any) -> int:
    """Show the settings that hold for a file or folder, and where each value comes from.

    That is a default, the profile, a line of pyproject.toml, a variable DPLINT_... of the environment, or an option.
    Below stands what the kernel keeps your code from on this machine.
    """
    from dplint.cli.run_config import run_config  # noqa: PLC0415 - help answers fast

    return run_config(path, options)


@click.command(cls=GroupedCommand)
@click.argument("path", type=click.Path(path_type=Path), default=".")
@flag("--yes", "Ask nothing outside of a project, either.", "-y")
def clean(path: Path, **options: Any) -> int:
    """Remove the caches of a project, and of projects below a folder.

    Outside of projects it is the one in the user's folder for caches that is removed, with those of all projects
    below; what would go is named then, and asked for.
    """
    from dplint.cli.run_config import run_clean  # noqa: PLC0415 - help answers fast

    return run_clean(path, yes=options["yes"])


@click.command(cls=GroupedCommand)
@value(
    "--trust",
    "FOLDER",
    "Code in this folder may be run; repeatable. Elsewhere the source alone is looked at.",
    "trusted",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
def mcp(trusted: tuple[Path, ...]) -> int:
    """Serve assistants over the Model Context Protocol, on the standard input and output.

    They may check, prove, repair, ask for losses, compare with a commit, suggest, sum up budgets and have codes
    explained. Takes `dplint[mcp]`.
    """
    from dplint.cli.run_mcp import run_mcp  # noqa: PLC0415 - help answers fast

    return run_mcp(trusted)
