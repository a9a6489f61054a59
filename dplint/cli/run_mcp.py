"""`dplint mcp`: the tools for assistants, over the standard input and output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click


def run_mcp(trusted: Sequence[Path]) -> int:
    """Serve until the client hangs up.

    Raises:
        click.UsageError: the SDK is not installed.
    """
    try:
        from dplint.cli.assistant_tools import server_of  # noqa: PLC0415 - loads the SDK
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("dplint"):
            raise
        raise click.UsageError(f"{error.name} is not installed: `pip install 'mcp>=2,<3'`, the extra mcp.") from None
    server_of(trusted).run("stdio")
    return 0
