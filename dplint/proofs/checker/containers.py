"""Lists, tuples, arrays, dicts and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import z3

from dplint.claims import Span
from dplint.proofs.checker import arithmetic
from dplint.proofs.checker.context import Context
from dplint.proofs.checker.values import (
    Entries,
    Items,
    Mask,
    Mixed,
    Table,
    Tally,
    Value,
    all_of,
    any_of,
    both,
    is_known,
    is_number,
    is_term,
    negate,
    real,
    refuse,
    refuse_if,
    select,
    sort,
    term,
    unmixed,
    where,
)

_LONGEST = 10_000


def binary(operator: str, left: Value, right: Value, span: Span) -> Value:
    """+ and * of lists."""
    sequences = [value for value in (left, right) if isinstance(value, Items)]
    if operator == "+" and len(sequences) == 2 and left.kind == right.kind and left.kind in ("list", "tuple"):
        return Items(left.kind, left.items + right.items, left.guards + right.guards)
    if operator == "*" and len(sequences) == 1:
        count = right if isinstance(left, Items) else left
        if (
            isinstance(count, int)
            and sequences[0].kind in ("list", "tuple")
            and count * len(sequences[0].items) <= _LONGEST
        ):
            return Items(sequences[0].kind, sequences[0].items * count, sequences[0].guards * count)
    raise refuse(f"the operator {operator} on these containers", span)


def iterate(value: Value, span: Span) -> Iterator[tuple[Value, Mask]]:
    """The items in order; a list whose length depends on the data is refused, unless only its last may be missing."""
    value = value.view("keys") if isinstance(value, Tally) else value
    if isinstance(value, Items) and all(guard is True for guard in value.guards[:-1]):
        yield from zip(value.items, value.guards, strict=True)
    elif isinstance(value, Entries):
        yield from ((key, True) for key in value.keys)
    elif isinstance(value, str):
        yield from ((letter, True) for letter in value)
    else:
        raise refuse("a loop over what is no list of known length", span)


def subscript(walk: Context, value: Value, index: Value, active: Mask, span: Span) -> Value:
    """`value[index]`; an index that the data decides takes one of all items."""
    if isinstance(value, Entries | Tally):
        return entry(walk, value, index, active, span)
    refuse_if(isinstance(index, bool), "a truth value as an index", span)
    if isinstance(value, str) and isinstance(index, int | slice):
        return _taken(walk, value, index, active, span)
    refuse_if(not isinstance(value, Items) or not value.plain, "an index into what is no list of known length", span)
    if isinstance(index, slice):
        return Items.of(value.kind, value.items[index])
    if isinstance(index, Items) and value.kind == index.kind == "array":
        return _masked(walk, value, index, span)
    if isinstance(index, int):
        return _taken(walk, value.items, index, active, span)
    if _is_place(walk, index) and value.items:
        places = _places(walk, value, index, span)
        return _chosen(places, value.items, span)
    raise refuse("this index", span)


def _is_place(walk: Context, index: Value) -> bool:
    """Whether it is a whole number that data or arguments decide."""
    return isinstance(index, z3.ArithRef) and index.is_int() and not walk.leaves.noisy(index)


def _chosen(places: Sequence[Mask], values: Sequence[Value], span: Span) -> Value:
    """The value whose mask holds; the first one if no other does."""
    found = values[0]
    for place, value in zip(places[1:], values[1:], strict=True):
        found = select(place, value, found, span)
    return found


def _masked(walk: Context, value: Items, index: Items, span: Span) -> Items:
    """The items for which an array of truth values holds."""
    truths = [one for one in index.items if isinstance(one, bool | z3.BoolRef) and not walk.leaves.noisy(one)]
    if not index.plain or len(truths) != len(value.items):
        raise refuse("an array as an index that is not as long, or of what are no truth values of data", span)
    return Items("array", value.items, tuple(truths))


def _taken(walk: Context, values: Sequence[Value], index: int | slice, active: Mask, span: Span) -> Value:
    try:
        return values[index]
    except IndexError:
        walk.raised("IndexError", (), active, span)
        return 0


def entry(
    walk: Context, value: Entries | Tally, key: Value, active: Mask, span: Span, default: Sequence[Value] = ()
) -> Value:
    """What a dict has for a key; for one that it may not have, the default, if there is one."""
    if is_known(key) and isinstance(value, Entries):
        for known, item in zip(value.keys, value.values, strict=True):
            if known == key:
                return item
        refuse_if(not default, "a key that is missing", span)
        return default[0]
    places = _keys(walk, value, key, span)
    missing = negate(any_of(places))
    refuse_if(not default and not _never(walk, both(active, missing)), "a key that may be missing", span)
    rest = default if default and not _never(walk, missing) else ()
    return _chosen([*((missing,) if rest else ()), *places], [*rest, *value.values], span)


def _keys(walk: Context, value: Entries | Tally, key: Value, span: Span) -> list[Mask]:
    """For each key of a dict whether it is this one, which data or arguments decide."""
    if walk.leaves.noisy(key) or (isinstance(key, Items) and key.kind != "tuple"):
        raise refuse("a key that depends on noise, or that is a list", span)
    there = value.there if isinstance(value, Tally) else (True,) * len(value.keys)
    same = [known is key or arithmetic.compare("==", key, known, span) for known in value.keys]
    return [both(one, other) for one, other in zip(there, same, strict=True)]


def _never(walk: Context, mask: Mask) -> bool:
    return mask is False or (mask is not True and walk.decider.certain(z3.Not(mask)))


def _places(walk: Context, value: Items, index: z3.ArithRef, span: Span) -> list[Mask]:
    """For each item whether the index means it."""
    count = len(value.items)
    if not walk.decider.certain(z3.And(index >= -count, index < count)):
        raise refuse("an index at which there may be no item", span)
    return [z3.Or(index == k, index == k - count) for k in range(count)]


def set_item(walk: Context, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
    """The container after `value[index] = item` in the active runs."""
    if isinstance(value, Entries | Tally):
        return set_entry(walk, value, index, item, active, span)
    if not isinstance(value, Items) or not value.plain or value.kind == "tuple":
        raise refuse("an item of what is no list of known length", span)
    # Of an array, it would be all items or none.
    refuse_if(isinstance(index, bool), "a truth value as an index", span)
    if isinstance(index, int):
        refuse_if(not -len(value.items) <= index < len(value.items), "an item that is not there", span)
        places: list[Mask] = [k == index % len(value.items) for k in range(len(value.items))]
    elif _is_place(walk, index):
        places = _places(walk, value, index, span)
    else:
        raise refuse("this index", span)
    if value.kind == "array" and any(
        isinstance(old, Mixed) or (is_number(old) and sort(old) != sort(item)) for old in value.items
    ):
        raise refuse("an item of another type than its array has", span)
    return Items.of(value.kind, _replaced(value.items, places, item, active, span))


def set_entry(
    walk: Context, value: Entries | Tally, key: Value, item: Value, active: Mask, span: Span
) -> Entries | Tally:
    """A dict after an assignment; where the data makes a key, or decides whether there is one, as a tally."""
    known = isinstance(value, Entries) and is_known(key)
    places = [one == key for one in value.keys] if known else _keys(walk, value, key, span)
    values, new = _replaced(value.values, places, item, active, span), both(active, negate(any_of(places)))
    if isinstance(value, Tally):
        there = value.there
    elif _never(walk, new):
        return Entries(value.keys, values)
    elif active is True and is_known(key):
        return Entries((*value.keys, key), (*values, item))
    else:
        there = (True,) * len(values)
    return Tally((*value.keys, key), (*values, item), (*there, new))


def _replaced(
    values: Sequence[Value], places: Sequence[Mask], item: Value, active: Mask, span: Span
) -> tuple[Value, ...]:
    return tuple(select(both(active, place), item, old, span) for old, place in zip(values, places, strict=True))


def update(walk: Context, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
    """The list after `append` or `extend`; others are refused."""
    refuse_if(not isinstance(value, Items) or value.kind != "list", f"the method {method} of what is no list", span)
    active = walk.alive(active)
    if method == "append" and len(arguments) == 1:
        return Items("list", (*value.items, arguments[0]), (*value.guards, active))
    if method == "extend" and len(arguments) == 1 and isinstance(arguments[0], Items):
        more = arguments[0]
        guards = tuple(both(active, guard) for guard in more.guards)
        return Items("list", value.items + more.items, value.guards + guards)
    raise refuse(f"the method {method}", span)


def total(walk: Context, value: Value, start: Value, active: Mask, span: Span) -> Value:
    """The sum of the items that exist."""
    refuse_if(not isinstance(value, Items), "the sum of what is no list of known length", span)
    for item, guard in zip(value.items, value.guards, strict=True):
        if guard is True:
            start = walk.binary("+", start, item, active, span)
        else:
            number = where(guard, term(unmixed(item)))
            known = value.kind == "array" or (is_number(item) and sort(item) != "float")
            start = walk.binary("+", start, number if known else Mixed(real(number)), active, span)
    return start


def length(value: Value, span: Span) -> Value:
    """How many items exist."""
    if isinstance(value, Table):
        return length(value.columns[0][1], span)
    if isinstance(value, Entries):
        return len(value.keys)
    if isinstance(value, str):
        return len(value)
    value = value.view("keys") if isinstance(value, Tally) else value
    refuse_if(not isinstance(value, Items), "the length of what is no list of known length", span)
    known = sum(guard is True for guard in value.guards)
    open_guards = [guard for guard in value.guards if guard is not True]
    return known if not open_guards else z3.Sum([z3.IntVal(known), *(z3.If(g, 1, 0) for g in open_guards)])


def extreme(walk: Context, larger: bool, items: Sequence[Value], span: Span) -> Value:
    """The largest or the smallest of some numbers, as a term."""
    refuse_if(not items, "the extreme of an empty list", span)
    kept = [unmixed(one) for one in items if not isinstance(one, float)]
    if len(kept) < len(items) or not all(map(is_number, kept)):
        raise refuse("the extreme of what are no finite numbers", span)
    sorts = {"mixed" if isinstance(one, Mixed) else sort(one) for one in items}
    of_data = walk.leaves.of(Items.of("list", kept)) & {"d", "g"} and not _noisy(walk, kept)
    mixed = "mixed" in sorts or (len(sorts) > 1 and bool(of_data))
    refuse_if(mixed and "bool" in sorts, "an extreme whose type depends on the data", span)
    if not any(map(is_term, kept)):
        return max(kept) if larger else min(kept)
    if sorts == {"bool"}:
        return any_of(kept) if larger else all_of(kept)
    chosen = term(kept[0])
    for one in map(term, kept[1:]):
        ahead, behind = (one > chosen, one <= chosen) if larger else (one < chosen, one >= chosen)
        public = not mixed and walk.leaves.public(ahead)
        if public and walk.decider.certain(z3.Or(ahead, one == chosen)):
            chosen = one
        elif not (public and walk.decider.certain(behind)):
            chosen = z3.If(ahead, one, chosen)
    chosen = real(chosen) if len(sorts - {"bool"}) > 1 else chosen
    return Mixed(real(chosen)) if mixed else chosen


def first_extreme(walk: Context, larger: bool, items: Sequence[Value], active: Mask, span: Span) -> Value:
    """The index of the first extreme number: of noisy ones a decision, of others a term."""
    if not items or not all(map(is_number, items)):
        raise refuse("the place of the extreme of what are no finite numbers", span)
    ways = [_is_first(larger, items, k) for k in range(len(items))]
    if not _noisy(walk, items):
        return _chosen(
            [walk.decided(way, active) if k else True for k, way in enumerate(ways)], range(len(items)), span
        )
    refuse_if(active is not True, "the place of the extreme of noisy numbers where data decides who asks for it", span)
    return walk.choose(ways) if len(ways) > 1 else 0


def _is_first(larger: bool, items: Sequence[Value], k: int) -> z3.BoolRef:
    conditions = [z3.BoolVal(True)]
    for j, other in enumerate(items):
        one, two = (term(items[k]), term(other)) if larger else (term(other), term(items[k]))
        conditions += [] if j == k else [one > two if j < k else one >= two]
    return z3.And(conditions)


def _noisy(walk: Context, items: Sequence[Value]) -> bool:
    return any(map(walk.leaves.noisy, items))
