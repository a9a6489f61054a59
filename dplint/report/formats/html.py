"""One page that needs no other file and no network: tables, counterexamples with pictures, filters, fit for print."""

from __future__ import annotations

from dplint.report.format import Format
from dplint.report.page.document import page

FORMAT = Format.of_text("html", "one page for a browser, with pictures and filters", page, files=True)
