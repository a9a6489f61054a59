"""The edits that write suggested claims into a text, as decorators or as comments."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dplint.claims import Span
from dplint.outcomes import Edit
from dplint.source.slices import parse
from dplint.source.text import split_lines

if TYPE_CHECKING:
    from dplint.rules.suggesting.suggestion import Suggestion


_HEAD = re.compile(r"\s*(?:@|def\b|async\b)")


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim that could be added to a function, and the edits that add it."""

    function: str
    claim: str
    edits: tuple[Edit, ...]


def may_be_head(text: str, line: int) -> bool:
    """Whether a line may be the head of a function. Editors ask at every step of the cursor, so this is quick."""
    lines = split_lines(text)
    return 1 <= line <= len(lines) and _HEAD.match(lines[line - 1]) is not None


def claim_edits(text: str, suggestions: Sequence[Suggestion], *, decorate: bool | None = None) -> tuple[Edit, ...]:
    """The edits that put these claims above their functions; suggestions for lines in no function are left out.

    decorate: as decorators, with the import that they need, or as comments; None for decorators where the module
    imports dplint already, so that nothing comes to depend on dplint that did not.

    Raises:
        SyntaxError: the text does not parse.
    """
    tree, lines = parse(text), split_lines(text)
    end = "\r\n" if "\r\n" in text else "\n"
    spelling, importing = _spelling(tree, lines, end)
    wanted = [one for one in suggestions if one.function is not None]
    if not wanted:
        return ()
    if decorate is None:
        decorate = importing is None
    before = f"@{spelling}" if decorate else "# dplint: "
    edits: dict[int, str] = {}
    for one in wanted:
        indent = _indent(lines[one.first - 1])
        doubts = [f"{indent}# To be checked: {' '.join(doubt.split())}{end}" for doubt in one.doubts]
        edits[one.first] = f"{''.join(doubts)}{indent}{before}{one.text}{end}"
    if decorate and importing is not None:
        line = importing.span.line
        if importing.span.column == 1:
            edits[line] = importing.text + edits.get(line, "")
        else:
            return (importing, *(_insertion(at, new) for at, new in sorted(edits.items())))
    return tuple(_insertion(at, new) for at, new in sorted(edits.items()))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _spelling(tree: ast.Module, lines: tuple[str, ...], end: str) -> tuple[str, Edit | None]:
    """How the module spells `dp` ("" or "dplint."), and the edit that imports it where it does not yet."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "dplint" and not node.level:
            if any(alias.name in ("dp", "*") and alias.asname in (None, "dp") for alias in node.names):
                return "", None
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "dplint":
                    return f"{alias.asname or 'dplint'}.", None
    line = _after_imports(tree)
    if line > len(lines):
        last = Span(len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        return "", Edit(last, f"{end}from dplint import dp{end}")
    return "", _insertion(line, f"from dplint import dp{end}")


def _after_imports(tree: ast.Module) -> int:
    """The line below the imports with which the module begins, or below its docstring."""
    line = 1
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            break
        line = (node.end_lineno or node.lineno) + 1
    return line


def _insertion(line: int, text: str) -> Edit:
    return Edit(Span(line, 1, line, 1), text)
