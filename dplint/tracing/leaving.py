"""Which statements and values stay where they stand, so that they may be walked twice or worked out later."""

from __future__ import annotations

import ast
from typing import Sequence

_LEAVING = tuple(
    getattr(ast, name)
    for name in (
        *("Return", "Raise", "Yield", "YieldFrom", "Await", "Delete", "Try", "TryStar", "With", "Import", "ImportFrom"),
        *("Global", "Nonlocal", "FunctionDef", "AsyncFunctionDef", "ClassDef", "Match", "AsyncFor", "AsyncWith"),
    )
    if hasattr(ast, name)
)


def may_wait(*values: ast.expr) -> bool:
    """Whether values may be worked out by a function of their own."""
    kinds = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
    return not any(isinstance(node, kinds) for value in values for node in ast.walk(value))


def leaves(body: Sequence[ast.AST], in_loop: bool = False) -> bool:
    """Whether statements may leave the place where they stand, or change what cannot be taken back."""
    for node in body:
        if isinstance(node, _LEAVING) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            return True
        if isinstance(node, ast.Lambda):
            continue
        if leaves(list(ast.iter_child_nodes(node)), in_loop or isinstance(node, (ast.For, ast.While))):
            return True
    return False


def count_in_place_of_filter(items: ast.expr) -> None:
    """`sum(x for x in items if test)` adds 0 where the test fails: a filter would split lanes at each item."""
    if not isinstance(items, (ast.GeneratorExp, ast.ListComp)) or len(items.generators) != 1:
        return
    source = items.generators[0]
    if source.ifs and not source.is_async and may_wait(*source.ifs, items.elt):
        test = (
            source.ifs[0]
            if len(source.ifs) == 1
            else ast.copy_location(ast.BoolOp(ast.And(), source.ifs), source.ifs[0])
        )
        items.elt = ast.copy_location(
            ast.IfExp(test, items.elt, ast.copy_location(ast.Constant(0), items.elt)), items.elt
        )
        source.ifs = []
