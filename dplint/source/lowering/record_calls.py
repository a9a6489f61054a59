"""What calls give of records, and of lists of them: see `record_uses`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

import libcst as cst

from dplint.source.bindings import SCOPES, all_parameters
from dplint.source.lowering.object_classes import PLAIN, STATIC
from dplint.source.lowering.record_kinds import Kind, Listed, Missing, Passing, Record, Together, Unknown
from dplint.source.lowering.scope import Scope
from dplint.source.walking import children, nodes_below

Frames: TypeAlias = tuple[dict[str, Kind], ...]
"""What the variables of the comprehensions and lambdas around the present place are, outer ones first."""
_LISTING = frozenset({"list", "sorted"})
_ENDS = {"heapq.nlargest": 1, "heapq.nsmallest": 1}
_PUTTING = {"append": 1, "extend": 1, "insert": 2}
_MOVING = frozenset({"sort", "reverse", "clear", "pop", "copy"})
"""Methods of lists that show nothing of what is in them, but where it is."""
_ORDERING = frozenset({"sorted", "max", "min", *_ENDS})


class Uses(Protocol):
    """Who looks through the function."""

    def value(self, node: cst.BaseExpression, frames: Frames) -> Kind:
        """What an expression gives."""

    def inside(self, nodes: Sequence[cst.CSTNode], frames: Frames) -> None:
        """Parts of an expression of which nothing is known."""

    def item(self, kind: Kind) -> Kind:
        """What a loop over such a value gives, one after the other."""

    def list_of(self, items: Sequence[Kind]) -> Kind:
        """A list with these in it."""

    def grows(self, held: Listed, new: Kind, receiver: cst.BaseExpression, frames: Frames) -> None:
        """Something is put into a list."""

    def asks_name(self, held: Kind, node: cst.BaseExpression) -> None:
        """What may be None is asked twice, so it has to have a name."""

    def lose(self, *kinds: Kind) -> None:
        """Records get to where nothing is known of them."""


class RecordCalls:
    """Says what a call gives. made: the record that it makes."""

    def __init__(self, scope: Scope, made: Callable[[cst.Call], Record | None], uses: Uses) -> None:
        self._scope = scope
        self._made = made
        self._uses = uses
        self._value = uses.value
        self._lose = uses.lose
        self.getters: dict[int, tuple[int, ...]] = {}
        """The places of the fields that a call of `attrgetter` asks records for."""

    def called(self, node: cst.Call, frames: Frames) -> Kind:
        """What a call gives."""
        made = self._made(node)
        if made is not None:
            self.arguments(node, frames)
            return made
        name = self._scope.canonical(node.func)
        if name is not None:
            return self._of_function(name, node, frames)
        if isinstance(node.func, cst.Attribute):
            return self._of_method(node.func, node, frames)
        self._uses.inside(children(node), frames)
        return None

    def arguments(self, node: cst.Call, frames: Frames) -> None:
        """What is given to something of which nothing is known."""
        for one in node.args:
            self._lose(self._value(one.value, frames))

    def _of_method(self, function: cst.Attribute, node: cst.Call, frames: Frames) -> Kind:
        held = self._value(function.value, frames)
        if isinstance(held, Listed):
            return self._of_list(held, function, node, frames)
        method = held.made.methods.get(function.attr.value) if isinstance(held, Record) else None
        self._uses.asks_name(held, function.value)
        if method is None or method.kind not in (PLAIN, STATIC):
            self._lose(held)
        self.arguments(node, frames)
        return held if isinstance(held, Unknown) else None

    def _of_function(self, name: str, node: cst.Call, frames: Frames) -> Kind:
        """A call of a function of a library, or a built-in one."""
        plain = [one.value for one in node.args if one.keyword is None]
        words = {one.keyword.value: one.value for one in node.args if one.keyword is not None}
        place, starred = _ENDS.get(name, 0), any(one.star for one in node.args)
        ordering = name in _ORDERING | _LISTING | {"reversed"} and len(plain) == place + 1
        if not starred and plain and name in ("enumerate", "zip"):
            return self._numbered(name, plain, [*words.values()], frames)
        if not starred and name in ("map", "filter") and len(plain) == len(node.args) == 2:
            item = self._looped(plain[1], frames)
            given = self._by_key(plain[0], item, frames)
            return Passing(given if name == "map" else item)
        if not starred and ordering:
            self._lose(*(self._value(one, frames) for one in plain[:place]))
            return self._ordered(name, plain[place], words, frames)
        kinds = [self._value(one.value, frames) for one in node.args]
        if name == "next" and plain and isinstance(kinds[0], Passing) and not words and not starred:
            return self._first(kinds[0].item, kinds[1:])
        plainly = {"len": (Listed,), "bool": (Listed, Record)}.get(name, ())
        if len(kinds) != 1 or not isinstance(kinds[0], plainly):
            self._lose(*kinds)
        return None

    def _first(self, item: Kind, missing: Sequence[Kind]) -> Kind:
        """`next(p for p in ps if p.score > 1)`, perhaps with None where there is none."""
        if not isinstance(item, Record) or item.or_none or any(not isinstance(one, Missing) for one in missing):
            self._lose(item, *missing)
            return None
        return replace(item, or_none=bool(missing))

    def _numbered(
        self, name: str, plain: Sequence[cst.BaseExpression], words: Sequence[cst.BaseExpression], frames: Frames
    ) -> Kind:
        """`enumerate(xs)` and `zip(xs, ys)`."""
        looped, others = (plain[:1], plain[1:]) if name == "enumerate" else (plain, plain[:0])
        items = [self._looped(one, frames) for one in looped]
        self._lose(*(self._value(one, frames) for one in (*others, *words)))
        return Passing(Together((None, *items) if name == "enumerate" else tuple(items)))

    def _ordered(
        self, name: str, items: cst.BaseExpression, words: Mapping[str, cst.BaseExpression], frames: Frames
    ) -> Kind:
        """A list, in another order, or one of its items."""
        item = self._looped(items, frames)
        for word, one in words.items():
            if word == "key" and name in _ORDERING:
                self._lose(self._by_key(one, item, frames))
            else:
                self._lose(self._value(one, frames), None if (word, name) == ("reverse", "sorted") else item)
        if isinstance(item, Together) or (name in _ORDERING and "key" not in words):
            self._lose(item)
        if name == "reversed":
            return Passing(item)
        if name in ("max", "min") or not isinstance(item, Record):
            return item if isinstance(item, Record | Unknown) else None
        return Listed(item)

    def _of_list(self, held: Listed, function: cst.Attribute, node: cst.Call, frames: Frames) -> Kind:
        """A call of a method of a list."""
        method = function.attr.value
        kinds = [self._value(one.value, frames) for one in node.args if one.keyword is None]
        words = {one.keyword.value: one.value for one in node.args if one.keyword is not None}
        if any(one.star for one in node.args) or (words and method != "sort"):
            self._lose(held, *kinds, *(self._value(one, frames) for one in words.values()))
            return None
        if len(kinds) == _PUTTING.get(method):
            self._lose(*kinds[:-1])
            new = kinds[-1] if method != "extend" else self._uses.item(kinds[-1])
            if not isinstance(new, Unknown):
                self._uses.grows(held, new, function.value, frames)
            return None
        if method == "sort":
            for word, one in words.items():
                self._lose(self._by_key(one, held.item, frames) if word == "key" else self._value(one, frames))
        self._lose(*kinds, None if method in _MOVING and (method != "sort" or "key" in words) else held)
        given: Mapping[str, Kind] = {"pop": held.item or Unknown(), "copy": held}
        return given.get(method)

    def _by_key(self, node: cst.BaseExpression, item: Kind, frames: Frames) -> Kind:
        """What a function gives of an item."""
        match node:
            case cst.Lambda() if len(all_parameters(node, variadic=True)) == 1 and node.params.params:
                only = node.params.params[0]
                if only.default is None and not any(isinstance(one, SCOPES) for one in nodes_below(node.body)):
                    return self._value(node.body, (*frames, {only.name.value: item}))
            case cst.Call(func=func, args=args) if (
                isinstance(item, Record) and self._scope.canonical(func) == "operator.attrgetter"
            ):
                fields = [one.value.raw_value for one in args if isinstance(one.value, cst.SimpleString)]
                if len(fields) == len(args) > 0 and all(one in item.made.fields for one in fields):
                    self.getters[id(node)] = tuple([*item.made.fields].index(one) for one in fields)
                    return None
        self._lose(item, self._value(node, frames))
        return None

    def _looped(self, node: cst.BaseExpression, frames: Frames) -> Kind:
        return self._uses.item(self._value(node, frames))
