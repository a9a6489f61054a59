"""Columns of tables that were computed from the data, into which noise is stored: `counts["size"] += noise`."""

from __future__ import annotations

from dplint.rules.flow.dicts import root_of
from dplint.rules.flow.terms import Loop, Term, TermKind

_AGGREGATES = frozenset({"agg", "aggregate"})
_COMPUTES = _AGGREGATES | {"DataFrame", "crosstab", "groupby", "group_by", "pivot_table", "value_counts"}
_PASSES = (TermKind.CALL, TermKind.LENGTH)
_MOST = 50


def stores_last_column(term: Term) -> bool:
    """Whether a store goes into a column of such a table, and no column is known that nothing was stored into."""
    if not is_column_store(term):
        return False
    table = root_of(term.args[0])
    return is_computed(table) and _columns(table) <= _stored(term)


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
