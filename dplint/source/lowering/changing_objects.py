"""Objects in lists that change, as lists of what they hold: `changing_uses` says which.

An object is the list of its attributes. What a method asks of it is taken from there into variables of its own, and put
back behind the method. The variable of a loop over such objects stands for the place of one.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Call,
    Constant,
    Expression,
    ItemTarget,
    ListDisplay,
    Name,
    Statement,
    Subscript,
    TupleTarget,
    Update,
)
from dplint.program.vocabulary import UPDATES
from dplint.source.lowering.changing_uses import ChangingList, changing_uses
from dplint.source.lowering.classes import object_class
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.object_classes import CONSTRUCTOR, ObjectClass, is_named_tuple
from dplint.source.lowering.owned_lists import owned_lists
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import Given
from dplint.source.lowering.records import Records
from dplint.source.lowering.scope import Choice, Instance, Looped, Several
from dplint.source.operators import AUGMENTED
from dplint.source.walking import nodes_below

_SHOWING = frozenset({CONSTRUCTOR, "__repr__", "__str__"})
_NOT_IN_PLACE = frozenset(["@", "<<", ">>"])


class ChangingObjects:
    """Lowers them, for those who lower objects and records. body: of the function."""

    def __init__(self, reader: Reader, instances: Instances, records: Records, body: cst.BaseSuite) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._instances = instances
        self._uses = uses = changing_uses(reader.scope, body, self._class)
        if not uses.names:
            return
        self._makers = {id(one) for held in uses.names.values() for one in held.makers}
        self._places: dict[int, Name] = {}
        """The places that the targets of loops stand for."""
        self._taken: dict[int, tuple[Instance, Name, Expression, str]] = {}
        inside = [*nodes_below(body)]
        self._owned = {name: owned_lists(held.made, held.makers, inside) for name, held in uses.names.items()}
        """The attributes that hold lists which nobody else has, by the name of the list of objects."""
        reader.register({cst.Call: self._called, cst.Attribute: self._attribute})
        self._others, self._loops = instances.taken_apart, reader.loops
        instances.taken_apart, instances.put_back = self._taken_apart, self._put_back
        records.changed, records.augmented, records.updated = self._assigned, self._augmented, self._updated
        reader.loops = self._looped

    def _class(self, node: cst.Call) -> ObjectClass | None:
        """The class of the object that a call makes, if that is all about it."""
        made = object_class(self._scope, node.func)
        if made is None or made.frozen or is_named_tuple(made) or not made.attributes or made.loggers:
            return None
        return None if {one for one in made.methods if one.startswith("__")} - _SHOWING else made

    def _called(self, node: cst.Call) -> Expression | None:
        """What makes such an object; None for everything else."""
        if id(node) not in self._makers:
            return None
        given = self._instances.new(self._uses_of(node).made, node)
        whole, span = None if given is None else given.value, self._span(node)
        if given is None or not isinstance(whole, Instance) or whole.streams or whole.parts or whole.members:
            raise self._reader.refuse("an object used as a value", node, "let it hold numbers and texts alone")
        stored = self._as_list(whole, self._uses_of(node).name, node)
        return self._reader.staged(given.statements, stored, span)

    def _as_list(self, whole: Instance, name: str, node: cst.CSTNode) -> Expression:
        """An object as the list of what it holds; of a list that nobody else has, a copy."""
        span, owned = self._span(node), {whole.variable(one) for one in self._owned[name]}
        parts = _variables(whole, node, self._reader)
        held = tuple(Call("list", (one,), (), span) if one.id in owned else one for one in parts)
        return ListDisplay(held, span)

    def _uses_of(self, node: cst.Call) -> ChangingList:
        return next(held for held in self._uses.names.values() if any(one is node for one in held.makers))

    def _at(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], ChangingList, Name, Expression] | None:
        """The list and the place of the object that an expression stands for; None for everything else."""
        known = self._uses.mentions.get(id(node))
        if known is None:
            return None
        held, at = known
        name = Name(self._scope.local(held.name) or held.name, self._span(node))
        if id(at) in self._uses.loops:
            return (), held, name, self._places[id(at)]
        place = self._reader.expression(at)
        if isinstance(place, Constant | Name):
            return (), held, name, place
        kept = self._fresh("place", node)
        return (Assign((kept,), place, place.span),), held, name, kept

    def _fresh(self, word: str, node: cst.CSTNode) -> Name:
        return Name(self._scope.rename({word})[word], self._span(node))

    def _attribute(self, node: cst.Attribute) -> Expression | None:
        """What an object holds; None for everything else."""
        known = self._at(node.value)
        if known is None or node.attr.value not in known[1].made.attributes:
            return None
        before, held, name, place = known
        return self._reader.staged(before, _part(held, name, place, node.attr.value), self._span(node))

    def _taken_apart(self, node: cst.BaseExpression) -> tuple[tuple[Statement, ...], Instance] | None:
        """An object in variables of its own."""
        known = self._at(node)
        if known is None:
            return self._others(node)
        before, held, name, place = known
        whole, span = Instance(held.made, next(self._scope.numbers), held.made.name), self._span(node)
        self._taken[id(whole)] = whole, name, place, held.name
        variables = _variables(whole, node, self._reader)
        owned = {whole.variable(one) for one in self._owned[held.name]}
        kept = tuple(self._fresh("held", node) if one.id in owned else one for one in variables)
        copies = (
            Assign((own,), Call("list", (one,), (), span), span)
            for one, own in zip(kept, variables, strict=True)
            if one != own
        )
        return (*before, Assign((TupleTarget(kept, span),), Subscript(name, place, span), span), *copies), whole

    def _put_back(self, whole: Instance | ObjectClass, given: Given, node: cst.CSTNode) -> Given:
        """What a method gives, once what it has changed stands in the list."""
        if not isinstance(whole, Instance) or id(whole) not in self._taken:
            return given
        if isinstance(given.value, Instance | Choice | Several):
            raise self._reader.refuse("an object used as a value", node, "use its attributes and methods where it is")
        _, name, place, source = self._taken[id(whole)]
        span, kept = self._span(node), self._fresh("given", node)
        done = Assign((kept,), given.value, span)
        stored = self._as_list(whole, source, node)
        return Given((*given.statements, done, Assign((ItemTarget(name, place, span),), stored, span)), kept)

    def _assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`account.spent = x`; None for everything else."""
        known = self._at(target.value) if isinstance(target, cst.Attribute) else None
        if known is None or not isinstance(target, cst.Attribute) or target.attr.value not in known[1].made.attributes:
            return None
        before, held, name, place = known
        kept = self._fresh("value", target)
        item = self._reader.expression(value)
        return Assign((kept,), item, item.span), *before, self._stored(held, name, place, target.attr.value, kept)

    def _augmented(self, node: cst.AugAssign) -> tuple[Statement, ...] | None:
        """`account.spent += x`; None for everything else."""
        target, operator = node.target, AUGMENTED[type(node.operator)]
        known = self._at(target.value) if isinstance(target, cst.Attribute) else None
        attribute = target.attr.value if isinstance(target, cst.Attribute) else ""
        if known is None or attribute not in known[1].made.attributes or operator in _NOT_IN_PLACE:
            return None
        before, held, name, place = known
        kept = self._fresh("value", target)
        old = Assign((kept,), _part(held, name, place, attribute), kept.span)
        new = AugAssign(kept, operator, self._reader.expression(node.value), self._span(node))
        return *before, old, new, self._stored(held, name, place, attribute, kept)

    def _updated(self, node: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`leaf.items.append(x)` of a list that nobody else has; None for everything else."""
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Attribute() as whole, attr=cst.Name(value=method)), args=args):
                known = self._at(whole.value)
            case _:
                return None
        attribute, plain = whole.attr.value, not any(one.keyword or one.star for one in args)
        if known is None or attribute not in self._owned[known[1].name] or method not in UPDATES or not plain:
            return None
        before, held, name, place = known
        kept, span = self._fresh("value", node), self._span(node)
        old = Assign((kept,), Call("list", (_part(held, name, place, attribute),), (), span), span)
        done = Update(kept, method, tuple(self._reader.expression(one.value) for one in args), span)
        new = Call("list", (kept,), (), span)
        at = Constant(sorted(held.made.attributes).index(attribute), span)
        stored = Assign((name,), Call("with-item", (name, new, place, at), (), span), span)
        return *before, old, done, stored

    def _stored(self, held: ChangingList, name: Name, place: Expression, attribute: str, item: Name) -> Statement:
        at = Constant(sorted(held.made.attributes).index(attribute), name.span)
        return Assign((name,), Call("with-item", (name, item, place, at), (), name.span), name.span)

    def _looped(self, target: cst.BaseExpression, iterable: cst.BaseExpression) -> Looped | None:
        """A loop over such objects, as one over their places."""
        parts = [one.value for one in target.elements] if isinstance(target, cst.Tuple) else [target]
        held = [self._uses.loops.get(id(one)) for one in parts]
        if not any(held):
            return self._loops(target, iterable)
        span = self._span(target)
        places = [None if one is None else self._fresh("place", target) for one in held]
        self._places |= {id(one): at for one, at in zip(parts, places, strict=True) if at is not None}

        def gone_through(one: ChangingList) -> Expression:
            name = Name(self._scope.local(one.name) or one.name, span)
            return Call("range", (Call("len", (name,), (), span),), (), span)

        if not isinstance(target, cst.Tuple):
            [only], [through] = places, held
            assert only is not None
            assert through is not None
            return Looped({}, lambda _: only, gone_through(through))
        assert isinstance(iterable, cst.Call)
        if len(iterable.args) < len(parts):
            assert held[1] is not None
            along = Call("enumerate", (gone_through(held[1]),), (), span)
        else:
            given = zip(held, iterable.args, strict=True)
            several = (self._reader.iterable(a.value) if one is None else gone_through(one) for one, a in given)
            along = Call("zip", tuple(several), (), span)
        return Looped(
            {},
            lambda lower: TupleTarget(
                tuple(lower(one) if at is None else at for one, at in zip(parts, places, strict=True)), span
            ),
            along,
        )


def _variables(whole: Instance, node: cst.CSTNode, reader: Reader) -> tuple[Name, ...]:
    """The variables of an object, in the order in which a list has them."""
    return tuple(Name(whole.variable(one), reader.span(node)) for one in sorted(whole.made.attributes))


def _part(held: ChangingList, name: Name, place: Expression, attribute: str) -> Expression:
    at: Sequence[str] = sorted(held.made.attributes)
    return Subscript(Subscript(name, place, name.span), Constant(at.index(attribute), name.span), name.span)
