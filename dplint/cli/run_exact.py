"""`dplint inspect exact`: which pair to compute; `single` gathers and writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from dplint.check.exact import exact
from dplint.claims import Literal
from dplint.cli.option_values import argument_value, literal_value
from dplint.cli.single import run_single
from dplint.outcomes import ExactTable
from dplint.report.answers import exact_document
from dplint.report.json_answers import exact_json


def run_exact(target: str, options: Mapping[str, Any]) -> int:
    """Compute, write the table, and return the exit code: 1 if the pair loses more than is claimed, 2 if there is none.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    pair, arguments = _pair(options), list(map(argument_value, options["arguments"]))
    return run_single(
        target,
        options,
        lambda settings: exact(target, settings, pair=pair, arguments=arguments),
        ExactTable,
        as_json=exact_json,
        told=exact_document,
    )


def _pair(options: Mapping[str, Any]) -> tuple[Literal, Literal] | None:
    if options["d1"] is None and options["d2"] is None:
        return None
    if options["d1"] is None or options["d2"] is None:
        raise click.UsageError("--d1 and --d2 belong together: give both, or none for the pairs of the claim.")
    return literal_value("--d1", options["d1"]), literal_value("--d2", options["d2"])
