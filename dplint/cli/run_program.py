"""`dplint inspect program`: read, render."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dplint.check.programs import Programs, obstacles, read_programs
from dplint.cli.output import report_stream, require_writable
from dplint.cli.overrides import settings_for
from dplint.cli.target import require_function, split_target
from dplint.outcomes import CheckError
from dplint.report.program_json import programs_json


def run_program(target: str, options: Mapping[str, Any]) -> int:
    """Lower, write the programs, and return the exit code; 2 wins over 1.

    Raises:
        click.ClickException: there is no such function, or the output file cannot be written.
    """
    file, function = split_target(target)
    if function is not None:
        require_function(file, function)
    require_writable(options["output_file"])
    settings = settings_for(file, {})
    if isinstance(settings, CheckError):
        programs = Programs((), (), (settings,))
    else:
        programs = read_programs(file, function, settings)
    with report_stream(options["output_file"]) as stream:
        if options["form"] == "json":
            stream.write(programs_json(programs))
        else:
            from dplint.cli.people import write_programs  # noqa: PLC0415 - rich is imported only where it is used

            write_programs(programs, stream)
    if programs.errors or programs.findings:
        return 2
    return 1 if any(obstacles(found) for found in programs.targets) else 0
