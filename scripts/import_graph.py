"""Which files of this checkout use which, read from their text: nothing is imported.

A Python file uses the modules that it imports, at any place, and those whose dotted names stand in its strings, as
where a process is told what to import. A file that is no module is used by those that name it, or a folder it is in, in
a string: `ROOT / "fixtures" / "statdp"`. Of a package of which no module is imported all modules count as used, and so
do those beside a module, and in the packages that it imports, that asks `pkgutil.iter_modules` what there is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TypeAlias

Graph: TypeAlias = Mapping[str, frozenset[str]]
"""For each file the files that it uses; paths from the top of the checkout, with slashes."""

_ALIASES = {
    "_dplint_runner": "dplint.runner",
    "dplint_cluster": "cluster.dplint_cluster",
    "dplint_conformance": "conformance.dplint_conformance",
    "dplint_statdp": "statdp.dplint_statdp",
}
"""Packages that are loaded under another name than their place has (dplint/runner/process.py, pyproject.toml)."""
_ITERATES = "pkgutil.iter_modules"
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def import_graph(files: Mapping[str, str | None]) -> Graph:
    """The graph of all files of a checkout.

    files: by path the text of each module, and None for what is none: pages, data, code that is only read. Text that
        does not parse uses nothing.
    """
    read = {path: _read(path, text) for path, text in files.items() if text is not None}
    modules = _modules(read)
    uses = {path: set(_used_modules(names, modules)) for path, (names, _) in read.items()}
    _add_listed(uses)
    _add_iterated(uses, [path for path, (names, _) in read.items() if _ITERATES in names])
    _add_named(uses, {path: words for path, (_, words) in read.items()}, files)
    _add_conftests(uses)
    return {path: frozenset(found - {path}) for path, found in uses.items()}


def _read(path: str, text: str) -> tuple[set[str], set[str]]:
    """The dotted names that a module imports or has in a string, and the words between the slashes of its strings."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return set(), set()
    package = PurePosixPath(path).parent.parts
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    names: set[str] = set()
    words: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names.update(f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == _ITERATES:
            names.add(_ITERATES)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            names.update(_DOTTED.findall(node.value))
            words.update(node.value.split("/"))
    return names, words


def _modules(paths: Iterable[str]) -> dict[str, str]:
    """The file of each module: by its name from the top, and by its bare name where its folder is no package."""
    found: dict[str, str] = {}
    for path in sorted(paths):
        at = PurePosixPath(path)
        parts = at.with_suffix("").parts
        found[".".join(parts[:-1] if at.stem == "__init__" else parts)] = path
        if str(at.parent / "__init__.py") not in paths and at.stem != "conftest":
            found.setdefault(at.stem, path)
    for alias, name in _ALIASES.items():
        found |= {
            alias + one.removeprefix(name): path for one, path in found.items() if f"{one}.".startswith(f"{name}.")
        }
    return found


def _used_modules(names: Iterable[str], modules: Mapping[str, str]) -> Iterator[str]:
    """The modules of these names, which may be of something in a module."""
    for name in names:
        found = modules.get(name) or modules.get(name.rpartition(".")[0])
        if found is not None:
            yield found


def _add_listed(uses: dict[str, set[str]]) -> None:
    """The modules of a package of which none is imported by its name: whoever uses the package lists them."""
    imported = set().union(*uses.values())
    inside: dict[str, set[str]] = {}
    for path in uses:
        inside.setdefault(str(PurePosixPath(path).parent / "__init__.py"), set()).add(path)
    for home, modules in inside.items():
        if home in imported and not (modules - {home}) & imported:
            uses[home] |= modules


def _add_iterated(uses: dict[str, set[str]], iterating: Iterable[str]) -> None:
    """The modules that are found by the names of their files, beside who looks for them or in a package of theirs."""
    for path in iterating:
        packages = {one for one in uses[path] if one.endswith("__init__.py")} | {path}
        homes = {PurePosixPath(one).parent for one in packages}
        uses[path] |= {one for one in uses if PurePosixPath(one).parent in homes}


def _add_named(uses: dict[str, set[str]], words: Mapping[str, set[str]], files: Iterable[str]) -> None:
    """Files for those who name them; what is no module also for those who name a folder it is in, but no package.

    What dplint itself names are its own files.
    """
    packages = {str(PurePosixPath(path).parent) for path in uses if path.endswith("__init__.py")}
    by_word: dict[str, set[str]] = {}
    for path in files:
        at = PurePosixPath(path)
        homes = set() if path in uses else {home.name for home in at.parents if str(home) not in packages}
        for word in {at.name, *homes} - {"", "__init__.py", "conftest.py"}:
            by_word.setdefault(word, set()).add(path)
    for path, found in words.items():
        named = set().union(*(by_word[word] for word in found & by_word.keys()))
        uses[path] |= {one for one in named if one.startswith("dplint/")} if path.startswith("dplint/") else named


def _add_conftests(uses: dict[str, set[str]]) -> None:
    """What pytest loads before a file of tests."""
    for path, found in uses.items():
        homes = PurePosixPath(path).parents
        found |= {str(home / "conftest.py") for home in homes if str(home / "conftest.py") in uses}
