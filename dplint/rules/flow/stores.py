"""Stores values: into names, tuples of names, attributes and elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from dplint.program.calls import MEANINGS
from dplint.rules.flow.dicts import is_record, origin_of, root_of
from dplint.rules.flow.reading import OWNERS, State, TermReader, path_of
from dplint.rules.flow.terms import Loop, StoreGuards, Term, TermKind, inside, reached
from dplint.rules.flow.vocabulary import MODEL_PARTS

_ITEMS = frozenset({"items", "values", "list", "tuple", "reversed", "zip", "enumerate"})
_ARRAYS = frozenset({"zeros", "zeros_like", "ones_like", "empty_like", "full_like", "clone", "array"})
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
        """Change what an item was taken from that was changed in place: `for row in rows: row[0] = value`."""
        row = origin_of(row)
        if row.kind is not TermKind.ELEMENT or not isinstance(row.value, Loop):
            return
        place = self._make(TermKind.SYMBOL, "<index>", target, value=row.value)
        guards = StoreGuards(state.guards)
        for path, before in owners_of(row, state).items():
            state.values[path] = self._make(TermKind.CONTAINER, "store", target, [before, place, changed], value=guards)

    def change_item(self, path: str, changed: Term, target: cst.CSTNode, state: State) -> None:
        """What a variable stands for is changed in place, or a part of it: `p.data.add_(step)`, `p.grad = step`."""
        held = state.values.get(path.partition(".")[0])
        if held is not None:
            self._store_row(root_of(held), changed, target, state)

    def augment(self, target: cst.BaseExpression, before: Term, changed: Term, state: State) -> None:
        """Store what `+=` and its like make; what objects yield are arrays, which become it in place."""
        self.assign(target, changed, state)
        if isinstance(target, cst.Name) and (_is_array(root_of(before)) or _is_shaped(before, changed)):
            self._store_row(root_of(before), changed, target, state)

    def _store_attribute(self, target: cst.Attribute, term: Term, state: State) -> None:
        path = path_of(target)
        root = "" if path is None else path.partition(".")[0]
        owner = state.values.get(root)
        if root in OWNERS or (owner is not None and owner.kind is TermKind.SYMBOL and owner.name == root):
            self._reader.sink("attribute", [term], target, state)
        if path is not None:
            state.values[path] = term
            self.change_item(path, term, target, state)

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


def owners_of(item: Term, state: State) -> dict[str, Term]:
    """The variables that hold what a value is a part of, and what that is a part of in its turn."""
    owners = list(_owners(item))
    found = {path: term for path, term in state.values.items() if root_of(term) in owners}
    fields = (one for one in owners if one.kind is TermKind.SYMBOL and one.name.partition(".")[0] in OWNERS)
    return found | {one.name: one for one in fields if one.name not in found}


def is_of_an_object(term: Term) -> bool:
    """Whether it is an object, or a list of its parts: `[p for p in model.parameters()]`."""
    if term.kind is TermKind.CONTAINER:
        return any(one.kind is TermKind.SYMBOL for one in _owners(term))
    return term.kind in (TermKind.SYMBOL, TermKind.CALL)


def _owners(item: Term) -> Iterator[Term]:
    def owners(term: Term) -> list[Term]:
        return [root_of(one) for one in _parts_of(term)]

    firsts = map(root_of, _parts_of(item)) if item.kind is TermKind.ELEMENT else owners(item)
    return (one for one in reached(firsts, owners) if one is not item)


def _parts_of(term: Term) -> list[Term]:
    """What a value gives the very parts of: the object of a method that is not known to make something new."""
    if term.kind is TermKind.ELEMENT or term.is_operation("[]"):
        return term.args[:1]
    if term.kind is TermKind.CONTAINER and isinstance(term.value, tuple):  # `[p for p in model.parameters()]`
        return [one for one in term.args[:1] if one.kind is TermKind.ELEMENT]
    if term.kind is not TermKind.CALL or not isinstance(term.value, str):
        return []
    if term.value.startswith("."):
        return term.args[:1] if term.name in _ITEMS or term.name not in MEANINGS else []
    made = term.value.rpartition(".")[2][:1].isupper()  # an optimiser, of `model.parameters()`
    return [one for one in term.args if made and _is_view(one)] if term.name not in _ITEMS else term.args


def _is_view(term: Term) -> bool:
    """Whether it is what an object yields: `model.parameters()`."""
    of_object = term.kind is TermKind.CALL and isinstance(term.value, str) and term.value[:1] == "."
    return of_object and len(term.args) == 1 and bool(_parts_of(term))


def _is_array(item: Term) -> bool:
    """Whether an item of a loop is certainly no number: what a method of an object yields, or one of a list of arrays.

    A number stays what it was where it stands, whatever a variable becomes that has taken it.
    """
    item = origin_of(item)
    if item.kind is not TermKind.ELEMENT:
        return False
    listed = root_of(item.args[0])
    if listed.kind is TermKind.CONTAINER and isinstance(listed.value, tuple):
        made = listed.args[0]
        return _is_array(made) or made.is_call(_ARRAYS)
    if not _is_view(listed) or listed.name in _ITEMS:
        return False
    return listed.name in MODEL_PARTS or all(one.kind is not TermKind.DATA for one in _owners(item))


def _is_shaped(item: Term, changed: Term) -> bool:
    """Whether what it becomes has noise of its shape: then it has one, and is no number."""
    return any(one.kind is TermKind.LENGTH and one.name == "shape" and one.args == [item] for one in inside(changed))


def stored_at(term: Term, place: Term) -> Term | None:
    """What a list, dict or table holds at a place that was stored into last; None where another was."""
    last = term.is_container("store") and len(term.args) == 3
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
    return False
