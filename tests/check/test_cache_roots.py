"""A cache lies in every project, whatever marks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.check.continuing import cache_root
from dplint.cli import main

COIN = """\
from dplint import dp


@dp(epsilon=1, neighbors="any", domain=[0, 1])
def coin(rng, bit):
    return bit
"""


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


def test_files_of_no_project_share_that_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))

    assert cache_root(tmp_path / "a" / "module.py") == cache_root(tmp_path / "b.py") == tmp_path / "caches" / "dplint"
    assert not (tmp_path / "caches").exists(), "nothing is made before something is kept"


@pytest.mark.process
def test_a_second_check_of_a_file_of_no_project_is_answered_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    Path("coin.py").write_text(COIN)

    assert main(["check", ".", "--format", "concise"]) == 1
    assert "from the cache" not in capsys.readouterr().out
    assert main(["check", ".", "--format", "concise"]) == 1
    assert "1 from the cache" in capsys.readouterr().out
    assert [path.name for path in Path().iterdir()] == ["coin.py"]
    assert main(["clean", "."]) == 2, "nobody can be asked"
    assert "--yes" in capsys.readouterr().err
    assert main(["clean", ".", "--yes"]) == 0
    assert not (tmp_path / "caches" / "dplint" / ".dplint_cache").exists()


@pytest.mark.process
def test_where_nothing_can_be_kept_a_check_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "caches").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (tmp_path / "fine.py").write_text(COIN)

    assert main(["check", str(tmp_path), "--format", "concise"]) == 1
