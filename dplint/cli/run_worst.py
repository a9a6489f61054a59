"""`dplint worst`: call, gather, render."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TextIO

from dplint.check.worst import worst
from dplint.cli.output import require_writable
from dplint.cli.overrides import overrides, settings_for
from dplint.cli.single import answered, write_answer
from dplint.cli.target import function_file
from dplint.outcomes import WorstInput
from dplint.report.json_answers import worst_json


def run_worst(target: str, options: Mapping[str, Any]) -> int:
    """Search, write what was found, and return the exit code: 1 if it loses more than claimed, 2 for nothing.

    Raises:
        click.ClickException: there is no such function, an option is wrong, or a file cannot be written.
    """
    file = function_file(target)
    require_writable(options["output_file"])
    started = time.monotonic()
    settings = settings_for(file, overrides({"static_only": options["static_only"]}))
    found, gathered = answered(
        settings,
        lambda one: worst(target, one, seconds=options["budget"], epsilon=options["at"]),
        WorstInput,
        options,
    )

    def for_people(one: WorstInput, out: TextIO) -> None:
        from dplint.cli.people import write_worst_input  # noqa: PLC0415 - rich is imported only where it is used

        write_worst_input(target, one, out)

    write_answer(found, gathered, started, options, as_json=worst_json, for_people=for_people)
    if found is None:
        return 2
    return 1 if found.refutes else 0
