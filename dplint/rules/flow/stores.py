"""Stores values: into names, tuples of names, attributes and elements."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.rules.flow.dicts import is_record, root_of
from dplint.rules.flow.reading import OWNERS, State, TermReader, path_of
from dplint.rules.flow.terms import Loop, StoreGuards, Term, TermKind

_INDEXERS = ("at", "iat", "iloc", "loc")
"""Of tables: `table.loc[rows, column] = value` changes the table."""


class Stores:
    """Stores terms; what is known at a point of the program is changed."""

    def __init__(self, reader: TermReader) -> None:
        self._reader = reader
        self._make = reader.make

    def assign(self, target: cst.BaseExpression, term: Term, state: State) -> None:
        """Store a value."""
        if isinstance(target, cst.Name):
            state.values[target.value] = self._reader.given.get(target, term)
            for path in [path for path in state.values if path.startswith(f"{target.value}.")]:
                del state.values[path]
        elif isinstance(target, cst.Tuple | cst.List):
            self._unpack(target.elements, term, target, state)
        elif isinstance(target, cst.StarredElement):
            self.assign(target.value, term, state)
        elif isinstance(target, cst.Attribute):
            self._store_attribute(target, term, state)
        elif isinstance(target, cst.Subscript):
            self._store_element(target, term, state)

    def _store_element(self, target: cst.Subscript, term: Term, state: State) -> None:
        rows = isinstance(target.value, cst.Attribute) and target.value.attr.value in _INDEXERS
        if rows and isinstance(target.value, cst.Attribute):
            target = target.with_changes(value=target.value.value, slice=target.slice[-1:])
        held = before = self._reader.read(target.value, state)
        indices = [self._reader.index(item.slice, state) for item in target.slice]
        stored = path_of(target)
        if _is_whole(target) and isinstance(target.value, cst.Name):
            state.values[target.value.value] = self._make(TermKind.CALL, "array", target, [term], keys=[""])
        elif stored is not None:
            # What is stored into some rows of a column leaves the others as they were.
            if isinstance(target.value, cst.Name) and len(indices) == 1 and not rows:
                before = before_store(before, indices[0])
            guards = StoreGuards(state.guards)
            changed = self._make(TermKind.CONTAINER, "store", target, [before, *indices, term], value=guards)
            state.change(stored, held, changed)
            self._store_row(root_of(held), changed, target, state)

    def _store_row(self, row: Term, changed: Term, target: cst.CSTNode, state: State) -> None:
        """Change the list whose row was changed in place: `for row in rows: row[0] = value`."""
        place = self._make(TermKind.SYMBOL, "<index>", target, value=row.value)
        guards = StoreGuards(state.guards)
        for path in lists_of(row, state):
            parts = [state.values[path], place, changed]
            state.values[path] = self._make(TermKind.CONTAINER, "store", target, parts, value=guards)

    def _store_attribute(self, target: cst.Attribute, term: Term, state: State) -> None:
        path = path_of(target)
        root = "" if path is None else path.partition(".")[0]
        owner = state.values.get(root)
        if root in OWNERS or (owner is not None and owner.kind is TermKind.SYMBOL and owner.name == root):
            self._reader.sink("attribute", [term], target, state)
        if path is not None:
            state.values[path] = term

    def _unpack(self, elements: Sequence[cst.BaseElement], term: Term, target: cst.CSTNode, state: State) -> None:
        starred = any(isinstance(element, cst.StarredElement) for element in elements)
        for position, element in enumerate(elements):
            part = None if starred else _part(term, position, len(elements)) or self._of_shape(term, position, element)
            if part is None and not starred and term.kind is TermKind.CHOICE:
                parts = [_part(one, position, len(elements)) for one in term.args]
                known = [one for one in parts if one is not None]
                if len(known) == len(parts):
                    part = self._make(TermKind.CHOICE, term.name, target, known, conditions=list(term.conditions))
            if part is None:
                index = self._reader.constant(position, None)
                part = self._make(TermKind.OPERATION, "[]", element.value, [term, index])
            self.assign(element.value, part, state)

    def _of_shape(self, term: Term, position: int, element: cst.BaseElement) -> Term | None:
        """How many rows there are, or how many columns, which is public: `n, d = x.shape`."""
        if term.kind is not TermKind.LENGTH or term.name != "shape":
            return None
        return term if position == 0 else self._make(TermKind.SYMBOL, "<columns>", element.value)


def lists_of(row: Term, state: State) -> list[str]:
    """The variables that hold the list of which a value is a row, in a loop over it."""
    if row.kind is not TermKind.ELEMENT or not isinstance(row.value, Loop):
        return []
    return [path for path, rows in state.values.items() if root_of(rows) is root_of(row.args[0])]


def stored_at(term: Term, place: Term) -> Term | None:
    """What a list, dict or table holds at a place that was stored into last; None where another was."""
    last = term.kind is TermKind.CONTAINER and term.name == "store" and len(term.args) == 3
    return term.args[2] if last and _is_same_place(term.args[1], place) else None


def before_store(term: Term, place: Term) -> Term:
    """What a list, dict or table was before anything was stored at a place, which is stored into again."""
    if stored_at(term, place) is not None:
        return before_store(term.args[0], place)
    if term.kind is TermKind.CHOICE:  # `if norm > bound: v[i] = bound`
        ways = {before_store(one, place) for one in term.args}
        return ways.pop() if len(ways) == 1 else term
    return term


def _is_same_place(one: Term, other: Term) -> bool:
    constants = one.kind is TermKind.CONSTANT and other.kind is TermKind.CONSTANT
    return one is other or (constants and type(one.value) is type(other.value) and one.value == other.value)


def _part(term: Term, position: int, count: int) -> Term | None:
    listed = term.kind is TermKind.CONTAINER and (term.name in ("tuple", "list") or is_record(term))
    if listed and len(term.args) == count:
        return term.args[position]
    return None


def _is_whole(target: cst.Subscript) -> bool:
    """Whether a store is into all of a list or array: `x[:] = ...`."""
    match target.slice:
        case [cst.SubscriptElement(slice=cst.Slice(lower=None, upper=None, step=None))]:
            return True
        case _:
            return False
