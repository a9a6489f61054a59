"""Categories that occur in the data and are released where a noisy value has passed a test, by a claim with a delta.

That is how stability-based histograms hide what few records have (Korolova et al., Releasing Search Queries and Clicks
Privately, WWW 2009): as keys of a dict, or as items of a list or set.
"""

from __future__ import annotations

from dplint.rules.flow.dicts import is_dict
from dplint.rules.flow.terms import DICT_VALUE, StoreGuards, Term, TermKind

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
    source = term.args[0]
    while source.kind is TermKind.CALL and source.name in _AS_THEY_ARE and source.args:
        source = source.args[0]
    return source.name in COUNTED | {"setcomp"} or is_dict(source)
