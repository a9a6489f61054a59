"""Which files of a project the import of a module runs: read from the source, nothing is imported for that."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dplint.source.places import module_files
from dplint.syntax import parse_text


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
