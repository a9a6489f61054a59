"""`dplint badge`: read a report, draw."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dplint.cli.output import report_stream, require_writable
from dplint.report.badge import BadgeError, badge


def run_badge(report: Path, options: Mapping[str, Any]) -> int:
    """Write the badge, and return the exit code.

    Raises:
        click.ClickException: the file is no report of a whole check, or the picture cannot be written.
    """
    require_writable(options["output_file"])
    try:
        picture = badge(report.read_text(encoding="utf-8"))
    except BadgeError as error:
        raise click.UsageError(f"'{report}' {error}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"'{report}' cannot be read: {error}") from None
    with report_stream(options["output_file"]) as stream:
        stream.write(picture)
    return 0
