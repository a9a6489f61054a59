"""Modules of the user's project that Python finds only where it is started from another folder.

A file that is written to be run as a script imports what lies beside it, and others what a folder of the project holds
that their author has on the path. Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: ARG002  (signatures are those of importlib)
import importlib.machinery
import importlib.util
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from .failures import REFUSALS

_FOLDERS = 2000
_SKIPPED = frozenset(("node_modules", "site-packages", "dist-packages", "build", "dist", "venv", "env", "__pycache__"))


class Neighbours:
    """Finds a module beside the audited file, or in the only place of the project that has one of that name.

    Stands last on `sys.meta_path`, and answers to nobody but code of the project. asked_by_own: whether that asks.
    loader: of a file, by its name and path.
    """

    def __init__(self, asked_by_own: Callable[[], bool], loader: Callable[[str, str], Any]) -> None:
        self._asked_by_own, self._loader = asked_by_own, loader
        self._folder = self._root = ""
        self._places: Optional[Dict[str, List[str]]] = None

    def look_in(self, folder: str, project_root: str) -> None:
        """The folder of the audited file, and that of its project."""
        if (folder, project_root) != (self._folder, self._root):
            self._folder, self._root, self._places = folder, project_root, None

    def find_spec(self, fullname: str, path: Optional[Sequence[str]], target: Any = None) -> Any:
        """As `importlib.abc.MetaPathFinder` has it."""
        if path is not None or not self._asked_by_own():
            return None
        places = self.places_of(fullname)
        beside = [one for one in places if os.path.dirname(one) == self._folder]
        if len(beside or places) != 1:
            return None
        place = (beside or places)[0]
        file = place if place.endswith(".py") else os.path.join(place, "__init__.py")
        if not os.path.isfile(file):
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [place]
            return spec
        inside = None if place == file else [place]
        loader = self._loader(fullname, file)
        return importlib.util.spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=inside)

    def places_of(self, name: str) -> List[str]:
        """The files and folders of the project that a module of this name could be."""
        if self._places is None:
            self._places = {}
            for folder in _folders(self._folder, self._root):
                self._note(folder)
        return self._places.get(name.partition(".")[0], [])

    def cure(self, error: BaseException, again: str) -> str:
        """How to mend what an import has failed for. again: how to see the error, in a sentence."""
        if not isinstance(error, ModuleNotFoundError) or not error.name:
            return again
        package = error.name.partition(".")[0]
        places = [os.path.relpath(one, self._root) for one in self.places_of(package)]
        shown = ", ".join(places[:3])
        if places and "." in error.name:
            return f"There is no such module in {shown}: mend the import, or install the package that is meant."
        if places:
            return (
                f"{shown} of the project has that name: put its folder on PYTHONPATH, as it is where the file is run."
            )
        cure = (
            f"Install {package} there ({sys.executable} -m pip install ...), or name the interpreter that has it with"
            " --interpreter, or as `interpreter` in [tool.dplint]."
        )
        if REFUSALS.unlisted:
            allowed = f'`allow = ["read:{REFUSALS.unlisted}"]` in [tool.dplint] allows it'
            cure += f" {REFUSALS.unlisted}, which is in sys.path, is outside of the project and not read: {allowed}."
        return cure

    def _note(self, folder: str) -> None:
        try:
            entries = sorted(os.scandir(folder), key=lambda one: one.name)
        except OSError:
            return
        files = [one for one in entries if one.name.endswith(".py") and one.is_file()]
        for one in files:
            self._add(one.name[:-3], one.path)
        if os.path.realpath(folder) != os.path.realpath(self._root) and files:
            self._add(os.path.basename(folder), folder)

    def _add(self, name: str, place: str) -> None:
        known = self._places.setdefault(name, []) if self._places is not None else []
        if name.isidentifier() and place not in known:
            known.append(place)


def _folders(first: str, root: str) -> List[str]:
    """The folder of a file, and those of its project, near ones first."""
    found, todo = [first], [root]
    while todo and len(found) < _FOLDERS:
        folder = todo.pop(0)
        if folder != first:
            found.append(folder)
        try:
            inside = [one for one in os.scandir(folder) if one.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        names = sorted(one.name for one in inside)
        todo += [os.path.join(folder, one) for one in names if not one.startswith(".") and one not in _SKIPPED]
    return found
