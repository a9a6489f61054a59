"""Which files are taken, and how they are imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.config import Settings, SettingsByFile
from dplint.source.files import Exclusions, find_files, import_place


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def exclusions(*patterns: str) -> Exclusions:
    return Exclusions(SettingsByFile.fixed(Settings(exclude=patterns)))


def found(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    files = find_files([root / path for path in paths], exclude=exclusions(*exclude))
    assert files.errors == ()
    return [file.relative_to(root).as_posix() for file in files.files]


def test_folders_are_sorted_and_skip_what_is_not_the_users_code(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a/b.txt", "a.py", "B.py", "c/d/e.py")
    make(
        tmp_path,
        *(f"{name}/x.py" for name in (".venv", "venv", ".git", "__pycache__", "node_modules", "build", "dist")),
    )
    make(tmp_path, ".hidden/x.py", "a/.tox/x.py", "building/x.py")
    assert found(tmp_path, ".") == ["B.py", "a/z.py", "a.py", "b.py", "building/x.py", "c/d/e.py"]


def test_what_is_named_is_taken_once_and_in_the_order_given(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "script", "venv/x.py", ".hidden/y.py")
    names = ("venv/x.py", "script", "a.py", "venv", ".hidden/y.py", "a.py")
    assert found(tmp_path, *names, exclude=("*.py",)) == ["venv/x.py", "script", "a.py", ".hidden/y.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("a.py", ["p/b.py", "p/q/c.py"]),
        ("q", ["a.py", "p/a.py", "p/b.py"]),
        ("p/q", ["a.py", "p/a.py", "p/b.py"]),
        ("p/*.py", ["a.py"]),
        ("p/", ["a.py"]),
        ("[bc].py", ["a.py", "p/a.py"]),
    ],
)
def test_exclude_by_name_or_relative_path(tmp_path: Path, pattern: str, left: list[str]) -> None:
    make(tmp_path, "a.py", "p/a.py", "p/b.py", "p/q/c.py")
    assert found(tmp_path, ".", exclude=(pattern,)) == left


def test_a_path_that_does_not_exist_is_an_error_and_the_rest_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.py")
    monkeypatch.chdir(tmp_path)
    files = find_files([Path("missing.py"), Path("a.py"), Path("nul\0.py")], exclude=exclusions())
    assert files.files == (tmp_path / "a.py",)
    assert [(error.file, error.line) for error in files.errors] == [("missing.py", None), ("nul\0.py", None)]
    assert "no such file" in files.errors[0].message


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    make(tmp_path, "p/a.py")
    (tmp_path / "p" / "loop").symlink_to(tmp_path)
    assert found(tmp_path, ".") == ["p/a.py"]


def test_import_roots_as_pytest_has_them(tmp_path: Path) -> None:
    make(tmp_path, "pyproject.toml", "src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/m.py", "src/n.py")
    make(tmp_path, "no-name/__init__.py", "no-name/o.py")
    places = {
        name: import_place(tmp_path / name)
        for name in ("src/pkg/sub/m.py", "src/pkg/sub/__init__.py", "src/n.py", "no-name/o.py", "src/pkg/new.py")
    }
    assert {name: (place.import_root.name, place.module) for name, place in places.items()} == {
        "src/pkg/sub/m.py": ("src", "pkg.sub.m"),
        "src/pkg/sub/__init__.py": ("src", "pkg.sub"),
        "src/n.py": ("src", "n"),
        "no-name/o.py": ("no-name", "o"),
        "src/pkg/new.py": ("src", "pkg.new"),
    }
    assert {place.project_root for place in places.values()} == {tmp_path}
    assert places["src/pkg/sub/m.py"].package == "pkg.sub"
    assert places["src/pkg/sub/__init__.py"].package == "pkg.sub"


def test_the_nearest_mark_makes_the_project(tmp_path: Path) -> None:
    make(tmp_path, "pyproject.toml", "inner/setup.cfg", "inner/m.py")
    assert import_place(tmp_path / "inner" / "m.py").project_root == tmp_path / "inner"
