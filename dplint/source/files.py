"""Files of a project: which are checked, how they are imported, and what an import of one runs.

Which files are checked: those that are named, and the Python files of folders that are.

Packages without `__init__.py`: a folder is one if a file in it imports by its name, or relatively to it.

A folder of scripts looks the same from outside, and its files import one another by their bare names. So the file is
asked: what it imports has to be there.

How a file is imported: the folder for `sys.path`, the module's dotted name, the project it belongs to.

Which files of a project the import of a module runs: read from the source, nothing is imported for that.

What files hold, as digests: whether what was read from them before is still so.

What somebody has typed into a file and not saved stands for the file.
"""

from __future__ import annotations

import ast
import fnmatch
import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dplint.config import ConfigError, SettingsByFile, shown
from dplint.contents import content, given_for
from dplint.outcomes import CheckError
from dplint.source.notebooks import SUFFIX as NOTEBOOK
from dplint.source.notebooks import is_notebook
from dplint.syntax import parse_text

SUFFIXES = (".py", ".pyi", NOTEBOOK)
RECORDED = ".dplint_calls.py"
"""Calls of a project's functions, as its tests made them: evidence, and nothing to check."""
SKIPPED_FOLDERS = frozenset({"venv", "__pycache__", "node_modules", "build", "dist", "site-packages"})
"""Folders that are not entered, besides all whose name begins with a dot (.git, .venv, .tox, ...)."""

_SUPPORT = re.compile(
    r"(?:^|[/_ -])(?:tests?|testing|benchmarks?|plots?|plotting|figures?|simulations?|simulated|"
    r"experiments?|attacks?)(?:[_ -][^/]*)?/|"
    r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|setup|bench[^/]*|[^/]*_benchmark|plot[^/]*|[^/]*_plots?|"
    r"simulat[^/]*|[^/]*_simulation|[^/]*(?:experiment|attack)s?)\.(?:py|ipynb)$"
)


@dataclass(frozen=True, slots=True)
class FileList:
    """The files to check, absolute and each once, and the errors for what could not be looked at."""

    files: tuple[Path, ...]
    errors: tuple[CheckError, ...]


class Exclusions:
    """Which files and folders are left out: by the patterns that hold for the folder that they are in.

    A pattern is for a name, or for a path from the folder of the pyproject.toml, from the working directory, or from
    the folder that was named to the command.
    """

    def __init__(self, settings: SettingsByFile) -> None:
        self._settings = settings

    def excluded(self, path: Path, top: Path) -> bool:
        """Whether a file or folder under the named folder `top` is left out."""
        try:
            settings = self._settings.of_folder(path.parent)
        except ConfigError:  # which is told when a file there is read
            return False
        if not settings.exclude:
            return False
        names = [path.name, path.relative_to(top).as_posix(), shown(path)]
        if settings.root is not None and path.is_relative_to(settings.root):
            names.append(path.relative_to(settings.root).as_posix())
        return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for pattern in settings.exclude for name in names)


def find_files(paths: Sequence[Path], *, exclude: Exclusions) -> FileList:
    """The files of `paths`, in the order of `paths`, those of a folder sorted by their path.

    A file that is named is always taken, whatever it is called. A folder gives its files `*.py`, `*.pyi` and `*.ipynb`;
    environments, caches and hidden folders are not entered, nor what is excluded. Links to folders are not followed.
    A path that does not exist is an error in the list.
    """
    files: dict[Path, None] = {}
    errors: list[CheckError] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100  # `resolve` would lose the names of links
        try:
            if absolute.is_dir():
                files |= dict.fromkeys(_walk(absolute, exclude, errors))
            elif absolute.is_file() or given_for(absolute) is not None:
                files[absolute] = None
            elif absolute.exists():
                errors.append(CheckError(shown(absolute), None, "is neither a file nor a folder"))
            else:
                errors.append(CheckError(shown(absolute), None, "no such file or folder"))
        except (OSError, ValueError) as error:
            errors.append(CheckError(str(path), None, f"cannot be looked at: {error}"))
    return FileList(tuple(files), tuple(errors))


def _walk(top: Path, exclude: Exclusions, errors: list[CheckError]) -> list[Path]:
    def failed(error: OSError) -> None:
        place = shown(Path(error.filename)) if error.filename else shown(top)
        errors.append(CheckError(place, None, f"cannot be looked at: {error.strerror or error}"))

    found: list[Path] = []
    for folder, folders, names in os.walk(top, onerror=failed):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in SKIPPED_FOLDERS and not exclude.excluded(here / name, top)
        )
        found.extend(
            path
            for name in names
            if name.endswith(SUFFIXES)
            and name != RECORDED
            and not exclude.excluded(path := here / name, top)
            and path.is_file()
        )
    return sorted(found, key=lambda path: path.relative_to(top).parts)


def is_support_file(path: Path, named: Collection[Path]) -> bool:
    """Whether a file is a test, plot, simulation or benchmark, to judge by its name and folders.

    named: the paths that were asked for, absolute: one that is named itself is not, and only folders below count.
    """
    if path in named:
        return False
    top = next((one for one in path.parents if one in named), path.parent)
    return _SUPPORT.search(path.relative_to(top).as_posix()) is not None


_RELATIVE = re.compile(rb"^[ \t]*from[ \t]+\.", re.MULTILINE)
_ABSOLUTE = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<module>\w+(?:\.\w+)*)[ \t]+import[ \t]+\(?\s*(?P<name>\w+)|"
    rb"import[ \t]+(?P<plain>\w+(?:\.\w+)+))",
    re.MULTILINE,
)


def namespace_root(path: Path, root: Path, project_root: Path) -> Path | None:
    """The folder from which the file is imported as a part of a namespace package; None if it is of none.

    root: where its regular packages begin, or its own folder. Looked for are packages between that and `src` of the
    project, or the project itself.
    """
    source = project_root / "src"
    top = source if root.is_relative_to(source) else project_root
    parts = root.relative_to(top).parts if root.is_relative_to(top) else ()
    if not parts or not all(part.isidentifier() for part in parts):
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    relative, absolute = _imports(path, status.st_mtime_ns, status.st_size)
    if relative and root == path.parent:
        return top
    return top if any(_is_there(top, parts[0], module, name) for module, name in absolute) else None


def _is_there(top: Path, first: str, module: str, name: str) -> bool:
    """Whether an import means a file in the folder `first`, and no regular package of that name."""
    names = module.split(".")
    if names[0] != first or (top / first / "__init__.py").exists():
        return False
    wanted = top.joinpath(*names, *([name] if len(names) == 1 and name else []))
    return wanted.is_dir() or wanted.with_name(f"{wanted.name}.py").is_file()


@lru_cache(maxsize=4096)
def _imports(path: Path, _changed: int, _size: int) -> tuple[bool, frozenset[tuple[str, str]]]:
    """Whether a file has relative imports; the modules and first names of the others."""
    try:
        raw = content(path)
    except OSError:
        return False, frozenset()
    found = (
        ((one["module"] or one["plain"]).decode("ascii", "replace"), (one["name"] or b"").decode("ascii", "replace"))
        for one in _ABSOLUTE.finditer(raw)
    )
    return _RELATIVE.search(raw) is not None, frozenset(found)


_MOST_PLACES = 1 << 13
_PROJECT_MARKS = ("pyproject.toml", "setup.cfg", "setup.py", ".git")


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """What `Mechanism` says of the file that it stands in; see there. is_package: the file is an `__init__.py`."""

    import_root: Path
    project_root: Path
    module: str
    is_package: bool

    @property
    def package(self) -> str:
        """The dotted name of the package that relative imports of this module start from; may be empty."""
        return self.module if self.is_package else self.module.rpartition(".")[0]


def import_place(path: Path) -> ImportPlace:
    """How the file at the absolute `path` is imported, by the rule of pytest's import mode `prepend`.

    The import root is the first folder upwards that has no `__init__.py` (or whose name is no identifier, so that it
    cannot be a package), or the one above a namespace package. The file itself need not exist. A notebook is in no
    package: it imports from its folder.
    """
    root = path.parent
    if is_notebook(path.name):
        project = next(filter(is_project, path.parents), root)
        # no name that a module beside it could have, which the notebook may import
        return ImportPlace(root, project, f"{re.sub(r'[^0-9A-Za-z_]', '_', path.stem)}_ipynb", is_package=False)
    while (root / "__init__.py").is_file() and root.name.isidentifier():
        root = root.parent
    project = next(filter(is_project, path.parents), root)
    if project != root:
        root = namespace_root(path, root, project) or root
    parts = list(path.relative_to(root).with_suffix("").parts)
    is_package = len(parts) > 1 and parts[-1] == "__init__"
    if is_package:
        parts.pop()
    return ImportPlace(root, project, ".".join(parts), is_package)


def is_project(folder: Path) -> bool:
    """Whether a project begins in the folder."""
    return any((folder / mark).exists() for mark in _PROJECT_MARKS)


@lru_cache(maxsize=_MOST_PLACES)
def module_files(module: str, root: Path) -> tuple[Path, ...]:
    """Where a module of that dotted name may be under the root, whether there is such a file or not."""
    base = root.joinpath(*module.split("."))
    return base / "__init__.py", base.with_name(f"{base.name}.py")


def imported_names(text: bytes, module: str, *, is_package: bool) -> Iterator[str]:
    """Full names of what the source of a module imports: modules, or names in modules, which may be modules too.

    None of a text that does not parse. What is imported at run time, by name, is not seen.
    """
    try:
        tree = parse_text(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    package = module if is_package else module.rpartition(".")[0]
    yield from imports_among(ast.walk(tree), package)


def imports_among(nodes: Iterable[ast.AST], package: str) -> Iterator[str]:
    """As `imported_names`, of all nodes of a module whose relative imports start from the package."""
    parts = package.split(".") if package else []
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names if alias.name != "*")


def followed(
    names: Iterable[str], roots: Iterable[Path], imports: Callable[[Path, str], Iterable[str]]
) -> Iterator[Path]:
    """The files of the modules of these names under the roots, of their packages, and of all that these import.

    imports: the names that a file imports, which is the module of that name.
    """
    todo, seen, places = list(names), set[str](), tuple(roots)
    while todo:
        name = todo.pop()
        if not name or name in seen:
            continue
        seen.add(name)
        todo.append(name.rpartition(".")[0])
        for root in places:
            for file in module_files(name, root):
                if file.is_file():
                    yield file
                    todo += imports(file, name)


MISSING, FOLDER = "", "folder"
_UNSAVED: dict[Path, bytes] = {}


def hold(file: Path, text: str | None) -> bool:
    """From now on, in this process, that text stands for a file, None for what is on disk; whether they differ."""
    _UNSAVED.pop(file, None)
    if text is None or (content_of(file) or b"").decode("utf-8", "replace").removeprefix("\ufeff") == text:
        return False
    _UNSAVED[file] = text.encode("utf-8", "replace")
    return True


def is_unsaved(file: Path) -> bool:
    """Whether a text stands for the file that is not on disk."""
    return file in _UNSAVED


def content_of(file: Path) -> bytes | None:
    """The bytes of a file, None where there is none that can be read."""
    if (unsaved := _UNSAVED.get(file)) is not None:
        return unsaved
    try:
        return content(file)
    except (OSError, ValueError):
        return None


def digest_of(raw: bytes | None) -> str:
    """A digest of what `content_of` gives."""
    return MISSING if raw is None else hashlib.sha256(raw).hexdigest()


def same_files(files: Mapping[str, str]) -> bool:
    """Whether these paths still hold what has these digests."""
    return all(digest_at(Path(file)) == digest for file, digest in files.items())


def digest_at(path: Path) -> str:
    """A digest of what is at a path: a file, a folder, whatever is in it, or nothing."""
    return FOLDER if path.is_dir() else digest_of(content_of(path))
