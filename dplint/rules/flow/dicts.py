"""Lists and dicts that are changed in place: what they were before, and whether keys were fixed.

What a list or dict was made of, one element for each: copies, comprehensions, loops that store under each key.
"""

from __future__ import annotations

from dplint.rules.flow.terms import Loop, StoreGuards, Term, TermKind
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
    for _ in range(50):
        stored = term.is_container("store")
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


def is_record(term: Term) -> bool:
    """Whether it is a dataclass or a named tuple that was made here, its fields by name."""
    return term.is_container("object") and bool(term.keys)


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
    while term.is_operation("[]") and len(term.args) == 2:
        if term.args[1].kind is not TermKind.CONSTANT:
            return False
        term = term.args[0]
    return has_columns(term)


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
    pending, seen, stores = [term], {term}, 0
    while pending:
        one = pending.pop()
        if one.is_container("store"):
            guards = one.value.guards if isinstance(one.value, StoreGuards) else one.args
            if len(one.args) != 3 or not _is_public_key(one.args[1]) or not all(map(_has_no_data, guards)):
                return False
            stores += 1
            nexts = one.args[:1]
        elif one.kind in (TermKind.LOOP, TermKind.EXIT):
            still_read = one.kind is TermKind.LOOP and len(one.args) < 2
            if still_read or (isinstance(one.value, Loop) and (one.value.exits or one.value.iterable is None)):
                return False
            nexts = one.args
        elif one.kind is TermKind.CHOICE:
            if not all(map(_has_no_data, one.conditions)):
                return False
            nexts = one.args
        elif _is_empty_dict(one):
            continue
        else:
            return False
        pending += [other for other in nexts if other not in seen]
        seen.update(nexts)
    return stores > 0


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
    while term.is_call(_LISTS) and len(term.args) == 1:
        term = term.args[0]
    listed = term.is_container(("list", "tuple", "set"))
    return term.kind in _PUBLIC or (listed and all(one.kind in _PUBLIC for one in term.args))


def _has_no_data(term: Term) -> bool:
    """Whether it is made of public values alone, as far as they are known while the graph is made."""
    pending, seen = [term], {term}
    while pending:
        one = pending.pop()
        if one.kind in (TermKind.DATA, TermKind.DRAW, TermKind.LOOP, TermKind.EXIT):
            return False  # of a loop that is still read, only the beginning is known
        new = [other for other in one.inputs() if other not in seen]
        seen.update(new)
        pending += new
    return True
