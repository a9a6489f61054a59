"""`dplint merge`: read the parts, put them together, render."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from dplint.cli.buffer import forget_lines, source_line
from dplint.cli.options import outputs
from dplint.cli.output import require_writable
from dplint.cli.writing import code_of, write_reports
from dplint.report.explaining import meet
from dplint.report.format import Report
from dplint.report.parts import Part, PartError, merged, read_part


def run_merge(files: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Write the reports of the whole check, and return its exit code.

    Raises:
        click.ClickException: the parts are not those of one check, an option is wrong, or a file cannot be written.
    """
    forget_lines()
    chosen = outputs(options["formats"], options["output_file"])
    require_writable(*(one.path for one in chosen))
    try:
        parts = [_part(file) for file in files]
        gathered = meet(merged(parts))
    except PartError as error:
        raise click.UsageError(f"{error}.") from None
    report = Report(
        gathered,
        max(part.seconds for part in parts),
        source_line,
        quiet=options["quiet"],
        verbose=options["verbose"],
    )
    write_reports(report, chosen)
    code = code_of(gathered)
    return 0 if code == 1 and options["exit_zero"] else code


def _part(file: Path) -> Part:
    try:
        return read_part(str(file), file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PartError(f"'{file}' cannot be read: {error}") from None
