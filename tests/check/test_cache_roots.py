"""A cache lies in every project, whatever marks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.cache_roots import cache_root


@pytest.mark.parametrize("mark", ["pyproject.toml", "setup.cfg", "setup.py", ".git"])
def test_it_lies_beside_what_marks_the_project(tmp_path: Path, mark: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / mark).write_text("")

    assert cache_root(tmp_path / "src" / "module.py") == tmp_path


def test_a_pyproject_goes_before_what_is_nearer(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "src" / "setup.py").write_text("")

    assert cache_root(tmp_path / "src" / "module.py") == tmp_path


def test_a_file_of_no_project_has_none(tmp_path: Path) -> None:
    assert cache_root(tmp_path / "module.py") is None
