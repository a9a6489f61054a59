"""Functions as values: those that a name stands for, or that a function is given. Which one is called is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from dplint.distributions import LEGACY, PYTHON, draw_signatures
from dplint.program.vocabulary import FUNCTIONS
from dplint.source.bindings import all_parameters
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.object_classes import has_scopes, makes_defaults
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.scope import (
    FunctionValue,
    Scope,
    top_level_names,
)
from dplint.source.module_names import dotted_name
from dplint.source.walking import nodes_below

CallValue: TypeAlias = Callable[[FunctionValue, cst.Call], Given]


class Functions:
    """Lowers what a function does with them. call: lowers the call of one."""

    def __init__(self, scope: Scope, draws: Draws, call: CallValue) -> None:
        self._scope = scope
        self._draws = draws
        self._call = call

    def value(self, node: cst.BaseExpression) -> FunctionValue | None:
        """The function that an expression stands for; None for everything else."""
        fixed = self._scope.fixed.get(id(node))
        if fixed is not None:
            return fixed[1] if isinstance(fixed[1], FunctionValue) else None
        if isinstance(node, cst.Name) and self._scope.function(node.value) is not None:
            return self._scope.function(node.value)
        made_here = self._scope.local_functions.get(node.value) if isinstance(node, cst.Name) else None
        if made_here is not None and isinstance(node, cst.Name) and self._scope.local(node.value) == node.value:
            # What is around the call is not around the function.
            return FunctionValue(self._scope, made_here.node)
        stream = self._draws.stream_of(node.value) if isinstance(node, cst.Attribute) else None
        if stream is not None and isinstance(node, cst.Attribute):
            return FunctionValue(self._scope, node, stream=stream) if node.attr.value in stream.signatures else None
        return function_value(self._scope, node)

    def called(self, node: cst.Call) -> Given | None:
        """A call of such a function; None for all others."""
        value = self._scope.function(node.func.value) if isinstance(node.func, cst.Name) else None
        return None if value is None else self._call(value, node)


def function_default(scope: Scope, facts: ModuleFacts, node: cst.BaseExpression) -> FunctionValue | None:
    """The function that a default of a function of a module stands for; None for everything else."""
    around = Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, scope.elsewhere)
    return function_value(around, node)


def function_value(scope: Scope, node: cst.BaseExpression) -> FunctionValue | None:
    """The function that an expression certainly stands for, other than by a local name; None for everything else."""
    if isinstance(node, cst.Lambda):
        return FunctionValue(scope, node, tuple(scope.renamed)) if is_plain(scope, node) else None
    if not isinstance(node, cst.Name | cst.Attribute):
        return None
    canonical = scope.canonical(node) or ""
    family, _, last = canonical.rpartition(".")
    draws = last in draw_signatures({"numpy.random": LEGACY, "random": PYTHON}.get(family, "")) if family else False
    known = scope.helper(node) is not None or canonical in FUNCTIONS or draws
    return FunctionValue(scope, node) if known else None


def is_plain(scope: Scope, node: cst.CSTNode) -> bool:
    """Whether a lambda or a local function makes no other, and has only constants for defaults."""
    if isinstance(node, cst.FunctionDef):
        return not has_scopes(node) and not makes_defaults(node)
    if not isinstance(node, cst.Lambda):
        return False
    barred = (cst.Lambda, cst.NamedExpr, cst.Await, cst.Yield)
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    constant = all(is_constant(one) or id(one) in scope.fixed for one in defaults)
    return constant and not any(isinstance(one, barred) for one in nodes_below(node.body))


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether a default is the same whenever it is worked out."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
    return isinstance(node, cst.BaseNumber | cst.SimpleString) or dotted_name(node) in ("None", "True", "False")
