"""Accountants that outlive a call: held by the object of a method, or by a module.

What they let through in all is within their total, so what one call gets is, too. That holds as long as they are made
once, and asked and nothing else: whoever gets hold of one could make its number larger.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from dplint.contracts.objects import Owner

IsTool = Callable[[ast.expr], bool]
"""Whether what is called is a function of diffprivlib, which only asks the accountant that it is given."""


def held_by_object(owner: Owner, is_tool: IsTool) -> Iterator[tuple[str, ast.expr]]:
    """Attributes that may be accountants, each with the call that makes it or, of what is passed in, with its type."""
    methods = [one for one in owner.node.body if isinstance(one, ast.FunctionDef) and one.args.args]
    for attribute, made in owner.once.items():

        def is_held(node: ast.AST, attribute: str = attribute) -> bool:
            return isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Load)

        start = [node for one in methods if one.name == "__init__" for node in ast.walk(one)]
        if not any(map(is_held, start)) and _only_asked(methods, is_held, is_tool):
            yield attribute, made


def held_by_module(tree: ast.Module, name: str, is_tool: IsTool) -> ast.Call | None:
    """The call that makes the one object of this name that a module holds, if that is only asked; else None."""
    made = [
        one.value
        for one in tree.body
        if isinstance(one, ast.Assign | ast.AnnAssign) and [ast.unparse(target) for target in _targets(one)] == [name]
    ]
    bound = [one for one in ast.walk(tree) if _binds(one, name)]
    if len(made) != 1 or len(bound) != 1 or not isinstance(made[0], ast.Call):
        return None

    def is_held(node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)

    return made[0] if _only_asked([tree], is_held, is_tool) else None


def _only_asked(nodes: Iterable[ast.AST], is_held: Callable[[ast.AST], bool], is_tool: IsTool) -> bool:
    """Whether what `is_held` tells is only asked below these nodes: its methods, `accountant=` and `with`."""
    for node in nodes:
        given = {
            id(keyword)
            for one in ast.walk(node)
            if isinstance(one, ast.Call) and is_tool(one.func)
            for keyword in one.keywords
            if keyword.arg == "accountant"
        }
        for outer in ast.walk(node):
            inside = any(is_held(inner) for inner in ast.iter_child_nodes(outer))
            if inside and id(outer) not in given and not _asks(outer):
                return False
    return True


def _asks(outer: ast.AST) -> bool:
    match outer:
        case ast.Attribute(attr=attribute, ctx=ast.Load()):
            return not attribute.startswith("__")
        case ast.withitem(optional_vars=None):
            return True
    return False


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Global):
        return name in node.names
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
