"""Importing the user's module as their own tools would, and finding the function.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: ARG002  (signatures are those of importlib)
import importlib
import importlib.machinery
import importlib.util
import linecache
import os
import sys
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .failures import IMPORT, REFUSALS, Failure, failure_of, summary, user_traceback

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_NOTEBOOK = ".ipynb"


def _display(*shown: Any, **how: Any) -> None:
    """What a notebook has without an import, and what shows nothing here."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Executes an unsaved buffer, or the file itself; never a stale .pyc."""

    def __init__(self, name: str, path: str, text: Optional[str]) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> Any:
        source = self.get_data(self.path) if self._text is None else self._text
        return compile(source, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        if self.path.endswith(_NOTEBOOK):
            module.display = _display
        super().exec_module(module)

    def get_source(self, fullname: str) -> Optional[str]:
        return super().get_source(fullname) if self._text is None else self._text


class _Target:
    """Serves the audited modules from their files or buffers, before anything else of the same name."""

    def __init__(self) -> None:
        self.entries: Dict[str, Tuple[str, Optional[str]]] = {}

    def find_spec(self, fullname: str, path: Optional[Sequence[str]], target: Any = None) -> Any:
        entry = self.entries.get(fullname)
        if entry is None:
            return None
        file, text = entry
        return importlib.util.spec_from_file_location(fullname, file, loader=_Loader(fullname, file, text))


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

    def __init__(self, decorator: str) -> None:
        self._target = _Target()
        self.roots: List[str] = []
        self._audited: List[str] = []
        self._own: Tuple[Any, List[Any]] = (None, [])
        sys.meta_path.insert(0, self._target)
        sys.meta_path.append(_Decorator(decorator))

    def module(self, name: str, path: str, import_root: str, project_root: str, text: Optional[str]) -> Any:
        """The module, imported unless it was before from the same path and text. Raises Failure."""
        self._set_path(import_root, project_root)
        if is_installed(path):
            self._audited.append(_package(name, path))
            self.roots.append(self._audited[-1])
        # Relative paths to data mean what they mean for the user's own tools.
        os.chdir(import_root if path.endswith(_NOTEBOOK) else project_root)
        entry = (path, text)
        previous = self._target.entries.get(name)
        if previous == entry and name in sys.modules:
            return sys.modules[name]
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
            return importlib.import_module(name)
        except BaseException as error:
            self._target.entries.pop(name, None)
            raise _import_failure(error, name, path) from None

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
            if isinstance(file, str) and file.startswith(tuple(self.roots)) and not self.is_foreign(file):
                found.append(module)
        self._own = (known, found)
        return found

    def _set_path(self, import_root: str, project_root: str) -> None:
        roots = [import_root] if import_root == project_root else [import_root, project_root]
        sys.path[:] = roots + [entry for entry in sys.path if entry not in roots and entry != ""]
        for root in roots:
            if root + os.sep not in self.roots:
                self.roots.append(root + os.sep)
        importlib.invalidate_caches()


def _import_failure(error: BaseException, name: str, path: str) -> Failure:
    """What failed for all of the module, with the line of its file where it did, and how to mend it."""
    is_notebook = path.endswith(".ipynb")
    name = os.path.basename(path) if is_notebook else name
    if isinstance(error, (MemoryError, SystemExit)) or not isinstance(error, Exception):
        return failure_of(error, f"the import of {name}")
    refused = REFUSALS.of(error)
    if refused is not None:
        return refused
    line = _line_of(error, path)
    if isinstance(error, ModuleNotFoundError) and error.name:
        reason = f"the import of {name} failed: the interpreter {sys.executable} has no module {error.name!r}"
        package = error.name.partition(".")[0]
        cure = (
            f"Install {package} there ({sys.executable} -m pip install ...), or name the interpreter that has it with"
            " --python, or as `interpreter` in [tool.dplint]."
        )
        if REFUSALS.unlisted:
            allowed = f'`allow = ["read:{REFUSALS.unlisted}"]` in [tool.dplint] allows it'
            cure += f" {REFUSALS.unlisted}, which is in sys.path, is outside of the project and not read: {allowed}."
    else:
        reason = f"the import of {name} failed: {summary(error)}"
        at = f" at line {line}" if line is not None else ""
        shown = f"`{sys.executable} -c 'import {name}'`, run in {os.getcwd()}, should show it too"
        again = "all cells are executed from the top, as by Run All after a restart" if is_notebook else shown
        cure = f"Mend the error{at}; {again}."
    return Failure(IMPORT, reason, user_traceback(error), cure, "module", line)


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
