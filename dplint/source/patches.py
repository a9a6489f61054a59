"""What code of a module does to things that other names lead to: it gives attributes of libraries to something else.

Told by full names: `np.abs = f` gives "numpy.abs" to something else, `globals()["abs"] = f` "builtins.abs". Of what no
name leads to only the last part is known, as "?.abs".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

ANY = "*"
"""Any name of the module, and any of the builtins in it."""
UNKNOWN = "?"
_SETTERS = frozenset({"setattr", "delattr", "setitem", "delitem", "patch"})
_NAMESPACES = frozenset({"globals", "vars", "locals"})
_OWN = frozenset({"globals", "locals"})


def patched(nodes: Sequence[ast.AST], imported: Mapping[str, str]) -> frozenset[str]:
    """The full names. nodes: of a module. imported: what names stand for that are imported anywhere in it."""
    known = {**imported, "__builtins__": "builtins"}
    aliases = [one for one in nodes if isinstance(one, ast.Assign) and _path(one.value, known)]
    known |= {
        target.id: f"{_path(one.value, known)}"
        for one in aliases
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    return frozenset(name for node in nodes for name in _of(node, known))


def _of(node: ast.AST, known: Mapping[str, str]) -> Iterator[str]:
    match node:
        case ast.Attribute(value=whole, attr=name, ctx=ast.Store() | ast.Del()):
            yield from _named(whole, [name], known)
        case ast.Subscript(value=whole, slice=key, ctx=ast.Store() | ast.Del()) if is_namespace(whole):
            yield from _in_namespace(whole, [*_strings(key)], known)
        case ast.Call(func=ast.Attribute(value=whole, attr="update" | "setdefault")) if is_namespace(whole):
            yield from _in_namespace(whole, [], known)
        case ast.Call(func=ast.Name(id="exec")):
            yield ANY
        case ast.Call(func=function, args=[ast.Constant(value=str() as full), *_]) if "patch" in words(function):
            yield full
        case ast.Call(func=function, args=[whole, *given]) if not _SETTERS.isdisjoint(words(function)):
            names = [text for one in given[:1] for text in _strings(one)]
            yield from _named(whole, names or [ANY], known)


def _named(whole: ast.expr, names: list[str], known: Mapping[str, str]) -> Iterator[str]:
    """Attributes of a thing, if it is no object of the program's own, of which nothing is read as an attribute."""
    path = _path(whole, known)
    if path is not None:
        yield from (f"{path}.{name}" for name in names)
    elif not isinstance(_root(whole), ast.Name):
        yield from (f"{UNKNOWN}.{name}" for name in names if name != ANY)


def _in_namespace(whole: ast.expr, names: list[str], known: Mapping[str, str]) -> Iterator[str]:
    match whole:
        case ast.Call(func=ast.Name(id=name), args=[]) if name in _OWN or name == "vars":
            yield from (f"builtins.{one}" for one in names) if names else (ANY,)
        case ast.Call(args=[inner]) | ast.Attribute(value=inner, attr="__dict__"):
            yield from _named(inner, names or [ANY], known)
        case _:  # sys.modules
            yield from names


def _path(node: ast.expr, known: Mapping[str, str]) -> str | None:
    """The full name of what a chain of attributes leads to, from an import on."""
    match node:
        case ast.Name(id=name):
            return known.get(name)
        case ast.Attribute(value=whole, attr=name):
            before = _path(whole, known)
            return None if before is None else f"{before}.{name}"
        case _:
            return None


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def words(node: ast.expr) -> set[str]:
    """`a`, `b` and `c` of `a.b.c`."""
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Name | ast.Attribute)
    }


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def is_namespace(node: ast.expr) -> bool:
    """`globals()`, `vars(x)`, `x.__dict__`, `sys.modules`."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _NAMESPACES
        case ast.Attribute(attr="__dict__" | "modules") | ast.Name(id="modules"):
            return True
        case _:
            return False
