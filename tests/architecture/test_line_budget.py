"""The package may only shrink: its code lines stay below a budget (scripts/line_budget.txt)."""

from __future__ import annotations

import warnings

import pytest

from scripts.code_lines import BUDGET, PACKAGE, BudgetError, Limit, by_package, code_lines, compared, read_budget


def test_the_package_is_within_its_budget() -> None:
    limit = read_budget(BUDGET.read_text())[-1].lines
    lines = by_package(PACKAGE).total()
    if lines < limit:
        warnings.warn(compared(lines, limit), stacklevel=1)

    assert lines <= limit, compared(lines, limit)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ("# a comment\n\n\n", 0),
        ('"""A module."""\n', 0),
        ('"""A module\n\nof many lines."""\n\nimport math\n', 1),
        ('def f():\n    """Says it."""\n    return 1  # one\n', 2),
        ('class A:\n    """Says it."""\n\n    x: int\n    """A string below a field is no docstring."""\n', 3),
        ('async def f():\n    """Says\n    it."""\n', 1),
        ("f(\n    # why\n    1,\n\n    2,\n)\n", 4),
        ('x = """\n# no comment\n\nlast\n"""\n', 4),
    ],
)
def test_code_lines_are_neither_blank_nor_comment_nor_docstring(text: str, lines: int) -> None:
    assert code_lines(text) == lines


def test_the_last_limit_is_in_force() -> None:
    assert read_budget("30 began\n20 less\n")[-1] == Limit(20, "less")


def test_a_limit_goes_up_only_with_a_reason() -> None:
    assert read_budget("20 began\n30 raised: a second engine\n")[-1].lines == 30
    with pytest.raises(BudgetError, match="above 20"):
        read_budget("20 began\n30 a second engine\n")
    with pytest.raises(BudgetError, match="no reason"):
        read_budget("20 began\n10\n")


def test_what_is_said_of_a_size() -> None:
    assert "5 above the budget of 1,000" in compared(1005, 1000)
    assert "can be lowered from 1,000 by 1 " in compared(999, 1000)
