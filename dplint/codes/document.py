"""All pages on one page: docs/codes.md. `python -m dplint.codes > docs/codes.md` writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dplint.codes.catalogue import CODES, FOLDER, Page

_GROUPS: Mapping[str, str] = {
    "DP0": "The claim and its comments",
    "DP1": "Noise and scale",
    "DP2": "Data that escapes",
    "DP3": "Randomness and floating point",
    "DP4": "Budget and composition",
    "DP5": "Neighbours and sensitivity",
    "DP9": "The audit",
}
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def document() -> str:
    """The introduction, and then every page under the heading of its group."""
    parts = [(FOLDER / "index.md").read_text(encoding="utf-8").strip()]
    group = ""
    for page in CODES.values():
        if not page.code.startswith(group) or not group:
            group = page.code[:3]
            parts.append(f"## {_GROUPS.get(group, group)}")
        parts.append(_section(page))
    return "\n\n".join(parts) + "\n"


def _section(page: Page) -> str:
    body = _HEADING.sub(r"*\1*", page.body.strip())
    return f"### {page.code}: {page.title}\n\n{page.severity.value.capitalize()}. {body}"
