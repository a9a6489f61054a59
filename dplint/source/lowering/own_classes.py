"""Parameters whose annotation or default names a class of the project: what such objects do, the class decides.

A generator whose class derives from one of a library may draw otherwise, and a table or list may have other items. So
nothing is read of them. Aliases are followed; a class that is unknown may be any. A protocol is no class of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from dplint.claims import Mechanism
from dplint.source.certain import CertainNames, ModuleFacts
from dplint.source.lowering.object_classes import full
from dplint.source.lowering.scope import top_level_names
from dplint.source.module import ParsedModule
from dplint.source.module_names import AMBIGUOUS
from dplint.syntax import parse_expression

_LIBRARIES = frozenset(
    {
        "builtins",
        "collections",
        "dplint",
        "numpy",
        "random",
        "secrets",
        "sklearn",
        "types",
        "typing",
        "typing_extensions",
    }
)
"""Whose classes draw as they are known to, or are no generators."""
_PLAIN = frozenset({"Any", "Generic", "Protocol", "object"})
_CONTAINERS = frozenset({"collections", "numpy", "pandas", "polars"})
_BUILTIN_CONTAINERS = frozenset({"bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
_NOT_CONTAINERS = frozenset({"collections.abc.Callable", "collections.abc.Hashable"})
_DEEPEST = 4


def own_generator(mechanism: Mechanism, module: ParsedModule, elsewhere: CertainNames) -> str | None:
    """The class, or what else is not known, that generators of a mechanism may be of; None for those of libraries."""
    for name, _, node in _named(mechanism, mechanism.rng, module, elsewhere):
        bases = {} if node is None else dict.fromkeys(_last(one.value) for one in node.bases)
        if node is None or "Protocol" not in bases:
            return name
    return None


def own_container(mechanism: Mechanism, module: ParsedModule, elsewhere: CertainNames) -> str | None:
    """The class of the project that data of a mechanism is of and that derives from a table, a list or their like."""
    for name, facts, node in _named(mechanism, mechanism.data, module, elsewhere):
        if node is None or facts is None:
            continue
        for base in node.bases:
            known = full(facts, base.value.value if isinstance(base.value, cst.Subscript) else base.value)
            if known in _BUILTIN_CONTAINERS or (
                known.partition(".")[0] in _CONTAINERS and known not in _NOT_CONTAINERS and "." in known
            ):
                return name
            if not known:  # another class of the project
                return name if _last(base.value) not in _PLAIN else None
    return None


def _named(
    mechanism: Mechanism, parameter: str | None, module: ParsedModule, elsewhere: CertainNames
) -> Iterator[tuple[str, ModuleFacts | None, cst.ClassDef | None]]:
    """What the annotation and the default of a parameter name that is of no known library; its class, if it is one."""
    known = None if parameter is None else mechanism.parameter(parameter)
    for text in () if known is None else (known.annotation, known.default):
        for name in _names(text or ""):
            yield from _meant(name, module, elsewhere, 0)


def _meant(
    name: str, facts: ModuleFacts, elsewhere: CertainNames, depth: int
) -> Iterator[tuple[str, ModuleFacts | None, cst.ClassDef | None]]:
    first, dot, rest = name.partition(".")
    alias = facts.aliases.get(first)
    if first not in top_level_names(facts.tree) and alias is None:
        return  # built in, or nothing
    bound = first in top_level_names(facts.tree)
    meaning = elsewhere.full_name(facts.place.module, name) if bound else f"{alias}{dot}{rest}"
    if alias != AMBIGUOUS and not bound and meaning is not None and not elsewhere.has_module(meaning.partition(".")[0]):
        if meaning.partition(".")[0] not in _LIBRARIES or elsewhere.patches(meaning):
            yield name, None, None
        return
    made = None if meaning is None else elsewhere.class_of(meaning)
    given = None if meaning is None or made is not None else elsewhere.assigned(meaning)
    if made is not None:
        yield name, made[0], made[1]
    elif given is None or depth == _DEEPEST:
        yield name, None, None
    else:
        for inner in _names(given[0].tree.code_for_node(given[1]).strip()):
            yield from _meant(inner, given[0], elsewhere, depth + 1)


def _names(text: str) -> Iterator[str]:
    """The dotted names in an annotation or default, those in its texts too."""
    try:
        todo: list[ast.AST] = [parse_expression(text)] if text else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names(node.value.strip())
        else:
            todo += ast.iter_child_nodes(node)


def _last(node: cst.BaseExpression) -> str:
    """`c` of `a.b.c` and of `a.b.c[d]`."""
    match node:
        case cst.Subscript(value=inner):
            return _last(inner)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name
    return ""
