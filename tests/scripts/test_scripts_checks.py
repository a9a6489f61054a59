"""Checks side by side: all of them run, and one that fails is in the exit code."""

import pytest

from scripts import checks

pytestmark = pytest.mark.process


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Writes modules, each of which says something and ends with an exit code."""
    monkeypatch.setattr(checks, "ROOT", tmp_path)

    def write(**codes):
        for name, code in codes.items():
            text = f"import sys\nprint('{name} out')\nprint('{name} err', file=sys.stderr)\nsys.exit({code})\n"
            (tmp_path / f"{name}.py").write_text(text)
        return list(codes)

    return write


def test_all_are_run_and_what_they_say_stays_together(modules, capsys):
    assert checks.main(modules(first=0, second=0)) == 0
    printed = capsys.readouterr().out
    for name in ("first", "second"):
        assert f"-m {name}\n" in printed
        assert {f"{name} out", f"{name} err"} <= set(printed.partition(f"-m {name}\n")[2].splitlines()[:2])


@pytest.mark.parametrize(("codes", "expected"), [((0, 3, 0), 3), ((0, 3, 4), 3), ((5, 0, 0), 5)])
def test_the_exit_code_is_that_of_the_first_in_the_list_that_fails(modules, capsys, codes, expected):
    names = modules(**dict(zip("abc", codes, strict=True)))

    assert checks.main(names) == expected
    printed = capsys.readouterr().out
    assert all(f"{name} out" in printed for name in names)


def test_a_check_that_is_not_there_fails(modules, capsys):
    assert checks.main([*modules(a=0), "no_such_check"]) == 1
    assert "No module named no_such_check" in capsys.readouterr().out
