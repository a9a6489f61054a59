"""A module of the user's is executed statement by statement, and what cannot be executed is left out.

A script that reads its data, trains, plots or parses its command line on import has functions all the same. So a
statement of the top level that fails, that tries what an audit refuses, or that takes over a second and gives no name
that a function mentions is left out, and said to be; what needs it says so when it is run. From the first one that
takes so long on, nothing is executed but imports, definitions, constants, and what gives names that these mention.
Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import __future__

import ast
import importlib.util
import os
import re
import signal
import threading
from contextlib import contextmanager
from copy import copy
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple, Union

from .failures import EFFECT, IMPORT, MEMORY, REFUSALS, Failure, import_error, lacks_memory, summary, user_traceback

_SECONDS = 1.0
_NAMES = re.compile(r"name '(\w+)' (?:is not defined|from)|module '[\w.]+' has no attribute '(\w+)'")
_IMPORTING = "<frozen importlib._bootstrap>"


class TooLong(BaseException):
    """Raised within a statement that takes too long; no Exception, so that `except Exception` lets it pass."""

    def __str__(self) -> str:
        return f"it takes more than {_SECONDS:g} s, and no function mentions what it gives"


class NotAsked(BaseException):
    """For a statement that is not begun, as an earlier one took too long."""

    def __str__(self) -> str:
        return "an earlier line takes more than a second, and no function mentions what this one gives"


class LeftOut:
    """A statement that was left out: of which file and line, why, in a sentence, and the error itself.

    kind, cure: of the failure of whoever needs it. names: what it would have given, and the module has not.
    """

    def __init__(self, path: str, line: int, names: Set[str], error: BaseException, effect: Optional[Failure]) -> None:
        self.path, self.line, self.names, self.error, self.cure = path, line, names, error, ""
        memory = lacks_memory(error)
        self.kind = EFFECT if effect is not None else MEMORY if memory else IMPORT
        self.reason = import_error(error) if effect is None else str(effect.document["reason"])
        if memory:
            self.reason = f"there was not enough memory ({self.reason})"

    @property
    def place(self) -> str:
        """Where it stands, for a sentence; a line of a notebook is told by its cell later, by whoever knows these."""
        return f"line {self.line}" + ("" if self.path.endswith(".ipynb") else f" of {os.path.basename(self.path)}")


LEFT_OUT: List[LeftOut] = []
"""What was left out of the modules of the project whose function is run."""


def missing_from_import(error: BaseException) -> Optional[Failure]:
    """The failure of a run that has come to what was left out of a module; None for an error that is the run's own."""
    known = _giver(error)
    if known is None:
        return None
    reason = f"a run needs what {known.place} did not give when it was imported: {known.reason}"
    return Failure(known.kind, reason, user_traceback(known.error), known.cure, "mechanism", known.line)


def _giver(error: BaseException) -> Optional[LeftOut]:
    """The statement that would have given what an error says is missing, None if it is not for that."""
    if not LEFT_OUT or not isinstance(error, (NameError, AttributeError, ImportError)):
        return None
    match = _NAMES.search(summary(error))
    name = match and (match.group(1) or match.group(2))
    return next((one for one in LEFT_OUT if name in one.names), None)


class Statements:
    """Executes modules.

    blocked: the refusal that lies behind an error, or that has been swallowed, if there was one; it is forgotten then.
    cure: how to mend an error that an import has failed for, or what else there is to say, which is given.
    """

    def __init__(
        self,
        blocked: Callable[[Optional[BaseException]], Optional[Failure]],
        cure: Callable[[BaseException, str], str],
    ) -> None:
        self._blocked, self._cure = blocked, cure
        self._slow = ""

    def execute(self, source: Union[str, bytes], path: str, scope: Dict[str, Any]) -> Optional[str]:
        """Execute a module's source in its scope; the text of what was executed, None where that is all of it.

        Raises SyntaxError, and KeyboardInterrupt; nothing else leaves a statement.
        """
        tree: Any = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        compile(tree, path, "exec", dont_inherit=True)
        # One by one: the compiler leaves out what stands behind `while True`.
        codes = [compile(ast.Module([one], []), path, "exec", dont_inherit=True) for one in tree.body]
        mentioned = {name for code in codes for name in _mentioned(code)}
        known = len(LEFT_OUT)
        scope["__doc__"] = ast.get_docstring(tree, clean=False)
        flags, gone = 0, []
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                flags |= sum(getattr(__future__, one.name).compiler_flag for one in statement.names)
            kept, left = self._as_far_as_it_goes(statement, path, scope, flags, mentioned)
            if left:
                gone.append((statement, kept))
                LEFT_OUT.extend(left)
        for one in LEFT_OUT[known:]:
            one.names -= scope.keys() if one.path == path else set()
            one.cure = one.cure or self._cure(one.error, f"Mend {one.place}, or what it needs.")
        text = source if isinstance(source, str) else importlib.util.decode_source(source)
        return _without(text, gone) if gone else None

    def _as_far_as_it_goes(
        self, statement: ast.stmt, path: str, scope: Dict[str, Any], flags: int, mentioned: Set[str]
    ) -> Tuple[str, List[LeftOut]]:
        """Execute a statement, an import name by name if need be; what stands for it then, and what was left out."""
        left = self._one(statement, path, scope, flags, mentioned)
        if left is None:
            return "", []
        if not isinstance(statement, (ast.Import, ast.ImportFrom)) or len(statement.names) == 1:
            return "pass", [left]
        parts = [copy(statement) for _ in statement.names]
        for part, name in zip(parts, statement.names):
            part.names = [name]
        tried = [self._one(part, path, scope, flags, mentioned) for part in parts]
        kept = "; ".join(ast.unparse(part) for part, failed in zip(parts, tried) if failed is None)
        return kept or "pass", [one for one in tried if one is not None]

    def _one(
        self, statement: ast.stmt, path: str, scope: Dict[str, Any], flags: int, mentioned: Set[str]
    ) -> Optional[LeftOut]:
        names, line = set(_bound(statement)), statement.lineno
        if self._slow == path and names.isdisjoint(mentioned) and not _defines(statement):
            return LeftOut(path, line, names, NotAsked(), None)
        code = compile(ast.Module([statement], []), path, "exec", flags, dont_inherit=True)
        try:
            with _limit() if names.isdisjoint(mentioned) else _no_limit():
                _in_folder_of(path, code, scope)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._slow = path if isinstance(error, TooLong) else self._slow
            known = _giver(error)
            if known is not None:
                return _like(known, path, line, names)
            return LeftOut(path, line, names, error, self._blocked(error) or REFUSALS.of(error))
        effect = self._blocked(None)
        return None if effect is None else LeftOut(path, line, set(), effect, effect)


def _like(known: LeftOut, path: str, line: int, names: Set[str]) -> LeftOut:
    """For another statement that needs what was left out."""
    made = LeftOut(path, line, names, known.error, None)
    made.kind, made.reason = known.kind, f"it needs what {known.place} did not give: {known.reason}"
    if known.reason.startswith("it needs"):
        made.reason = known.reason
    return made


def _in_folder_of(path: str, code: CodeType, scope: Dict[str, Any]) -> None:
    """Execute it; where a file is not to be found, once more in the folder of the module, as a script may want."""
    here, there = os.getcwd(), os.path.dirname(path)
    try:
        exec(code, scope)
    except FileNotFoundError as error:
        if os.path.samefile(here, there) or os.path.isabs(str(error.filename)):
            raise
        if not os.path.exists(os.path.join(there, str(error.filename))):
            raise
        os.chdir(there)
        try:
            exec(code, scope)
        finally:
            os.chdir(here)


@contextmanager
def _no_limit() -> Iterator[None]:
    yield


@contextmanager
def _limit() -> Iterator[None]:
    """Raises TooLong within what takes too much processor time itself; imports that it begins may take longer."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _ring(_: int, frame: Optional[FrameType]) -> None:
    while frame is not None and frame.f_code.co_filename != __file__:
        if frame.f_code.co_filename == _IMPORTING:
            return
        frame = frame.f_back
    raise TooLong


def _defines(statement: ast.stmt) -> bool:
    """Whether it is an import or a definition, or assigns what takes no call and no loop."""
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    work = (ast.Call, ast.For, ast.While, ast.comprehension)
    return isinstance(statement, kinds) or not any(isinstance(one, work) for one in ast.walk(statement))


def _mentioned(code: CodeType) -> Set[str]:
    """Names that functions and classes of a module look up."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return {name for one in inner for name in (*one.co_names, *_mentioned(one))}


def _bound(node: ast.AST) -> Iterator[str]:
    """Names that a statement binds in its own scope."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    for one in ast.iter_child_nodes(node):
        yield from _bound(one)


def _without(text: str, statements: List[Tuple[ast.stmt, str]]) -> str:
    """The text with something else in place of some statements, each in as many lines as before."""
    lines = text.split("\n")
    for one, instead in reversed(statements):
        first = min([one.lineno, *(item.lineno for item in getattr(one, "decorator_list", ()))])
        last = one.end_lineno or one.lineno
        start = 0 if first < one.lineno else one.col_offset
        before = lines[first - 1].encode()[:start].decode()
        after = lines[last - 1].encode()[one.end_col_offset :].decode()
        lines[first - 1 : last] = [f"{before}{instead}{after}", *[""] * (last - first)]
    return "\n".join(lines)
