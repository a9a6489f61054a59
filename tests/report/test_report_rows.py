"""A long name takes nothing from its own row, nor from those of others, at any width."""

import pytest
import report_samples as samples
from rich.cells import cell_len

from dplint.outcomes import Result
from dplint.report.rows import rows
from dplint.report.style import UNICODE

LONG = "Outer.Inner.a_function_with_a_name_that_somebody_has_thought_about_long"
MIXED = (
    Result(samples.mechanism("count", line=3), samples.violation()),
    Result(samples.mechanism(LONG, line=9), samples.NO_VIOLATION),
    Result(samples.mechanism("slow", line=12), samples.UNDERPOWERED),
)


def texts(results, width):
    return [[line.plain for line in lines] for lines in rows(results, width, UNICODE)]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_row_has_its_claim_seconds_and_runs(width):
    for result, lines in zip(MIXED, texts(MIXED, width), strict=True):
        whole = " ".join("".join(lines).split())
        assert result.mechanism.qualname in "".join(line.strip() for line in lines).replace(" ", "")
        assert "ε = epsilon, linf" in whole
        assert f"{'4.1k' if result.mechanism.qualname == 'slow' else '3.6M'} runs" in whole
        assert " s " in whole


def test_only_the_row_with_the_long_name_has_two_lines():
    assert [len(lines) for lines in texts(MIXED, 100)] == [1, 2, 1]


def test_where_there_is_hardly_room_for_names_all_rows_have_two_lines():
    assert [len(lines) for lines in texts(MIXED, 60)] == [2, 4, 2]


@pytest.mark.parametrize("width", [80, 120])
def test_columns_are_aligned_over_all_rows(width):
    behind = [lines[-1].index("ε = ") for lines in texts(MIXED, width)]

    assert len(set(behind)) == 1


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    for lines in texts(MIXED, width):
        assert all(cell_len(line) <= width for line in lines)
