"""Lists and dicts that are changed in place: what they were before, and whether keys were fixed.

What a list or dict was made of, one element for each: copies, comprehensions, loops that store under each key.
"""

from __future__ import annotations

from collections.abc import Sequence

from dplint.rules.flow.terms import Loop, StoreGuards, Term, TermKind, innermost, reached
from dplint.rules.flow.vocabulary import UPDATES

_KEEPING = frozenset(
    {"copy", "deepcopy", "list", "tuple", "dict", "OrderedDict", "sorted", "reversed", "items", "keys", "values"}
)
_FILLS = frozenset({"append", "store"})
_DEPTH = 50


def one_for_one(term: Term, depth: int = _DEPTH) -> Term:
    """The value that this one has as many elements as, and a dict the same keys; itself where none is known.

    A value that several ways lead to, `v if norm <= bound else [x / 2 for x in v]`, is made of what all of them are.
    """
    while depth:
        depth -= 1
        match term.kind:
            case TermKind.EXIT if len(term.args) == 1 and not (isinstance(term.value, Loop) and term.value.exits):
                before: Term | None = term.args[0]
            case TermKind.CALL if len(term.args) == 1 and term.name in _KEEPING:
                before = term.args[0]
            case TermKind.CONTAINER if isinstance(term.value, tuple) and not term.conditions:
                before = _only_length(term.args[term.value[1] :])
            case TermKind.LOOP if _fills_an_empty_one(term):
                before = _only_length(term.conditions)
            case TermKind.CHOICE:
                found = {one_for_one(one, depth // 2) for one in term.args}
                return found.pop() if len(found) == 1 else term
            case _:
                return term
        if before is None:
            return term
        term = before
    return term


def _only_length(terms: list[Term]) -> Term | None:
    """What the only one of these counts, which is a length."""
    return terms[0].args[0] if len(terms) == 1 and terms[0].kind is TermKind.LENGTH else None


def _fills_an_empty_one(loop: Term) -> bool:
    """Whether each round appends one element to what was empty, or stores one under the key of this round."""
    if len(loop.args) != 2:
        return False
    before, after = loop.args
    if not before.is_container(("list", "dict")) or before.args:
        return False
    if not after.is_container(_FILLS) or after.args[0] is not loop:
        return False
    return before.name == "list" if after.name == "append" else before.name == "dict" and _is_key_of(after.args[1])


def _is_key_of(key: Term) -> bool:
    return key.kind is TermKind.SYMBOL and key.name == "<key>" and isinstance(key.value, Loop)


_DICTS = frozenset({"dict", "defaultdict", "Counter", "OrderedDict", "collections.defaultdict", "collections.Counter"})
COLUMNS = "columns"
"""Among the keys of a DATA term: the names of its columns are public."""
NAMED_ANSWERS = "answers"
"""Among the keys of a DATA term: it is a vector, of which neighbours have the same coordinates, also by name."""
_LISTS = frozenset({"list", "tuple", "sorted", "reversed", "tolist", "to_list", "to_numpy"})
"""Calls that give the same keys, in another form."""
_ALL_LISTED = frozenset({"cut", "qcut", "Categorical", "set_categories", "reindex"})
"""Calls after which categories may be there that do not occur."""
_TYPES = frozenset({"str", "int", "float", "bool", "object"})
_PUBLIC = (TermKind.CONSTANT, TermKind.SYMBOL)


def root_of(term: Term) -> Term:
    """What a variable was before anything was stored into it."""
    return innermost(term, lambda one: bool(states_before(one)))


def whole_of(term: Term) -> Term:
    """What a value is an item of, or an item of an item: `rows` of `rows[i][0]`; itself if it is none."""
    return innermost(term, lambda one: one.is_operation("[]"))


def origin_of(term: Term) -> Term:
    """What a value is a part of, before anything was stored into that: of `name, p` the pair."""
    return innermost(term, lambda one: one.is_operation("[]") or bool(states_before(one)))


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


def is_record(term: Term) -> bool:
    """Whether it is a dataclass or a named tuple that was made here, its fields by name."""
    return term.is_container("object") and bool(term.keys)


def is_part(term: Term) -> bool:
    """Whether it is a part at a place that the source says, such as a field of a record."""
    return term.name == "[]" and len(term.args) > 1 and term.args[1].kind is TermKind.CONSTANT


def has_columns(term: Term) -> bool:
    """Whether it is a table whose columns are public, a record of one, or their names."""
    inner = term.kind is TermKind.ELEMENT or term.is_call(("keys", "columns"))
    if inner and term.args and term.args[0].kind is TermKind.DATA:
        term = term.args[0]
    return term.kind is TermKind.DATA and COLUMNS in term.keys


def has_known_keys(term: Term) -> bool:
    """Whether it is a table, or a part of a record that is reached by constants: `record["bounds"]`."""
    root = one_for_one(root_of(one_for_one(term)))
    if root.kind is TermKind.DATA and NAMED_ANSWERS in root.keys:
        return True  # what is stored later into one with known keys is taken for an update
    return has_columns(innermost(term, lambda one: len(one.args) == 2 and is_part(one)))


def has_fixed_keys(term: Term) -> bool:
    """Whether a dict began with keys that have nothing to do with the data, or was empty and is given only such keys.

    What is stored later into the first kind is taken for an update: a key that is missing would mostly be an error.
    """
    root = root_of(term)
    if _is_empty_dict(root):
        return _is_given_public_keys(term)
    if has_columns(root) and (root.kind is TermKind.ELEMENT or root.value == "scalar"):
        return True
    if root.is_container("dict"):
        return len(root.args) >= 2 and all(one.kind in _PUBLIC for one in root.args[::2])
    if root.is_container("dictcomp"):
        return _is_public_key(root.args[0])
    return (
        root.kind is TermKind.CALL and root.name.endswith("fromkeys") and bool(root.args) and _is_public(root.args[0])
    )


def has_all_categories(table: Term) -> bool:
    """Whether what is counted in a table has categories that are listed, and not only those that occur."""
    for _ in range(50):
        called = table.kind is TermKind.CALL and bool(table.args)
        if called and (lists_categories(table) or lists_unobserved(table)):
            return True
        if not called and (not table.is_operation("[]")):
            return False
        table = table.args[0]
    return False


def lists_unobserved(call: Term) -> bool:
    """Whether a call is asked for all categories, and not only for those that occur: `groupby(by, observed=False)`."""
    observed = call.argument("observed")
    return observed is not None and observed.value is not True


def lists_categories(call: Term) -> bool:
    """Whether a call makes a column of a type that lists its categories, also `astype(pd.CategoricalDtype(names))`."""
    if call.name in _ALL_LISTED:
        return True
    types = call.args[1:] if call.name == "astype" else []
    return any(one.kind is TermKind.CALL or (one.kind is TermKind.SYMBOL and one.name not in _TYPES) for one in types)


def _is_empty_dict(term: Term) -> bool:
    made = term.kind is TermKind.CONTAINER or term.is_call(_DICTS)
    default = term.name.rpartition(".")[2] == "defaultdict" and len(term.args) == 1
    return made and is_dict(term) and (default or not term.args)


def _is_given_public_keys(term: Term) -> bool:
    """Whether all that is stored has public keys, and nothing of the data decides whether it is stored."""
    states = list(reached([term], states_before))
    return any(one.is_container("store") for one in states) and all(map(_keeps_keys_public, states))


def states_before(term: Term) -> Sequence[Term]:
    """What a variable may have been before the last store into it, or the last branch or round of a loop."""
    if term.is_container("store"):
        return term.args[:1]
    return term.args if term.kind in (TermKind.LOOP, TermKind.EXIT, TermKind.CHOICE) else ()


def _keeps_keys_public(state: Term) -> bool:
    """Whether a dict that has been empty is still, or a store into it, a branch or a loop tells nothing by its keys."""
    match state.kind:
        case TermKind.CONTAINER if state.name == "store":
            guards = state.value.guards if isinstance(state.value, StoreGuards) else state.args
            return len(state.args) == 3 and _is_public_key(state.args[1]) and all(map(_has_no_data, guards))
        case TermKind.LOOP | TermKind.EXIT:
            still_read = state.kind is TermKind.LOOP and len(state.args) < 2
            loop = state.value
            return not (still_read or (isinstance(loop, Loop) and (loop.exits or loop.iterable is None)))
        case TermKind.CHOICE:
            return all(map(_has_no_data, state.conditions))
        case _:
            return _is_empty_dict(state)


def _is_public_key(term: Term) -> bool:
    """A number that counts a loop tells how long the loop is, and is public where that is."""
    if term.kind is TermKind.ELEMENT:
        return _is_public(term.args[0])
    if term.kind is TermKind.CHOICE:
        return all(map(_is_public_key, term.args)) and all(map(_has_no_data, term.conditions))
    if term.name == "<index>":
        around = term.value.iterable if isinstance(term.value, Loop) else None
        counted = around is not None and around.is_call("range")
        return around is not None and counted and all(one.kind in _PUBLIC for one in around.args)
    return term.kind in _PUBLIC


def _is_public(term: Term) -> bool:
    term = innermost(term, lambda one: one.is_call(_LISTS) and len(one.args) == 1)
    listed = term.is_container(("list", "tuple", "set"))
    return term.kind in _PUBLIC or (listed and all(one.kind in _PUBLIC for one in term.args))


def _has_no_data(term: Term) -> bool:
    """Whether it is made of public values alone, as far as they are known while the graph is made."""
    # Of a loop that is still read, only the beginning is known.
    telling = (TermKind.DATA, TermKind.DRAW, TermKind.LOOP, TermKind.EXIT)
    return not any(one.kind in telling for one in reached([term], Term.inputs))
