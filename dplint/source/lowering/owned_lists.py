"""Which attributes of objects in lists hold lists that nobody else has: `leaf.items.append(x)`.

Such a list is made where the attribute is assigned. Nothing is done with it but to look at its items, or to change it
in place; no name, container or call gets hold of it. So a copy is as good, as long as it is put back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from dplint.program.vocabulary import UPDATES
from dplint.source.bindings import clauses_of
from dplint.source.lowering.object_classes import ObjectClass, assigned_of_self
from dplint.source.walking import nodes_below

_LOOKING = frozenset({"all", "any", "len", "list", "max", "min", "set", "sorted", "sum", "tuple"})
_METHODS = frozenset({*UPDATES, "copy", "count", "index"})


def owned_lists(made: ObjectClass, makers: Sequence[cst.Call], inside: Sequence[cst.CSTNode]) -> frozenset[str]:
    """The attributes of a class. makers: what makes such objects; inside: all nodes of the function that has them."""
    methods = [one.node for _, one in made.methods_from(0)]
    given: dict[str, list[cst.BaseExpression | None]] = {}
    for name, value in [pair for one in methods for pair in assigned_of_self(one)]:
        given.setdefault(name, []).append(value)
    begun = {*_made_fields(made, makers)}
    names = {name for name in given.keys() - made.fields.keys() | begun if all(map(_is_new, given.get(name, ())))}
    if not names:
        return frozenset()
    nodes = [*inside, *(part for one in methods for part in nodes_below(one.body))]
    fine = {id(one) for node in nodes for one in _looked_at(node, names, made.methods)}
    held = [one for one in nodes if isinstance(one, cst.Attribute) and one.attr.value in names]
    return frozenset(names - {one.attr.value for one in held if id(one) not in fine})


def _made_fields(made: ObjectClass, makers: Sequence[cst.Call]) -> Iterator[str]:
    """The fields of a dataclass, `field(default_factory=list)`, that begin as lists of their own."""
    for place, (name, (_, value)) in enumerate(made.fields.items()):
        match value:
            case cst.Call(args=[cst.Arg(keyword=cst.Name(value="default_factory"), value=cst.Name(value="list"))]):
                words = [[one.keyword.value if one.keyword else "" for one in each.args] for each in makers]
                plain = not any(one.star for each in makers for one in each.args)
                if plain and not any(name in each or each.count("") > place for each in words):
                    yield name


def _is_new(value: cst.BaseExpression | None) -> bool:
    return isinstance(value, cst.List | cst.ListComp)


def _looked_at(node: cst.CSTNode, names: Collection[str], methods: Collection[str]) -> Iterator[cst.CSTNode | None]:
    """What a node only looks at the items of, or changes in place."""
    yield from _tested_or_gone_through(node, names, methods)
    match node:
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=one, keyword=None, star=""), *_]):
            yield from [one] if name in _LOOKING else []
        case cst.Call(func=cst.Attribute(value=one, attr=cst.Name(value=name)) as called):
            # Nobody can call a list: what is called has a method of that name.
            yield from [one, called] if name in _METHODS else [called]
        case cst.Subscript(value=one) | cst.StarredElement(value=one):
            yield one
        case cst.Comparison(left=one) | cst.ComparisonTarget(comparator=one):
            yield one
        case cst.BinaryOperation(left=left, right=right):
            yield from (left, right)
        case cst.Assign(targets=[cst.AssignTarget(target=one)], value=value) | cst.AnnAssign(target=one, value=value):
            yield from [one] if _is_new(value) else []


def _tested_or_gone_through(
    node: cst.CSTNode, names: Collection[str], methods: Collection[str]
) -> Iterator[cst.CSTNode]:
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=test):
            yield from _asked_for_truth(test)
        case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test) | cst.CompIf(test=test):
            yield from _asked_for_truth(test)
        case cst.For(iter=iterable, body=body):
            yield from [] if _mentions(body, {*names, *methods}) else _through(iterable)
        case cst.BaseComp():
            for clause in [] if _mentions(node, methods) else clauses_of(node):
                yield from _through(clause.iter)


def _asked_for_truth(test: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    if isinstance(test, cst.BooleanOperation):
        yield from _asked_for_truth(test.left)
        yield from _asked_for_truth(test.right)
    else:
        yield test


def _through(iterable: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """What a loop goes through."""
    yield iterable
    match iterable:
        case cst.Call(func=cst.Name(value="enumerate" | "reversed" | "zip"), args=args):
            yield from (one.value for one in args)


def _mentions(node: cst.CSTNode, names: Collection[str]) -> bool:
    return any(isinstance(one, cst.Attribute) and one.attr.value in names for one in nodes_below(node))
