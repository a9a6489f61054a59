"""Columns of tables that were computed from the data: those that noise is stored into, and those that are joined by."""

from __future__ import annotations

from collections.abc import Callable

from dplint.rules.flow.dicts import root_of
from dplint.rules.flow.terms import Loop, Term, TermKind, inside

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
    table = term.args[0]
    for _ in range(_MOST):
        if is_left_join(table):
            return name in _names(table.argument("on")) and not depends(table.args[0])
        if not _keeps_column(table, name):
            return False
        table = table.args[0]
    return False


def _keeps_column(table: Term, name: str) -> bool:
    """Whether a table has the rows of the one that it is made of, in whatever order, and that column of it."""
    if is_column_store(table):
        return name not in _text(table.args[-2])
    if table.kind is not TermKind.CALL or table.name not in _ROWS_AND_KEYS_STAY or not table.args:
        return False
    return table.name.startswith("sort") or not any(
        name in _text(part) for one in table.args[1:] for part in inside(one)
    )


def is_left_join(call: Term) -> bool:
    """Whether it is a call of `join` or `merge` that says that the rows are those of its first table."""
    return call.kind is TermKind.CALL and call.name in ("join", "merge") and _how(call) == "left"


def rows_of_a_join(call: Term) -> list[Term]:
    """The tables that have to have a row for it to be in the result, where not all rows of both are."""
    return {"left": call.args[:1], "right": call.args[1:2], "outer": []}.get(_how(call), call.args[:2])


def _how(call: Term) -> str:
    return "".join(_names(call.argument("how")))


def is_column_store(term: Term) -> bool:
    """Whether something is stored under a name, or under one that a loop gives."""
    if term.kind is not TermKind.CONTAINER or term.name != "store" or len(term.args) < 3:
        return False
    key = term.args[-2]
    return (key.kind is TermKind.CONSTANT and isinstance(key.value, str)) or loop_of(key) is not None


def loop_of(key: Term) -> Loop | None:
    """The loop whose variable, or part of it, a key is."""
    while key.kind is TermKind.OPERATION and key.name == "[]":
        key = key.args[0]
    return key.value if key.kind in (TermKind.SYMBOL, TermKind.ELEMENT) and isinstance(key.value, Loop) else None


def is_computed(term: Term) -> bool:
    """Whether a value is a table of what was counted or added up, and not of the records."""
    for _ in range(_MOST):
        if term.kind is TermKind.CALL and term.name in _COMPUTES:
            return True
        if term.kind is TermKind.CALL and term.name in _JOINS and len(term.args) > 1:
            roots = [one for one in term.args[:2] if not is_computed(one)]
            return len(roots) < len(term.args[:2]) and all(root_of(one).kind is not TermKind.DATA for one in roots)
        passes = term.kind in _PASSES or (term.kind is TermKind.OPERATION and term.name == "[]")
        if not passes or not term.args:
            return False
        term = term.args[0]
    return False


def _columns(term: Term) -> set[str]:
    """The columns that are written out where the table is made: `.agg(["size", "sum"])`."""
    for _ in range(_MOST):
        if term.kind is not TermKind.CALL or not term.args:
            return set()
        if term.name in _AGGREGATES:
            given = [one for one in term.args[1:2] if one.kind is TermKind.CONTAINER and one.name == "list"]
            return {name for one in given for item in one.args for name in _text(item)}
        term = term.args[0]
    return set()


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
