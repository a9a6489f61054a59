"""What the text of one module says for certain of its top level, and what it may do to names of other modules.

Stricter than `module_names`: a name is certain if one statement of the top level binds it, in no block, and nothing
else does, not `global` in a function either. A star import may bind any name, so nothing is certain beside one whose
names are not known.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from dplint.source.files import content_of, digest_of, imports_among, is_unsaved
from dplint.source.patches import fields, is_namespace, patched, words
from dplint.source.text import DecodeError, decode
from dplint.syntax import parse_text

StarNames: TypeAlias = tuple[tuple[str, str], ...]
"""The names that the star imports of a module bind, with full names of what they stand for."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SETTERS = frozenset({"setattr", "delattr", "setitem", "delitem", "patch"})
_IN_PLACE = frozenset(
    """append clear drop_in_place extend fill hstack insert insert_column itemset partition pop popitem put remove
    replace_column resize reverse setdefault sort update vstack""".split()  # noqa: SIM905
)
_READERS = frozenset("all any dict dp enumerate float int len list map max min set sorted sum tuple zip".split())  # noqa: SIM905
_DRAWING = frozenset({"choice", "choices", "permutation", "sample"})
_OF_TABLES = frozenset({"is_in", "isin", "reindex", "set_categories"})
"""Functions and methods by whose name nothing is changed in place or kept: builtins and the claim itself, draws, and
methods of tables that take a list of categories."""
_LIBRARIES = frozenset({"dplint", "itertools", "math", "numpy", "pandas", "polars", "random", "scipy", "statistics"})
_PLAIN = (ast.Constant, ast.UnaryOp, ast.JoinedStr, ast.Compare)
_OTHERS_OF_CHAINS = frozenset({"maps", "parents"})
_WRITERS = frozenset({"at", "copyto", "fill_diagonal", "place", "put", "putmask", "shuffle"})
_LONGEST_KEPT = 512
_MOST_FILES = 4096


@dataclass(frozen=True, slots=True)
class TopLevel:
    """What is certain of a module's top level.

    bound: all names that it binds in any way. imports: names with the full names of what they stand for. functions,
    values: names of functions, and of what is assigned. classes: of each plain class, what its body assigns once.
    bare: of each class with nothing of its own but a base class, the base as it is written ("ValueError"). derived:
    the names of all classes with base classes or decorators.
    changes: names that code in the module may give to something else, in this module or in another one. anything:
    whether that may be any name. in_place: names whose lists and dicts code in the module changes in place, or hands on
    to what may do so. seeds: full names of functions called "seed" to which statements of the top level give a seed
    ("numpy.random.seed"). patched: what it gives to something else, as `patches` tells it. stars: the modules from
    which it imports all names. fields: attributes of objects of its classes. imported: full names of all that
    is imported anywhere in it, as `imported_names` has them. public: the names that a star import of it binds, of those
    that are bound in it or by its own stars; None if that is not known.
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
    patched: frozenset[str] = frozenset()
    stars: tuple[str, ...] = ()
    fields: frozenset[str] = frozenset()
    public: frozenset[str] | None = None


@lru_cache(maxsize=_LONGEST_KEPT)
def top_level(text: str, package: str, starred: StarNames | None = None) -> TopLevel:
    """Of a module whose relative imports start from the package; a text that does not parse may change anything.

    starred: all that its star imports bind, None if that is not known.
    """
    try:
        tree = parse_text(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return TopLevel(anything=True)
    nodes = list(ast.walk(tree))  # which takes as long as parsing
    bindings = Counter(_bindings(tree.body))
    bindings.update(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
    bindings.update(name for name, _ in starred or ())
    inner = [one for one in nodes if isinstance(one, ast.Import | ast.ImportFrom)]
    changes, anything = _changes(nodes)
    found = {name: full for one in inner for name, full in _imported(one, package)}
    libraries = frozenset(name for name, full in found.items() if full.partition(".")[0] in _LIBRARIES)
    stars = tuple(_base(one, package) for one in inner if isinstance(one, ast.ImportFrom) and one.names[0].name == "*")
    known = not stars or starred is not None
    once = frozenset(name for name, count in bindings.items() if count == 1) if known else frozenset()
    imports = dict(_imports(tree, package, bindings)) if known else {}
    imports |= {name: full for name, full in starred or () if name in once}
    public = _public(tree, bindings)
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
    in_place = _changed_in_place(tree, nodes, libraries, {n: f for n, f in found.items() if n not in libraries})
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
        changed := frozenset(in_place),
        frozenset(_seeds(tree, imports)),
        tuple(dict.fromkeys(imports_among(nodes, package))),
        patched(nodes, found) | {"builtins.pow" for one in stars if one == "math"},
        stars,
        fields(nodes),
        None if "__all__" in changed else public,
    )


def top_level_of(file: Path, package: str) -> tuple[str, TopLevel]:
    """That of a file, with the digest of what is in it."""
    status = None
    with suppress(OSError):
        status = None if is_unsaved(file) else file.stat()
    return _read(file, package) if status is None else _kept(file, package, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=_MOST_FILES)
def _kept(file: Path, package: str, _changed: int, _size: int) -> tuple[str, TopLevel]:
    return _read(file, package)


def _read(file: Path, package: str) -> tuple[str, TopLevel]:
    raw = content_of(file) or b""
    text = text_of(raw)
    return digest_of(raw), TopLevel(anything=True) if text is None else top_level(text, package)


def text_of(raw: bytes) -> str | None:
    """The text of a source file; None where it cannot be decoded."""
    try:
        return decode(raw).removeprefix("\ufeff")
    except DecodeError:
        return None


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
    base = _base(node, package)
    for one in node.names:
        yield one.asname or one.name, f"{base}.{one.name}"


def _base(node: ast.ImportFrom, package: str) -> str:
    """The full name of the module that is imported from."""
    parts = package.split(".") if package else []
    above = parts[: len(parts) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def _public(tree: ast.Module, bindings: Mapping[str, int]) -> frozenset[str] | None:
    """What `__all__` lists where it is written once, else all that do not begin with an underscore."""
    if "__all__" not in bindings:
        return frozenset(name for name in bindings if not name.startswith("_"))
    for one in tree.body:
        match one:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                names = [one.value for one in items if isinstance(one, ast.Constant)]
                listed = [name for name in names if isinstance(name, str)]
                return frozenset(listed) if len(listed) == len(items) and bindings["__all__"] == 1 else None
    return None


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
            case ast.Subscript(value=whole, ctx=ast.Store() | ast.Del()) if is_namespace(whole):
                anything = True
            case ast.Call(func=ast.Attribute(value=whole, attr="update" | "setdefault")) if is_namespace(whole):
                anything = True
            case ast.Call(func=ast.Name(id="exec")):
                anything = True
            case ast.Call(func=function, args=arguments) if not _SETTERS.isdisjoint(words(function)):
                given = {word for one in arguments for word in _strings(one)}
                names |= given
                own = bool(arguments) and isinstance(arguments[0], ast.Name) and arguments[0].id == "self"
                anything |= not given and not own
    return frozenset(names), anything


def _changed_in_place(
    tree: ast.Module, nodes: Sequence[ast.AST], libraries: frozenset[str], imported: Mapping[str, str]
) -> Iterator[str]:
    """Names of which items are set or deleted, of which a method that may do so is called, or that are handed on.

    Not to a builtin or a function of a library that only reads, nor to one of the module that only reads what it is
    given. libraries: what names of these are imported as. imported: other names, with what they stand for; what they
    hold has the name that the other module gives it.
    """
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    assigned = [one for one in tree.body if isinstance(one, ast.Assign | ast.AnnAssign)]
    held = {name: full.rpartition(".")[2] for name, full in imported.items()}
    held |= {name: name for one in assigned if not isinstance(one.value, _PLAIN) for name in _bindings([one])}
    # A variable of a function that holds it too hands it on where the variable is handed on.
    inside = [node for one in tree.body if isinstance(one, _Function) for node in ast.walk(one)] if held else []
    others = [(node, pair) for node in inside for pair in _alias(node, held)]
    aliases = {other: held[name] for _, (other, name) in others}
    held |= aliases
    known = {id(node) for node, _ in others} | {id(one) for one in _behind_the_first(nodes)}
    readers = (_READERS | _DRAWING | _OF_TABLES) - (
        _OF_TABLES & {one.name for one in nodes if isinstance(one, _Function)}
    )
    for node in nodes:
        yield from (held.get(name, name) for name in _changed_by(node))
        yield from (one.attr for one in _changed_of_module(node) if _is_of(one, imported))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in aliases:
            yield held[node.target.id]
        if not held or id(node) in known:
            continue
        given = [held[one.id] for one in _names_given(node) if id(one) not in known and one.id in held]
        given += [one.attr for one in _handed_on(node) if _is_of(one, imported) and isinstance(one, ast.Attribute)]
        if given and not (isinstance(node, ast.Call) and _only_reads(node, functions, libraries, readers)):
            yield from given


def _alias(node: ast.AST, held: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The name that gets hold of what one of these names holds, and that name."""
    match node:
        case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=name)) if name in held:
            yield other, name


def _changed_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _IN_PLACE:
            yield name


def _changed_of_module(node: ast.AST) -> Iterator[ast.Attribute]:
    """Attributes of which items are set, or of which a method is called that may do so."""
    match node:
        case ast.Subscript(value=ast.Attribute() as whole, ctx=ast.Store() | ast.Del()):
            yield whole
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as whole, attr=method)) if method in _IN_PLACE:
            yield whole


def _is_of(node: ast.expr | None, imported: Mapping[str, str]) -> bool:
    """Whether it is `limits.GRID` of something that is imported."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported


def _behind_the_first(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What a ChainMap holds behind its first dict, the only one that it changes if nobody asks it for the others."""
    asked = any(isinstance(one, ast.Attribute) and one.attr in _OTHERS_OF_CHAINS for one in nodes)
    for node in () if asked else nodes:
        match node:
            case ast.Call(func=ast.Name(id="ChainMap") | ast.Attribute(attr="ChainMap"), args=[_, *others]):
                yield from others


def _given(node: ast.AST) -> Iterator[str]:
    """Names whose value another name, a container or a call gets hold of."""
    return (one.id for one in _names_given(node))


def _names_given(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in _handed_on(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


def _handed_on(node: ast.AST) -> Iterator[ast.expr | None]:
    """Expressions whose value another name, a container or a call gets hold of."""
    given: Sequence[ast.expr | None]
    match node:
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.NamedExpr(value=value):
            given = [value]
        case ast.Return(value=value) | ast.Yield(value=value):
            given = [value]
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(values=items) | ast.BoolOp(values=items):
            given = [*items]
        case ast.IfExp(body=one, orelse=other):
            given = [one, other]
        case ast.Call(args=arguments, keywords=keywords):
            given = [*arguments, *(one.value for one in keywords)]
        case _:
            return
    yield from (part.value if isinstance(part, ast.Starred) else part for part in given)


def _only_reads(
    call: ast.Call, functions: Mapping[str, ast.FunctionDef], libraries: frozenset[str], readers: frozenset[str]
) -> bool:
    """Whether a call leaves what it is given as it is, and keeps nothing of it."""
    called = ast.unparse(call.func)
    known = functions.get(called)
    if known is None:
        last = called.rpartition(".")[2]
        writes = last in _WRITERS or any(one.arg == "out" for one in call.keywords)
        return last in readers or (called.partition(".")[0] in libraries and not writes)
    taken = {one.arg for one in (*known.args.posonlyargs, *known.args.args, *known.args.kwonlyargs)}
    inside = [node for one in known.body for node in ast.walk(one)]
    changed = {name for node in inside for name in _changed_by(node)}
    kept = [node for node in inside if not taken.isdisjoint(_given(node))]
    return taken.isdisjoint(changed) and all(
        isinstance(node, ast.Call) and _only_reads(node, {}, libraries, readers) for node in kept
    )


def _seeds(tree: ast.Module, imports: Mapping[str, str]) -> Iterator[str]:
    """What is called by statements of the top level under the full name `seed`, with anything but None."""
    for line in tree.body:
        match line:
            case ast.Expr(value=ast.Call(func=ast.Attribute() | ast.Name() as called, args=[ast.expr() as given, *_])):
                first, dot, rest = ast.unparse(called).partition(".")
                full = f"{imports.get(first, first)}{dot}{rest}"
                if full.endswith(".seed") and not (isinstance(given, ast.Constant) and given.value is None):
                    yield full


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from node.value.split(".")
