"""The tree of a residual program as the statements of a program: operations, branches that were walked, outputs."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dplint.audit.by_operations.expressions import NotRead, Parts
from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.refusals import Unsupported
from dplint.program.walk import opaque, walk
from dplint.runner.batch import Leaf, LeafKind, Mapping, Raised, Record, Sequence, Skeleton, leaf_value
from dplint.runner.residual_tree import Node, Output
from dplint.tracing.paths import ARRAY

_DRAWN, _ENTER, _TURN = "lane_draws.drawn", "branches.enter", "branches.turn"
_LEAVE, _SELECTED, _CHOSEN = "branches.leave", "branches.selected", "lanes.Tracer._chosen"
_DECIDING = ("lanes.Tracer._decided", _CHOSEN, "lanes.Tracer.condition", _ENTER)
"""Operations whose answer tells how a path goes on."""
_OF_SHAPES = ("items.size_of", "items.is_method", "table.len")
"""Operations whose answers are the same for all values of a shape."""
_ORDER, _CATCHES = "orders.sorting_order", "catching.catches"
_ORDERED, _LONGEST_ORDER = ("sorted", "sorted-by"), 6
_PARTS = "parts_"
_BOTH = ["named", "None"]
"""The answer of `branches.enter` where both sides are walked."""
_MOST_STATEMENTS = 4_000


@dataclass(slots=True)
class _Sides:
    """An `if` whose bodies are being written. known: once they have ended, the numbers of values that there are."""

    test: ir.Expression
    known: frozenset[int] = frozenset()
    first: list[Any] = field(default_factory=list)
    second: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class _Path:
    """Where a path has come to. body: what is written to. around: the branches that are being walked, each with what
    is written to after it. joined: those that have ended, by their test. turns: how often each place has drawn.
    """

    body: list[Any]
    around: list[tuple[_Sides, list[Any]]] = field(default_factory=list)
    joined: dict[ir.Expression, _Sides] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)

    def into(self, body: list[Any]) -> _Path:
        """The same path, which goes on in a body of its own."""
        return _Path(body, [], {}, dict(self.turns))


class Converted:
    """The statements of one tree."""

    def __init__(self, parts: Parts, span: Span) -> None:
        self._parts, self._span, self._count = parts, span, 0

    def block(self, node: Node) -> tuple[ir.Statement, ...]:
        """What a node and all after it do. Raises NotRead for what programs do not have."""
        body: list[Any] = []
        self._walk(node, _Path(body))
        return self._finished(body)

    def _walk(self, node: Node, path: _Path) -> None:
        """Write what a node and all after it do."""
        while node.key:
            self._count += 1
            if self._count > _MOST_STATEMENTS:
                raise NotRead("too many operations")
            if node.named:
                raise NotRead(f"the operation {node.name} with keywords")
            told = [argument.told for argument in node.arguments]
            answers = [(json.loads(answer), after) for answer, after in node.answers.items()]
            if node.name in _DECIDING:  # where both sides are walked, that covers the runs in which they agree
                answers = [one for one in answers if one[0] == _BOTH or _has_new(one[0])] or answers
            if len(answers) > 1 or (node.name in _DECIDING and answers[0][0][0] in ("=", "float")):
                self._decided(node.name, told, answers, path)
                return
            self._one(node.name, told, answers[0][0], path)
            node = answers[0][1]
        assert node.output is not None
        path.body.append(self._returned(node.output))

    def _one(self, name: str, told: list[Any], answer: Any, path: _Path) -> None:
        """An operation whose answer covers all runs."""
        if name == _ENTER:
            sides = _Sides(self._parts.of(told[1]))
            path.around.append((sides, path.body))
            path.body = sides.first
        elif name == _TURN:
            path.body = path.around[-1][0].second
        elif name == _LEAVE:
            sides, path.body = path.around.pop()
            path.body.append(sides)
            sides.known = frozenset(self._parts.values)
            path.joined[sides.test] = sides
        elif name == _CATCHES:
            raise NotRead("exceptions that it catches")
        elif answer[0] == "raises":
            raise NotRead(f"the operation {name}, which raises {answer[1]}")
        elif _has_new(answer):
            self._new_values(name, told, answer, path)
        elif not _is_of_shape(name, told, answer):
            raise NotRead(f"what the operation {name} says of values")

    def _new_values(self, name: str, told: list[Any], answer: Any, path: _Path) -> None:
        parts = self._parts
        if name == _ORDER:
            parts.orders[answer[1]] = (told[0], told[1])
        elif name == _SELECTED and _is_joined(told, path.joined.get(parts.of(told[0]))):
            sides = path.joined[parts.of(told[0])]
            target = self._name(answer[1])
            for side, value in ((sides.first, told[1]), (sides.second, told[2])):
                side.append(ir.Assign((target,), parts.of(value), self._span))
            parts.values[answer[1]] = target
        elif name == _DRAWN:
            place = json.dumps(told[3])
            path.turns[place] = path.turns.get(place, -1) + 1
            self._assign(answer, parts.drawn(told, path.turns[place]), path.body)
        else:
            self._assign(answer, parts.operation(name, told), path.body)

    def _assign(self, answer: Any, value: ir.Expression, body: list[Any]) -> None:
        """Give the new values of an answer their names."""
        if answer[0] == "new":
            target = self._parts.values[answer[1]] = self._name(answer[1])
            if answer[2] == ARRAY:
                self._parts.arrays.add(answer[1])
            body.append(ir.Assign((target,), value, self._span))
            return
        whole = ir.Name(f"{_PARTS}{next(_new(answer))}", self._span)
        body.append(ir.Assign((whole,), value, self._span))
        count = len(answer[1])
        if isinstance(value, ir.Call) and value.function in _ORDERED and count <= _LONGEST_ORDER:
            in_order = self._in_order(whole.id, value, count, body)
        else:
            in_order = (ir.Subscript(whole, ir.Constant(place, self._span), self._span) for place in range(count))
        for item, part in zip(answer[1], in_order, strict=True):
            if _has_new(item):
                self._assign(item, part, body)

    def _in_order(self, name: str, order: ir.Call, count: int, body: list[Any]) -> Iterator[ir.Expression]:
        """The items of an order, one by one: the extreme of what is left, the first of equal ones, also backwards."""
        span = self._span
        extreme = "max-by" if order.keywords else "min-by"

        def kept(what: str, rank: int, value: ir.Expression) -> ir.Name:
            target = ir.Name(f"{name}_{what}_{rank}", span)
            body.append(ir.Assign((target,), value, span))
            return target

        def at(listed: ir.Expression, place: int) -> ir.Expression:
            return ir.Subscript(listed, ir.Constant(place, span), span)

        left = [kept(what, 0, value) for what, value in zip(("item", "key"), order.arguments, strict=False)]
        for rank in range(count):
            places = ir.ListDisplay(tuple(ir.Constant(place, span) for place in range(count - rank)), span)
            place = kept("place", rank, ir.Call(extreme, (places, left[-1]), (), span))
            yield ir.Subscript(left[0], place, span)
            shorter = [
                ir.ListDisplay(
                    tuple(
                        ir.IfExp(
                            ir.Compare(place, (">",), (ir.Constant(one, span),), span),
                            at(listed, one),
                            at(listed, one + 1),
                            span,
                        )
                        for one in range(count - rank - 1)
                    ),
                    span,
                )
                for listed in left
            ]
            left = [kept(what, rank + 1, one) for what, one in zip(("item", "key"), shorter, strict=False)]

    def _decided(self, name: str, told: list[Any], answers: list[tuple[Any, Node]], path: _Path) -> None:
        """Write the ways that runs have gone from here; on any other a run is refused."""
        if path.around:
            raise NotRead("a decision in a branch")
        if name not in _DECIDING:
            raise NotRead(f"several answers of the operation {name}")
        if any(answer[0] not in ("=", "float") for answer, _ in answers):
            raise NotRead(f"an answer of the operation {name} that is no plain value")
        value, parts = self._parts.of(told[1]), self._parts
        if isinstance(value, ir.Constant):  # what was chosen before
            answers = [(answer, after) for answer, after in answers if parts.of(answer) == value]
            if answers:
                self._walk(answers[0][1], path)
                return
        body = path.body
        for place, (answer, after) in enumerate(answers):
            sides = _Sides(value)
            inside, other = (sides.first, sides.second) if answer[1] else (sides.second, sides.first)
            if name == _CHOSEN:
                sides.test = ir.Compare(value, ("==",), (parts.of(answer),), self._span)
                inside, other = sides.first, sides.second
            body.append(sides)
            chosen = {told[1][1]: parts.of(answer)} if name == _CHOSEN else {}
            self._walk_apart(after, path.into(inside), chosen)
            if name != _CHOSEN and place + 1 < len(answers):
                self._walk_apart(answers[-1][1], path.into(other), {})
                return
            body = other
        body.append(opaque(Unsupported("a way that no run has gone", self._span)))

    def _walk_apart(self, node: Node, path: _Path, chosen: dict[int, ir.Expression]) -> None:
        """Walk a way of its own. chosen: values that are known there."""
        values = dict(self._parts.values)
        self._parts.values.update(chosen)
        self._walk(node, path)
        self._parts.values = values

    def _finished(self, body: list[Any], read: frozenset[str] = frozenset()) -> tuple[ir.Statement, ...]:
        """Without parts that nothing is read of. read: the names that are read behind it."""
        found: list[ir.Statement] = []
        for statement in reversed(body):
            if isinstance(statement, _Sides):
                first, second = (self._finished(side, read) for side in (statement.first, statement.second))
                found.append(ir.If(statement.test, first, second, self._span))
            elif not _is_unread_part(statement, read):
                found.append(statement)
            else:
                continue
            read |= {node.id for node in walk(found[-1]) if isinstance(node, ir.Name)}
        return tuple(reversed(found))

    def _name(self, number: int) -> ir.Name:
        return ir.Name(f"value_{number}", self._span)

    def _returned(self, output: Output) -> ir.Statement:
        leaves = iter(output.leaves)
        if isinstance(output.skeleton, Raised):
            return ir.Raise(output.skeleton.name, (), self._span)
        return ir.Return(self._output(output.skeleton, leaves), self._span)

    def _output(self, skeleton: Skeleton, leaves: Iterator[Any]) -> ir.Expression:
        span = self._span
        match skeleton:
            case Leaf():
                return self._leaf(next(leaves))
            case Sequence(type="array", shape=(_,), items=int(count)):
                found = list(itertools.islice(leaves, 1 if count else 0))
                if found and isinstance(found[0][1], int):
                    return self._leaf(found[0])
                found += itertools.islice(leaves, max(0, count - 1))
                return self._parts.call("numpy.array", [ir.ListDisplay(tuple(map(self._leaf, found)), span)])
            case Sequence(type=("list" | "tuple") as kind, items=items):
                skeletons = [Leaf()] * items if isinstance(items, int) else items
                display = ir.ListDisplay if kind == "list" else ir.TupleDisplay
                return display(tuple(self._output(one, leaves) for one in skeletons), span)
            case Mapping(keys=keys, children=children):
                return ir.DictDisplay(keys, tuple(self._output(one, leaves) for one in children), span)
            case Record(name=name, fields=fields, children=children):
                entries = ir.DictDisplay(fields, tuple(self._output(one, leaves) for one in children), span)
                return ir.Call("record", (ir.Constant(name, span), ir.Constant(fields, span), entries), (), span)
        raise NotRead(f"an output that is a {type(skeleton).__name__}")

    def _leaf(self, told: Any) -> ir.Expression:
        first, second = told
        if isinstance(second, int):
            return self._parts.values[first]
        kind = LeafKind(first)
        if kind in (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER):
            if kind is not LeafKind.STRING:
                raise NotRead("an output that is no plain value")
            return ir.Constant(second, self._span)
        value: Any = leaf_value(int(kind), float.fromhex(second), ())
        return ir.Constant(value, self._span)


def _is_unread_part(statement: Any, read: frozenset[str]) -> bool:
    """Whether it is an order, or takes something apart, and nothing is read of that.

    Other operations that give several values stay: for other data they may fail, though nobody reads them.
    """
    if not isinstance(statement, ir.Assign):
        return False
    names = [one.id for one in statement.targets if isinstance(one, ir.Name)]
    value = statement.value
    owner = value.value if isinstance(value, ir.Subscript) else None
    of_parts = isinstance(owner, ir.Name) and owner.id.startswith(_PARTS)
    of_order = any(name.startswith(_PARTS) and name.count("_") > 1 for name in names)
    ordered = isinstance(value, ir.Call) and value.function in _ORDERED
    return (of_parts or of_order or ordered) and not read.intersection(names)


def _is_joined(told: list[Any], sides: _Sides | None) -> bool:
    """Whether two values are what the sides of an `if` have left, so that each side can give its own a name."""
    numbers = {one[1] for one in told[1:3] if one[0] == "v"}
    return sides is not None and numbers <= sides.known


def _is_of_shape(name: str, told: list[Any], answer: Any) -> bool:
    """Whether an answer without values by lane is the same for all values of a shape."""
    if name in ("table.not_", "table.bool"):
        return told[0][0] in ("list", "tuple", "dict") or all(map(_is_plain, told))
    return name in _OF_SHAPES or answer in (["list", []], ["tuple", []])


def _is_plain(told: Any) -> bool:
    """Whether an argument is a number or a text that is the same in all runs."""
    return told[0] in ("=", "float")


def _has_new(answer: Any) -> bool:
    return next(_new(answer), None) is not None


def _new(answer: Any) -> Iterator[int]:
    """The numbers of the new values of an answer."""
    if answer[0] == "new":
        yield answer[1]
    elif answer[0] in ("list", "tuple"):
        for item in answer[1]:
            yield from _new(item)
