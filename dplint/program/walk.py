"""Walking the tree of a program without knowing every node.

What of a program is not understood, and whether a run can go around it.

A lowered program holds an `Opaque` wherever Python says something that no evaluator knows. The evaluator refuses the
runs that come to one. So what stands behind a `return`, in the branch of a constant test, or in a helper function that
nobody calls, is no obstacle; and what stands in a branch is one only to arguments that lead into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "span")


@cache
def is_node(kind: type) -> bool:
    """Whether objects of the class are nodes."""
    return is_dataclass(kind) and not issubclass(kind, Span | ir.Function | Unsupported)


def children(node: object) -> Iterator[ir.Node]:
    """The direct child nodes, in source order."""
    for name in _fields(type(node)):  # type: ignore[arg-type]  # classes are hashable, whatever mypy thinks
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[ir.Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif is_node(type(value)):  # type: ignore[arg-type]
        yield value  # type: ignore[misc]


def once_at_most(nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """The nodes, and those below them, to which a run comes once at most; parents before children."""
    for node in nodes:
        if not isinstance(node, ir.Comprehension | ir.For | ir.While):
            yield node
            yield from once_at_most(children(node))


def walk(root: ir.Program | ir.Function | ir.Node | Iterable[ir.Node]) -> Iterator[ir.Node]:
    """Every node below root, root's own helper functions included, parents before children."""
    if isinstance(root, ir.Program):
        yield from walk(root.body)
        for function in root.functions:
            yield from walk(function.body)
    elif isinstance(root, ir.Function):
        yield from walk(root.body)
    elif isinstance(root, Iterable):
        for node in root:
            yield from _below(node)
    else:
        yield from _below(root)


def _below(node: ir.Node) -> Iterator[ir.Node]:
    yield node
    for child in children(node):
        yield from _below(child)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, or a tuple of some, with what `change` gives, if not None, in place of nodes and of tuples of some."""
    changed = change(node)
    if changed is not None:
        return changed
    if isinstance(node, tuple):
        return tuple(rebuilt(one, change) for one in node)
    if not is_node(type(node)):  # type: ignore[arg-type]
        return node
    return replace(node, **{one.name: rebuilt(getattr(node, one.name), change) for one in fields(node)})


def rebuilt_program(program: ir.Program, change: Callable[[Any], Any]) -> ir.Program:
    """A program with what `change` gives in place of nodes in its body and its functions."""
    functions = tuple(replace(one, body=rebuilt(one.body, change)) for one in program.functions)
    return replace(program, body=rebuilt(program.body, change), functions=functions)


def exchanged(node: Any, others: Mapping[int, ir.Node]) -> Any:
    """A node, or a tuple of some, with other nodes in place of those that have these ids."""
    return rebuilt(node, lambda one: others.get(id(one)))


def without_places(node: object) -> object:
    """What expressions have in common that are written alike; what two draws and calls of helpers give may differ."""
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    if draws(node) or isinstance(node, ir.CallFunction | ir.Opaque):
        return id(node)
    if not is_node(type(node)):  # type: ignore[arg-type]
        return type(node), repr(node)
    return type(node), tuple(without_places(getattr(node, name)) for name in _fields(type(node)))  # type: ignore[arg-type]


def draws(node: object) -> bool:
    """Whether the node draws: then it is not repeated, moved, or left out."""
    return isinstance(node, ir.Draw)


def mentions(root: ir.Node, name: str) -> bool:
    """Whether a variable of that name stands anywhere below root."""
    return any(isinstance(node, ir.Name) and node.id == name for node in walk(root))


def bound_names(nodes: Iterable[ir.Node]) -> frozenset[str]:
    """The variables that these nodes, not those below them, assign or change."""
    found: set[str] = set()
    for node in nodes:
        targets: list[object] = []
        if isinstance(node, ir.Assign):
            targets = list(node.targets)
        elif isinstance(node, ir.For | ir.Clause | ir.AugAssign):
            targets = [node.target]
        elif isinstance(node, ir.Update):
            targets = [node.name]
        while targets:
            target = targets.pop()
            if isinstance(target, ir.TupleTarget):
                targets += target.elements
            elif isinstance(target, ir.ItemTarget):
                targets.append(target.name)
            elif isinstance(target, ir.Name):
                found.add(target.id)
    return frozenset(found)


def opaque(refusal: Unsupported) -> ir.Opaque:
    """What stands in for a construct of which nothing else is known."""
    return ir.Opaque(refusal, (), (), False, refusal.span)


def refusals(program: ir.Program) -> tuple[Unsupported, ...]:
    """What stands in the way of runs that come to it, each once, in the order of the source.

    What can never be reached is not among it, nor what is refused only because something else is.
    """
    reached = _Search(program, certain=False).block(program.body)
    found = dict.fromkeys(node.refusal for node in reached if not node.follows)
    return tuple(sorted(found, key=lambda refusal: refusal.span))


def obstacle(program: ir.Program) -> Unsupported | None:
    """The first of `refusals`, if every run comes to one of them; None if some arguments may lead around all.

    A heuristic, for whether it is worth while to begin: loops are taken to have a turn, and runs not to end early. None
    of the evaluators relies on it.
    """
    if next(_Search(program, certain=True).block(program.body), None) is None:
        return None
    return next(iter(refusals(program)), None)


def runnable(program: ir.Program) -> ir.Program | Unsupported:
    """The program, or what stops every run of it; see `obstacle`."""
    return obstacle(program) or program


class _Search:
    """Goes through what can be reached. certain: only through what no branch goes around."""

    def __init__(self, program: ir.Program, *, certain: bool) -> None:
        self._functions = {function.name: function for function in program.functions}
        self._certain = certain
        self._called: set[str] = set()

    def block(self, statements: Sequence[ir.Statement]) -> Iterator[ir.Opaque]:
        """The nodes that are not understood, inner ones after those around them."""
        for statement in statements:
            yield from self._statement(statement)
            if _ends(statement):
                return

    def _statement(self, node: ir.Statement) -> Iterator[ir.Opaque]:
        if isinstance(node, ir.If):
            yield from self._expression(node.test)
            known = _truth(node.test)
            if known is None:
                yield from self._either(self.block(node.body), self.block(node.orelse))
            else:
                yield from self.block(node.body if known else node.orelse)
        elif isinstance(node, ir.For | ir.While):
            yield from self._loop(node)
        elif isinstance(node, ir.Opaque):
            yield from self._opaque(node)
        elif isinstance(node, ir.Assign):
            yield from self._expression(node.value)
            yield from self._all(node.targets)
        else:
            yield from self._all(children(node))

    def _loop(self, node: ir.For | ir.While) -> Iterator[ir.Opaque]:
        if isinstance(node, ir.For):
            yield from self._expression(node.target)
        yield from self._expression(node.iterable if isinstance(node, ir.For) else node.test)
        if not (isinstance(node, ir.While) and _truth(node.test) is False):
            yield from self.block(node.body)
        if not self._certain:
            yield from self.block(node.orelse)

    def _opaque(self, node: ir.Opaque) -> Iterator[ir.Opaque]:
        yield node
        yield from self._all(node.operands)
        for body in node.bodies:
            yield from self.block(body)

    def _all(self, nodes: Iterable[ir.Node]) -> Iterator[ir.Opaque]:
        for node in nodes:
            yield from self._expression(node)

    def _expression(self, node: ir.Node) -> Iterator[ir.Opaque]:
        if isinstance(node, ir.Opaque):
            yield from self._opaque(node)
        elif isinstance(node, ir.IfExp):
            yield from self._expression(node.test)
            yield from self._either(self._expression(node.body), self._expression(node.orelse))
        elif isinstance(node, ir.BoolOp) and self._certain:
            yield from self._expression(node.operands[0])
        elif isinstance(node, ir.Comprehension) and self._certain:
            yield from self._expression(node.clauses[0].iterable)
            if not any(clause.conditions for clause in node.clauses):
                yield from self._expression(node.element)
        else:
            yield from self._all(children(node))
            if isinstance(node, ir.CallFunction) and node.function not in self._called:
                self._called.add(node.function)
                yield from self.block(self._functions[node.function].body)

    def _either(self, first: Iterator[ir.Opaque], second: Iterator[ir.Opaque]) -> Iterator[ir.Opaque]:
        """What is on two sides, of which a run takes one."""
        if not self._certain:
            yield from first
            yield from second
            return
        one, other = next(first, None), next(second, None)
        if one is not None and other is not None:
            yield one


def _ends(node: ir.Statement) -> bool:
    """Whether no run goes on to the next statement."""
    if isinstance(node, ir.If):
        known = _truth(node.test)
        sides = [node.body, node.orelse] if known is None else [node.body if known else node.orelse]
        return all(any(map(_ends, side)) for side in sides)
    return isinstance(node, ir.Return | ir.Raise | ir.Break | ir.Continue)


def _truth(test: ir.Expression) -> bool | None:
    """What a test comes to, if that is written in the source; None if it is not."""
    if isinstance(test, ir.Constant):
        return bool(test.value)
    if isinstance(test, ir.Unary) and test.operator == "not":
        known = _truth(test.operand)
        return None if known is None else not known
    if isinstance(test, ir.BoolOp):
        first = _truth(test.operands[0])
        if first is (test.operator == "or"):
            return first
    return None
