"""What callers in the project pass to a mechanism as its data: evidence for the form, where nothing else settles it.

Only files are read that have the name of the function and one of its module's in them, and no more of them than a few;
of a project only so many files. What is read here decides on inputs that are tried, and on no verdict.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from dplint.claims import Mechanism, ParameterKind, Passed
from dplint.inputs.candidates import wants_callers
from dplint.source.cell_names import is_notebook
from dplint.source.file_digests import content_of
from dplint.source.files import SKIPPED_FOLDERS, SUFFIXES
from dplint.source.notebooks import text_of
from dplint.source.passed_values import Scope, Value, bind_target, entry_of, inside, value_of
from dplint.source.places import import_place, is_project
from dplint.source.text import DecodeError, decode
from dplint.syntax import parse_text

_FOLDERS, _FILES, _BYTES, _LONGEST = 1_000, 3_000, 1 << 25, 400_000
"""What is looked at of a project, and how long a file may be, in bytes."""
_PARSED, _PARSED_BYTES, _CALLS = 16, 1_000_000, 32
"""What is parsed for one function, and how many calls are enough."""
_POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.NORMAL)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


class Callers:
    """The files of projects, each read once: for one check only."""

    def __init__(self) -> None:
        self._projects: dict[Path, list[tuple[Path, bytes]]] = {}

    def asked(self, mechanism: Mechanism, text: str | None = None) -> Mechanism:
        """The mechanism with what its callers pass, where that is evidence. text: what stands for its file."""
        if not wants_callers(mechanism):
            return mechanism
        passed = self._passed(mechanism, text)
        return replace(mechanism, passed=passed) if passed.annotations else mechanism

    def _passed(self, mechanism: Mechanism, text: str | None) -> Passed:
        values: list[Value] = []
        for path, source in self._files(mechanism, text):
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError, DecodeError):
                values += _Calls(mechanism, path, source).values
            if len(values) >= _CALLS:
                break
        forms = [form for form, _ in Counter(one.annotation for one in values).most_common()]
        wholes = [one.whole for one in values if one.whole is not None]
        return Passed(tuple(forms), whole=bool(wholes) and all(wholes))

    def _files(self, mechanism: Mechanism, text: str | None) -> Iterator[tuple[Path, bytes]]:
        """The files that may call it, its own first."""
        own, names = Path(mechanism.path), mechanism.qualname.split(".")
        raw = content_of(own) if text is None else text.encode()
        called = re.compile(rb"\b%s\b" % names[-1].encode())
        modules = re.compile(rb"\b(%s)\b" % b"|".join(re.escape(one.encode()) for one in mechanism.module.split(".")))
        left, parsed = _PARSED_BYTES, 0
        for path, source in [(own, raw or b""), *self._project(Path(mechanism.project_root))]:
            if path == own and parsed:
                continue
            # The plain search is many times faster than the expression, and mostly fails.
            if names[-1].encode() not in source or (
                path != own and not (called.search(source) and modules.search(source))
            ):
                continue
            left, parsed = left - len(source), parsed + 1
            if left < 0 or parsed > _PARSED:
                return
            yield path, source

    def _project(self, root: Path) -> list[tuple[Path, bytes]]:
        if root not in self._projects:
            found, left = list[tuple[Path, bytes]](), _BYTES
            for path in _python_files(root):
                raw = content_of(path) or b""
                if len(raw) <= _LONGEST:
                    found.append((path, raw))
                    left -= len(raw)
                if left < 0 or len(found) >= _FILES:
                    break
            self._projects[root] = found
        return self._projects[root]


def _python_files(root: Path) -> Iterator[Path]:
    """The files of a project, folders near its top first; of a folder that is none, those in it and one below."""
    todo, looked = [(root, 0)], 0
    deepest = None if is_project(root) else 1
    while todo and looked < _FOLDERS:
        folder, depth = todo.pop(0)
        looked += 1
        entries: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(folder) as inside:
            entries = sorted(inside, key=lambda one: one.name)
        for entry in entries:
            if entry.name.endswith(SUFFIXES) and entry.is_file():
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False) and (deepest is None or depth < deepest):
                hidden = entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS
                todo += [] if hidden else [(Path(entry.path), depth + 1)]


@lru_cache(maxsize=32)
def _tree(raw: bytes, notebook: str) -> ast.Module:
    text = text_of(Path(notebook), raw) if notebook else decode(raw)
    return parse_text(text.removeprefix("\ufeff"))


class _Calls:
    """The calls of a mechanism in one file. values: what they pass as its data, as far as that can be told."""

    def __init__(self, mechanism: Mechanism, path: Path, raw: bytes) -> None:
        tree = _tree(raw, path.name if is_notebook(path.name) else "")
        self.values: list[Value] = []
        self._own = path == Path(mechanism.path)
        self._module, self._qualname = mechanism.module, mechanism.qualname
        self._data = mechanism.data or ""
        names = [one.name for one in mechanism.parameters if one.kind in _POSITIONAL]
        self._at = names.index(self._data) if self._data in names else None
        imports = _imports(tree, import_place(path).package)
        if self._own:
            defined = (one for one in tree.body if isinstance(one, _Function | ast.ClassDef))
            imports |= {one.name: f"{mechanism.module}.{one.name}" for one in defined}
        self._top = Scope(imports)
        self._functions = {one.name: one for one in tree.body if isinstance(one, _Function)}
        _bind_own(self._top, tree)
        self._visit(tree, self._top)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        for one in ast.iter_child_nodes(node):
            within = scope
            if isinstance(one, _Function):
                within = self._function(one, scope)
            elif isinstance(one, _COMPREHENSIONS):
                within = inside(one, scope)
            elif isinstance(one, ast.With) and any(map(_raises, one.items)):
                continue  # a call that has to fail tells nothing
            elif isinstance(one, ast.Call) and self._is_call(one.func, scope):
                argument = self._argument(one)
                value = None if argument is None else value_of(argument, scope)
                self.values += [] if value is None else [value]
            self._visit(one, within)

    def _function(self, node: _Function, outer: Scope) -> Scope:
        """The scope of a function, whose parameters may have annotations, or values from pytest."""
        scope = Scope(outer.imports, outer)
        for name, values in _parametrized(node):
            scope.bind(name, values, outer)
        for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            if one.arg in scope.names:
                continue
            fixture = self._functions.get(one.arg)
            if one.annotation is not None:
                scope.bind(one.arg, ast.unparse(one.annotation))
            elif (
                fixture is not None
                and fixture is not node
                and any("fixture" in ast.unparse(d) for d in fixture.decorator_list)
            ):
                made = Scope(self._top.imports, self._top)
                _bind_own(made, fixture)
                given = [n.value for n in ast.walk(fixture) if isinstance(n, ast.Return | ast.Yield)]
                scope.bind(one.arg, given[0] if len(given) == 1 else None, made)
            else:
                scope.bind(one.arg, None)
        _bind_own(scope, node)
        return scope

    def _is_call(self, function: ast.expr, scope: Scope) -> bool:
        owner, _, name = self._qualname.rpartition(".")
        if self._is(scope.path(function), self._qualname):
            return True
        match function:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=called) if owner and self._own:
                return called == name
            case ast.Attribute(value=whole, attr=called) if owner and called == name:
                return self._is_made(whole, owner, scope)
        return False

    def _is_made(self, node: ast.expr, owner: str, scope: Scope) -> bool:
        """Whether it is an object of the mechanism's class."""
        if isinstance(node, ast.Name):
            bindings = scope.bindings(node.id)
            return (
                len(bindings) == 1
                and isinstance(bindings[0][0], ast.Call)
                and self._is_made(bindings[0][0], owner, bindings[0][1])
            )
        return isinstance(node, ast.Call) and self._is(scope.path(node.func), owner)

    def _is(self, path: str | None, name: str) -> bool:
        """Whether a full name is that of a thing of the module, also where a package of it hands it on."""
        if path is None or not path.endswith(f".{name}"):
            return False
        module = path.removesuffix(f".{name}")
        ends_alike = module.rpartition(".")[2] == self._module.rpartition(".")[2]
        return ends_alike or self._module.startswith(f"{module}.")

    def _argument(self, node: ast.Call) -> ast.expr | None:
        for keyword in node.keywords:
            if keyword.arg == self._data:
                return keyword.value
        before = node.args[: self._at + 1] if self._at is not None else []
        known = (
            self._at is not None and len(before) > self._at and not any(isinstance(one, ast.Starred) for one in before)
        )
        return before[-1] if known else None


def _imports(tree: ast.Module, package: str) -> dict[str, str]:
    """Full names of what a file imports, by the names that it has there."""
    found: dict[str, str] = {}
    parts = package.split(".") if package else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                found[one.asname or one.name.partition(".")[0]] = one.name if one.asname else one.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {one.asname or one.name: f"{base}.{one.name}" if base else one.name for one in node.names}
    return found


def _bind_own(scope: Scope, owner: ast.AST) -> None:
    """The names that statements of a module or function assign, those of what is nested in it left out."""
    todo: list[ast.AST] = list(getattr(owner, "body", []))
    while todo:
        node = todo.pop()
        match node:
            case ast.Assign(targets=targets, value=value):
                for one in targets:
                    bind_target(scope, one, value)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                scope.bind(name, value if value is not None else ast.unparse(annotation))
            case ast.For(target=target, iter=source):
                bind_target(scope, target, entry_of(source))
            case ast.withitem(optional_vars=ast.expr() as target):
                bind_target(scope, target, None)
        if not isinstance(node, _SCOPES | ast.expr):
            todo += ast.iter_child_nodes(node)


def _parametrized(node: _Function) -> Iterator[tuple[str, ast.expr | None]]:
    """Parameters that pytest gives values from a list, each with an expression for any of them."""
    for one in node.decorator_list:
        match one:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[ast.Constant(value=str() as text), ast.List(elts=rows), *_],
            ):
                names = [name.strip() for name in text.split(",")]
                for at, name in enumerate(names):
                    cells = rows if len(names) == 1 else _column(rows, at)
                    yield name, entry_of(ast.List(cells, ast.Load())) if cells else None


def _column(rows: Sequence[ast.expr], at: int) -> list[ast.expr]:
    cells: list[ast.expr] = []
    for row in rows:
        items = row.elts if isinstance(row, ast.Tuple | ast.List) else row.args if isinstance(row, ast.Call) else []
        cells += items[at : at + 1]
    return cells


def _raises(item: ast.withitem) -> bool:
    """Whether a block has to fail: `pytest.raises(...)`, `self.assertRaises(...)`."""
    call = item.context_expr
    name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
    return name.startswith(("raises", "assertRaises"))
