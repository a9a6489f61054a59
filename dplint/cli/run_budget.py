"""`dplint budget`: read, judge, render."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dplint.check.budget_shares import budgets
from dplint.check.cells import Cells
from dplint.cli.buffer import read_paths
from dplint.cli.output import report_stream, require_writable
from dplint.cli.overrides import overrides, settings_by_file
from dplint.cli.run_check import require_path
from dplint.contracts.tree import Budget, Standing
from dplint.outcomes import CheckError


def run_budget(paths: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Print what every mechanism spends, and return the exit code: 1 if one overspends, 2 if a file cannot be read.

    Raises:
        click.ClickException: there is no such path, or a file cannot be written.
    """
    paths = read_paths(paths, options["stdin_filename"])
    for path in paths:
        require_path(path)
    require_writable(options["output_file"])
    found: list[Budget] = []
    cells = Cells()
    errors: list[CheckError] = []
    settings = settings_by_file(paths[0], overrides({}))
    for one in [settings] if isinstance(settings, CheckError) else budgets(paths, settings):
        if isinstance(one, CheckError):
            errors.append(cells.error(one))
        else:
            found.append(cells.budget(one))
    with report_stream(options["output_file"]) as stream:
        if options["form"] == "json":
            from dplint.report.budget import budgets_json  # noqa: PLC0415 - only what is asked for is imported

            stream.write(budgets_json(found, errors))
        else:
            from dplint.cli.people import write_budgets  # noqa: PLC0415 - rich is imported only where it is used

            write_budgets(found, errors, stream)
    if errors:
        return 2
    return 1 if any(one.standing is Standing.OVERSPENT for one in found) else 0
