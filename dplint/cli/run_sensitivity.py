"""`dplint inspect sensitivity`: what the data may be; `single` gathers and writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dplint.check.sensitivity import sensitivity
from dplint.cli.option_values import argument_value, literal_value
from dplint.cli.single import run_single
from dplint.outcomes import Sensitivity
from dplint.report.answers import sensitivity_document
from dplint.report.json_answers import sensitivity_json


def run_sensitivity(target: str, options: Mapping[str, Any]) -> int:
    """Search, write the furthest pair, and return the exit code: 2 if no pair could be compared.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    said = {name: options[name] for name in ("neighbors", "metric", "user") if options[name] is not None}
    said |= {} if options["domain"] is None else {"domain": literal_value("--domain", options["domain"])}
    arguments = dict(map(argument_value, options["arguments"]))
    said |= {"args": arguments} if arguments else {}
    return run_single(
        target,
        options,
        lambda settings: sensitivity(target, settings, said, seconds=options["budget"]),
        Sensitivity,
        as_json=sensitivity_json,
        told=sensitivity_document,
    )
