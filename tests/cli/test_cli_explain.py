"""`dplint explain`: the page of a code, for people in a terminal and as it is where it is piped."""

import re
import sys

import pytest

from dplint.cli import main
from dplint.codes import CODES


def test_piped_it_is_the_page_itself(capsys):
    assert main(["explain", "DP003"]) == 0
    assert capsys.readouterr().out == CODES["DP003"].markdown


def test_several_codes_in_any_case_come_in_the_order_that_is_asked(capsys):
    assert main(["explain", "dp901", "DP003"]) == 0
    assert capsys.readouterr().out == f"{CODES['DP901'].markdown}\n{CODES['DP003'].markdown}"


def test_a_group_is_listed(capsys):
    assert main(["explain", "dp2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [code for code in CODES if code.startswith("DP2")]
    assert len(lines) > 5


def test_without_a_code_all_are_listed(capsys):
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=2) for line in lines] == [
        [page.code, page.severity.value, page.title] for page in CODES.values()
    ]


@pytest.mark.parametrize(("code", "near"), [("DP9O1", "DP901"), ("DB003", "DP003"), ("zzz", None)])
def test_an_unknown_code_is_a_usage_error_that_names_the_nearest(capsys, code, near):
    assert main(["explain", "DP001", code]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert repr(code) in error
    assert (f"Did you mean {near!r}?" in error) if near else ("Did you mean" not in error)


def test_in_a_terminal_it_is_set_for_people(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["explain", "DP003"]) == 0
    out = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "DP003: epsilon is not positive and finite" in out
    assert "## Bad" not in out
    assert "@dp(epsilon=0)" in out
