"""The page of all commands and options, made from the command line's own parser: docs/commands.md.

python -m scripts.commands_page            # to the standard output
python -m scripts.commands_page --write    # into docs/commands.md
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import dplint.main
from dplint.cli.groups import grouped

APP = dplint.main.app
"""All commands, the language server among them."""
PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """# Commands

Made from the command line's own parser; `dplint COMMAND --help` prints the same. Options that have a key in
`pyproject.toml` are explained in [Settings](settings.md), formats in [Formats](formats.md), exit codes in
[Verdicts](verdicts.md#exit-codes).
"""


def document() -> str:
    """The whole page."""
    commands = (APP.commands[name] for name in sorted(APP.commands, key=_order))
    return "\n".join([HEAD, *("\n".join(_command(command)) for command in commands)])


def _order(name: str) -> tuple[bool, str]:
    return name != "check", name


def _command(command: click.Command, family: str = "") -> Iterator[str]:
    name = f"{family}{command.name}"
    context = click.Context(command, info_name=f"dplint {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"## {name}\n"
    yield f"```text\ndplint {name} {usage}\n```\n"
    yield inspect.cleandoc(command.help or "") + "\n"
    if isinstance(command, click.Group):
        for one in command.commands.values():
            yield from _command(one, f"{name} ")
        return
    for title, records in grouped(command, context):
        # Of help there is no word.
        shown = [(names, meaning) for names, meaning in records if "--help" not in names]
        if shown:
            yield f"| {title.lower()} | |\n|---|---|"
            yield from (f"| `{_cell(names)}` | {_cell(meaning)} |" for names, meaning in shown)
            yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(document(), encoding="utf-8")
    else:
        sys.stdout.write(document())
