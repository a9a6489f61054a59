"""Lists and dicts of which a loop stores into every place, so that nothing of what they held is left."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.rules.flow.columns import is_column_store, is_computed, loop_of
from dplint.rules.flow.dicts import root_of
from dplint.rules.flow.terms import Loop, Term, TermKind


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
        one.kind is TermKind.CONTAINER
        and one.name == "store"
        and len(one.args) == 3
        and one.args[0] is head
        and one.args[1] is back.args[1]
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
    while iterable.kind is TermKind.CALL and iterable.name in ("list", "tuple", "sorted") and len(iterable.args) == 1:
        iterable = iterable.args[0]
    if iterable.kind is TermKind.SYMBOL and iterable.name == "<keys>" and isinstance(iterable.value, Term):
        iterable = iterable.value
    elif iterable.kind is TermKind.CALL and iterable.name in ("items", "keys") and len(iterable.args) == 1:
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
    after = index.args[1]
    ways = after.args if after.kind is TermKind.CHOICE else [after]
    return all(
        way.kind is TermKind.OPERATION
        and way.name == "+"
        and way.args[0] is index
        and way.args[1].kind is TermKind.CONSTANT
        and way.args[1].value == 1
        for way in ways
    )
