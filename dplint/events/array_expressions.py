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
from dplint.events.array_values import TRUE, UNDEFINED, Items, NotFollowed, Numbers, Undefined, Value
from dplint.events.columns import EXACT, Column
from dplint.events.places import OUTPUT, Steps, Through, steps_of
from dplint.events.table_values import TableValues
from dplint.program import nodes as ir
from dplint.program.meaning import BINARY
from dplint.program.walk import walk


def run_of(node: ir.Expression) -> Run:
    """How to evaluate an expression. Raises NotFollowed where arrays cannot."""
    steps = steps_of(node)
    if steps is None:
        return _made(node)
    if not any(isinstance(step, Through) for step in steps):
        return lambda values: values.place(steps)
    return _through(node, steps)


def _made(node: ir.Expression) -> Run:
    maker = _MAKERS.get(type(node))
    if maker is None:
        raise NotFollowed
    made: Run = maker(node)
    return made


def _through(node: ir.Expression, steps: Steps) -> Run:
    """What is written as a view: the view where outputs of the shape have it, else the ordinary call."""
    try:
        ordinary = _made(node)
    except NotFollowed:
        ordinary = None

    def run(values: TableValues) -> Value:
        if values.has(steps):
            return values.place(steps)
        if ordinary is None:
            raise NotFollowed
        return ordinary(values)

    return run


def _constant(node: ir.Constant) -> Run:
    if isinstance(value := node.value, tuple):
        return _display(ir.TupleDisplay(tuple(ir.Constant(one, node.span) for one in value), node.span))
    if isinstance(value, str | bytes) or (isinstance(value, int) and abs(value) > EXACT):
        return lambda values: arrays.constant(value, values.texts)
    found = arrays.constant(value)
    return lambda _: found


def _name(node: ir.Name) -> Run:
    def run(values: TableValues) -> Value:
        bound = values.variables.get(node.id)
        return arrays.described(node.id, values.texts) if bound is None else bound

    return run


def _binary(node: ir.Binary) -> Run:
    operator, left, right = node.operator, node.left, node.right
    match left, right:
        case ir.Constant(int() | float() as one), ir.Constant(int() | float() as two):
            try:
                return _constant(ir.Constant(BINARY[operator](one, two), node.span))
            except UNDEFINED:
                raise NotFollowed from None
        case ir.ListDisplay(elements), ir.Call("list", (listed,), ()) if operator == "+":
            before, after = [run_of(element) for element in elements], run_of(listed)
            return lambda values: Items(
                "list", made=[*(run(values) for run in before), *arrays.items_of(after(values)).rows]
            )
        case _, ir.Binary("**", ir.Constant(2), ir.Constant(int() as power)) if operator == "%" and abs(power) < 1024:
            right = ir.Constant(2.0**power, right.span)  # perhaps an integer in Python, and exact as a float
    one_run, two_run = run_of(left), run_of(right)
    return lambda values: operators.arithmetic(operator, one_run(values), two_run(values))


def _unary(node: ir.Unary) -> Run:
    operand, zero = run_of(node.operand), arrays.constant(0)
    if node.operator == "not":
        return lambda values: operators.negated(arrays.truth_of(operand(values)))
    if node.operator != "-":
        raise NotFollowed
    return lambda values: operators.arithmetic("-", zero, operand(values))


def _compare(node: ir.Compare) -> Run:
    if isinstance(node.left, ir.Call) and node.left.function in _OF_SHAPES:
        return _remembered(node)
    return _linked(node)


def _linked(node: ir.Compare) -> Run:
    sides = [run_of(node.left), *(run_of(side) for side in node.comparators)]
    nodes = [node.left, *node.comparators]
    links = [
        _link(operator, nodes[i], sides[i], nodes[i + 1], sides[i + 1]) for i, operator in enumerate(node.operators)
    ]
    return links[0] if len(links) == 1 else operators.joined_by(links, operators.both)


def _link(operator: str, left: ir.Expression, one: Run, right: ir.Expression, two: Run) -> Run:
    """One comparison of a chain."""
    match operator:
        case "==":
            return lambda values: operators.equal(one(values), two(values))
        case "!=":
            return lambda values: operators.negated(operators.equal(one(values), two(values)))
        case "is" | "is not" if isinstance(right, ir.Constant) and right.value is None:
            asked: Run = lambda values: arrays.is_none(one(values))  # noqa: E731
            return asked if operator == "is" else lambda values: operators.negated(arrays.truth_of(asked(values)))
        case "in" | "not in":
            key = left.value if isinstance(left, ir.Constant) else None
            if operator == "in":
                return lambda values: operators.contained(one(values), two(values), key)
            return lambda values: operators.negated(operators.contained(one(values), two(values), key))
        case "<" | "<=" | ">" | ">=":
            return lambda values: operators.ordered(operator, one(values), two(values))
    raise NotFollowed


def _bool_op(node: ir.BoolOp) -> Run:
    if not all(map(_is_truth, node.operands)):
        raise NotFollowed  # the value is an operand, and not its truth
    return operators.joined_by(
        [run_of(operand) for operand in node.operands], operators.both if node.operator == "and" else operators.either
    )


def _is_truth(node: ir.Expression) -> bool:
    match node:
        case ir.Compare() | ir.BoolOp() | ir.Unary("not") | ir.Call("isinstance" | "bool"):
            return True
        case ir.Constant(value):
            return isinstance(value, bool)
    return False


def _if_exp(node: ir.IfExp) -> Run:
    test_run, body_run, orelse_run = run_of(node.test), run_of(node.body), run_of(node.orelse)

    def run(values: TableValues) -> Value:
        test = arrays.truth_of(test_run(values))
        if test.values.size == 1 and test.undefined is None:
            return body_run(values) if test.values.all() else orelse_run(values)
        body, orelse = _number(body_run, values), _number(orelse_run, values)
        chosen = np.where(test.values, body.values, orelse.values)
        undefined = [
            test.undefined,
            None if body.undefined is None else test.values & body.undefined,
            None if orelse.undefined is None else ~test.values & orelse.undefined,
        ]
        return Numbers(chosen, arrays.joined(*undefined))

    return run


def _number(run: Run, values: TableValues) -> Numbers:
    try:
        return arrays.numbers_of(run(values))
    except Undefined:
        return Numbers(np.zeros(1), TRUE.values)


def _display(node: ir.ListDisplay | ir.TupleDisplay) -> Run:
    elements, kind = node.elements, "list" if isinstance(node, ir.ListDisplay) else "tuple"
    known = [one.value for one in elements if isinstance(one, ir.Constant) and arrays.is_exact(one.value)]
    if len(known) == len(elements):
        same = Items(kind, made=[arrays.constant(value) for value in known])
        return lambda _: same
    runs = [run_of(element) for element in elements]
    return lambda values: Items(kind, made=[run(values) for run in runs])


def _subscript(node: ir.Subscript) -> Run:
    match node.index:
        case ir.Constant(int() as index):
            value = run_of(node.value)
            return lambda values: arrays.item(value(values), index, values.texts)
    raise NotFollowed


def _call(node: ir.Call) -> Run:
    if node.keywords or not node.arguments:
        raise NotFollowed
    first, *others = node.arguments
    match node.function:
        case "isinstance":
            names = frozenset(str(other.value) for other in others if isinstance(other, ir.Constant))
            asked = run_of(first)
            return lambda values: arrays.of_types(asked(values), names)
        case "type-name":
            typed = run_of(first)
            return lambda values: arrays.type_name(typed(values), values.texts)
        case "map" if isinstance(first, ir.Constant):
            name, items = str(first.value), run_of(others[0])
            return lambda values: operators.mapped(name, values.texts, items(values))
        case "zip":
            parts = [run_of(argument) for argument in node.arguments]
            return lambda values: operators.zipped(*(part(values) for part in parts))
        case "sum" if isinstance(first, ir.Comprehension) and not others:
            return _remembered(node)
        case function if function in operators.FUNCTIONS and not others:
            return _remembered(node) if function in _REDUCING else _applied(node)
    raise NotFollowed


def _applied(node: ir.Call) -> Run:
    """A function of one argument. A sum uses up the elements of a comprehension one at a time."""
    (argument,) = node.arguments
    if node.function == "sum" and isinstance(argument, ir.Comprehension):
        return _sum_of(argument)
    function, inner = operators.FUNCTIONS[node.function], run_of(argument)
    return lambda values: function(values.texts, inner(values))


def _sum_of(node: ir.Comprehension) -> Run:
    elements = _elements(node)

    def run(values: TableValues) -> Value:
        items, most = elements(values)
        return operators.total(values.texts, items) if isinstance(items, Items) else operators.sum_of(items, most)

    return run


_REDUCING = frozenset(["max", "min", "sum"])
_OF_SHAPES = frozenset(["len", "type-name"])
"""What guards ask of a place, one event after the other."""
_FEW = 1 << 17
"""More elements than these would not fit into the cache all at once, and are used up one after the other."""


def _remembered(node: ir.Expression) -> Run:
    """What goes through all elements of the output, or stands in many events, is evaluated once for a table."""
    nodes = tuple(walk(node))
    own = {OUTPUT, *(name for one in nodes if isinstance(one, ir.Clause) for name in _names(one.target))}
    return (_shared if all(one.id in own for one in nodes if isinstance(one, ir.Name)) else _plainly)(node)


def _plainly(node: ir.Expression) -> Run:
    match node:
        case ir.Call():
            return _applied(node)
        case ir.MethodCall():
            return _counted(node)
        case ir.Compare():
            return _linked(node)
    raise NotFollowed


@lru_cache(maxsize=1 << 12)
def _shared(node: ir.Expression) -> Run:
    return remembering(_plainly(node))


def remembering(run: Run) -> Run:
    """A run that is made once for each table."""

    def once(values: TableValues) -> Value:
        found = values.found[once] if once in values.found else run(values)
        if not arrays.holds_source(found):
            values.found[once] = found
        return found

    return once


def _method(node: ir.MethodCall) -> Run:
    if node.keywords:
        raise NotFollowed
    if node.method == "count" and len(node.arguments) == 1:
        return _remembered(node)
    receiver, method = run_of(node.receiver), node.method
    given = [argument.value for argument in node.arguments if isinstance(argument, ir.Constant)]
    if len(given) < len(node.arguments):
        raise NotFollowed

    def run(values: TableValues) -> Value:
        value = receiver(values)
        if not isinstance(value, Column):
            raise NotFollowed
        return arrays.of_text(lambda text: getattr(text, method)(*given), value, values.texts)

    return run


def _counted(node: ir.MethodCall) -> Run:
    receiver, wanted = run_of(node.receiver), run_of(node.arguments[0])

    def run(values: TableValues) -> Value:
        value = receiver(values)
        if not isinstance(value, Items) or value.type_name not in ("list", "tuple"):
            raise NotFollowed
        return operators.count(value, wanted(values))

    return run


def _comprehension(node: ir.Comprehension) -> Run:
    if node.kind != "list":
        raise NotFollowed
    elements = _elements(node)

    def run(values: TableValues) -> Value:
        items, _ = elements(values)
        return items if isinstance(items, Items) else Items("list", made=list(items))

    return run


def _elements(node: ir.Comprehension) -> Callable[[TableValues], tuple[Items | Iterator[Value], int]]:
    """The elements of a comprehension, as one block where possible, or one after the other; and how many they are."""
    (clause, *others) = node.clauses
    if others or clause.conditions:
        raise NotFollowed
    target, iterable, element = clause.target, run_of(clause.iterable), run_of(node.element)
    names = _names(target)
    abreast = _abreast(clause.iterable, names, element)

    def rows(values: TableValues, items: Items) -> Iterator[Value]:
        for row in items.rows:
            if isinstance(target, ir.Name):
                values.variables[target.id] = row
            else:
                values.variables.update(zip(names, _unpacked(row, len(names)), strict=True))
            yield element(values)

    def run(values: TableValues) -> tuple[Items | Iterator[Value], int]:
        block = abreast(values)
        if block is not None:
            return block, len(block)
        items = arrays.items_of(iterable(values))
        if isinstance(target, ir.Name) and items.block is not None:
            values.variables[target.id] = items.block
            found = element(values)
            if isinstance(found, Numbers | Column) and found.values.ndim == 2:
                return Items("list", found), len(items)
        return rows(values, items), len(items)

    return run


def _abreast(iterable: ir.Expression, names: Sequence[str], element: Run) -> Callable[[TableValues], Items | None]:
    """The elements of a comprehension over `zip(...)`, all at once where they are few: an operation has a price."""
    if not isinstance(iterable, ir.Call) or iterable.function != "zip" or len(iterable.arguments) != len(names):
        return lambda _: None
    parts = [run_of(argument) for argument in iterable.arguments]

    def run(values: TableValues) -> Items | None:
        blocks = [arrays.items_of(part(values)).abreast for part in parts]
        together = [block for block in blocks if block is not None]
        width = min((len(block.values) for block in together), default=0)
        outputs = max((block.values.shape[1] for block in together), default=0)
        if len(together) < len(blocks) or not 0 < width * outputs <= _FEW:
            return None
        values.variables.update(zip(names, (block.rows(slice(width)) for block in together), strict=True))
        found = element(values)
        if isinstance(found, Numbers | Column) and found.values.ndim == 2 and len(found.values) == width:
            return Items("list", found)
        return None

    return run


def _unpacked(row: Value, count: int) -> Sequence[Value]:
    items = arrays.items_of(row)
    if len(items) != count:
        raise Undefined
    return items.rows


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
