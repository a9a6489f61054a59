"""`dplint rules`: all codes, as lines for people and as JSON for programs."""

from __future__ import annotations

from dplint.codes import CODES
from dplint.report.json_document import VERSION
from dplint.report.json_values import json_text


def codes_text() -> str:
    """A line for each code: the code, the severity, the title."""
    width = max(len(page.severity.value) for page in CODES.values())
    return "".join(f"{page.code}  {page.severity.value:{width}}  {page.title}\n" for page in CODES.values())


def codes_json() -> str:
    """A document with each code, its title, severity and summary, and its page in Markdown."""
    return json_text(
        {
            "version": VERSION,
            "rules": [
                {
                    "code": page.code,
                    "title": page.title,
                    "severity": page.severity.value,
                    "summary": page.summary,
                    "explanation": page.markdown,
                }
                for page in CODES.values()
            ],
        }
    )
