"""The entry point: the commands of the command line and the language server, which know nothing of each other."""

from __future__ import annotations

from dplint.cli import app, main
from dplint.server.command import server

__all__ = ["main"]

app.add_command(server)
