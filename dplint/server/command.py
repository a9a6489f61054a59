"""`dplint server`: the command that editors start."""

from __future__ import annotations

import click


@click.command()
@click.option("--tcp", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Listen on a port, for debugging.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on with --tcp.")
@click.option("--verbose", is_flag=True, help="Log every message on stderr.")
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout; this is what happens anyway.")
def server(port: int | None, host: str, verbose: bool, stdio: bool) -> int:
    """Start the language server, for an editor that speaks LSP.

    It shows findings while you type and verdicts when you save. docs/editors.md says how editors start it.
    """
    if port is not None and stdio:
        raise click.UsageError("--tcp and --stdio exclude each other.")
    from dplint.server.main import serve  # noqa: PLC0415 - help answers fast

    return serve(tcp=None if port is None else (host, port), verbose=verbose)
