"""Reads the pages, each when it is asked for. A new code is a new file `DP101.md`, and nothing else.

A page begins with its title, `# DP101: scale is inverted`; then comes `Severity: error`, and then the paragraph that
sums it up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dplint.outcomes import Severity

FOLDER = Path(__file__).parent / "pages"
_HEAD = re.compile(
    r"# (?P<code>DP\d{3}): (?P<title>[^\n]+)\n\nSeverity: (?P<severity>\w+)\n\n(?P<summary>.+?)(?:\n\n|\n?\Z)",
    re.DOTALL,
)


class PageError(Exception):
    """A page that does not begin as a page must."""


@dataclass(frozen=True, slots=True)
class Page:
    """What there is to know about a code. markdown: the whole page. summary: its first paragraph, on one line."""

    code: str
    title: str
    severity: Severity
    markdown: str
    summary: str

    @property
    def body(self) -> str:
        """The page below the line with the severity."""
        return self.markdown.split("\n\n", 2)[2]


class _Pages(Mapping[str, Page]):
    """All pages, in the order of their codes. The folder is listed at the first question, a page read when wanted."""

    def __init__(self) -> None:
        self._read: dict[str, Page | None] = {}

    def __getitem__(self, code: str) -> Page:
        known = self._codes()[code]
        if known is None:
            known = self._read[code] = read_page((FOLDER / f"{code}.md").read_text(encoding="utf-8"), code)
        return known

    def __contains__(self, code: object) -> bool:
        return code in self._codes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes())

    def __len__(self) -> int:
        return len(self._codes())

    def _codes(self) -> dict[str, Page | None]:
        if not self._read:
            self._read = dict.fromkeys(sorted(file.stem for file in FOLDER.glob("DP*.md")))
        return self._read


def read_page(markdown: str, code: str) -> Page:
    """The page of a code from its text.

    Raises:
        PageError: it does not begin as a page must.
    """
    head = _HEAD.match(markdown)
    if head is None or head["code"] != code or head["severity"] not in set(Severity):
        raise PageError(f'the page of {code} must begin with "# {code}: title", and "Severity: error" below it')
    summary = " ".join(head["summary"].split())
    return Page(code, head["title"], Severity(head["severity"]), markdown, summary)


CODES: Mapping[str, Page] = _Pages()
"""The pages by code, in order."""


def for_assistants() -> str:
    """How to write a mechanism so that it can be proved, and how to read a verdict, as Markdown."""
    return (FOLDER.parent / "for-assistants.md").read_text(encoding="utf-8")


def page(code: str) -> Page | None:
    """The page of a code, None if there is no such code."""
    return CODES.get(code)


def page_path(code: str) -> Path | None:
    """The file of the page, for a link; None if there is no such code."""
    return FOLDER / f"{code}.md" if code in CODES else None
