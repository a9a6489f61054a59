"""Which names hold a Counter, a defaultdict, a set or a range, and nothing else.

Dicts that are asked for nothing but keys which they have: `for key in counts: counts[key]`.

Such a defaultdict puts nothing in where it is asked.

What is made of sets, `seen & allowed`, and what changes one, `seen |= more`: as dicts.

The items are the keys, and None is the value of each. Of two items that are equal, such as 1 and 1.0, that one is kept
which CPython keeps.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

import libcst as cst

from dplint.program import nodes as ir
from dplint.source.bindings import all_parameters, binding_counts, bound_names, clauses_of, names_in_target
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.operators import AUGMENTED, BINARY, literal
from dplint.source.walking import children, is_name, nodes_below

_LISTING = frozenset({"list", "max", "min", "reversed", "set", "sorted", "tuple"})
_LOSING = frozenset({"clear", "pop", "popitem"})


def asked_for_own_keys(body: cst.BaseSuite, name: str) -> bool:
    """Whether wherever a function asks the dict of that name for an entry, that is there; it never loses one."""
    for one in nodes_below(body):
        match one:
            case cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=method)):
                if own == name and method in _LOSING:
                    return False
            case cst.Del() if any(is_name(part, name) for part in nodes_below(one)):
                return False
    return binding_counts(body)[name] == 1 and _Keys(name).all_in(body)


class _Keys:
    """name: of the dict."""

    def __init__(self, name: str) -> None:
        self._name = name

    def all_in(self, node: cst.CSTNode, keys: frozenset[str] = frozenset()) -> bool:
        """Whether what is asked for there is a key. keys: the names of some."""
        match node:
            case cst.For(target=target, iter=iterable, body=body, orelse=orelse):
                own = self._of(target, iterable)
                inner = ((keys - _names(target)) | own) - bound_names(body)
                others = [iterable] if orelse is None else [iterable, orelse]
                return self.all_in(body, inner) and all(self.all_in(one, keys) for one in others)
            case cst.BaseComp():
                return self._in_comprehension(node, keys)
            case cst.Call(func=cst.Name(value="max" | "min" | "sorted"), args=[cst.Arg(value=given), *others]) if (
                self._goes_through(given)
            ):
                return all(self._keyed(one, keys) for one in others)
            case cst.Lambda() | cst.FunctionDef():
                return not any(is_name(one, self._name) for one in nodes_below(node))
            case cst.AugAssign(target=cst.Subscript() as target) if is_name(target.value, self._name):
                return all(self.all_in(one, keys) for one in (*target.slice, node.value))
            case cst.AssignTarget(target=cst.Subscript() as target) if is_name(target.value, self._name):
                return all(self.all_in(one, keys) for one in target.slice)
            case cst.Subscript(value=own) if is_name(own, self._name):
                return _key(node) in keys
        return all(self.all_in(one, keys) for one in children(node))

    def _in_comprehension(self, node: cst.BaseComp, keys: frozenset[str]) -> bool:
        for clause in clauses_of(node):
            own = self._of(clause.target, clause.iter)
            if not self.all_in(clause.iter, keys):
                return False
            keys = (keys - _names(clause.target)) | own
            if not all(self.all_in(one, keys) for one in clause.ifs):
                return False
        return all(self.all_in(one, keys) for one in children(node) if not isinstance(one, cst.CompFor))

    def _keyed(self, argument: cst.Arg, keys: frozenset[str]) -> bool:
        """An argument beside the dict: `key=lambda k: counts[k]`."""
        match argument:
            case cst.Arg(
                keyword=cst.Name(value="key"),
                value=cst.Lambda(
                    params=cst.Parameters(params=[cst.Param(name=cst.Name(value=key), default=None)]), body=body
                ),
            ):
                return self.all_in(body, keys | {key})
        return self.all_in(argument, keys)

    def _goes_through(self, node: cst.BaseExpression) -> bool:
        """Whether what goes through an expression has keys of the dict."""
        match node:
            case cst.Name():
                return is_name(node, self._name)
            case cst.Call(func=cst.Attribute(value=own, attr=cst.Name(value="keys")), args=[]):
                return is_name(own, self._name)
            case cst.Call(func=cst.Name(value=called), args=[cst.Arg(value=given, keyword=None, star=""), *_]):
                return called in _LISTING and self._goes_through(given)
        return False

    def _of(self, target: cst.BaseExpression, iterable: cst.BaseExpression) -> frozenset[str]:
        """The names of a target that stand for keys."""
        match target, iterable:
            case cst.Name(value=key), _ if self._goes_through(iterable):
                return frozenset({key})
            case (
                cst.Tuple(elements=[cst.Element(value=cst.Name(value=key)), _]),
                cst.Call(func=cst.Attribute(value=own, attr=cst.Name(value="items")), args=[]),
            ) if is_name(own, self._name):
                return frozenset({key})
        return frozenset()


def _names(target: cst.BaseExpression) -> frozenset[str]:
    return frozenset(one.value for one in nodes_below(target) if isinstance(one, cst.Name))


def _key(node: cst.Subscript) -> str:
    """The name of the key, "" for everything else."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Name(value=key)))]:
            return key
    return ""


COUNTER, SET, INT, FLOAT, RANGE = "a Counter", "a set", "a defaultdict of int", "a defaultdict of float", "a range"
LISTS = "a defaultdict of lists"
_MAKERS = {"collections.Counter": COUNTER, "set": SET, "frozenset": SET}
_FACTORIES = {"int": INT, "float": FLOAT, "list": LISTS}
BY_KEYS = " asked by its keys"
INT_BY_KEYS, FLOAT_BY_KEYS = f"{INT}{BY_KEYS}", f"{FLOAT}{BY_KEYS}"
"""Of which nobody sees that a key that is asked for is put in."""
_OF_SETS = (cst.Subtract, cst.BitAnd, cst.BitOr, cst.BitXor)
_CHANGING = (cst.SubtractAssign, cst.BitAndAssign, cst.BitOrAssign, cst.BitXorAssign)
OF_SETS = frozenset({"copy", "difference", "intersection", "symmetric_difference", "union"})
"""Methods of a set that give a new one, of it and, `copy` left out, of one list or set."""
_BINDERS = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor)


def kinds_of(scope: Scope, body: cst.BaseSuite) -> dict[str, str]:
    """The names of a function that hold one kind of container and nothing else, with the kind.

    A name that holds what is made of two sets is known for one only when theirs are.
    """
    found = _kinds_by_what_is_known(scope, body)
    while SET in found.values():
        scope.kinds.update((scope.local(name) or name, kind) for name, kind in found.items())
        before, found = found, _kinds_by_what_is_known(scope, body)
        if found == before:
            break
    return found


def _kinds_by_what_is_known(scope: Scope, body: cst.BaseSuite) -> dict[str, str]:
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
            if isinstance(node, cst.AugAssign) and isinstance(node.operator, _CHANGING) and is_set(scope, node.value):
                kind = SET
            for name in names:
                found.setdefault(name, set()).add(kind or "")
    single = {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}
    barred = scope.parameters | scope.given
    kept = {name: kind for name, kind in single.items() if kind and name not in barred}
    unseen = {INT: INT_BY_KEYS, FLOAT: FLOAT_BY_KEYS}
    counting = {name for name, kind in kept.items() if kind in unseen}
    by_keys = counting and _asked_by_keys(body, counting) | {one for one in counting if asked_for_own_keys(body, one)}
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
    if canonical == "range":
        return RANGE
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
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            return isinstance(operator, _OF_SETS) and is_set(scope, left) and is_set(scope, right)
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=method)), args=given) if method in OF_SETS:
            plain = len(given) == (method != "copy") and not any(one.keyword or one.star for one in given)
            return plain and is_set(scope, receiver)
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


_METHODS = {"&": "intersection", "-": "difference", "^": "symmetric_difference", "|": "union"}


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
            case cst.BinaryOperation():
                return self._of_two(_METHODS[BINARY[type(node.operator)]], node.left, node.right, node)
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=method)), args=given) if (
                method in OF_SETS and is_set(self._scope, receiver)
            ):
                if given:
                    return self._of_two(method, receiver, given[0].value, node)
                return ir.Call("dict", (self.items(receiver),), (), span)
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
        return ir.Call("dict", (self._kept(items, ()),), (), items.span)

    def _kept(self, items: ir.Expression, tests: tuple[tuple[str, ir.Expression], ...]) -> ir.Expression:
        """A list of pairs of those items that pass tests, `("not in", other)`."""
        span = items.span
        if isinstance(items, ir.Comprehension) and items.kind == "list" and not tests:
            return replace(items, element=ir.TupleDisplay((items.element, ir.Constant(None, span)), span))
        item = ir.Name(self._scope.rename({"item"})["item"], span)
        conditions = tuple(ir.Compare(item, (operator,), (other,), span) for operator, other in tests)
        pair = ir.TupleDisplay((item, ir.Constant(None, span)), span)
        return ir.Comprehension("list", pair, (ir.Clause(item, items, conditions),), span)

    def _of_two(
        self, method: str, left: cst.BaseExpression, right: cst.BaseExpression, node: cst.BaseExpression
    ) -> ir.Expression:
        """What is made of one set and another one, or a list."""
        span = self._span(node)
        before, one = self._named(left)
        more, other = self._named(right, listed=method == "intersection")
        inside, outside = (("in", one),), (("not in", one),)
        match method:
            case "union":
                pairs: ir.Expression = ir.Binary("+", self._kept(one, ()), self._kept(other, ()), span)
            case "difference":
                pairs = self._kept(one, (("not in", other),))
            case "symmetric_difference":
                pairs = ir.Binary("+", self._kept(one, (("not in", other),)), self._kept(other, outside), span)
            case _ if is_set(self._scope, right):
                # CPython goes through the right one, unless it has more items.
                longer = ir.Compare(
                    ir.Call("len", (other,), (), span), (">",), (ir.Call("len", (one,), (), span),), span
                )
                pairs = ir.IfExp(longer, self._kept(one, (("in", other),)), self._kept(other, inside), span)
            case _:
                pairs = self._kept(other, inside)
        return self._reader.staged((*before, *more), ir.Call("dict", (pairs,), (), span), span)

    def _named(self, node: cst.BaseExpression, *, listed: bool = False) -> tuple[tuple[ir.Statement, ...], ir.Name]:
        """A set under a name, or a list as one; listed: as what it is."""
        if is_set(self._scope, node):
            items = self.items(node)
        else:
            given = self._reader.used_up(node)
            items = ir.Call("list", (given,), (), given.span) if listed else self._dict_of(given)
        if isinstance(items, ir.Name):
            return (), items
        name = ir.Name(self._scope.rename({"items"})["items"], items.span)
        return (ir.Assign((name,), items, items.span),), name

    # what changes one

    def changed(self, name: ir.Name, node: cst.AugAssign) -> tuple[ir.Statement, ...]:
        """`seen |= more` and its like, of a set that has no other name."""
        operator = AUGMENTED[type(node.operator)]
        if operator == "|":
            return (self.added(name, node.value),)
        return (ir.Assign((name,), self._of_two(_METHODS[operator], node.target, node.value, node.value), name.span),)

    def added(self, name: ir.Name, given: cst.BaseExpression) -> ir.Statement:
        """`seen.update(items)`."""
        items = self.items(given) if is_set(self._scope, given) else self._reader.used_up(given)
        item, span = ir.Name(self._scope.rename({"item"})["item"], name.span), name.span
        return ir.For(
            item, items, (ir.Assign((ir.ItemTarget(name, item, span),), ir.Constant(None, span), span),), (), span
        )
