"""The interpretation: every operation of the evaluator, on arrays where that means the same, else lane by lane."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from dplint.claims import Literal, Span
from dplint.program.meaning import AUGMENTED, BINARY, COMPARE, UNARY, function_of, method_of
from dplint.program.nodes import Draw, Expression, For
from dplint.program.refusals import unsupported
from dplint.program.vocabulary import SEEDED
from dplint.readings.lanes import (
    arithmetic,
    array_orders,
    arrays,
    containers,
    dicts,
    distances,
    elementary,
    exact_sums,
    formatting,
    functions,
    iterators,
    kinds,
    laws,
    matrices,
    quantiles,
    reductions,
    reshaping,
    searching,
    sets,
    sorting,
)
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.builtin_sum import summing
from dplint.readings.lanes.lane_values import (
    Arrays,
    Dicts,
    Keyed,
    Lists,
    Numbers,
    Objects,
    Patched,
    Ragged,
    SliceOf,
    Tag,
    Uniform,
    Value,
)
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.merging import as_lists
from dplint.readings.lanes.seeded import SeededLanes
from dplint.readings.lanes.spaces import Mask
from dplint.readings.lanes.ways import get_item, set_item_of, unpacking, updating, with_keywords, without_nan
from dplint.runner.texts import TextNumbers
from dplint.sites import DrawSite

FUEL = 10_000
"""Turns of one `while` loop; a run that needs more cannot be followed."""
_COMPACT = 0.8
"""A loop whose active lanes are less than this share of their space goes on in a space of its own."""
LEAST = 256
"""Spaces with fewer lanes than this are not worth compacting."""

_MODULES = (functions, elementary, searching, formatting, arrays, array_orders, dicts, iterators, kinds, sorting)
_OTHERS = (distances, exact_sums, quantiles, laws, matrices, reductions, reshaping, sets)
_KNOWN = {name: known for module in (*_MODULES, *_OTHERS) for name, known in module.KNOWN.items()}
_OF_ITEMS = frozenset(_KNOWN[name] for name in ("sorted", "sorted-by", "min", "min-by", "max", "max-by", "reversed"))
"""Functions for which a dict is the list of its keys."""
_OPERATORS = {"+": containers.joined, "*": containers.repeated, "**": elementary.power}
_OF_ARRAYS = {**arrays.METHODS, **array_orders.METHODS, **reductions.METHODS, **reshaping.METHODS}


class DrawSource(Protocol):
    """Where draws come from."""

    def draw(
        self,
        lanes: Lanes,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,
        site: DrawSite,
    ) -> Value:
        """The draw in the active lanes, a value at their space."""
        ...


class LanesInterpretation(Lanes):
    """See the module.

    python: major and minor version of the interpreter whose meaning is followed. least: lanes from which compacting
    pays.
    """

    def __init__(
        self, lanes: int, texts: TextNumbers, draws: DrawSource, python: tuple[int, int], least: int = LEAST
    ) -> None:
        super().__init__(lanes, texts)
        self._draws, self._seeded = draws, SeededLanes()
        self._least = least
        self._known = {**_KNOWN, "sum": summing(python >= (3, 12))}

    @property
    def fuel(self) -> int:
        """How many turns of one `while` loop are followed."""
        return FUEL

    def checkpoint(self, active: Mask) -> Mask:
        """Compacts: if few of a space's lanes are left, they get a space of their own."""
        if active.bits is None or active.outside or active.space.size < self._least:
            return active
        if self.count(active) > _COMPACT * active.space.size:
            return active
        return Mask(active.space.narrowed(active.bits.nonzero()[0]), None)

    # values

    def constant(self, value: Literal) -> Value:
        """The value itself; nobody changes it."""
        return Uniform(value)

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:  # noqa: ARG002
        """Python's truth."""
        (value,) = self.here([value], active)
        if isinstance(value, Uniform) and not isinstance(value.value, np.ndarray):
            return self.everywhere() if value.value else self.nowhere()
        if isinstance(value, Lists) and value.lengths is None:
            return self.everywhere() if value.items else self.nowhere()
        bits = functions.truth(self, value, active)
        if bits is None:
            found = self.each(bool, [value], active)
            if isinstance(found, Uniform):
                return self.everywhere() if found.value else self.nowhere()
            assert isinstance(found, Numbers)
            bits = found.data
        return self.mask(active.space, bits)

    def from_mask(self, mask: Mask) -> Value:
        """The bool that is True in these lanes."""
        bits = mask.within(self.root)
        return Uniform(True) if bits is None else Numbers(self.root, bits, Tag.BOOL)

    def select(self, mask: Mask, new: Value, old: Value, span: Span | None = None) -> Value:  # noqa: ARG002
        """`new` in the lanes of the mask."""
        return super().select(mask, new, old)

    def mutable(self, value: Value) -> bool:
        """Whether the value is a list, dict or array in any lane."""
        match value:
            case Uniform():
                return isinstance(value.value, list | dict | np.ndarray)
            case Lists():
                return not value.tuples
            case Patched():
                return self.mutable(value.new) or self.mutable(value.old)
            case Objects():
                return any(isinstance(item, list | dict | np.ndarray) for item in value.data.tolist())
        return isinstance(value, Arrays | Ragged | Dicts | Keyed)

    # operators

    def unary(self, operator: str, operand: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        (operand,) = self.here([operand], active)
        found = None if isinstance(operand, Uniform) else arithmetic.unary(self, operator, operand, active)
        return self._settled(
            found, UNARY[operator], [operand], active, lambda given, alike: self.unary(operator, given[0], alike, span)
        )

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        found = None
        left, right = self.here([left, right], active)
        if isinstance(left, Uniform) and isinstance(right, Uniform):
            if (known := arithmetic.uniform(BINARY[operator], left, right)) is not None:
                return known
        else:
            found = arithmetic.binary(self, operator, left, right, active)
            if found is None and operator in _OPERATORS:
                found = _OPERATORS[operator](self, left, right, active)
        return self._settled(
            found, BINARY[operator], [left, right], active,
            lambda given, alike: self.binary(operator, given[0], given[1], alike, span),
        )  # fmt: skip

    def augmented(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator, which changes in place: a list takes any iterable, an array keeps its type."""
        if not self.mutable(left):
            return self.binary(operator, left, right, active, span)
        self._refuse_tables(left, active, span)
        if operator == "+":
            found = containers.update(self, left, "extend", [right], active)
            if found is not None:
                return found.value
        here = self.at(left, active.space)
        if isinstance(here, Uniform) and isinstance(here.value, np.ndarray):
            here = arrays.as_array(self, here, active) or here
        if isinstance(here, Arrays):
            changed = arithmetic.binary(self, operator, here, right, active)
            if changed is not None and isinstance(changed.value, Arrays):
                made = changed.value
                if made.shape == here.shape and made.data.dtype == here.data.dtype:
                    return self.merge(active.space, active.bits, made, here)
        function = AUGMENTED[operator]
        return self.each(lambda a, b: function(copy.copy(a), b), [left, right], active)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Python's operator."""
        found = arithmetic.compare(self, operator, left, right, active)
        if found is None:
            found = dicts.membership(self, operator, left, right, active)
        if found is None:
            found = searching.membership(self, operator, left, right, active)
        if found is not None:
            return found
        left, right = self.here([left, right], active)
        apart = self.by_groups(
            lambda given, alike: self.compare(operator, given[0], given[1], alike, span), [left, right], active
        )
        if apart is not None:
            return apart
        if isinstance(left, Uniform) and isinstance(right, Uniform):
            return self.each(COMPARE[operator], [left, right], active)
        return self.each(without_nan(COMPARE[operator], span), [left, right], active)

    # containers

    def list_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A new list."""
        if all(isinstance(element, Uniform) for element in elements):
            return Uniform([element.value for element in elements if isinstance(element, Uniform)])
        return Lists(active.space, tuple(elements), None, tuples=False)

    def tuple_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A tuple."""
        if all(isinstance(element, Uniform) for element in elements):
            return Uniform(tuple(element.value for element in elements if isinstance(element, Uniform)))
        return Lists(active.space, tuple(elements), None, tuples=True)

    def dict_display(self, keys: Sequence[Literal], values: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """A dict; of equal keys the first one stays, with the last value."""
        entries = dict(zip(keys, values, strict=True))
        return Dicts(tuple(entries), tuple(entries.values()))

    def slice(self, start: Value | None, stop: Value | None, step: Value | None, span: Span) -> Value:  # noqa: ARG002
        """A slice as an index."""
        parts = (start, stop, step)
        if all(part is None or isinstance(part, Uniform) for part in parts):
            return Uniform(slice(*(part.value if isinstance(part, Uniform) else None for part in parts)))
        return SliceOf(parts)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """An item."""
        found = None
        value, index = self.here([value, index], active)
        if not (isinstance(value, Uniform) and isinstance(index, Uniform)):
            found = containers.subscript(self, value, index, active)
        return self._settled(
            found, get_item, [value, index], active,
            lambda given, alike: self.subscript(given[0], given[1], alike, span),
        )  # fmt: skip

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """The container with one item replaced in the active lanes."""
        if self.never(active):
            return value
        self._refuse_tables(value, active, span)
        found = self.sparing(lambda lanes: containers.set_item(self, value, index, item, lanes), active)
        if found is None:
            return self._changed(set_item_of, value, [index, item], active)
        return self._whole(value, self.settled(found, set_item_of, [value, index, item], active), active)

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:  # noqa: ARG002
        """The container after a method that changes it in the active lanes."""
        if self.never(active):
            return value
        found = self.sparing(lambda lanes: containers.update(self, value, method, arguments, lanes), active)
        function = updating(method)
        if found is None:
            return self._changed(function, value, arguments, active)
        return self._whole(value, self.settled(found, function, [value, *arguments], active), active)

    def _refuse_tables(self, value: Value, active: Mask, span: Span) -> None:
        here = self.at(value, active.space)
        two = isinstance(here, Arrays) and len(here.shape) > 1
        if two or (isinstance(here, Uniform) and isinstance(here.value, np.ndarray) and here.value.ndim > 1):
            raise unsupported("a change in place of an array of rows", span, "make a new array, or build it of lists")

    def _changed(self, function: Callable[..., Any], value: Value, given: Sequence[Value], active: Mask) -> Value:
        """The value after a change that only Python knows how to make, on copies."""
        new = self.each(function, [value, *given], active)
        left = self.alive(active)
        if isinstance(new, Uniform):
            return self.select(left, new, value)
        here = self.merge(active.space, left.within(active.space), new, self.at(value, active.space))
        return self._whole(value, here, active)

    def _whole(self, old: Value, new: Value, active: Mask) -> Value:
        """A value for all lanes from one that is right in the whole of the active lanes' space."""
        return self.select(self.mask(active.space, None), new, old)

    def unpack(self, value: Value, count: int, active: Mask, span: Span) -> Sequence[Value]:
        """Exactly `count` items."""
        lists = as_lists(self.at(value, active.space), active.space)
        if lists is not None and lists.lengths is None and len(lists.items) == count:
            return lists.items
        found = self.each(unpacking(count), [value], active)
        indices = [Uniform(position) for position in range(count)]
        if self.never(self.alive(active)):
            return [Uniform(None)] * count
        return [self.subscript(found, index, self.alive(active), span) for index in indices]

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """The items in order, each with the lanes that have it."""
        (here,) = self.here([value], active)
        if isinstance(here, Uniform):
            yield from self._iterate_uniform(here, active)
            return
        lists = functions.sequence(self, here, active)
        if lists is None:
            found = self.each(list, [here], active)
            if self.never(self.alive(active)):
                return
            lists = as_lists(found, active.space)
            if lists is None:
                raise unsupported("a loop over such long or varied lists", span, "use lists of up to 64 items")
        lengths = lists.lengths
        for position, item in enumerate(lists.items):
            yield item, self.everywhere() if lengths is None else self.mask(lists.space, lengths > position)

    def _iterate_uniform(self, value: Uniform, active: Mask) -> Iterator[tuple[Value, Mask]]:
        found = self.each(iter, [value], active)
        assert isinstance(found, Uniform)
        for item in found.value or ():
            yield Uniform(item), self.everywhere()

    # calls and draws

    def call(
        self,
        function: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """A function of the vocabulary."""
        if function in SEEDED:
            return self._seeded.call(self, function, arguments, keywords, active, span)
        if function == "print":
            return Uniform(None)
        if function == "dict" and not (arguments or keywords):
            return Uniform({})
        return self._call(self._known.get(function), function_of(function), arguments, keywords, active)

    def method(
        self,
        receiver: Value,
        method: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """A method of the vocabulary."""
        known, function = None, method_of(method)
        if method in ("index", "count"):
            function = without_nan(function, span)
        if not isinstance(receiver, Uniform):
            here = self.at(receiver, active.space)
            if isinstance(here, Arrays | Ragged):
                known = _OF_ARRAYS.get(method)
            elif isinstance(here, Lists):
                known = searching.METHODS.get(method)
            elif isinstance(here, Dicts | Keyed):
                known = dicts.METHODS.get(method)
            if isinstance(here, Arrays | Ragged | Lists | Dicts | Keyed) and method == "copy":
                return here
        else:
            known = {"get": dicts.METHODS["get"], "searchsorted": array_orders.METHODS["searchsorted"]}.get(method)
        return self._call(known, function, [receiver, *arguments], keywords, active)

    def _call(
        self,
        known: functions.Known | None,
        function: Callable[..., Any],
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
    ) -> Value:
        operands = self.here([*arguments, *keywords.values()], active)
        arguments = operands[: len(arguments)]
        keywords = dict(zip(keywords, operands[len(arguments) :], strict=True))
        if known in _OF_ITEMS:
            operands = [functions.keys_of(self, operand, active) for operand in operands]
            arguments = operands[: len(arguments)]
        found = None
        if known is not None and not all(isinstance(operand, Uniform) for operand in operands):
            # Of a wrong call Python says in its own words what is wrong with it.
            with suppress(TypeError, ValueError, IndexError):
                found = known(self, arguments, keywords, active)
        count, names = len(arguments), tuple(keywords)

        def again(given: Sequence[Value], alike: Mask) -> Value:
            return self._call(known, function, given[:count], dict(zip(names, given[count:], strict=True)), alike)

        return self._settled(found, with_keywords(function, count, names), operands, active, again)

    def _settled(
        self,
        found: Result | None,
        function: Callable[..., Any],
        operands: Sequence[Value],
        active: Mask,
        again: Callable[[Sequence[Value], Mask], Value] | None = None,
    ) -> Value:
        """What arrays have found, else what Python says. again: the same operation on fewer lanes."""
        if found is not None:
            return self.settled(found, function, operands, active)
        apart = None if again is None else self.by_groups(again, operands, active)
        return self.each(function, operands, active) if apart is None else apart

    def draw(
        self, node: Draw, parameters: Mapping[str, Value], size: Value | None, active: Mask, site: DrawSite
    ) -> Value:
        """What the source of draws gives."""
        if self.never(active):
            return Uniform(None)
        return self._draws.draw(self, node, parameters, size, active, site)

    # what happens

    def branch(self, condition: Mask, active: Mask, node: Expression | For) -> None:
        """Nobody asks for branches here."""

    def returned(self, value: Value, active: Mask, span: Span) -> None:  # noqa: ARG002
        """The output of these lanes."""
        self.finish(value, active)

    def exhausted(self, active: Mask, span: Span) -> None:
        """A loop without end in sight cannot be followed."""
        if not self.never(self.alive(active)):
            raise unsupported(f"a loop of more than {FUEL:,} turns", span, "bound the loop")
