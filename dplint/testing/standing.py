"""Where a function stands: its file, or for one of a script or a notebook a module with it and what it mentions."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dplint.syntax import parse_text


class NoSourceError(ValueError):
    """The source of a function cannot be found, or no name leads to it."""


def qualname_of(function: Callable[..., Any]) -> str:
    """The qualified name of a function or method.

    Raises:
        NoSourceError: it has none that could be imported.
    """
    name = getattr(function, "__qualname__", None)
    if not isinstance(name, str) or "<" in name:
        shown = name or repr(function)
        raise NoSourceError(f"{shown} has no name that it could be imported by: put it at the top of a module.")
    return name


def file_of(function: Callable[..., Any], folder: Path) -> Path:
    """The file to check. Of a function of `__main__`, a script or a notebook, a new file in the folder.

    That has the statements of the script that the function needs, by name, and leaves out the others: so nothing of
    them is run again, and what they change is not there.

    Raises:
        NoSourceError: there is no source.
    """
    name = qualname_of(function)
    source = inspect.unwrap(function)
    module = getattr(source, "__module__", None)
    if module != "__main__":
        try:
            file = inspect.getsourcefile(source)
        except TypeError:
            file = None
        if file is None or not Path(file).is_file():
            raise NoSourceError(f"the source of {name} cannot be found: it has to stand in a file.")
        return Path(file)
    path = folder / "script.py"
    path.write_text(needed(_main_text(name), name.partition(".")[0]), encoding="utf-8")
    return path


def _main_text(name: str) -> str:
    """The text of the script, or of all cells that a notebook has run."""
    main = sys.modules["__main__"]
    shell = getattr(main, "get_ipython", lambda: None)()
    if shell is not None:
        return "\n\n".join(shell.history_manager.input_hist_parsed)
    file = getattr(main, "__file__", None)
    if file is None or not Path(file).is_file():
        raise NoSourceError(f"the source of {name} cannot be found: put it into a file.")
    return Path(file).read_text(encoding="utf-8")


def needed(text: str, name: str) -> str:
    """The top-level statements that bind the name or what these mention in turn; of a function the last definition.

    Raises:
        NoSourceError: nothing binds it, or the text does not parse.
    """
    try:
        body = parse_text(text).body
    except SyntaxError as error:
        raise NoSourceError(f"the source around {name} does not parse: {error}") from None
    binders: dict[str, list[int]] = {}
    for number, statement in enumerate(body):
        for bound in _bound(statement):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                binders[bound] = []  # what was defined under this name before is gone
            binders.setdefault(bound, []).append(number)
    if name not in binders:
        raise NoSourceError(f"{name} is defined in no statement at the top of the script.")
    wanted: set[int] = set()
    pending = [name]
    while pending:
        for number in binders.get(pending.pop(), ()):
            if number not in wanted:
                wanted.add(number)
                pending += _mentioned(body[number])
    return "\n\n".join(ast.unparse(body[number]) for number in sorted(wanted)) + "\n"


def _bound(statement: ast.stmt) -> Iterable[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [one.asname or one.name.partition(".")[0] for one in names]
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return [
                one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            ]
        case _:
            return []


def _mentioned(statement: ast.stmt) -> list[str]:
    return [one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
