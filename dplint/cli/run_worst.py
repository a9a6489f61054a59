"""`dplint inspect worst`: what to search for; `single` gathers and writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dplint.check.worst import worst
from dplint.cli.single import run_single
from dplint.outcomes import WorstInput
from dplint.report.answers import worst_document
from dplint.report.json_answers import worst_json


def run_worst(target: str, options: Mapping[str, Any]) -> int:
    """Search, write what was found, and return the exit code: 1 if it loses more than claimed, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    return run_single(
        target,
        options,
        lambda settings: worst(target, settings, seconds=options["budget"], epsilon=options["epsilon"]),
        WorstInput,
        as_json=worst_json,
        told=worst_document,
    )
