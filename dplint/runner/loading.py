"""Importing the user's module as their own tools would, and finding the function.

Runs in the user's interpreter.

Modules of the user's project that Python finds only where it is started from another folder.

A file that is written to be run as a script imports what lies beside it, and others what a folder of the project holds
that their author has on the path. Runs in the user's interpreter.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import linecache
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .by_statement import LEFT_OUT, LeftOut, Statements
from .failures import (
    IMPORT,
    MEMORY,
    REFUSALS,
    Failure,
    caller_file,
    failure_of,
    import_error,
    lacks_memory,
    user_traceback,
)

# ruff: noqa: ARG002  (signatures are those of importlib)


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


# ruff: noqa: ARG002  (signatures are those of importlib)


_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_NOTEBOOK = ".ipynb"


def _display(*shown: Any, **how: Any) -> None:
    """What a notebook has without an import, and what shows nothing here."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Executes an unsaved buffer, or the file itself, never a stale .pyc, by its statements if these are given.

    Its source is what has been executed.
    """

    def __init__(self, name: str, path: str, text: Optional[str], statements: Optional[Statements] = None) -> None:
        super().__init__(name, path)
        self._text, self._statements = text, statements

    def get_code(self, fullname: str) -> Any:
        return compile(self._source(), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        if self.path.endswith(_NOTEBOOK):
            module.display = _display
        if self._statements is None:
            super().exec_module(module)
        else:
            executed = self._statements.execute(self._source(), self.path, vars(module))
            self._text = self._text if executed is None else executed

    def get_source(self, fullname: str) -> Optional[str]:
        return super().get_source(fullname) if self._text is None else self._text

    def _source(self) -> Any:
        return self.get_data(self.path) if self._text is None else self._text


class _Target:
    """Serves the audited modules from their files or buffers, and others of the project, before any of the same name.

    is_own: whether a file is the project's.
    """

    def __init__(self, statements: Statements, is_own: Callable[[str], bool]) -> None:
        self.entries: Dict[str, Tuple[str, Optional[str]]] = {}
        self._statements, self._is_own = statements, is_own

    def find_spec(self, fullname: str, path: Optional[Sequence[str]], target: Any = None) -> Any:
        entry = self.entries.get(fullname)
        if entry is not None:
            return self._spec(fullname, *entry)
        places = [os.path.join(one, "") for one in (sys.path if path is None else path)]
        if not any(map(self._is_own, places)) or _is_built_in(fullname):
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        own = found is not None and isinstance(found.loader, importlib.machinery.SourceFileLoader)
        if found is None or not own or not self._is_own(str(found.origin)):
            return None
        return self._spec(fullname, str(found.origin), None)

    def _spec(self, fullname: str, file: str, text: Optional[str]) -> Any:
        loader = _Loader(fullname, file, text, self._statements)
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _Decorator:
    """Supplies `dplint` from the decorator's file where the environment has none; stands last on `sys.meta_path`."""

    def __init__(self, file: str) -> None:
        self._file = file

    def find_spec(self, fullname: str, path: Optional[Sequence[str]], target: Any = None) -> Any:
        if fullname not in ("dplint", "dplint.decorator"):
            return None
        spec = importlib.util.spec_from_file_location(fullname, self._file, loader=_Loader(fullname, self._file, None))
        if spec is not None and fullname == "dplint":
            spec.submodule_search_locations = []
        return spec


class Loader:
    """Loads modules and keeps what it loaded.

    roots: where code is the user's own: the folders of the project, each with a separator, and an installed package
    that a claim is about.
    """

    def __init__(self, decorator: str, blocked: Callable[[Optional[BaseException]], Optional[Failure]]) -> None:
        """blocked: as `Statements` has it."""
        self.roots: List[str] = []
        self._audited: List[str] = []
        self._own: Tuple[Any, List[Any]] = (None, [])
        self._left_out: List[LeftOut] = []
        self._neighbours = Neighbours(lambda: self._is_own(caller_file()), self._loader)
        self._statements = Statements(blocked, self._neighbours.cure)
        self._target = _Target(self._statements, self._is_own)
        sys.meta_path.insert(0, self._target)
        sys.meta_path += [_Decorator(decorator), self._neighbours]

    def module(self, name: str, path: str, import_root: str, project_root: str, text: Optional[str]) -> Any:
        """The module, imported unless it was before from the same path and text. Raises Failure."""
        self._set_path(import_root, project_root)
        self._neighbours.look_in(os.path.dirname(path), project_root)
        if is_installed(path):
            self._audited.append(_package(name, path))
            self.roots.append(self._audited[-1])
        # Relative paths to data mean what they mean for the user's own tools.
        os.chdir(import_root if path.endswith(_NOTEBOOK) else project_root)
        entry = (path, text)
        previous = self._target.entries.get(name)
        if previous == entry and name in sys.modules:
            self._tell_of(project_root)
            return sys.modules[name]
        self._left_out = [one for one in self._left_out if one.path != path]
        LEFT_OUT.clear()
        self._target.entries[name] = entry
        present = sys.modules.get(name)
        # A module that others have imported from the same file is kept: they must see the same objects.
        fits = previous is None and text is None and _same_file(getattr(present, "__file__", None), path)
        if present is not None and not fits:
            del sys.modules[name]
        linecache.cache.pop(path, None)
        if text is not None:
            linecache.cache[path] = (len(text), None, text.splitlines(True), path)
        try:
            made = importlib.import_module(name)
            self._left_out += LEFT_OUT
            self._tell_of(project_root)
            return made
        except BaseException as error:
            self._target.entries.pop(name, None)
            raise self._failure(error, name, path) from None

    def is_foreign(self, file: str) -> bool:
        """Whether a file belongs to Python, to dplint, or to an installed package that no claim is about."""
        return is_installed(file) and not file.startswith(tuple(self._audited))

    def own_modules(self) -> List[Any]:
        """The imported modules that lie in the user's project, and those of a package that is audited."""
        known = (len(sys.modules), len(self.roots), len(self._audited), len(self._target.entries))
        if self._own[0] == known:
            return self._own[1]
        found = []
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and self._is_own(file):
                found.append(module)
        self._own = (known, found)
        return found

    def explained(self, failure: Failure, module: Any, qualname: str) -> Failure:
        """Why a module has not the function: what has failed of its import, if that is what should have given it."""
        path, first = str(module.__file__), qualname.partition(".")[0]
        left = next((one for one in LEFT_OUT if one.path == path and first in one.names), None)
        if left is None:
            return failure
        if left.kind not in (IMPORT, MEMORY):
            return Failure(left.kind, left.reason, user_traceback(left.error), left.cure, "module", left.line)
        return self._failure(left.error, module.__name__, path)

    def left_out(self) -> List[Tuple[str, int, str]]:
        """File, line and reason of all statements that were left out of modules of the project."""
        return [(one.path, one.line, one.reason) for one in LEFT_OUT]

    def _failure(self, error: BaseException, name: str, path: str) -> Failure:
        """What failed for all of the module, with the line of its file where it did, and how to mend it."""
        is_notebook = path.endswith(_NOTEBOOK)
        name = os.path.basename(path) if is_notebook else name
        if lacks_memory(error) or not isinstance(error, Exception):
            return failure_of(error, f"the import of {name}")
        refused = REFUSALS.of(error)
        if refused is not None:
            return refused
        line = _line_of(error, path)
        reason = f"the import of {name} failed: {import_error(error)}"
        at = f" at line {line}" if line is not None else ""
        shown = f"`{sys.executable} -c 'import {name}'`, run in {os.getcwd()}, should show it too"
        again = "all cells are executed from the top, as by Run All after a restart" if is_notebook else shown
        cure = self._neighbours.cure(error, f"Mend the error{at}; {again}.")
        return Failure(IMPORT, reason, user_traceback(error), cure, "module", line)

    def _tell_of(self, project_root: str) -> None:
        """From now on, what was left out is what was of this project."""
        LEFT_OUT[:] = [one for one in self._left_out if one.path.startswith(project_root + os.sep)]

    def _is_own(self, file: str) -> bool:
        return file.startswith(tuple(self.roots)) and not self.is_foreign(file)

    def _loader(self, name: str, path: str) -> _Loader:
        return _Loader(name, path, None, self._statements)

    def _set_path(self, import_root: str, project_root: str) -> None:
        roots = [import_root] if import_root == project_root else [import_root, project_root]
        sys.path[:] = roots + [entry for entry in sys.path if entry not in roots and entry != ""]
        for root in roots:
            if root + os.sep not in self.roots:
                self.roots.append(root + os.sep)
        importlib.invalidate_caches()


def _is_built_in(name: str) -> bool:
    """Whether Python has a module of its own of that name, which comes before all files."""
    return name in sys.builtin_module_names or importlib.machinery.FrozenImporter.find_spec(name) is not None


def _line_of(error: BaseException, path: str) -> Optional[int]:
    """The last line of this file that the error has come through, or that does not parse."""
    if isinstance(error, SyntaxError) and error.filename is not None and _same_file(error.filename, path):
        return error.lineno
    found = None
    trace = error.__traceback__
    while trace is not None:
        if _same_file(trace.tb_frame.f_code.co_filename, path):
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _same_file(one: Optional[str], other: str) -> bool:
    return one is not None and os.path.realpath(one) == os.path.realpath(other)


def _package(name: str, path: str) -> str:
    """The folder of the outermost package of a module, with a separator; the file of a module in no package."""
    levels = name.count(".") + (os.path.basename(path) == "__init__.py")
    folder = path
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return folder + os.sep if levels else path


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package, to Python, or to dplint."""
    if file.startswith((_STANDARD_LIBRARY, _HERE)):
        return True
    return f"{os.sep}site-packages{os.sep}" in file or f"{os.sep}dist-packages{os.sep}" in file
