"""Runs on data of any length that they only gather: sums of what is made of each record, never in order.

A loop over the data is walked once, with the generic record (see `bags`). What it changes are lists that it fills, and
numbers to each of which a turn adds what does not hang on them. Nothing with a variable of the generic record in it
leaves the loop; noise has no part in a turn, and no turn ends the loop or a run. Data of less than two records, where a
sum may be one of nothing, is looked at as it is (see `inputs.shapes`).
"""

# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import z3

from dplint.claims import Span
from dplint.program import nodes as ir
from dplint.program.evaluator import evaluate
from dplint.program.liveness import liveness_of
from dplint.program.walk import walk
from dplint.proofs.alignment import ANY
from dplint.proofs.checker import limits
from dplint.proofs.checker.bags import LENGTH, Bag, Source
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.counting import cells, counted
from dplint.proofs.checker.functions import KEYWORDS, of_dtype
from dplint.proofs.checker.groups import COUNT, Empty, Grouped, Groups
from dplint.proofs.checker.inputs import Inputs
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.paths import Decider, Path, paths_of_both
from dplint.proofs.checker.turns import Filled, Turn, forgotten, read_in
from dplint.proofs.checker.values import (
    Entries,
    Items,
    Leaves,
    Live,
    Mask,
    Mixed,
    Series,
    Table,
    Value,
    Values,
    alike,
    boolean,
    both,
    is_number,
    real,
    refuse,
    refuse_if,
    sort,
    term,
    unmixed,
    variables_in,
    where,
    zero_of,
)
from dplint.proofs.checker.walking import Walk, changed_by
from dplint.sites import DrawSite

OneRun = TypeVar("OneRun", bound="GatheringWalk")
_FOLDS = frozenset(["sum", "mean", "fmean", "max", "min", "amax", "amin", "len"])


class GatheringWalk(Walk):
    """One run, of which the data may be of any length. loops: where the `for` loops of the program stand."""

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: ir.Program) -> None:
        super().__init__(run, decider, leaves)
        self._loops = {one.iterable.span for one in walk(program) if isinstance(one, ir.For)}
        self._turn: Turn | None = None
        self._next: Turn | None = None
        self._over = False
        self._measured: Bag | None = None

    # loops

    def entering_loop(self, node: ir.For | ir.While, iterable: Value, active: Mask, live: Live) -> None:
        """At a loop over the data: forget the numbers that it changes, and what is in the lists that it fills."""
        if not isinstance(iterable, Bag):
            return
        ends = any(isinstance(one, ir.Break | ir.Return | ir.Raise) for one in walk(getattr(node, "body", ())))
        if isinstance(node, ir.While) or node.orelse or ends or active is not True:
            raise refuse("a loop over data of any length that may end early, or not be come to", node.span)
        frame, names = live.scopes[-1]
        entered = changed_by(node, frame, names)
        state = {name: forgotten(value, name) for name, value in entered.items()}
        for name, value in state.items():
            frame.variables[name].value = value
        self._next = Turn(iterable, frame=frame, entered=entered, state=state, read=read_in(node))

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """The generic record once; and once more, for no run, so that the turn is told to be over."""
        value = value.view("keys") if isinstance(value, Grouped) else value
        if not isinstance(value, Bag):
            yield from super().iterate(value, active, span)
            return
        told, self._next = self._next, None
        if self._turn is not None or active is not True or (told is None and span in self._loops):
            raise refuse("a loop over data of any length in another one, or where data decides", span)
        self._turn = told or Turn(value)
        yield value.item, True
        self._over = True
        yield value.item, False

    def checkpoint(self, active: Mask) -> Mask:
        """At the end of a turn: what it has added to numbers is added for every record."""
        if not self._over:
            return super().checkpoint(active)
        turn, self._turn, self._over = self._turn, None, False
        assert turn is not None
        if active is not True and not self.decider.certain(boolean(active)):
            raise refuse("a loop over data of any length that a record may end")
        if turn.frame is not None and turn.entered is not None and turn.state is not None:
            known = {name: turn.frame.variables[name].value for name in turn.state}
            for name, after in known.items():
                before, state = turn.entered[name], turn.state[name]
                turn.frame.variables[name].value = self._gathered(turn.bag, before, state, after, name in turn.read)
        return True

    def _gathered(self, bag: Bag, entered: Value, state: Value, after: Value, read: bool) -> Value:
        """What a variable holds after the loop. read: whether a turn reads it."""
        if after is state:
            return entered
        if isinstance(after, {Filled: Bag, Empty: Grouped}.get(type(state), ())):
            return after
        same = type(entered) is type(after) or is_number(entered)
        if same and isinstance(entered, Items) and isinstance(after, Items) and isinstance(state, Items):
            if after.plain and entered.kind == after.kind and len(entered.items) == len(after.items):
                rows = zip(entered.items, state.items, after.items, strict=True)
                return Items.of(entered.kind, [self._gathered(bag, *row, read) for row in rows])
        elif same and isinstance(entered, Entries) and isinstance(after, Entries) and isinstance(state, Entries):
            if alike(entered.keys, after.keys):
                rows = zip(entered.values, state.values, after.values, strict=True)
                return Entries(entered.keys, tuple(self._gathered(bag, *row, read) for row in rows))
        elif is_number(entered) and is_number(unmixed(after)) and is_number(state):
            changed = isinstance(after, Mixed) or sort(entered) != sort(after)
            if changed and read:
                # In the turn it was of the type that it had before; in later ones it may be of another.
                raise refuse("a number whose type a loop over data of any length changes, and that it reads")
            gathered = self._summed(bag, entered, term(state), term(unmixed(after)))
            sure = not isinstance(after, Mixed) and (bag.guard is True or not changed)
            return gathered if sure else Mixed(real(gathered))
        raise refuse("a variable that a loop over data of any length does not only add to")

    def _summed(self, bag: Bag, entered: Value, state: z3.ArithRef, after: z3.ArithRef) -> z3.ArithRef:
        numbers = [(one, zero_of(one)) for one in variables_in(after, ("v:",))]
        added = z3.simplify(z3.substitute(after, *numbers) if numbers else after)
        if sort(entered) == "bool" or not self.decider.certain(after == state + added):
            raise refuse("a number to which a loop over data of any length adds what hangs on it")
        return term(entered) + self._added(bag.source, bag.guard, added)

    def _added(self, source: Source, guard: Mask, one: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over the records for which the guard holds."""
        one = where(guard, one)
        refuse_if(self.leaves.noisy(one), "a sum over data of any length with noise in it")
        limits.summand(self, one)
        result = source.added(one)
        while source.sums:
            self.intervals.sums(*source.sums.pop())
        for fact in source.facts:
            self.decider.assume(fact)
        return result

    @property
    def outside(self) -> bool:
        """Whether this is no turn of a loop over data of any length."""
        return self._turn is None

    # what is made of records

    def list_display(self, elements: Sequence[Value], active: Mask, span: Span) -> Value:
        """As ever; empty lists of a turn are known, since they are not those that it fills."""
        made = super().list_display(elements, active, span)
        if self._turn is not None:
            self._turn.lists.append(made)
        return made

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        """A list that a turn fills."""
        turn = self._turn
        empty = isinstance(value, Items) and value.kind == "list" and not value.items
        outer = turn is not None and turn.frame is None and empty and not any(value is one for one in turn.lists)
        if turn is not None and (outer or isinstance(value, Filled)):
            if method != "append" or len(arguments) != 1 or (outer and turn.made):
                raise refuse(f"the method {method} of a list that data of any length fills", span)
            guard = both(turn.bag.guard, self.alive(active))
            if "v" in self.leaves.of(arguments[0]) | self.leaves.of(guard):
                raise refuse("an item that hangs on what earlier turns have made", span)
            turn.made = True
            return Bag(turn.bag.source, arguments[0], guard)
        refuse_if(isinstance(value, Bag | Filled), f"the method {method} of a list of any length", span)
        return super().update(value, method, arguments, active, span)

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """A dict that a turn fills: with what is known, or with how many records have the key."""
        if not isinstance(value, Empty):
            return super().set_item(value, index, item, active, span)
        turn, before = self._turn, value.count(index)
        counted = isinstance(item, z3.ArithRef) and item.is_int() and self.decider.certain(item == before + 1)
        refuse_if(turn is None or not (counted or item is None), "a dict that does not count", span)
        assert turn is not None
        return self._grouped(
            turn.bag, index, COUNT if counted else None, both(turn.bag.guard, self.alive(active)), span
        )

    def _grouped(self, bag: Bag, key: Value, value: Value, guard: Mask, span: Span) -> Grouped:
        refuse_if((self.leaves.of(key) | self.leaves.of(guard)) & {"v", "n", "m"}, "such a key of a dict", span)
        return Groups.by(bag, key, value, guard)

    def mutable(self, value: Value) -> bool:
        """Lists and arrays of any length are."""
        return (
            isinstance(value, Filled | Empty | Grouped)
            or (isinstance(value, Bag) and value.kind != "tuple")
            or super().mutable(value)
        )

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """There are records; how many of some kind is not known."""
        if isinstance(value, Bag) and value.whole and value.kind != "array":
            return True
        refuse_if(isinstance(value, Bag | Filled | Table), "the truth of a list of any length", span)
        return super().truth(value, active, span)

    def by_element(self, function: Callable[..., Value], values: Sequence[Value], span: Span) -> Value:
        """As ever; of arrays of any length, and of lists, which count as such, one number of each record."""
        bags = [one for one in values if isinstance(one, Bag)]
        if not bags:
            return super().by_element(function, values, span)
        listed = all(bag.kind == "array" or (bag.kind == "list" and is_number(bag.item)) for bag in bags)
        if not listed or any(bag.source is not bags[0].source for bag in bags):
            raise refuse("an operator on a list of any length", span)
        if any(bag.guard is not bags[0].guard for bag in bags):
            raise refuse("an operator on arrays of which records were left out", span)
        if any(isinstance(one, Items | Entries | Filled | Series) for one in values):
            raise refuse("an operator on arrays of different lengths", span)
        item = function(*(one.item if isinstance(one, Bag) else one for one in values))
        return replace(bags[0], item=item, kind="array")

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """The records that an array of truth values lets through."""
        if isinstance(value, Bag):
            masked = isinstance(index, Bag) and index.source is value.source and value.kind == index.kind == "array"
            if masked and value.whole and index.whole and _is_truth(index.item):
                return replace(value, guard=index.item)
            raise refuse("an index into data of any length", span)
        return super().subscript(value, index, active, span)

    def called(self, asked: Asked) -> Value:
        """As ever; and functions and methods of all records."""
        first, *more = asked.arguments or (None,)
        if asked.method and isinstance(first, Empty | Grouped):
            return self._of_dict(asked, first, more)
        first = _gone_through(asked, first)
        if not isinstance(first, Bag) or not asked.keywords.keys() <= KEYWORDS.get(asked.name, set()):
            return super().called(asked)
        self._meets(first)
        array = first.kind == "array"
        refuse_if(first.kind == "view" and asked.of_numpy, f"{asked.function} of what is no list", asked.span)
        refuse_if("default" in asked.keywords and (asked.of_numpy or asked.method), "a default of NumPy", asked.span)
        match asked.method, asked.name, more:
            case (False, "list" | "tuple" | "array" | "asarray" | "bincount" | "shape" | "size", []) | (
                False,
                "histogram",
                _,
            ):
                return self._made(asked, first)
            case False, "dict", [] if isinstance(first.item, Items) and first.item.plain and len(first.item.items) == 2:
                refuse_if(first.item.items[1] is not None, "a dict with values of its own", asked.span)
                return self._grouped(first, *first.item.items, first.guard, asked.span)
            case False, "count_nonzero", [] if is_number(unmixed(first.item)):
                item = unmixed(first.item)
                nonzero = item if _is_truth(item) else term(item) != 0
                those = replace(first, item=1, guard=both(first.guard, nonzero))
                return self._folded(those, "sum", asked.active, asked.span)
            case True, "copy" | "tolist", []:
                return replace(first, kind="list") if asked.name == "tolist" else first
            case _, name, [] if name in _FOLDS and (not asked.method or (array and name != "len")):
                return self._folded(first, name, asked.active, asked.span)
            case True, "astype" | "clip", _ if array:
                return super().called(asked)
            case True, "count", [wanted] if not array:
                return self._how_many(asked, first, first.item, wanted)
        refuse_if(asked.method, f"the method {asked.name} of data of any length", asked.span)
        return super().called(asked)

    def _how_many(self, asked: Asked, bag: Bag, made: Value, wanted: Value) -> Value:
        """The number of records of which this is made."""
        same = super().compare("==", made, wanted, asked.active, asked.span)
        those = replace(bag, item=1, guard=both(bag.guard, same))
        return self._folded(those, "sum", asked.active, asked.span)

    def _of_dict(self, asked: Asked, made: Empty | Grouped, given: Sequence[Value]) -> Value:
        """What a method gives of a dict whose keys the data makes."""
        counts = asked.name == "get" and len(given) == 2 and alike(given[1:], [0])
        if counts and isinstance(made, Empty):
            return made.count(given[0])
        if counts and isinstance(made, Grouped) and made.value is COUNT and _is_key(given[0]):
            return self._how_many(asked, made.records, made.key, given[0])
        if isinstance(made, Empty) or asked.name not in ("keys", "values", "items") or given:
            raise refuse(f"{asked.name} of a dict whose keys the data makes", asked.span)
        return made.view(asked.name)

    def _made(self, asked: Asked, bag: Bag) -> Value:
        """Other containers, counts of each value, and the shape of an array."""
        kind, span = asked.name, asked.span
        if kind in ("bincount", "histogram"):
            ones = [replace(bag, item=1, guard=guard) for guard in cells(self, asked, bag.item, bag.guard)]
            return counted(self, asked, [self._folded(one, "sum", asked.active, span) for one in ones])
        if kind in ("shape", "size"):
            refuse_if(bag.kind != "array", "the shape of what is no array", span)
            length = self._folded(bag, "len", asked.active, span)
            return length if kind == "size" else Items.of("tuple", [length])
        refuse_if("array" in kind and not is_number(bag.item), "an array of what are no numbers", span)
        return replace(bag, item=of_dtype(self, asked, bag.item), kind=kind.removeprefix("as"))

    def _folded(self, bag: Bag, name: str, active: Mask, span: Span) -> Value:
        """One number of all records."""
        if name == "len" and bag.source.same_size and bag.whole:
            self._measured = bag
            return LENGTH
        if self._turn is not None:
            raise refuse("a sum over data of any length inside of a loop over it", span)
        if name == "len":
            return self._added(bag.source, bag.guard, z3.IntVal(1))
        item, mixed = unmixed(bag.item), isinstance(bag.item, Mixed)
        refuse_if(not is_number(item), f"the {name} of what are no numbers", span)
        number = term(item)
        if name in ("mean", "fmean"):
            added = self._folded(bag, "sum", active, span)
            return super().binary("/", added, self._folded(bag, "len", active, span), active, span)
        if name in ("max", "min", "amax", "amin"):
            if not bag.whole or sort(item) == "bool" or self.leaves.noisy(item):
                raise refuse("the extreme of records of which there may be none", span)
            larger = name in ("max", "amax")
            found = bag.source.extreme(number, larger)
            for leaf in variables_in(found, ("d:largest", "d:smallest")):
                self.intervals.lies(leaf, self.intervals.of(number))
            # Of all records of this run, the generic one among them.
            self.intervals.extremes.append((number, found, found >= number if larger else found <= number))
            return Mixed(found) if mixed else found
        added = self._added(bag.source, bag.guard, number)
        mixed |= not bag.whole and bag.kind != "array" and sort(item) == "float"
        return Mixed(real(added)) if mixed else added

    # nothing of the generic record leaves a turn

    def decided(self, condition: Mask, active: Mask) -> Mask:
        """Data decides in a turn without parting the run; noise may not."""
        if self._turn is not None and not isinstance(condition, bool):
            condition = z3.simplify(condition)
            found = self.leaves.of(condition)
            if "g" in found or self.leaves.noisy(condition):
                return condition
        return super().decided(condition, active)

    def choose(self, options: Sequence[z3.BoolRef]) -> int:
        """Not in a turn."""
        if self._turn is not None:
            raise refuse("a loop over data of any length in which noise decides")
        self._outside(*options)
        return super().choose(options)

    def draw(self, node: ir.Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """A number; for each item of a vector of any length one, where all are asked for at once or in a turn."""
        loc = parameters.get("loc")
        size = size.items[0] if isinstance(size, Items) and len(size.items) == 1 else size
        measured = size is LENGTH and self._measured is not None
        if not measured and self._turn is None and not isinstance(loc, Bag):
            self._outside(*parameters.values())
            return super().draw(node, parameters, size, active, site)
        bag = loc if isinstance(loc, Bag) else self._turn.bag if self._turn is not None else self._measured
        plain = self._turn is None or size is None
        known = bag is not None and bag.whole and bag.source.moving is not None and (measured or size is None)
        if bag is None or not plain or not known or active is not True:
            raise refuse("noise for each record of data of any length", node.span)
        given = {**parameters, "loc": loc.item} if isinstance(loc, Bag) else parameters
        number = super().draw(node, given, None, active, site)
        self.draws[-1].source = bag.source
        return number if self._turn is not None else Bag(bag.source, number, True, "array")

    def returned(self, value: Value, active: Mask, span: Span) -> None:
        """Not in a turn."""
        self._outside(value, active)
        super().returned(value, active, span)

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """Not in a turn."""
        if self._turn is not None:
            raise refuse("an exception inside of a loop over data of any length", span)
        self._outside(active, *arguments)
        super().raised(exception, arguments, active, span)

    def branch(self, condition: Mask, active: Mask, node: ir.Expression | ir.For) -> None:
        """What decides outside of a turn is known there."""
        if self._turn is None:
            self._outside(condition)

    def _outside(self, *values: Any) -> None:
        if any(self.leaves.of(one) & {"g", "v"} for one in values):
            raise refuse("what is known of one record of data of any length")


def paths_of(program: ir.Program, inputs: Inputs, kind: type[OneRun]) -> Iterator[Path[OneRun]]:
    """Every path. kind: of the runs."""
    leaves, intervals = Leaves(), Intervals(inputs.world, small=inputs.small)
    liveness = liveness_of(program) if inputs.shape.size == ANY else None

    def run(number: int, decider: Decider) -> OneRun:
        made = kind(number, decider, leaves, program)
        made.shows, made.intervals = program.observed, intervals.of_run()
        arguments = inputs.first if number == 1 else inputs.second
        evaluate(program, made, arguments, hooks=made if liveness is not None else None, liveness=liveness)
        return made

    return paths_of_both(inputs.world, inputs.world, run)


def _is_key(value: Value) -> bool:
    """Whether it is a number or a text."""
    return isinstance(value, str) or is_number(value)


def _gone_through(asked: Asked, value: Value) -> Value:
    """What a function of a table counts, and of a dict goes through."""
    if isinstance(value, Table) and asked.function == "len":
        return value.columns[0][1]
    return value.view("keys") if isinstance(value, Grouped) else value


def _is_truth(value: Value) -> bool:
    return isinstance(value, bool | z3.BoolRef)
