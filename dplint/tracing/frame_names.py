"""The names of a function: which a branch sets, and which of these need not be joined, as nobody reads them later."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Dict, Mapping, Sequence, Set

OF_THE_FRAME = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
"""Builtins that look at the frame that calls them."""


def stored_in(body: Sequence[ast.stmt]) -> Set[str]:
    """The names that statements set."""
    return {
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def loads_of(function: ast.AST) -> Dict[str, int]:
    """How often each name is read in a function; none are told where it looks at its own frame."""
    loads: Counter[str] = Counter()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
            loads[node.id] += 1
    return {} if set(loads) & OF_THE_FRAME - {"super"} else loads


def temporary(names: Set[str], sides: Sequence[Sequence[ast.stmt]], loads: Mapping[str, int]) -> Set[str]:
    """Those that nobody reads but these sides of a branch, each after it has set them: they need not be joined.

    loads: how often a name is read in the whole function.
    """
    every = [node for side in sides for statement in side for node in ast.walk(statement)]
    if any(isinstance(node, (ast.Lambda, ast.GeneratorExp)) for node in every):
        return set()
    read = [node.id for node in every if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {
        name
        for name in names
        if read.count(name) == loads.get(name, -1) and all(_sets_first(name, one) for one in sides)
    }


def _sets_first(name: str, side: Sequence[ast.stmt]) -> bool:
    """Whether what first mentions a name is an assignment to it alone."""
    for statement in side:
        mentions = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if mentions:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            return len(targets) == 1 and mentions == [targets[0]]
    return True
