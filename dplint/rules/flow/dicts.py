"""Lists and dicts that are changed in place: what they were before, and whether keys were fixed."""

from __future__ import annotations

from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.flow.vocabulary import UPDATES

_DICTS = frozenset({"dict", "defaultdict", "Counter", "OrderedDict", "collections.defaultdict", "collections.Counter"})
COLUMNS = "columns"
"""Among the keys of a DATA term: the names of its columns are public."""
_PUBLIC = (TermKind.CONSTANT, TermKind.SYMBOL)


def root_of(term: Term) -> Term:
    """What a variable was before anything was stored into it."""
    for _ in range(50):
        stored = term.kind is TermKind.CONTAINER and term.name == "store"
        if stored or term.kind in (TermKind.LOOP, TermKind.CHOICE, TermKind.EXIT):
            term = term.args[0]
        else:
            break
    return term


def is_changed(after: Term, before: Term) -> bool:
    """Whether a value is what a list, dict or set became by changes in place."""
    for _ in range(200):
        if after is before:
            return True
        changed = after.kind is TermKind.CONTAINER and (after.name in UPDATES or after.name == "store")
        if not changed and after.kind not in (TermKind.LOOP, TermKind.CHOICE, TermKind.EXIT):
            return False
        after = after.args[0]
    return False


def is_dict(term: Term) -> bool:
    """Whether a variable that is stored into began as a dict."""
    root = root_of(term)
    if root.kind is TermKind.CONTAINER:
        return root.name in ("dict", "dictcomp")
    return root.kind is TermKind.CALL and (root.name in _DICTS or root.name.endswith("fromkeys"))


def has_columns(term: Term) -> bool:
    """Whether it is a table whose columns are public, a record of one, or their names."""
    inner = term.kind is TermKind.ELEMENT or (term.kind is TermKind.CALL and term.name in ("keys", "columns"))
    if inner and term.args and term.args[0].kind is TermKind.DATA:
        term = term.args[0]
    return term.kind is TermKind.DATA and COLUMNS in term.keys


def has_known_keys(term: Term) -> bool:
    """Whether it is a table, or a part of a record that is reached by constants: `record["bounds"]`."""
    while term.kind is TermKind.OPERATION and term.name == "[]" and len(term.args) == 2:
        if term.args[1].kind is not TermKind.CONSTANT:
            return False
        term = term.args[0]
    return has_columns(term)


def has_fixed_keys(term: Term) -> bool:
    """Whether a dict began with keys that have nothing to do with the data.

    What is stored later is then taken for an update: a key that is missing would mostly be an error.
    """
    root = root_of(term)
    if has_columns(root) and (root.kind is TermKind.ELEMENT or root.value == "scalar"):
        return True
    if root.kind is TermKind.CONTAINER and root.name == "dict":
        return len(root.args) >= 2 and all(one.kind in _PUBLIC for one in root.args[::2])
    if root.kind is TermKind.CONTAINER and root.name == "dictcomp":
        key = root.args[0]
        return key.kind in _PUBLIC or (key.kind is TermKind.ELEMENT and _is_public(key.args[0]))
    return (
        root.kind is TermKind.CALL and root.name.endswith("fromkeys") and bool(root.args) and _is_public(root.args[0])
    )


def _is_public(term: Term) -> bool:
    listed = term.kind is TermKind.CONTAINER and term.name in ("list", "tuple", "set")
    return term.kind in _PUBLIC or (listed and all(one.kind in _PUBLIC for one in term.args))
