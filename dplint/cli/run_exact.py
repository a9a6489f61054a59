"""`dplint exact`: call, gather, render."""

from __future__ import annotations

import ast
import time
from collections.abc import Mapping
from typing import Any, TextIO

import click

from dplint.check.exact import exact
from dplint.claims import Literal
from dplint.cli.output import require_writable
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.single import answered, write_answer
from dplint.cli.target import function_file
from dplint.outcomes import ExactTable
from dplint.report.json_answers import exact_json


def run_exact(target: str, options: Mapping[str, Any]) -> int:
    """Compute, write the table, and return the exit code: 1 if the pair loses more than is claimed, 2 if there is none.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    file = function_file(target)
    require_writable(options["output_file"])
    pair, arguments = _pair(options), [_argument(text) for text in options["arguments"]]
    started = time.monotonic()
    settings = settings_for(file, overrides({"static_only": options["static_only"]}))
    table, gathered = answered(
        settings, lambda one: exact(target, one, pair=pair, arguments=arguments), ExactTable, options
    )

    def for_people(one: ExactTable, out: TextIO) -> None:
        from dplint.cli.people import write_exact_table  # noqa: PLC0415 - rich is imported only where it is used

        write_exact_table(target, one, out)

    write_answer(table, gathered, started, options, as_json=exact_json, for_people=for_people)
    if table is None:
        return 2
    return 1 if table.refutes else 0


def _pair(options: Mapping[str, Any]) -> tuple[Literal, Literal] | None:
    if options["d1"] is None and options["d2"] is None:
        return None
    if options["d1"] is None or options["d2"] is None:
        raise click.UsageError("--d1 and --d2 belong together: give both, or none for the pairs of the claim.")
    return _value("--d1", options["d1"]), _value("--d2", options["d2"])


def _argument(text: str) -> tuple[str, Literal]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip().isidentifier():
        raise click.UsageError(f"--arg {text!r} gives no value: write NAME=VALUE, such as T=1.0")
    return name.strip(), _value(f"--arg {name}", value)


def _value(option: str, text: str) -> Literal:
    try:
        value: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise click.UsageError(f"{option}: {text!r} is no Python literal, such as '[1.0, 2.0]'") from None
    return value
