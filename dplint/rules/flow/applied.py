"""Calls that are given functions: what those make of the elements of the other arguments, as comprehensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from dplint.program.calls import word_of, words
from dplint.rules.flow.draws import Draws
from dplint.rules.flow.reading import Arguments, TermReader
from dplint.rules.flow.state import State
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.flow.vocabulary import DRAWING_WORDS, sounds_noisy
from dplint.source.operators import BY_NAME
from dplint.source.walking import nodes_below

KEYED = {"max": "max-by", "min": "min-by", "sorted": "sorted-by", "nlargest": "sorted-by", "nsmallest": "sorted-by"}
"""Functions that put items in an order by `key=`, and what such a call is."""
_PARTIAL = "functools.partial"


class Applied:
    """Reads functions where they are handed on. follow: reads a function with these arguments."""

    def __init__(
        self, reader: TermReader, draws: Draws, follow: Callable[[Term, cst.Call, Arguments, State], Term]
    ) -> None:
        self._reader = reader
        self._make = reader.make
        self._draws = draws
        self._follow = follow

    def keyed(self, name: str, full: str, node: cst.Call, arguments: Arguments, state: State) -> Term:
        """`sorted`, `max` and their like by a key: the list of keys is made of the items."""
        items = arguments.positional[1:] if name.startswith("n") else arguments.positional  # a number of them first
        arguments.named["key"] = self.keys(arguments.named["key"], items, node, state)
        return self._make(TermKind.CALL, KEYED[name], node, arguments.all(), keys=arguments.keys(), value=full)

    def keys(self, key: Term, items: Sequence[Term], node: cst.Call, state: State) -> Term:
        """The keys of items, or the key itself where it is no function that can be read."""
        if key.kind is not TermKind.FUNCTION or not items:
            return key
        listed = items[0] if len(items) == 1 else self._make(TermKind.CONTAINER, "tuple", node, list(items))
        return self.mapped("map", node, key, [listed], state)

    def mapped(self, name: str, node: cst.Call, function: Term, iterables: Sequence[Term], state: State) -> Term:
        """`map` and `filter`, as the comprehensions that they are."""
        if function.kind is TermKind.CHOICE:  # the same under another name, for another version of a library
            function = next((one for one in function.args if one.kind is TermKind.FUNCTION), function)
        if function.kind is not TermKind.FUNCTION:
            given = Arguments(list(iterables))
            return self._make(TermKind.CALL, word_of(name), node, given.all(), keys=given.keys(), value=name)
        sizes = [self._make(TermKind.LENGTH, "len", node, [one]) for one in iterables]
        loop = self._reader.open_loop(node, iterables[0] if iterables else None)
        elements = [self._reader.element(one, node) for one in iterables]
        result = self._follow(function, node, Arguments(list(elements)), state)
        self._reader.loops.pop()
        values, conditions = (elements[:1], [result]) if name == "filter" else ([result], [])
        value = ([loop], 1)
        return self._make(TermKind.CONTAINER, "comp", node, [*values, *sizes], conditions=conditions, value=value)

    def reduced(self, node: cst.Call, given: Sequence[Term], state: State) -> Term:
        """`functools.reduce(f, items, start)`, as the loop that it is."""
        function, items = given[:2]
        if function.kind is not TermKind.FUNCTION and function.name not in BY_NAME:
            return self._make(TermKind.CALL, "functools.reduce", node, list(given), keys=[""] * len(given))
        start = given[2] if len(given) > 2 else self._make(TermKind.ELEMENT, "element", node, [items])
        size = self._make(TermKind.LENGTH, "len", node, [items])
        loop = self._reader.open_loop(node, items)
        total = self._make(TermKind.LOOP, "reduce", node, [start], conditions=[size])
        pair = [total, self._reader.element(items, node)]
        if function.kind is TermKind.FUNCTION:
            total.args.append(self._follow(function, node, Arguments(pair), state))
        else:
            total.args.append(self._make(TermKind.OPERATION, BY_NAME[function.name], node, pair))
        self._reader.loops.pop()
        return self._make(TermKind.EXIT, "reduce", node, [total], value=loop)

    def given(self, term: Term, node: cst.Call, state: State) -> Term:
        """The term of a call, or what it gives where it is given a function: what is known of that one."""
        function = next((one for one in term.args if one.kind is TermKind.FUNCTION), None)
        if term.kind is not TermKind.CALL or function is None or term.name.rpartition(".")[2] in words("wraps"):
            return term
        others = [one for one in term.args if one.kind not in (TermKind.FUNCTION, TermKind.CONSTANT)]
        through = next((one for one in others if one.kind is not TermKind.SYMBOL), None)
        if term.name.rpartition(".")[2] in words("applies") and through is not None:
            return self.mapped("map", node, function, [through], state)
        if term.value == _PARTIAL or not _may_draw(function):
            return term
        made = self.mapped("map", node, function, [] if through is None else [through], state)
        return self._draws.noise("unknown", term.name, node, [*others, made], [""] * (len(others) + 1))

    def called(self, made: Term, node: cst.Call, arguments: Arguments, state: State) -> Term | None:
        """A call of what was made of a function by `numpy.vectorize` or `functools.partial`; None for all others."""
        if made.kind is not TermKind.CALL or not made.args or made.args[0].kind is not TermKind.FUNCTION:
            return None
        if made.name.rpartition(".")[2] in words("wraps"):
            return self.mapped("map", node, made.args[0], arguments.positional, state)
        if made.value != _PARTIAL:
            return None
        kept = list(zip(made.keys, made.args, strict=True))[1:]
        positional = [*(term for key, term in kept if not key), *arguments.positional]
        named = {key: term for key, term in kept if key} | arguments.named
        return self._follow(made.args[0], node, Arguments(positional, named, arguments.starred), state)


def _may_draw(function: Term) -> bool:
    """Whether a word in a function is one of noise, or a variable around it holds some."""
    if not isinstance(function.value, tuple):
        return False
    node, captured, _ = function.value
    mentioned = {one.value for one in nodes_below(node) if isinstance(one, cst.Name)}
    if any(word in DRAWING_WORDS or sounds_noisy(word) for word in mentioned):
        return True
    return any(_has_draw(term) for name, term in (captured or {}).items() if name in mentioned)


def _has_draw(term: Term) -> bool:
    pending, seen = [term], {term}
    while pending:
        one = pending.pop()
        if one.kind in (TermKind.DRAW, TermKind.GENERATOR):
            return True
        new = [other for other in one.inputs() if other not in seen]
        seen.update(new)
        pending += new
    return False
