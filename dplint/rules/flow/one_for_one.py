"""What a list or dict was made of, one element for each: copies, comprehensions, loops that store under each key."""

from __future__ import annotations

from dplint.rules.flow.terms import Loop, Term, TermKind

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
    if before.kind is not TermKind.CONTAINER or before.name not in ("list", "dict") or before.args:
        return False
    if after.kind is not TermKind.CONTAINER or after.name not in _FILLS or after.args[0] is not loop:
        return False
    return before.name == "list" if after.name == "append" else before.name == "dict" and _is_key_of(after.args[1])


def _is_key_of(key: Term) -> bool:
    return key.kind is TermKind.SYMBOL and key.name == "<key>" and isinstance(key.value, Loop)
