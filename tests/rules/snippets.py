"""Checks source text with the rules."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from textwrap import dedent

from dplint.outcomes import Finding, Fix
from dplint.rules import check_module
from dplint.source.read import read_source

PREAMBLE = "import logging\nimport math\nimport random\n\nimport numpy as np\n\nfrom dplint import dp\n\n"


def findings_of(
    text: str, *, opt_in: Collection[str] = (), all_functions: bool = False, known_noise: Collection[str] = ()
) -> list[Finding]:
    """What the rules find in a module; its claims have to be right."""
    source = read_source(Path("m.py"), file="m.py", text=text)
    assert not source.errors, source.errors
    assert not source.findings, source.findings
    assert source.module is not None
    return check_module(
        source.module, source.mechanisms, "m.py", opt_in=opt_in, all_functions=all_functions, known_noise=known_noise
    )


def findings_in(example: str, **options: object) -> list[Finding]:
    """What the rules find in an example, with the usual imports above it."""
    return findings_of(PREAMBLE + dedent(example), **options)  # type: ignore[arg-type]


def fixed(text: str, fix: Fix) -> str:
    """The text after a fix."""
    lines = text.split("\n")
    for edit in sorted(fix.edits, key=lambda one: one.span, reverse=True):
        span = edit.span
        before = lines[span.line - 1][: span.column - 1]
        after = lines[span.end_line - 1][span.end_column - 1 :]
        lines[span.line - 1 : span.end_line] = (before + edit.text + after).split("\n")
    return "\n".join(lines)
