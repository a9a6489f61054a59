"""What the top level of a module computes and nobody changes: `EDGES = np.linspace(0, 1, 5)`.

Such a name is read as the expression that it was given, in the scope of its module: that draws nothing, and calls
nothing but what is known. The module holds the value, so that a change in place is refused as one of a parameter is.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from dplint.program.nodes import CallFunction, Constant, Draw, Expression, IfExp, Opaque
from dplint.program.walk import walk
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope, top_level_names
from dplint.source.lowering.staging import Staged

_VALUES = (cst.BinaryOperation, cst.Call, cst.Dict, cst.DictComp, cst.List, cst.ListComp, cst.Subscript, cst.Tuple)
_BARRED = (CallFunction, Opaque, Staged)
_DEEPEST = 8


def _is_barred(node: object) -> bool:
    """Whether it has no value that the module could keep."""
    return isinstance(node, (*_BARRED, Draw))


class ModuleValues:
    """Lowers such names. lower: lowers an expression in a scope."""

    def __init__(self, reader: Reader, lower: Callable[[Scope, cst.BaseExpression], Expression]) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._lower = lower
        reader.register({cst.Name: self._value, cst.Attribute: self._value})

    def _value(self, node: cst.Name | cst.Attribute) -> Expression | None:
        scope = self._scope
        if self._is_known(node) or scope.depth >= _DEEPEST:
            return None
        found = scope.assigned(node)
        if found is None or not isinstance(found[1], _VALUES):
            return None
        facts, given = found
        names = top_level_names(facts.tree)
        around = Scope(facts, names, frozenset(), frozenset(), {}, scope.elsewhere, depth=scope.depth + 1)
        value, span = self._lower(around, given), self._reader.span(node)
        if around.refusals.found or any(map(_is_barred, walk([value]))):
            return None
        # What the module holds, others may hold too; an empty tuple of the module's says that to `program.sharing`.
        return IfExp(Constant(True, span), value, Constant((), span), span)

    def _is_known(self, node: cst.Name | cst.Attribute) -> bool:
        """Whether it is a variable, or a constant that needs no reading."""
        first = node
        while isinstance(first, cst.Attribute):
            first = first.value  # type: ignore[assignment]
        if not isinstance(first, cst.Name) or self._scope.local(first.value) is not None:
            return True
        name = node.value if isinstance(node, cst.Name) else ""
        return name in self._scope.facts.constants or self._scope.constant(node) is not None
