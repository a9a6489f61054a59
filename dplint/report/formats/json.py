"""Everything that is known, as one JSON document."""

from __future__ import annotations

from dplint.report.format import Format
from dplint.report.json_document import check_json

FORMAT = Format.of_text("json", "everything, as one document", check_json)
