"""`dplint rules`: the list of codes."""

from __future__ import annotations

from dplint.cli.output import report_stream
from dplint.report.code_list import codes_json, codes_text


def run_rules(form: str) -> int:
    """Print the list."""
    with report_stream(None) as stream:
        stream.write(codes_json() if form == "json" else codes_text())
    return 0
