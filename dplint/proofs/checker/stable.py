"""Functions without noise: outputs of neighbours are at most `d_out` apart.

Theorem: let what is made of each record that both neighbours have be shown to be the same in both runs. Then outputs
differ in what is made of the records that one run has of its own: in a row of a list for each; in the entry of its key
by no more than its number, of a dict of sums or counts by keys; in two rows at most, of the first rows of each key, of
which one comes in and one goes out. Numbers that are known as terms are apart as z3 finds. Of vectors, sorting brings
no two further apart in any of these norms, and a running sum moves by no more than all moves together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import is_

import z3

from dplint.claims import Mechanism, Metric, Span, Stability
from dplint.outcomes import Scope
from dplint.program.nodes import Draw, Program
from dplint.program.walk import walk
from dplint.proofs.checker import limits
from dplint.proofs.checker.bags import Bag, Source
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.expressions import Expression
from dplint.proofs.checker.gathering import GatheringWalk, paths_of
from dplint.proofs.checker.groups import COUNT, Empty, Grouped, written
from dplint.proofs.checker.inputs import VECTORS, Inputs, claimed, every_input
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Path
from dplint.proofs.checker.tables import Grouping, Groupwise
from dplint.proofs.checker.values import (
    Choice,
    Entries,
    Items,
    Mask,
    NotProved,
    Series,
    Table,
    Tally,
    Value,
    abs_of,
    alike,
    all_of,
    boolean,
    both,
    fail_if,
    is_known,
    is_number,
    negate,
    real,
    refuse_if,
    sort,
    term,
    unmixed,
    variables_in,
    where,
)
from dplint.relations import Neighbourhood, relation_of

SORTED, RUNNING, SUMS, FIRST = "sorted", "running sums", "sums by keys", "first rows of each key"
DISTINCT = "those that differ, sorted"
ROWS = "rows"
_NORMS = {
    Metric.L1: Neighbourhood.SUM_OF_MOVES,
    Metric.L2: Neighbourhood.LENGTH_OF_MOVE,
    Metric.LINF: Neighbourhood.LARGEST_MOVE,
}


@dataclass(frozen=True, eq=False, slots=True)
class Ordered:
    """What is made of all rows together, and only returned. rows: a list; of SUMS pairs of a key and a number; of FIRST
    all rows, each with its key in front, if there is one. how: one of the words above. most: rows of each key.
    """

    rows: Value
    how: str
    most: int = 0


class StableWalk(GatheringWalk):
    """A run without noise, which may end in what is made of all rows."""

    def called(self, asked: Asked) -> Value:
        """As ever; and what can only be returned."""
        first, *more = asked.arguments or (None,)
        made = None if asked.keywords else self._ordered(asked, first, more)
        if made is None:
            return super().called(asked)
        refuse_if(not self.outside or asked.active is not True, f"{asked.function} where data decides", asked.span)
        return made

    def mutable(self, value: Value) -> bool:
        """What is only returned is changed nowhere; but under another name it may have been."""
        return isinstance(value, Ordered) or super().mutable(value)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """As ever; of an expression of polars and a number or a text, of each row."""
        if isinstance(left, Expression) and (is_number(right) or isinstance(right, str)):
            refuse_if(left.single, "a comparison of one number of a table", span)
            return left.then(lambda one: GatheringWalk.compare(self, operator, one, right, active, span))
        return super().compare(operator, left, right, active, span)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """As ever; and the first rows of a list or an array."""
        known = isinstance(value, Bag) and isinstance(index, slice) and value.kind in ("list", "array")
        if not known or not isinstance(index.stop, int) or index.stop < 1 or (index.start, index.step) != (None, None):
            return super().subscript(value, index, active, span)
        refuse_if(not self.outside or active is not True or self.labelled, "a slice where data decides", span)
        return Ordered(replace(value, kind=ROWS), FIRST, index.stop)

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """As ever; and a dict to whose float of a key a turn adds what hangs on no other turn."""
        before = self._before(value, index) if isinstance(value, Empty) and self._turn is not None else None
        adds = before is not None and isinstance(item, z3.ArithRef) and any(before.eq(one) for one in _variables(item))
        if before is None or self._turn is None or not adds:
            return super().set_item(value, index, item, active, span)
        added = z3.simplify(z3.substitute(item, (before, z3.RealVal(0))))
        guard = both(self._turn.bag.guard, self.alive(active))
        leaves = self.leaves.of(added) | self.leaves.of(index) | self.leaves.of(guard)
        sums = "v" not in leaves and self.decider.certain(item == before + added)
        refuse_if(not sums, "a dict to which a turn does not only add", span)
        limits.summand(self, where(guard, added))
        return Ordered(Bag(self._turn.bag.source, Items.of("tuple", (index, added)), guard, ROWS), SUMS)

    def _before(self, value: Empty, key: Value) -> z3.ArithRef:
        """What earlier turns have added up for a key."""
        return z3.Real(f"v:{value.name}:sum:{written(key)}")

    def _of_dict(self, asked: Asked, made: Empty | Grouped, given: Sequence[Value]) -> Value:
        if isinstance(made, Empty) and asked.name == "get" and len(given) == 2 and alike(given[1:], [Fraction(0)]):
            return self._before(made, given[0])
        return super()._of_dict(asked, made, given)

    def _gathered(self, bag: Bag, entered: Value, state: Value, after: Value, read: bool) -> Value:
        sums = isinstance(state, Empty) and isinstance(after, Ordered) and after.how == SUMS
        return after if sums else super()._gathered(bag, entered, state, after, read)

    def _ordered(self, asked: Asked, first: Value, more: Sequence[Value]) -> Value:
        match asked.method, asked.function, more:
            case False, "sorted" | "numpy.sort" | "numpy.cumsum", []:
                return self._in_order(asked, first)
            case False, "dict", [] if isinstance(first, Grouped | Tally | Entries):
                return replace(first)  # another one with the same in it
            case True, "filter", [Expression(single=False) as asks] if isinstance(first, Table):
                masks = asks.of(first)
                refuse_if(len(masks) != 1, "a filter of several columns", asked.span)
                return self.subscript(first, masks[0][1], True, asked.span)
            case True, "to_dict", [] if isinstance(first, Groupwise) and first.columns[0][0] == "":
                return self._sums(first, asked)
            case True, "head", [int() as count] if isinstance(first, Grouping) and first.column is None and count > 0:
                refuse_if(isinstance(count, bool), "so many rows", asked.span)
                columns = [one for _, one in first.parts.columns]
                rows = _side_by_side([first.by, *columns], [name for name, _ in first.parts.columns])
                return Ordered(rows, FIRST, count)
        return None

    def _in_order(self, asked: Asked, first: Value) -> Value:
        """Numbers of one type, sorted or added up one by one."""
        if isinstance(first, Grouped | Tally | Entries) and asked.function == "sorted":
            found = [first.key] if isinstance(first, Grouped) else first.keys
            refuse_if(not all(map(_is_ordered, found)), "keys in order that may be of several types", asked.span)
            if isinstance(first, Grouped):
                return Ordered(replace(first.records, item=first.key, kind=ROWS), DISTINCT)
            there = first.there if isinstance(first, Tally) else (True,) * len(found)
            return Ordered(Items(ROWS, tuple(found), there), DISTINCT)
        if not isinstance(first, Bag | Items) or self.labelled:
            return None
        array = asked.function.startswith("numpy.")
        numbers = [first.item] if isinstance(first, Bag) else first.items
        known = first.kind == "array" if array else first.kind in ("list", "tuple")
        plain = all(is_number(one) and sort(one) != "bool" for one in numbers) and len(set(map(sort, numbers))) < 2
        refuse_if(not known or not plain, f"{asked.function} of what are no numbers of one type", asked.span)
        self.numpy |= array
        if asked.name == "cumsum":
            for one in numbers:
                limits.summand(self, term(one))
        return Ordered(replace(first, kind="array" if array else "list"), RUNNING if asked.name == "cumsum" else SORTED)

    def _sums(self, made: Groupwise, asked: Asked) -> Value:
        values = made.columns[0][1]
        if values is None:
            values = self.by_element(lambda _: 1, (made.keys,), asked.span)
        rows = _side_by_side([made.keys, values])
        for row in [rows.item] if isinstance(rows, Bag) else rows.items:
            value = unmixed(row.items[1])
            refuse_if(not is_number(value) or sort(value) == "bool", "sums of what are no numbers", asked.span)
            limits.summand(self, term(value))
        return Ordered(rows, SUMS)


def check_stable(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless all neighbours of the scope have outputs that are as near as the claim says."""
    claim = mechanism.claim
    stability = claim.stable
    if stability is None or stability.d_out is None or stability.open_metric or stability.centred:
        raise NotProved("no claim of stability")
    fail_if(stability.metric is Metric.INSERT_DELETE, "rows that are inserted and deleted in their order")
    fail_if(claim.observe or claim.user, "what is shown beside the output, or data by users")
    fail_if(any(isinstance(one, Draw) for one in walk(program)), "a function that draws noise")
    definition = relation_of(claim).definition
    fail_if(definition is None, "neighbours that only the claim's own function knows")
    # Of records, steps from neighbour to neighbour; any data of the scope may lie between. Of vectors, a norm.
    steps = 1.0 if definition in VECTORS else stability.d_in
    every = scope.sizes is None or scope.sizes.largest is None
    fail_if(steps < 1 or steps != int(steps) or (steps > 1 and not every), "so many steps between the inputs")
    for inputs in every_input(mechanism, scope):
        arguments = {name: one for name, one in inputs.first.items() if name != mechanism.data}
        allowed = real(term(claimed(stability.d_out, arguments, "", None)))
        for path in paths_of(program, inputs, StableWalk):
            pause()
            fail_if(path.first.draws or path.first.conditions, "a function that draws noise")
            _Compared(inputs, path, stability, allowed, int(steps)).show()


class _Compared(Known):
    """Both runs on one path. allowed: how far they may be apart; where that is below 0 the claim says nothing."""

    def __init__(
        self, inputs: Inputs, path: Path[StableWalk], claim: Stability, allowed: z3.ArithRef, steps: int
    ) -> None:
        super().__init__([*inputs.world, *path.regime, *path.facts, allowed >= 0], path.decisions)
        self._path, self._metric, self._allowed, self._steps = path, claim.metric, allowed, steps
        self._labelled = path.first.labelled or path.second.labelled

    def show(self) -> None:
        """Raises NotProved unless all outputs that both runs may give together are near enough."""
        for one in self._path.first.outputs:
            for other in self._path.second.outputs:
                here = boolean(both(one.mask, other.mask))
                if self.excludes(here) or one.kind == other.kind != "value":
                    continue
                fail_if(one.kind != other.kind, "an exception on one side alone")
                self._near(one.value, other.value, here)

    def _near(self, one: Value, other: Value, here: z3.BoolRef) -> None:
        moves, by_place = self._moves(one, other, here)
        near = self._within(moves)
        if by_place and self._metric in (Metric.L2, Metric.LINF) and not self.excludes(z3.And(here, z3.Not(near))):
            squares = z3.Sum([z3.RealVal(0), *(real(move) * real(move) for move in moves)])
            length = squares * self._steps * self._steps <= self._allowed * self._allowed
            near = length if self._metric is Metric.L2 else z3.And([self._within([move]) for move in moves])
        self.expect(near, "outputs may be further apart than is claimed", here)

    def _within(self, moves: Sequence[z3.ArithRef]) -> z3.BoolRef:
        """Whether all of these together are allowed, in each step."""
        return z3.Sum([z3.RealVal(0), *map(real, moves)]) * self._steps <= self._allowed

    def _moves(self, one: Value, other: Value, here: z3.BoolRef) -> tuple[list[z3.ArithRef], bool]:
        """Numbers, none of them negative, whose sum is a bound of the distance; and whether they are the moves of all
        places, one for each.
        """
        if self._metric in (Metric.SYMMETRIC, Metric.CHANGES):
            return self._of_rows(one, other, here), False
        if self._metric is Metric.ABSOLUTE:
            return [_move(one, other)], True
        how = [side.how if isinstance(side, Ordered) else "" for side in (one, other)]
        one, other = (side.rows if isinstance(side, Ordered) else side for side in (one, other))
        if isinstance(one, Bag) and isinstance(other, Bag) and one.source.moving is not None:
            fail_if(how[0] != how[1], "two kinds of outputs")
            return [self._of_vectors(one, other, how[0])], False
        if how[0] in ("", SORTED, RUNNING) and how[0] == how[1] and (how[0] or not _sparse(one, other)):
            fail_if(how[0] == RUNNING and self._metric is not Metric.LINF, "running sums in this norm")
            return list(_by_places(one, other)), how[0] != RUNNING
        fail_if(any(kind not in ("", SUMS) for kind in how), "two kinds of outputs")
        return self._of_keys(_counted(one), _counted(other), here), False

    def _of_vectors(self, one: Bag, other: Bag, how: str) -> z3.ArithRef:
        """The norm of the move of all items of a vector at most; in each of the norms, sorting makes none larger."""
        fail_if(not one.whole or not other.whole or how not in ("", SORTED, RUNNING), "items of a vector left out")
        norm = _NORMS[self._metric]
        fail_if(how == RUNNING and self._metric is not Metric.LINF, "running sums in this norm")
        moved = term(unmixed(other.item)) - term(unmixed(one.item))
        bound = other.source.moved(moved, Neighbourhood.SUM_OF_MOVES if how == RUNNING else norm)
        if bound is None and norm is Neighbourhood.LARGEST_MOVE and how != RUNNING:
            near = z3.And(self._within([moved]), self._within([-moved]))
            self.expect(near, "an item may move further than is claimed")
            return z3.RealVal(0)
        if bound is None:
            raise NotProved("moves of a vector that have no bound")
        return bound

    def _of_keys(self, one: Value, other: Value, here: z3.BoolRef) -> list[z3.ArithRef]:
        """By how much the entries of dicts move in which an absent key counts as 0: those of own records alone."""
        if isinstance(one, Bag) and isinstance(other, Bag):
            fail_if(one.kind != ROWS, "what is no dict")
            self._same_of_both(one, other, here)
            return [_own(bag, _move(bag.item.items[1], 0)) for bag in (one, other) if bag.source.own is not None]
        return [*_entries(one), *_entries(other)]

    def _of_rows(self, one: Value, other: Value, here: z3.BoolRef) -> list[z3.ArithRef]:
        """How many rows differ."""
        kinds = [side.how if isinstance(side, Ordered) else "" for side in (one, other)]
        first, second = (self._rows(side) for side in (one, other))
        some = FIRST in kinds
        fail_if(kinds[0] != kinds[1] or (kinds[0] and self._metric is Metric.CHANGES), "rows in another order")
        fail_if(some and one.most != other.most, "another number of first rows")
        if isinstance(first, Bag) and isinstance(second, Bag):
            self._same_of_both(first, second, here)
            sides = [side for side in (first, second) if side.source.own is not None]
            if self._metric is Metric.CHANGES:
                fail_if(not first.whole or not second.whole or len(sides) != 2, "another number of rows")
                return [z3.IntVal(1)]
            return [_own(side, z3.IntVal(2 if some else 1)) for side in sides]
        if not isinstance(first, Items) or not isinstance(second, Items):
            raise NotProved("rows of known and of unknown number")
        if self._metric is Metric.CHANGES:
            fail_if(not first.plain or not second.plain or len(first.items) != len(second.items), "other rows")
        unlike = _unlike(first, second, side_by_side=not some)
        return [z3.If(one > 0, 1, 0) for one in unlike] if self._metric is Metric.CHANGES else unlike

    def _rows(self, value: Value) -> Bag | Items:
        """The rows of an output, in the order in which records are; a column of pandas has labels that count."""
        if isinstance(value, Table):
            return _side_by_side([one for _, one in value.columns], [name for name, _ in value.columns])
        if isinstance(value, Ordered) and value.how in (SORTED, FIRST, DISTINCT):
            value = value.rows
        if isinstance(value, Bag | Items) and value.kind in ("list", "tuple", "array", ROWS):
            fail_if(value.kind == "array" and self._labelled, "a column, whose labels count")
            return value
        raise NotProved("rows of this kind")

    def _same_of_both(self, one: Bag, other: Bag, here: z3.BoolRef) -> None:
        """What is made of each record that both neighbours have is the same in both runs."""
        plain = all(type(side.source) is Source and side.source.moving is None for side in (one, other))
        fail_if(not plain or one.kind != other.kind, "what is made of other things than records")
        guards = boolean(one.guard), boolean(other.guard)
        same = z3.Implies(guards[0], boolean(_same(one.item, other.item)))
        self.expect(z3.And(guards[0] == guards[1], same), "what is made of a record may hang on others", here)


def _is_ordered(key: Value) -> bool:
    """Whether it is one of texts alone, or a number whose type is known."""
    if isinstance(key, Choice):
        return all(isinstance(one, str) for one in key.values)
    return is_number(key) and sort(key) != "bool"


def _variables(value: z3.ExprRef) -> list[z3.ArithRef]:
    return variables_in(value, ("v:",))


def _own(bag: Bag, number: z3.ArithRef) -> z3.ArithRef:
    """A number of the record that a run has of its own, 0 where it is left out."""
    assert bag.source.own is not None
    return z3.substitute(where(boolean(bag.guard), number), *bag.source.own)


def _move(one: Value, other: Value) -> z3.ArithRef:
    first, second = unmixed(one), unmixed(other)
    if not is_number(first) or not is_number(second):
        raise NotProved("outputs that are no finite numbers")
    return abs_of(z3.simplify(term(first) - term(second)))


def _by_places(one: Value, other: Value) -> Iterator[z3.ArithRef]:
    """The moves of all places of two outputs of one form."""
    if isinstance(one, Series) and isinstance(other, Series):
        fail_if(not alike(one.labels, other.labels), "series of other labels")
        one, other = one.values, other.values
    if isinstance(one, Entries) and isinstance(other, Entries):
        fail_if(not alike(one.keys, other.keys), "dicts with other keys")
        pairs = zip(one.values, other.values, strict=True)
    elif isinstance(one, Items) and isinstance(other, Items):
        known = all(side.plain and side.kind in ("list", "tuple", "array") for side in (one, other))
        fail_if(not known or len(one.items) != len(other.items), "lists of another or unknown length")
        pairs = zip(one.items, other.items, strict=True)
    else:
        yield _move(one, other)
        return
    for first, second in pairs:
        yield from _by_places(first, second)


def _sparse(one: Value, other: Value) -> bool:
    """Whether these are dicts that may have other keys: an absent one counts as 0."""
    if isinstance(one, Entries) and isinstance(other, Entries):
        return not alike(one.keys, other.keys)
    return all(isinstance(side, Entries | Tally | Grouped) for side in (one, other))


def _counted(value: Value) -> Value:
    """A dict of counts as rows of a key and 1."""
    if not isinstance(value, Grouped):
        return value
    fail_if(value.value is not COUNT, "a dict that does not count")
    return replace(value.records, item=Items.of("tuple", (value.key, 1)), kind=ROWS)


def _entries(value: Value) -> Iterator[z3.ArithRef]:
    """The sizes of all entries of a dict, or of what each row adds to one."""
    if isinstance(value, Items) and value.kind == ROWS:
        rows = [(row.items[1], there) for row, there in zip(value.items, value.guards, strict=True)]
    elif isinstance(value, Entries):
        rows = [(one, True) for one in value.values]
    elif isinstance(value, Tally):
        rows = list(zip(value.values, value.there, strict=True))
    else:
        raise NotProved("a dict of this kind")
    for number, there in rows:
        yield where(there, _move(number, 0))


def _unlike(one: Items, other: Items, *, side_by_side: bool) -> list[z3.ArithRef]:
    """How many rows differ at most: those at one place are put side by side; else none is taken for another."""
    found = list[z3.ArithRef]()
    for place in range(max(len(one.items), len(other.items))):
        guards = [side.guards[place] if place < len(side.items) else False for side in (one, other)]
        rows = z3.Sum([where(guard, z3.IntVal(1)) for guard in guards])
        same = both(*guards) if side_by_side else False
        if same is not False:
            same = both(same, _same(one.items[place], other.items[place]))
        found.append(where(negate(same), rows))
    return found


def _same(one: Value, other: Value) -> Mask:
    """Whether two entries of rows are the same to `==`: numbers, whatever their types."""
    first, second = unmixed(one), unmixed(other)
    if is_number(first) and is_number(second):
        return z3.simplify(real(term(first)) == real(term(second)))
    if isinstance(first, Items) and isinstance(second, Items):
        known = first.plain and second.plain and len(first.items) == len(second.items) and first.kind == second.kind
        return known and all_of(map(_same, first.items, second.items))
    if isinstance(first, Entries) and isinstance(second, Entries):
        return alike(first.keys, second.keys) and all_of(map(_same, first.values, second.values))
    if isinstance(first, Choice) and isinstance(second, Choice):
        return first.index == second.index if alike(first.values, second.values) else False
    return is_known(first) and is_known(second) and alike([first], [second])


def _side_by_side(columns: Sequence[Value], names: Sequence[str] = ()) -> Bag | Items:
    """Columns of the same rows as rows, with the names of the columns, which are alike in both runs."""
    first = columns[0]
    for one in columns:
        bags = isinstance(one, Bag) and isinstance(first, Bag) and one.source is first.source
        same = bags and one.guard is first.guard
        if isinstance(one, Items) and isinstance(first, Items):
            same = len(one.items) == len(first.items) and all(map(is_, one.guards, first.guards))
        fail_if(not same, "columns of other rows")
    if isinstance(first, Bag):
        return replace(first, item=Items.of("tuple", (*names, *(one.item for one in columns))), kind=ROWS)
    rows = zip(*(one.items for one in columns), strict=True)
    return Items(ROWS, tuple(Items.of("tuple", (*names, *row)) for row in rows), first.guards)
