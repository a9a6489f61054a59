"""`dplint explain`: the pages of codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from dplint.cli.output import report_stream
from dplint.codes import CODES, Page
from dplint.config import nearest
from dplint.report.json_evidence import VERSION, Json, fields, json_text


def run_explain(codes: Sequence[str], form: str = "text") -> int:
    """Print the pages of the codes, one after the other; a line for each code of a group, or without any of all.

    Raises:
        click.UsageError: there is no such code.
    """
    listed = _group(codes[0]) if len(codes) == 1 else [] if codes else list(CODES.values())
    pages = listed or [_page(code) for code in codes]
    with report_stream(None) as stream:
        if form == "json":
            stream.write(_document(pages))
        elif listed:
            width = max(len(page.severity.value) for page in pages)
            stream.write("".join(f"{page.code}  {page.severity.value:{width}}  {page.title}\n" for page in pages))
        elif sys.stdout.isatty():
            from dplint.cli.people import write_markdown  # noqa: PLC0415 - rich is imported only where it is used

            write_markdown("\n".join(page.markdown for page in pages), stream)
        else:
            stream.write("\n".join(page.markdown for page in pages))
    return 0


def _document(pages: Sequence[Page]) -> str:
    """Each code, its title, severity and summary, and its page in Markdown."""
    rules: list[Json] = [fields(page, "code title severity summary markdown=explanation") for page in pages]
    return json_text({"version": VERSION, "rules": rules})


def _group(prefix: str) -> list[Page]:
    """The pages of the codes that begin so; none for a whole code."""
    prefix = prefix.strip().upper()
    if prefix in CODES or not prefix.startswith("DP"):
        return []
    return [page for page in CODES.values() if page.code.startswith(prefix)]


def _page(code: str) -> Page:
    found = CODES.get(code.strip().upper())
    if found is None:
        near = nearest(code, CODES)
        meant = "" if near is None else f"Did you mean {near!r}? "
        raise click.UsageError(f"there is no code {code!r}. {meant}`dplint explain` lists all of them.")
    return found
