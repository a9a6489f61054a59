"""The calls in one file, by the last part of the name that is called, each with what names stand for where it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from dplint.claims import Literal, Mechanism, ParameterKind, is_made
from dplint.source.files import import_place
from dplint.source.passed_values import Scope, Value, bind_target, entry_of, inside, literal_of, value_of
from dplint.source.text import decode
from dplint.syntax import parse_text

_POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.NORMAL)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


@lru_cache(maxsize=16)
def call_sites(path: Path, raw: bytes) -> CallSites:
    """Those of a file with this content. Raises what `parse_text` and `decode` raise."""
    return CallSites(path, parse_text(decode(raw).removeprefix("\ufeff")))


class CallSites:
    """calls: by name. module: the file's own. imports: full names of what is imported or defined, by local names.

    stars: the modules that all names are imported from.
    """

    def __init__(self, path: Path, tree: ast.Module) -> None:
        place = import_place(path)
        self.module, self._package = place.module, place.package
        self.calls: dict[str, list[tuple[ast.Call, Scope]]] = {}
        self.stars: set[str] = set()
        self._functions = {one.name: one for one in tree.body if isinstance(one, _Function)}
        classes = (one.name for one in tree.body if isinstance(one, ast.ClassDef))
        self.imports = {name: f"{place.module}.{name}" for name in (*self._functions, *classes)}
        self._top = Scope(self.imports)
        _bind_own(self._top, tree)
        self._visit(tree, self._top)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        for one in ast.iter_child_nodes(node):
            within = scope
            if isinstance(one, ast.Import | ast.ImportFrom):
                found = _imported(one, self._package)
                self.stars |= {found.pop("*").removesuffix(".*")} if "*" in found else set()
                self.imports |= found
            elif isinstance(one, _Function):
                within = self._function(one, scope)
            elif isinstance(one, _COMPREHENSIONS):
                within = inside(one, scope)
            elif isinstance(one, ast.With) and any(map(_raises, one.items)):
                continue  # a call that has to fail tells nothing
            elif isinstance(one, ast.Call):
                name = getattr(one.func, "attr", getattr(one.func, "id", ""))
                self.calls.setdefault(name, []).append((one, scope))
            self._visit(one, within)

    def _function(self, node: _Function, outer: Scope) -> Scope:
        """The scope of a function, whose parameters may have annotations, or values from pytest."""
        scope = Scope(outer.imports, outer)
        for name, values in _parametrized(node):
            scope.bind(name, values, outer)
        for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            fixture = self._functions.get(one.arg)
            if one.arg in scope.names:
                continue
            if one.annotation is not None:
                scope.bind(one.arg, ast.unparse(one.annotation))
            elif fixture is not None and fixture is not node and _is_fixture(fixture):
                made = Scope(outer.imports, self._top)
                _bind_own(made, fixture)
                ends = [end.value for end in ast.walk(fixture) if isinstance(end, ast.Return | ast.Yield)]
                scope.bind(one.arg, ends[0] if len(ends) == 1 else None, made)
            else:
                scope.bind(one.arg, None)
        _bind_own(scope, node)
        return scope


def passed_in(sites: CallSites, mechanism: Mechanism) -> Iterator[Value]:
    """What calls in a file pass as the data, as far as that can be told."""
    data = mechanism.data or ""
    at = _places(mechanism).get(data)
    for call, scope in _calls(sites, mechanism):
        argument = _argument(call, data, at)
        value = None if argument is None else value_of(argument, scope)
        if value is not None:
            yield value


def arguments_in(sites: CallSites, mechanism: Mechanism) -> Iterator[tuple[str, Literal]]:
    """The plain values that calls in a file pass for parameters other than the data, one by one."""
    places = _places(mechanism)
    wanted = [one.name for one in mechanism.parameters if one.name not in mechanism.roles]
    for call, scope in _calls(sites, mechanism):
        for name in wanted:
            argument = _argument(call, name, places.get(name))
            value = None if argument is None else literal_of(argument, scope)
            if value is not None:
                yield name, _for(mechanism, value[0])


def made_in(sites: CallSites, mechanism: Mechanism, names: Sequence[str]) -> Iterator[dict[str, Literal]]:
    """What calls in a file give the class of a mechanism for the parameters of these names, as far as that is plain.

    names: in the order in which a call may give them.
    """
    owner = mechanism.qualname.rpartition(".")[0]
    for call, scope in _named(sites, owner.rpartition(".")[2]):
        if _means(call.func, owner, mechanism.module, scope, sites):
            arguments = ((name, _argument(call, name, at)) for at, name in enumerate(names))
            found = ((name, None if one is None else literal_of(one, scope)) for name, one in arguments)
            yield {name: _for(mechanism, value[0]) for name, value in found if value is not None}


def _for(mechanism: Mechanism, value: Literal) -> Literal:
    """The value as a claim of the mechanism says it: what is made in its own module needs no name of that."""
    return str(value).replace(f"{mechanism.module}:", ":") if is_made(value) else value


def _places(mechanism: Mechanism) -> dict[str, int]:
    """Where in a call the parameters stand that need not be named."""
    return {name: at for at, name in enumerate(one.name for one in mechanism.parameters if one.kind in _POSITIONAL)}


def _calls(sites: CallSites, mechanism: Mechanism) -> Iterator[tuple[ast.Call, Scope]]:
    """The calls of a mechanism in a file."""
    for call, scope in _named(sites, mechanism.qualname.rpartition(".")[2]):
        if _is_call(call.func, mechanism, scope, sites):
            yield call, scope


def _named(sites: CallSites, name: str) -> Iterator[tuple[ast.Call, Scope]]:
    """The calls of what has that name, or is imported under another one."""
    aliases = {local for local, full in sites.imports.items() if full.rpartition(".")[2] == name}
    return (site for alias in sorted({name, *aliases}) for site in sites.calls.get(alias, ()))


def _is_call(function: ast.expr, mechanism: Mechanism, scope: Scope, sites: CallSites) -> bool:
    owner, _, name = mechanism.qualname.rpartition(".")
    if _means(function, mechanism.qualname, mechanism.module, scope, sites):
        return True
    match function:
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=called) if owner:
            return called == name and sites.module == mechanism.module
        case ast.Attribute(value=whole, attr=called) if owner and called == name:
            bindings = scope.bindings(whole.id) if isinstance(whole, ast.Name) else [(whole, scope)]
            made, where = bindings[0] if len(bindings) == 1 else (None, scope)
            return isinstance(made, ast.Call) and _means(made.func, owner, mechanism.module, where, sites)
    return False


def _means(node: ast.expr, name: str, module: str, scope: Scope, sites: CallSites) -> bool:
    """Whether an expression is a thing of the module, by its imports or, where nothing else has the name, by a star."""
    if _is(scope.path(node), name, module):
        return True
    plain = isinstance(node, ast.Name) and node.id not in sites.imports and not scope.bindings(node.id)
    return plain and any(_is(f"{star}.{ast.unparse(node)}", name, module) for star in sites.stars)


def _is(path: str | None, name: str, module: str) -> bool:
    """Whether a full name is that of a thing of the module, also where a package of it hands it on."""
    if path is None or not path.endswith(f".{name}"):
        return False
    found = path.removesuffix(f".{name}")
    return found.rpartition(".")[2] == module.rpartition(".")[2] or module.startswith(f"{found}.")


def _argument(node: ast.Call, data: str, at: int | None) -> ast.expr | None:
    for keyword in node.keywords:
        if keyword.arg == data:
            return keyword.value
    before = [] if at is None else node.args[: at + 1]
    known = at is not None and len(before) > at and not any(isinstance(one, ast.Starred) for one in before)
    return before[-1] if known else None


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> dict[str, str]:
    """Full names of what a statement imports, by the names that it has there."""
    if isinstance(node, ast.Import):
        return {
            one.asname or one.name.partition(".")[0]: one.name if one.asname else one.name.partition(".")[0]
            for one in node.names
        }
    parts = package.split(".") if package else []
    above = parts[: len(parts) - node.level + 1] if node.level else []
    base = "".join(f"{part}." for part in (*above, *([node.module] if node.module else [])))
    return {one.asname or one.name: f"{base}{one.name}" for one in node.names}


def _bind_own(scope: Scope, owner: ast.Module | _Function) -> None:
    """The names that statements of a module or function assign, those of what is nested in it left out."""
    todo: list[ast.AST] = list(owner.body)
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


def _is_fixture(node: _Function) -> bool:
    return any("fixture" in ast.unparse(one) for one in node.decorator_list)


def _raises(item: ast.withitem) -> bool:
    """Whether a block has to fail: `pytest.raises(...)`, `self.assertRaises(...)`."""
    call = item.context_expr
    name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
    return name.startswith(("raises", "assertRaises"))
