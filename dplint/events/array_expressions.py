"""Expressions as chains of functions on tables: what each node does with arrays, for many outputs at once.

What goes through the elements of a sequence is evaluated once for each table, so that events may share it. What arrays
cannot follow raises `NotFollowed`, when the chain is made or when it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dplint.events import array_operators as operators
from dplint.events import array_values as arrays
from dplint.events.array_operators import Run
from dplint.events.array_values import NotFollowed, TableValues, Undefined, Value
from dplint.events.columns import OTHER, Column, Mask
from dplint.events.places import OUTPUT
from dplint.program import nodes as ir
from dplint.program.walk import walk
from dplint.runner.batch import Spot


def run_of(node: ir.Expression) -> Run:
    """How to evaluate an expression. Raises NotFollowed where arrays cannot."""
    maker = _MAKERS.get(type(node))
    if maker is None:
        raise NotFollowed
    made: Run = maker(node)
    return made


def _constant(node: ir.Constant) -> Run:
    value = node.value
    return lambda _: value


def _name(node: ir.Name) -> Run:
    if node.id == OUTPUT:
        return lambda values: values.table.layout.likeness

    def run(values: TableValues) -> Value:
        found = values.variables
        return found[node.id] if node.id in found else arrays.column_from([(OTHER, values.texts.number(node.id))])

    return run


def _binary(node: ir.Binary) -> Run:
    operator, one, two = node.operator, run_of(node.left), run_of(node.right)
    return lambda values: operators.arithmetic(values, operator, one(values), two(values))


def _unary(node: ir.Unary) -> Run:
    operand = run_of(node.operand)
    if node.operator == "not":
        return lambda values: operators.negated(arrays.truth_of(values, operand(values)))
    if node.operator != "-":
        raise NotFollowed
    return lambda values: operators.arithmetic(values, "-", 0, operand(values))


def _compare(node: ir.Compare) -> Run:
    if isinstance(node.left, ir.Call) and node.left.function in _OF_SHAPES:
        return _remembered(node)
    return _linked(node)


def _linked(node: ir.Compare) -> Run:
    sides = [run_of(node.left), *map(run_of, node.comparators)]
    links = [_link(operator, *sides[place : place + 2]) for place, operator in enumerate(node.operators)]
    return links[0] if len(links) == 1 else conjunction(links)


def _link(operator: str, one: Run, two: Run) -> Run:
    """One comparison of a chain."""
    opposite = {"!=": "==", "not in": "in", "is not": "is"}.get(operator)
    if opposite is not None:
        asked = _link(opposite, one, two)
        return lambda values: operators.negated(asked(values))
    match operator:
        case "==":
            return lambda values: operators.equal(values, one(values), two(values))
        case "is":
            return lambda values: operators.same(values, one(values), two(values))
        case "in":
            return lambda values: operators.contained(values, one(values), two(values))
    return lambda values: operators.ordered(values, operator, one(values), two(values))


def _bool_op(node: ir.BoolOp) -> Run:
    if not all(map(_is_truth, node.operands)):
        raise NotFollowed  # the value is an operand, and not its truth
    return conjunction(list(map(run_of, node.operands)), conjunctive=node.operator == "and")


def conjunction(runs: Sequence[Run], *, conjunctive: bool = True) -> Run:
    """All of these truths, or any of them."""
    return lambda values: operators.joined_by(runs, values, conjunctive=conjunctive)


def _is_truth(node: ir.Expression) -> bool:
    match node:
        case ir.Compare() | ir.BoolOp() | ir.Unary("not") | ir.Call("isinstance" | "bool"):
            return True
        case ir.Comprehension(kind):
            return kind != "list"
        case ir.Constant(value):
            return isinstance(value, bool)
    return False


def _if_exp(node: ir.IfExp) -> Run:
    test_run, body_run, orelse_run = run_of(node.test), run_of(node.body), run_of(node.orelse)

    def number(run: Run, where: Mask, values: TableValues) -> Value:
        outer = values.active
        values.active = where = where if outer is None else outer & where
        try:
            return arrays.numbers_of(values, run(values))
        except Undefined:
            values.fail(where)
            return 0
        finally:
            values.active = outer

    def run(values: TableValues) -> Value:
        test = arrays.truth_of(values, test_run(values))
        if isinstance(test, bool):
            return body_run(values) if test else orelse_run(values)
        return np.where(test, number(body_run, test, values), number(orelse_run, ~test, values))

    return run


def _display(node: ir.ListDisplay | ir.TupleDisplay) -> Run:
    kind = list if isinstance(node, ir.ListDisplay) else tuple
    runs = list(map(run_of, node.elements))
    return lambda values: kind(run(values) for run in runs)


def _subscript(node: ir.Subscript) -> Run:
    if not isinstance(node.index, ir.Constant):
        raise NotFollowed
    value, index = run_of(node.value), node.index.value
    return lambda values: arrays.item(values, value(values), index)


def _call(node: ir.Call) -> Run:
    if node.keywords or not node.arguments:
        raise NotFollowed
    first, *others = node.arguments
    match node.function:
        case "isinstance":
            names = frozenset(str(other.value) for other in others if isinstance(other, ir.Constant))
            asked = run_of(first)
            return lambda values: arrays.of_types(values, asked(values), names)
        case "type-name":
            typed = run_of(first)
            return lambda values: arrays.type_name(values, typed(values))
        case "map" if isinstance(first, ir.Constant) and first.value in operators.FUNCTIONS:
            function, items = operators.FUNCTIONS[str(first.value)], run_of(others[0])
            return lambda values: [function(values, one) for one in arrays.items_of(items(values))]
        case "zip":
            parts = list(map(run_of, node.arguments))
            return lambda values: list(zip(*(arrays.items_of(part(values)) for part in parts), strict=False))
        case attribute if attribute.startswith("attribute.") and not others:
            owner = run_of(first)
            return lambda values: operators.attribute(owner(values), attribute.removeprefix("attribute."))
        case function if function in operators.FUNCTIONS and not others:
            return _remembered(node) if function in _REDUCING else _applied(node)
    raise NotFollowed


def _applied(node: ir.Call) -> Run:
    """A function of one argument. A sum uses up the elements of a comprehension one at a time."""
    (argument,) = node.arguments
    if node.function == "sum" and isinstance(argument, ir.Comprehension) and argument.kind == "list":
        element, bound = run_of(argument.element), _bound(argument)
        return lambda values: operators.total(values, (element(values) for _ in bound(values)))
    function, inner = operators.FUNCTIONS[node.function], run_of(argument)
    return lambda values: function(values, inner(values))


_REDUCING = frozenset(["max", "min", "sum"])
_OF_SHAPES = frozenset(["len", "type-name"])
"""What guards ask of a place, one event after the other."""


def _remembered(node: ir.Expression) -> Run:
    """What goes through all elements of the output, or stands in many events, is evaluated once for a table."""
    nodes = tuple(walk(node))
    own = {OUTPUT, *(name for one in nodes if isinstance(one, ir.Clause) for name in _names(one.target))}
    return (
        _shared(node) if all(one.id in own for one in nodes if isinstance(one, ir.Name)) else _PLAINLY[type(node)](node)
    )


@lru_cache(maxsize=1 << 12)
def _shared(node: ir.Expression) -> Run:
    return remembering(_PLAINLY[type(node)](node))


def remembering(run: Run) -> Run:
    """A run that is made once for each table."""

    def once(values: TableValues) -> Value:
        if once not in values.found:
            values.found[once] = values.afresh(run)
        found, raised = values.found[once]
        if raised is not None:
            values.fail(raised)
        return found

    return once


def _method(node: ir.MethodCall) -> Run:
    if node.method == "count" and len(node.arguments) == 1:
        return _remembered(node)
    receiver, method = run_of(node.receiver), node.method
    arguments = [*node.arguments, *(value for _, value in node.keywords)]
    given = [argument.value for argument in arguments if isinstance(argument, ir.Constant)]
    if len(given) < len(arguments):
        raise NotFollowed

    def run(values: TableValues) -> Value:
        value = receiver(values)
        if not isinstance(value, Spot | Column):
            return operators.shown_by(value, method)
        if node.keywords:
            raise NotFollowed
        return arrays.of_text(values, lambda text: getattr(text, method)(*given), value)

    return run


def _counted(node: ir.MethodCall) -> Run:
    receiver, wanted = run_of(node.receiver), run_of(node.arguments[0])

    def run(values: TableValues) -> Value:
        value, key = receiver(values), wanted(values)
        if type(value) not in (list, tuple):
            raise NotFollowed
        return operators.total(values, (operators.equal(values, one, key) for one in value))

    return run


def _comprehension(node: ir.Comprehension) -> Run:
    element, bound = run_of(node.element), _bound(node)
    if node.kind == "list":
        return lambda values: [element(values) for _ in bound(values)]
    conjunctive = node.kind == "all"
    return lambda values: operators.joined_by((element for _ in bound(values)), values, conjunctive=conjunctive)


def _bound(node: ir.Comprehension) -> Callable[[TableValues], Iterator[None]]:
    """The turns of a comprehension: in each its names are bound to another item."""
    (clause, *others) = node.clauses
    if others or clause.conditions:
        raise NotFollowed
    iterable, names, alone = run_of(clause.iterable), _names(clause.target), isinstance(clause.target, ir.Name)

    def turns(values: TableValues, rows: Sequence[Value]) -> Iterator[None]:
        for row in rows:
            items = [row] if alone else arrays.items_of(row)
            if len(items) != len(names):
                raise Undefined
            values.variables.update(zip(names, items, strict=True))
            yield

    return lambda values: turns(values, arrays.items_of(iterable(values)))


def _names(target: ir.Target) -> list[str]:
    """The names of a target. Raises NotFollowed for nested ones."""
    parts = target.elements if isinstance(target, ir.TupleTarget) else (target,)
    found = [part.id for part in parts if isinstance(part, ir.Name)]
    if len(found) < len(parts):
        raise NotFollowed
    return found


_MAKERS: Mapping[type, Callable[[Any], Run]] = {
    ir.Constant: _constant,
    ir.Name: _name,
    ir.Binary: _binary,
    ir.Unary: _unary,
    ir.Compare: _compare,
    ir.BoolOp: _bool_op,
    ir.IfExp: _if_exp,
    ir.ListDisplay: _display,
    ir.TupleDisplay: _display,
    ir.Subscript: _subscript,
    ir.Call: _call,
    ir.MethodCall: _method,
    ir.Comprehension: _comprehension,
}
_PLAINLY: Mapping[type, Callable[[Any], Run]] = {ir.Call: _applied, ir.Compare: _linked, ir.MethodCall: _counted}
"""What is remembered elsewhere."""
