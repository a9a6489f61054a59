"""How a file is imported: the folder for `sys.path`, the module's dotted name, the project it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dplint.source.cell_names import is_notebook
from dplint.source.namespaces import namespace_root

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
