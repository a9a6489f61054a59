"""Columns of tables that were computed from the data: those that noise is stored into, and those that are joined by.

Categories that occur in the data and are released where a noisy value has passed a test, by a claim with a delta.

That is how stability-based histograms hide what few records have (Korolova et al., Releasing Search Queries and Clicks
Privately, WWW 2009): as keys of a dict, or as items of a list or set.

Lists and dicts of which a loop stores into every place, so that nothing of what they held is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dplint.rules.flow.dicts import is_dict, root_of, whole_of
from dplint.rules.flow.terms import DICT_VALUE, Loop, StoreGuards, Term, TermKind, innermost, inside

_AGGREGATES = frozenset({"agg", "aggregate"})
_COMPUTES = _AGGREGATES | {"DataFrame", "crosstab", "groupby", "group_by", "pivot_table", "value_counts"}
_JOINS = frozenset({"concat", "join", "merge"})
_PASSES = (TermKind.CALL, TermKind.LENGTH)
_ROWS_AND_KEYS_STAY = frozenset(
    {"sort", "sort_values", "sort_index", "fillna", "fill_null", "reset_index", "with_columns", "assign"}
)
_MOST = 50


def stores_last_column(term: Term) -> bool:
    """Whether a store goes into a column of such a table, and no column is known that nothing was stored into."""
    if not is_column_store(term):
        return False
    table = root_of(term.args[0])
    return is_computed(table) and _columns(table) <= _stored(term)


def is_key_of_a_left_join(term: Term, depends: Callable[[Term], bool]) -> bool:
    """Whether a value is the column that a table without data is joined by: `base.join(sums, on="city", how="left")`.

    Its rows and that column are those of the table without data.
    """
    if len(term.args) != 2 or not (name := "".join(_text(term.args[1]))):
        return False
    table = innermost(term.args[0], lambda one: not is_left_join(one) and _keeps_column(one, name))
    return is_left_join(table) and name in _names(table.argument("on")) and not depends(table.args[0])


def _keeps_column(table: Term, name: str) -> bool:
    """Whether a table has the rows of the one that it is made of, in whatever order, and that column of it."""
    if is_column_store(table):
        return name not in _text(table.args[-2])
    if not table.is_call(_ROWS_AND_KEYS_STAY) or not table.args:
        return False
    return table.name.startswith("sort") or not any(
        name in _text(part) for one in table.args[1:] for part in inside(one)
    )


def is_left_join(call: Term) -> bool:
    """Whether it is a call of `join` or `merge` that says that the rows are those of its first table."""
    return call.is_call(("join", "merge")) and _how(call) == "left"


def rows_of_a_join(call: Term) -> list[Term]:
    """The tables that have to have a row for it to be in the result, where not all rows of both are."""
    return {"left": call.args[:1], "right": call.args[1:2], "outer": []}.get(_how(call), call.args[:2])


def _how(call: Term) -> str:
    return "".join(_names(call.argument("how")))


def is_column_store(term: Term) -> bool:
    """Whether something is stored under a name, or under one that a loop gives."""
    if not term.is_container("store") or len(term.args) < 3:
        return False
    key = term.args[-2]
    return (key.kind is TermKind.CONSTANT and isinstance(key.value, str)) or loop_of(key) is not None


def is_position(place: Term) -> bool:
    """Whether it is a number that says where something stands: written out, or what a loop counts."""
    return place.name == "<index>" or (place.kind is TermKind.CONSTANT and type(place.value) is int)


def loop_of(key: Term) -> Loop | None:
    """The loop whose variable, or part of it, a key is."""
    key = whole_of(key)
    return key.value if key.kind in (TermKind.SYMBOL, TermKind.ELEMENT) and isinstance(key.value, Loop) else None


def is_computed(term: Term) -> bool:
    """Whether a value is a table of what was counted or added up, and not of the records."""
    for _ in range(_MOST):
        if term.is_call(_COMPUTES):
            return True
        if term.is_call(_JOINS) and len(term.args) > 1:
            roots = [one for one in term.args[:2] if not is_computed(one)]
            return len(roots) < len(term.args[:2]) and all(root_of(one).kind is not TermKind.DATA for one in roots)
        passes = term.kind in _PASSES or term.is_operation("[]")
        if not passes or not term.args:
            return False
        term = term.args[0]
    return False


def _columns(term: Term) -> set[str]:
    """The columns that are written out where the table is made: `.agg(["size", "sum"])`."""
    made = innermost(term, lambda one: one.kind is TermKind.CALL and one.name not in _AGGREGATES)
    given = [one for one in made.args[1:2] if made.is_call(_AGGREGATES) and one.is_container("list")]
    return {name for one in given for item in one.args for name in _text(item)}


def _stored(term: Term) -> set[str]:
    """The names that something is stored under, one store after the other."""
    found: set[str] = set()
    for _ in range(_MOST):
        if not is_column_store(term):
            break
        found.update(_text(term.args[-2]))
        term = term.args[0]
    return found


def _text(term: Term) -> list[str]:
    return [term.value] if term.kind is TermKind.CONSTANT and isinstance(term.value, str) else []


def _names(term: Term | None) -> list[str]:
    """A name, or those of a list."""
    if term is None:
        return []
    return [name for one in (term.args if term.kind is TermKind.CONTAINER else [term]) for name in _text(one)]


COUNTED = frozenset({"set", "unique", "keys", "Counter", "collections.Counter", "value_counts"})
"""Calls that give the different values of some data."""
_AS_THEY_ARE = frozenset({"sorted", "list", "tuple", "items", "reversed", "tolist"})
_ITEMS = frozenset({"append", "add", "comp", "setcomp"})


def tests_of(term: Term) -> tuple[Term, ...]:
    """The conditions under which something gets into a dict, list or set; none if it is no such place."""
    if isinstance(term.value, StoreGuards):
        return term.value.guards
    return tuple(term.conditions) if term.name in (*_ITEMS, "dictcomp") else ()


def shown_parts(term: Term) -> list[Term]:
    """What a dict, list or set shows besides the categories that are let through."""
    if term.name == "store":
        return [term.args[0], term.args[-1]]
    if term.name == "dictcomp":
        return term.args[1:2]
    items = term.args[:1] if term.name in ("comp", "setcomp") else term.args[1:]
    before = term.args[:1] if term.name in ("append", "add") else []
    parts = [part for item in items for part in (item.args if item.name == "tuple" else [item])]
    return [*before, *(part for part in parts if not _is_category(part))]


def _is_category(term: Term) -> bool:
    """Whether it is what a loop over the different values of the data, or the keys of a dict, is at."""
    if term.kind is not TermKind.ELEMENT or term.name == DICT_VALUE:
        return False
    source = innermost(term.args[0], lambda one: one.is_call(_AS_THEY_ARE))
    return source.name in COUNTED | {"setcomp"} or is_dict(source)


def overwritten(term: Term) -> list[Term]:
    """The values of a list after a loop that has stored into every index of it; nothing if that is not so."""
    loop, head = term.value, term.args[0]
    if not isinstance(loop, Loop) or loop.exits or loop.iterable is None or head.kind is not TermKind.LOOP:
        return []
    last, iterable = head.args[-1], loop.iterable
    # what is stored may hang on a coin, and then the choice between old and new is what is there
    ways = [one for one in _leaves(last) if one is not head]
    back = ways[0] if ways else last
    stores = bool(ways) and all(
        one.is_container("store") and len(one.args) == 3 and one.args[0] is head and one.args[1] is back.args[1]
        for one in ways
    )
    indexed = stores and back.args[1].kind is TermKind.SYMBOL and back.args[1].value is loop
    chosen = stores and back.args[1].kind in (TermKind.SYMBOL, TermKind.ELEMENT) and back.args[1].value is loop
    if chosen and len(head.args) == 2 and _is_over_keys(iterable, head):
        return [back.args[2]] if last is back else [last]
    if stores and len(head.args) == 2 and _is_counter(back.args[1], head) and root_of(iterable) is root_of(head):
        return [back.args[2]] if last is back else [last]
    if is_column_store(back) and back.args[0] is head and loop_of(back.args[1]) is loop and is_computed(root_of(head)):
        return [back.args[-1]]
    single = iterable.kind is TermKind.CALL and len(iterable.args) == 1 and len(head.args) == 2
    whole = iterable.name == "enumerate" or (iterable.name == "range" and iterable.args[0].kind is TermKind.LENGTH)
    if not (indexed and single and whole):
        return []
    return [back.args[2]] if last is back else [last]


def _is_over_keys(iterable: Term, mapping: Term) -> bool:
    """Whether a loop runs over all keys of a dict: that which is stored into."""
    iterable = innermost(iterable, lambda one: one.is_call(("list", "tuple", "sorted")) and len(one.args) == 1)
    if iterable.kind is TermKind.SYMBOL and iterable.name == "<keys>" and isinstance(iterable.value, Term):
        iterable = iterable.value
    elif iterable.is_call(("items", "keys")) and len(iterable.args) == 1:
        iterable = iterable.args[0]
    return root_of(iterable) is root_of(mapping)


def _leaves(term: Term) -> Iterator[Term]:
    """What a choice is between, also by further choices."""
    if term.kind is TermKind.CHOICE:
        for one in term.args:
            yield from _leaves(one)
    else:
        yield term


def _is_counter(index: Term, beside: Term) -> bool:
    """Whether a variable of the same loop as another one is 0 in the first round, and one more in each further one."""
    if (
        index.kind is not TermKind.LOOP
        or index.loops != beside.loops
        or len(index.args) != 2
        or index.args[0].value != 0
    ):
        return False
    ways = index.args[1].alternatives
    return all(way.is_operation("+") and way.args[0] is index and way.args[1].is_number(1) for way in ways)
