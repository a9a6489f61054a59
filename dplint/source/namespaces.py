"""Packages without `__init__.py`: a folder is one if a file in it imports by its name, or relatively to it.

A folder of scripts looks the same from outside, and its files import one another by their bare names. So the file is
asked: what it imports has to be there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from dplint.contents import content

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
