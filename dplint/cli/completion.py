"""Completion in shells: the scripts are click's own; here is what they can complete beyond commands and options."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def codes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes that begin so, the last of several after commas."""
    from dplint.codes import CODES  # noqa: PLC0415 - help answers fast

    before, comma, begun = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{page.code}", help=page.title)
        for page in CODES.values()
        if page.code.startswith(begun.upper())
    ]
