"""What the text of one module says for certain of its top level, and what it may do to names of other modules.

Stricter than `module_names`: a name is certain if one statement of the top level binds it, in no block, and nothing
else does, not `global` in a function either. A star import may bind any name, so nothing is certain beside one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dplint.source.imports import imports_among
from dplint.syntax import parse_text

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SETTERS = frozenset({"setattr", "delattr", "setitem", "delitem", "patch"})
_NAMESPACES = frozenset({"globals", "vars", "locals"})
_IN_PLACE = frozenset("append clear extend insert pop popitem remove reverse setdefault sort update".split())  # noqa: SIM905
_LONGEST_KEPT = 512


@dataclass(frozen=True, slots=True)
class TopLevel:
    """What is certain of a module's top level.

    bound: all names that it binds in any way. imports: names with the full names of what they stand for. functions,
    values: names of functions, and of what is assigned. classes: of each plain class, what its body assigns once.
    bare: of each class with nothing of its own but a base class, the base as it is written ("ValueError"). derived:
    the names of all classes with base classes or decorators.
    changes: names that code in the module may give to something else, in this module or in another one. anything:
    whether that may be any name. in_place: names of lists and dicts that code in the module changes in place. seeds:
    full names of functions called "seed" to which statements of the top level give a seed ("numpy.random.seed").
    imported: full names of all that is imported anywhere in it, as `imported_names` has them.
    """

    bound: frozenset[str] = frozenset()
    imports: Mapping[str, str] | None = None
    functions: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    classes: Mapping[str, Mapping[str, ast.expr]] | None = None
    bare: Mapping[str, str] | None = None
    derived: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    anything: bool = False
    in_place: frozenset[str] = frozenset()
    seeds: frozenset[str] = frozenset()
    imported: tuple[str, ...] = ()


@lru_cache(maxsize=_LONGEST_KEPT)
def top_level(text: str, package: str) -> TopLevel:
    """Of a module whose relative imports start from the package; a text that does not parse may change anything."""
    try:
        tree = parse_text(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return TopLevel(anything=True)
    nodes = list(ast.walk(tree))  # which takes as long as parsing
    bindings = Counter(_bindings(tree.body))
    bindings.update(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
    changes, anything = _changes(nodes)
    starred = any(isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in nodes)
    once = frozenset() if starred else frozenset(name for name, count in bindings.items() if count == 1)
    imports = {} if starred else dict(_imports(tree, package, bindings))
    functions, values = set[str](), set[str]()
    classes: dict[str, Mapping[str, ast.expr]] = {}
    bare: dict[str, str] = {}
    derived = {one.name for one in tree.body if isinstance(one, ast.ClassDef) and not _is_plain(one)}
    for one in tree.body:
        match one:
            case ast.FunctionDef(name=name) if name in once:
                functions.add(name)
            case ast.ClassDef(name=name) if name in once and _is_plain(one):
                classes[name] = _assigned(one)
            case ast.ClassDef(name=name) if name in once and _is_bare(one):
                bare[name] = ast.unparse(one.bases[0])
            case ast.Assign() | ast.AnnAssign():
                values |= once & set(_bindings([one]))
    return TopLevel(
        frozenset(bindings),
        imports,
        frozenset(functions),
        frozenset(values),
        classes,
        bare,
        once & derived,
        changes,
        anything,
        frozenset(_changed_in_place(nodes)),
        frozenset(_seeds(tree, imports)),
        tuple(dict.fromkeys(imports_among(nodes, package))),
    )


def _bindings(nodes: list[ast.stmt]) -> Iterator[str]:
    """Each binding of a name by these statements, what stands inside of functions and classes left out."""
    todo: list[ast.AST] = list(nodes)
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias(name=full, asname=name) if full != "*":
                yield name or full.partition(".")[0]
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                yield name
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                yield name
        todo += ast.iter_child_nodes(node)


def _imports(tree: ast.Module, package: str, bindings: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Names that only imports of one thing bind: `import a.b` and `import a.c` both bind `a` to the same."""
    direct = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    found = [pair for one in direct for pair in _imported(one, package)]
    for (name, full), count in Counter(found).items():
        if bindings[name] == count:
            yield name, full


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """The names that an import binds, with what they stand for."""
    if isinstance(node, ast.Import):
        for one in node.names:
            first = one.name.partition(".")[0]
            yield (one.asname, one.name) if one.asname else (first, first)
        return
    parts = package.split(".") if package else []
    above = parts[: len(parts) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    for one in node.names:
        yield one.asname or one.name, f"{base}.{one.name}"


def _is_plain(node: ast.ClassDef) -> bool:
    """Whether what its body assigns is what its attributes are: no base class, metaclass or decorator has a say."""
    plain = all(isinstance(base, ast.Name) and base.id == "object" for base in node.bases)
    return plain and not node.keywords and not node.decorator_list


def _is_bare(node: ast.ClassDef) -> bool:
    """Whether it is another name for its one base class: `class Full(ValueError): ...`, with a docstring perhaps."""
    based = len(node.bases) == 1 and isinstance(node.bases[0], ast.Name | ast.Attribute)
    empty = all(
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )
    return based and empty and not node.keywords and not node.decorator_list


def _assigned(node: ast.ClassDef) -> dict[str, ast.expr]:
    count = Counter(_bindings(node.body))
    found: dict[str, ast.expr] = {}
    for one in node.body:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if count[name] == 1:
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if count[name] == 1:
                found[name] = value
    return found


def _changes(nodes: Sequence[ast.AST]) -> tuple[frozenset[str], bool]:
    """The names that the module may assign as attributes of something, other than of `self`, and whether any may be."""
    names: set[str] = set()
    anything = False
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
                continue
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.Subscript(value=whole, ctx=ast.Store() | ast.Del()) if _is_namespace(whole):
                anything = True
            case ast.Call(func=ast.Attribute(value=whole, attr="update" | "setdefault")) if _is_namespace(whole):
                anything = True
            case ast.Call(func=ast.Name(id="exec")):
                anything = True
            case ast.Call(func=function, args=arguments) if not _SETTERS.isdisjoint(_words(function)):
                given = {word for one in arguments for word in _strings(one)}
                names |= given
                own = bool(arguments) and isinstance(arguments[0], ast.Name) and arguments[0].id == "self"
                anything |= not given and not own
    return frozenset(names), anything


def _changed_in_place(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names of which items are set or deleted, or of which a method that may do so is called."""
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _IN_PLACE:
                yield name


def _seeds(tree: ast.Module, imports: Mapping[str, str]) -> Iterator[str]:
    """What is called by statements of the top level under the full name `seed`, with anything but None."""
    for line in tree.body:
        match line:
            case ast.Expr(value=ast.Call(func=ast.Attribute() | ast.Name() as called, args=[ast.expr() as given, *_])):
                first, dot, rest = ast.unparse(called).partition(".")
                full = f"{imports.get(first, first)}{dot}{rest}"
                if full.endswith(".seed") and not (isinstance(given, ast.Constant) and given.value is None):
                    yield full


def _words(node: ast.expr) -> set[str]:
    """`a`, `b` and `c` of `a.b.c`."""
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Name | ast.Attribute)
    }


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from node.value.split(".")


def _is_namespace(node: ast.expr) -> bool:
    """`globals()`, `vars(x)`, `x.__dict__`, `sys.modules`."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _NAMESPACES
        case ast.Attribute(attr="__dict__" | "modules") | ast.Name(id="modules"):
            return True
        case _:
            return False
