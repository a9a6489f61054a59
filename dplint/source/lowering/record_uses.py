"""Which expressions of a function are records that it keeps in lists: `ps = [P(i, x) for ...]`, `for p in ps: p.v`.

No program has records, but it has tuples. A record that is only asked for its fields, and for what methods make of
these, is as good as a tuple of them. So this looks through a whole function for all that may come of a record: into
which lists it goes, which names stand for it, and what is asked of either. Of a class of which one record gets anywhere
else, none is a tuple: one that is returned, printed, compared, changed, or given to a function that is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import libcst as cst

from dplint.source.bindings import binding_counts, clauses_of
from dplint.source.lowering.object_classes import PROPERTY, is_named_tuple
from dplint.source.lowering.record_calls import Frames, RecordCalls
from dplint.source.lowering.record_kinds import Kind, Listed, Missing, Passing, Record, Together, Unknown, records_in
from dplint.source.lowering.scope import Scope
from dplint.source.walking import children, nodes_below

_PASSES = 12


class RecordUses:
    """Looks through the body of a function.

    classes: those that make records in it, by their keys. made: the record that a call makes. apart: names that
    are taken apart, as they only ever hold one record. returning: whether it may return records, and lists of them.
    """

    def __init__(
        self,
        scope: Scope,
        body: cst.BaseSuite,
        classes: set[int],
        made: Callable[[cst.Call], Record | None],
        apart: frozenset[str],
        *,
        returning: bool,
    ) -> None:
        self._scope = scope
        self._made = made
        self._apart = apart
        self._returning = returning
        self.found: dict[int, Kind] = {}
        """Records and lists of them, by the identity of the node."""
        self.calls = RecordCalls(scope, self._of_class, self)
        self._names: dict[str, Kind] = {}
        self._bound: Counter[str] = Counter()
        self._lost: set[int] = set()
        self._classes = classes
        self._statements: Mapping[type[cst.CSTNode], Callable[[Any], object]] = {
            cst.Assign: lambda node: self._assigned([one.target for one in node.targets], node.value),
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.For: self._for,
            cst.If: self._tested,
            cst.While: self._tested,
            cst.Expr: lambda node: self.value(node.value, ()),
            cst.FunctionDef: self._captured,
            cst.ClassDef: self._captured,
            cst.Del: self._deleted,
            cst.Return: self._returned,
        }
        self._expressions: Mapping[type[cst.CSTNode], Callable[[Any, Frames], Kind]] = {
            cst.Name: self._name,
            cst.Call: self.calls.called,
            cst.List: self._display,
            cst.ListComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.DictComp: self._dict_comprehension,
            cst.Attribute: self._attribute,
            cst.Subscript: self._subscript,
            cst.IfExp: self._if_exp,
            cst.BinaryOperation: self._added,
            cst.UnaryOperation: self._unary,
            cst.NamedExpr: self._named,
            cst.Comparison: self._compared,
            cst.Lambda: self._captured,
        }
        counts = binding_counts(body)
        while self._classes:
            self._lost = set()
            self._settle(body, counts)
            self._lost |= self._classes - self._in_lists()
            if not self._lost:
                return
            self._classes = self._classes - self._lost
        self.found.clear()
        self.calls.getters.clear()

    def _settle(self, body: cst.BaseSuite, counts: Mapping[str, int]) -> None:
        """Look through the body until nothing new is found."""
        self._names = {}
        for _ in range(_PASSES):
            before = dict(self._names)
            self.found.clear()
            self.calls.getters.clear()
            self._bound = Counter()
            self._statement(body)
            if self._lost:
                return
            if self._names == before:
                break
        else:
            self._lost = set(self._classes)
        for name, kind in self._names.items():
            # What binds a name in a way that is not looked at may bind it to anything.
            if records_in(kind) and (self._bound[name] != counts[name] or name in self._taken):
                self.lose(kind)

    def _in_lists(self) -> set[int]:
        """The classes of which there are records in lists, or some that may be None."""
        held = (
            one for one in self.found.values() if isinstance(one, Listed) or (isinstance(one, Record) and one.or_none)
        )
        return {key for one in held for key in records_in(one)}

    @property
    def _taken(self) -> frozenset[str]:
        """Names that somebody else gives values to."""
        return self._scope.parameters | self._scope.given | self._apart

    def lose(self, *kinds: Kind) -> None:
        """Records get to where nothing is known of them."""
        for kind in kinds:
            self._lost |= records_in(kind)

    def _of_class(self, node: cst.Call) -> Record | None:
        made = self._made(node)
        return made if made is not None and made.key in self._classes else None

    # statements

    def _statement(self, node: cst.CSTNode) -> None:
        handler = self._statements.get(type(node))
        if handler is not None:
            handler(node)
        elif isinstance(node, cst.BaseExpression):
            self.lose(self.value(node, ()))
        else:
            for child in children(node):
                self._statement(child)

    def _assigned(self, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression) -> None:
        match targets, value:
            case [cst.Tuple(elements=names)], cst.Tuple(elements=values) if len(names) == len(values) and not any(
                isinstance(one, cst.StarredElement) for one in (*names, *values)
            ):
                for name, one in zip(names, values, strict=True):
                    self._bind(name.value, self.value(one.value, ()), ())
                return
            case [cst.Name(value=name)], cst.Call() if name in self._apart:
                self.calls.arguments(value, ())
                kind: Kind = None
            case _:
                kind = self.value(value, ())
        for target in targets:
            self._bind(target, kind, ())

    def _annotated(self, node: cst.AnnAssign) -> None:
        if node.value is None:
            self._bind(node.target, Unknown(), ())
        else:
            self._assigned([node.target], node.value)

    def _augmented(self, node: cst.AugAssign) -> None:
        kind, held = self.value(node.value, ()), self.value(node.target, ())
        longer = isinstance(node.operator, cst.AddAssign) and isinstance(node.target, cst.Name)
        if longer and isinstance(kind, Listed) and isinstance(held, Listed | Unknown):
            self._bind(node.target, kind, ())
            return
        self.lose(kind, held)
        self._bind(node.target, None if isinstance(held, Unknown) else held, ())

    def _for(self, node: cst.For) -> None:
        self._bind(node.target, self._items(node.iter, ()), ())
        self._statement(node.body)
        if node.orelse is not None:
            self._statement(node.orelse.body)

    def _tested(self, node: cst.If | cst.While) -> None:
        self._truth(node.test, ())
        self._statement(node.body)
        if node.orelse is not None:
            self._statement(node.orelse if isinstance(node.orelse, cst.If) else node.orelse.body)

    def _deleted(self, node: cst.Del) -> None:
        kind = self.value(node.target, ())
        if not isinstance(node.target, cst.Subscript):
            self.lose(kind)

    def _returned(self, node: cst.Return) -> None:
        kind = None if node.value is None else self.value(node.value, ())
        plain = isinstance(kind, Record) and not kind.or_none
        if not self._returning or not (plain or isinstance(kind, Listed)):
            self.lose(kind)

    # targets

    def _bind(self, target: cst.BaseExpression, kind: Kind, frames: Frames) -> None:
        """A target is given what is of a kind; frames: of the comprehension that does that."""
        match target:
            case cst.Name(value=name):
                self._bind_name(name, kind, frames)
            case cst.Tuple() | cst.List():
                self._unpacked(target, kind, frames)
            case cst.Subscript(value=base, slice=places):
                held = self.value(base, frames)
                self.inside(places, frames)
                single = len(places) == 1 and isinstance(places[0].slice, cst.Index)
                if not single or (held.item if isinstance(held, Listed) else None) != kind:
                    self.lose(held, kind)
            case cst.Attribute(value=base):
                self.lose(kind, self.value(base, frames))
            case _:
                self.lose(kind)
                self.inside(children(target), frames)

    def _bind_name(self, name: str, kind: Kind, frames: Frames) -> None:
        if isinstance(kind, Together | Passing):
            self.lose(kind)
            kind = None
        if frames:
            frames[-1][name] = kind
            return
        self._bound[name] += 1
        self._names[name] = self._joined(self._names.get(name, Unknown()), kind)

    def _unpacked(self, target: cst.Tuple | cst.List, kind: Kind, frames: Frames) -> None:
        starred = any(isinstance(one, cst.StarredElement) for one in target.elements)
        parts: tuple[Kind, ...] = (None,) * len(target.elements)
        if isinstance(kind, Together) and len(kind.parts) == len(parts) and not starred:
            parts = kind.parts
        elif isinstance(kind, Unknown):
            parts = (kind,) * len(parts)
        elif not (isinstance(kind, Record) and is_named_tuple(kind.made)):
            self.lose(kind)
        for element, part in zip(target.elements, parts, strict=True):
            self._bind(element.value, part, frames)

    def _joined(self, one: Kind, other: Kind) -> Kind:
        if isinstance(one, Unknown) or one == other:
            return other
        if isinstance(other, Unknown):
            return one
        for kind, rest in ((one, other), (other, one)):
            if isinstance(kind, Record) and (isinstance(rest, Missing) or rest == replace(kind, or_none=True)):
                return replace(kind, or_none=True)
        if isinstance(one, Listed) and isinstance(other, Listed) and None in (one.item, other.item):
            return one if other.item is None else other
        self.lose(one, other)
        return None

    def grows(self, held: Listed, new: Kind, receiver: cst.BaseExpression, frames: Frames) -> None:
        """Something is put into a list."""
        hidden = isinstance(receiver, cst.Name) and any(receiver.value in one for one in frames)
        if held.item is None and isinstance(receiver, cst.Name) and not hidden:
            self._names[receiver.value] = Listed(new) if isinstance(new, Record) else None
            self.lose(None if isinstance(new, Record) else new)
        elif held.item != new:
            self.lose(held, new)

    # expressions

    def value(self, node: cst.BaseExpression, frames: Frames) -> Kind:
        """What an expression gives."""
        handler = self._expressions.get(type(node))
        if handler is None:
            self.inside(children(node), frames)
            return None
        kind = handler(node, frames)
        if isinstance(kind, Record | Listed):
            self.found[id(node)] = kind
        return kind

    def inside(self, nodes: Sequence[cst.CSTNode], frames: Frames) -> None:
        """Parts of an expression of which nothing is known."""
        for node in nodes:
            if isinstance(node, cst.BaseExpression):
                self.lose(self.value(node, frames))
            elif isinstance(node, cst.Arg):
                self.lose(self.value(node.value, frames))
            elif not isinstance(node, cst.Annotation):
                self.inside(children(node), frames)

    def _truth(self, node: cst.BaseExpression, frames: Frames) -> None:
        """What is only asked whether it is true: a list, or a record, which always is."""
        if isinstance(node, cst.BooleanOperation):
            self._truth(node.left, frames)
            self._truth(node.right, frames)
            return
        kind = self.value(node, frames)
        if not isinstance(kind, Record | Listed):
            self.lose(kind)

    def _name(self, node: cst.Name, frames: Frames) -> Kind:
        around = next((one for one in reversed(frames) if node.value in one), None)
        if around is not None:
            return around[node.value]
        if node.value == "None":
            return Missing()
        local = node.value in self._scope.names and node.value not in self._taken
        return self._names.get(node.value, Unknown()) if local else None

    def _captured(self, node: cst.CSTNode, _frames: Frames = ()) -> None:
        """What a function that is made here mentions."""
        mentioned = {one.value for one in nodes_below(node) if isinstance(one, cst.Name)}
        self.lose(*(self._names.get(one) for one in mentioned))
        self.lose(*(held for frame in _frames for name, held in frame.items() if name in mentioned))

    def _display(self, node: cst.List, frames: Frames) -> Kind:
        items = [self.value(one.value, frames) for one in node.elements]
        if any(isinstance(one, cst.StarredElement) for one in node.elements):
            self.lose(*items)
            return None
        return self.list_of(items)

    def list_of(self, items: Sequence[Kind]) -> Kind:
        """A list with these in it."""
        kinds = {one for one in items if not isinstance(one, Unknown)}
        only = next(iter(kinds)) if len(kinds) == 1 else None
        if isinstance(only, Record) and not only.or_none:
            return Listed(only)
        if not kinds:
            return Unknown() if items else Listed(None)
        self.lose(*kinds)
        return None

    def _comprehension(self, node: cst.ListComp | cst.GeneratorExp | cst.SetComp, frames: Frames) -> Kind:
        item = self.value(node.elt, self._clauses(node, frames))
        if isinstance(node, cst.ListComp):
            return self.list_of([item])
        if isinstance(node, cst.GeneratorExp):
            return Passing(item)
        self.lose(item)
        return None

    def _dict_comprehension(self, node: cst.DictComp, frames: Frames) -> None:
        inner = self._clauses(node, frames)
        self.lose(self.value(node.key, inner), self.value(node.value, inner))

    def _attribute(self, node: cst.Attribute, frames: Frames) -> None:
        """A field or a property."""
        held, name = self.value(node.value, frames), node.attr.value
        method = held.made.methods.get(name) if isinstance(held, Record) else None
        is_field = isinstance(held, Record) and name in held.made.fields
        self.asks_name(held, node.value)
        if not is_field and (method is None or method.kind != PROPERTY):
            self.lose(held)

    def asks_name(self, held: Kind, node: cst.BaseExpression) -> None:
        """What may be None is asked twice, so it has to have a name."""
        if isinstance(held, Record) and held.or_none and not isinstance(node, cst.Name):
            self.lose(held)

    def _subscript(self, node: cst.Subscript, frames: Frames) -> Kind:
        held = self.value(node.value, frames)
        self.inside(node.slice, frames)
        single = len(node.slice) == 1
        if isinstance(held, Listed) and single:
            return (held.item or Unknown()) if isinstance(node.slice[0].slice, cst.Index) else held
        if not (isinstance(held, Record) and single and is_named_tuple(held.made)):
            self.lose(held)
        return held if isinstance(held, Unknown) else None

    def _if_exp(self, node: cst.IfExp, frames: Frames) -> Kind:
        self._truth(node.test, frames)
        return self._joined(self.value(node.body, frames), self.value(node.orelse, frames))

    def _added(self, node: cst.BinaryOperation, frames: Frames) -> Kind:
        left, right = self.value(node.left, frames), self.value(node.right, frames)
        if isinstance(node.operator, cst.Add) and isinstance(left, Listed) and isinstance(right, Listed):
            return self._joined(left, right)
        self.lose(left, right)
        return Unknown() if isinstance(left, Unknown) or isinstance(right, Unknown) else None

    def _compared(self, node: cst.Comparison, frames: Frames) -> None:
        """`best is None`, which a record may be asked; everything else it may not."""
        kind = self.value(node.left, frames)
        [first, *others] = node.comparisons
        is_none = isinstance(first.operator, cst.Is | cst.IsNot) and isinstance(
            self.value(first.comparator, frames), Missing
        )
        if others or not is_none or not isinstance(kind, Record):
            self.lose(kind)
            for one in node.comparisons:
                self.lose(self.value(one.comparator, frames))

    def _unary(self, node: cst.UnaryOperation, frames: Frames) -> None:
        if isinstance(node.operator, cst.Not):
            self._truth(node.expression, frames)
        else:
            self.lose(self.value(node.expression, frames))

    def _named(self, node: cst.NamedExpr, frames: Frames) -> Kind:
        kind = self.value(node.value, frames)
        self._bind(node.target, kind, ())
        return kind

    # loops

    def _clauses(self, node: cst.BaseComp, frames: Frames) -> Frames:
        """The variables of a comprehension."""
        for part in clauses_of(node):
            item = self._items(part.iter, frames)
            frames = (*frames, {})
            self._bind(part.target, item, frames)
            for test in part.ifs:
                self._truth(test.test, frames)
        return frames

    def _items(self, node: cst.BaseExpression, frames: Frames) -> Kind:
        return self.item(self.value(node, frames))

    def item(self, kind: Kind) -> Kind:
        """What a loop over such a value gives, one after the other."""
        if isinstance(kind, Listed):
            return kind.item or Unknown()
        if isinstance(kind, Passing):
            return kind.item
        if not (isinstance(kind, Record) and is_named_tuple(kind.made)):
            self.lose(kind)
        return kind if isinstance(kind, Unknown) else None
