"""Which names hold a Counter, a defaultdict or a set, and nothing else.

The items of a set are the keys of a dict, and None is the value of each. Of two items that are equal, such as 1 and
1.0, that one is kept which CPython keeps.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.bindings import all_parameters, names_in_target
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.operators import literal
from dplint.source.walking import nodes_below

COUNTER, SET, INT, FLOAT = "a Counter", "a set", "a defaultdict of int", "a defaultdict of float"
LISTS = "a defaultdict of lists"
_MAKERS = {"collections.Counter": COUNTER, "set": SET, "frozenset": SET}
_FACTORIES = {"int": INT, "float": FLOAT, "list": LISTS}
BY_KEYS = " asked by its keys"
INT_BY_KEYS, FLOAT_BY_KEYS = f"{INT}{BY_KEYS}", f"{FLOAT}{BY_KEYS}"
"""Of which nobody sees that a key that is asked for is put in."""
_BINDERS = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor)


def kinds_of(scope: Scope, body: cst.BaseSuite) -> dict[str, str]:
    """The names of a function that hold one kind of container and nothing else, with the kind."""
    found: dict[str, set[str]] = {}
    for node in nodes_below(body):
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            together = (node.targets[0].target, node.value)
            for target, value in one_by_one(scope, node) or [together]:
                for name in names_in_target(target):
                    kind = kind_of(scope, value) if isinstance(target, cst.Name) else None
                    found.setdefault(name, set()).add(kind or "")
        elif isinstance(node, cst.AsName | cst.MatchAs | cst.FunctionDef):
            found.update((name, {""}) for name in names_in_target(node.name))
        elif isinstance(node, cst.Assign):
            found.update((name, {""}) for target in node.targets for name in names_in_target(target.target))
        elif isinstance(node, _BINDERS) and not isinstance(node, cst.AssignTarget):
            names = names_in_target(node.target)
            kind = kind_of(scope, node.value) if isinstance(node, cst.AnnAssign) and node.value else None
            for name in names:
                found.setdefault(name, set()).add(kind or "")
    single = {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}
    barred = scope.parameters | scope.given
    kept = {name: kind for name, kind in single.items() if kind and name not in barred}
    unseen = {INT: INT_BY_KEYS, FLOAT: FLOAT_BY_KEYS}
    counting = {name for name, kind in kept.items() if kind in unseen}
    by_keys = _asked_by_keys(body, counting)
    return {name: unseen[kind] if name in by_keys else kind for name, kind in kept.items()}


def _asked_by_keys(body: cst.BaseSuite, names: set[str]) -> set[str]:
    """Those of some names that stand nowhere but in `name[key]`, and where they are bound."""
    uses = Counter[str]()
    for node in nodes_below(body):
        match node:
            case cst.Name(value=name):
                uses[name] += 1
            case cst.Subscript(value=cst.Name(value=name)) | cst.AssignTarget(target=cst.Name(value=name)):
                uses[name] -= 1
            case cst.AnnAssign(target=cst.Name(value=name)):
                uses[name] -= 1
            case cst.Del():
                uses.update(part.value for part in nodes_below(node) if isinstance(part, cst.Name))
    return {name for name in names if uses[name] == 0}


def kind_of(scope: Scope, node: cst.BaseExpression) -> str | None:
    """The kind of container that an expression makes, None for everything else."""
    if _is_made_of_sets(scope, node):
        return SET
    if not isinstance(node, cst.Call):
        return None
    canonical = scope.canonical(node.func) or ""
    plain = not any(argument.keyword or argument.star for argument in node.args)
    if canonical in _MAKERS and plain and len(node.args) < 2:
        return _MAKERS[canonical]
    if canonical == "collections.defaultdict" and plain and len(node.args) == 1:
        given = node.args[0].value
        made = literal(given.body) if isinstance(given, cst.Lambda) and not all_parameters(given) else None
        zero = made is not None and type(made[0]) in (int, float) and made[0] == 0
        return _FACTORIES.get(type(made[0]).__name__ if made and zero else scope.canonical(given) or "")
    return None


def _is_made_of_sets(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a set by other means than its class."""
    match node:
        case cst.Set() | cst.SetComp():
            return True
        case cst.IfExp(body=body, orelse=orelse):
            return kind_of(scope, body) == kind_of(scope, orelse) == SET
    return False


def is_set(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a set, or is a name that holds nothing else."""
    if isinstance(node, cst.Name):
        return scope.kinds.get(scope.local(node.value) or "") == SET
    return kind_of(scope, node) == SET


def one_by_one(
    scope: Scope, node: cst.Assign
) -> list[tuple[cst.BaseAssignTargetExpression, cst.BaseExpression]] | None:
    """`kept, seen = [], set()` as one assignment after another; None where that would not be the same."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as targets)], value=cst.Tuple() as values):
            pass
        case _:
            return None
    if len(targets.elements) != len(values.elements):
        return None
    given: set[str] = set()
    for one in targets.elements:
        first = one.value.value if isinstance(one.value, cst.Attribute) else one.value
        if not isinstance(one, cst.Element) or not isinstance(first, cst.Name):
            return None
        given.add(first.value)
    for part in nodes_below(values):
        # A function that is made here may look at what is assigned.
        called = part.func if isinstance(part, cst.Call) else None
        own = isinstance(called, cst.Name) and called.value in scope.names
        mentioned = isinstance(part, cst.Name) and part.value in given
        if own or mentioned or isinstance(part, cst.StarredElement | cst.NamedExpr):
            return None
    pairs = zip(targets.elements, values.elements, strict=True)
    return [(cast(cst.BaseAssignTargetExpression, one.value), other.value) for one, other in pairs]


class Sets:
    """Lowers these."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span

    def items(self, node: cst.BaseExpression) -> ir.Expression:
        """The items of a set that has a name, or that is made here, as keys of a dict."""
        span = self._span(node)
        match node:
            case cst.Name():
                return ir.Name(self._scope.local(node.value) or node.value, span)
            case cst.IfExp():
                test = self._reader.expression(node.test)
                return ir.IfExp(test, self.items(node.body), self.items(node.orelse), span)
            case cst.Call(args=[]):
                return ir.DictDisplay((), (), span)
            case cst.Call(args=[cst.Arg(value=given)]):
                return (
                    ir.Call("dict", (self.items(given),), (), span) if is_set(self._scope, given) else self._made(given)
                )
            case cst.Set():
                if not all(isinstance(one, cst.Element) for one in node.elements):
                    raise self._reader.refuse("a starred set", node, "write the elements out")
                found = tuple(self._reader.expression(one.value) for one in node.elements)
                return self._dict_of(ir.TupleDisplay(found, found[0].span))
        return self._made(node)

    def _made(self, node: cst.BaseExpression) -> ir.Expression:
        return self._dict_of(self._reader.used_up(node))

    def _dict_of(self, items: ir.Expression) -> ir.Expression:
        span = items.span
        if isinstance(items, ir.Comprehension) and items.kind == "list":
            pairs = replace(items, element=ir.TupleDisplay((items.element, ir.Constant(None, span)), span))
        else:
            item = ir.Name(self._scope.rename({"item"})["item"], span)
            pair = ir.TupleDisplay((item, ir.Constant(None, span)), span)
            pairs = ir.Comprehension("list", pair, (ir.Clause(item, items, ()),), span)
        return ir.Call("dict", (pairs,), (), span)
