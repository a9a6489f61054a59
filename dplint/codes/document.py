"""The list of all codes: docs/codes.md. `python -m dplint.codes > docs/codes.md` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

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
_HEAD = "| code | | severity |\n|---|---|---|\n"


def document() -> str:
    """The introduction, and then a table for each group of codes, with links to their pages in this package."""
    parts = [(FOLDER / "index.md").read_text(encoding="utf-8").strip()]
    for group, pages in groupby(CODES.values(), key=lambda page: page.code[:3]):
        parts.append(f"## {_GROUPS.get(group, group)}")
        parts.append(_HEAD + "\n".join(map(_row, pages)))
    return "\n\n".join(parts) + "\n"


def _row(page: Page) -> str:
    link = f"[{page.code}](../dplint/codes/pages/{page.code}.md)"
    return f"| {link} | {page.title} | {page.severity.value} |"
