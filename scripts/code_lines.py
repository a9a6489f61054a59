"""How much code there is: lines that are neither blank nor comment nor docstring.

python -m scripts.code_lines            by package of dplint, and whether the budget holds
python -m scripts.code_lines FOLDER     by folder in it
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "dplint"
BUDGET = ROOT / "scripts" / "line_budget.txt"
_RAISED = "raised: "
_HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(text: str) -> int:
    """The lines of a module that hold code. A string below a field is code, and so is a `#` in a string."""
    docstrings: set[int] = set()
    continued: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _HAS_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(_spanned(node.body[0]))
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            continued.update(_spanned(node)[1:])
    return sum(
        bool(line.strip()) and number not in docstrings and (number in continued or not line.lstrip().startswith("#"))
        for number, line in enumerate(text.splitlines(), 1)
    )


def _spanned(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def by_package(folder: Path) -> Counter[str]:
    """The code lines of each folder in a folder; files beside them are `(top)`."""
    counted: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        counted[parts[0] if len(parts) > 1 else "(top)"] += code_lines(path.read_text(encoding="utf-8"))
    return counted


class Limit(NamedTuple):
    """A line of the budget: at most so many code lines, and why."""

    lines: int
    reason: str


class BudgetError(Exception):
    """The file of the budget says something that it may not."""


def read_budget(text: str) -> list[Limit]:
    """All limits, the one in force last.

    Raises:
        BudgetError: a limit has no reason, or is above the one before and its reason does not begin with `raised: `.
    """
    limits: list[Limit] = []
    for line in text.splitlines():
        number, _, reason = line.partition(" ")
        limit = Limit(int(number), reason.strip())
        if not limit.reason:
            raise BudgetError(f"{line!r} has no reason")
        if limits and limit.lines > limits[-1].lines and not limit.reason.startswith(_RAISED):
            raise BudgetError(
                f"{line!r} is above {limits[-1].lines}: begin the reason with {_RAISED!r}, or delete code"
            )
        limits.append(limit)
    return limits


def compared(lines: int, limit: int) -> str:
    """How the code stands to its budget, in a sentence."""
    if lines > limit:
        return f"{lines:,} lines of code, {lines - limit:,} above the budget of {limit:,} ({BUDGET.name})"
    if lines < limit:
        return f"{lines:,} lines of code: the budget can be lowered from {limit:,} by {limit - lines:,} ({BUDGET.name})"
    return f"{lines:,} lines of code, which is the budget"


def main(arguments: Sequence[str]) -> int:
    """Print the table; the exit code is 1 if the package is above its budget."""
    folder = Path(arguments[0]) if arguments else PACKAGE
    counted = by_package(folder)
    for name, lines in counted.most_common():
        print(f"{lines:8,}  {name}")
    print(f"{counted.total():8,}  in all")
    if arguments:
        return 0
    limit = read_budget(BUDGET.read_text(encoding="utf-8"))[-1].lines
    print(compared(counted.total(), limit))
    return int(counted.total() > limit)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
