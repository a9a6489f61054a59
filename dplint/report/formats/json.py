"""Everything that is known, as one JSON document, with statistics if they are asked for."""

from __future__ import annotations

from dplint.report.format import Format
from dplint.report.tally import check_json_with_tally

FORMAT = Format.of_text(
    "json",
    "everything, as one document",
    lambda report: check_json_with_tally(report.gathered, report.seconds, tallied=report.statistics),
)
