"""Calls that are given functions: what those make of the elements of the other arguments, as comprehensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from dplint.program.calls import words
from dplint.rules.flow.draws import Draws
from dplint.rules.flow.reading import OWNERS, Arguments, Function, State, TermReader
from dplint.rules.flow.terms import Term, TermKind, reached
from dplint.rules.flow.vocabulary import DRAWING_WORDS, sounds_noisy
from dplint.source.bindings import all_parameters
from dplint.source.operators import BY_NAME
from dplint.source.walking import nodes_below

KEYED = {"max": "max-by", "min": "min-by", "sorted": "sorted-by", "nlargest": "sorted-by", "nsmallest": "sorted-by"}
"""Functions that put items in an order by `key=`, and what such a call is."""
_NO_ITEMS = (TermKind.CONSTANT, TermKind.FUNCTION)
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
        function = _callable(key)
        if function is None or not items:
            return key
        listed = items[0] if len(items) == 1 else self._make(TermKind.CONTAINER, "tuple", node, list(items))
        return self.mapped("map", node, function, [listed], state)

    def mapped(
        self,
        name: str,
        node: cst.Call,
        function: _Callable,
        iterables: Sequence[Term],
        state: State,
        named: Mapping[str, Term] | None = None,
    ) -> Term:
        """`map` and `filter`, as the comprehensions that they are. named: arguments that all calls are given."""
        sizes = [self._make(TermKind.LENGTH, "len", node, [one]) for one in iterables]
        loop = self._reader.open_loop(node, iterables[0] if iterables else None)
        elements = [self._reader.element(one, node) for one in iterables]
        result = self._apply(function, node, Arguments(list(elements), dict(named or {})), state)
        self._reader.loops.pop()
        values, conditions = (elements[:1], [result]) if name == "filter" else ([result], [])
        value = ([loop], 1)
        return self._make(TermKind.CONTAINER, "comp", node, [*values, *sizes], conditions=conditions, value=value)

    def _apply(self, function: _Callable, node: cst.Call, given: Arguments, state: State) -> Term:
        kept = function.kept
        both = Arguments([*kept.positional, *given.positional], kept.named | given.named, kept.starred or given.starred)
        return self._follow(function.term, node, both, state)

    def reduced(self, node: cst.Call, given: Sequence[Term], state: State) -> Term:
        """`functools.reduce(f, items, start)`, as the loop that it is."""
        function, items = _callable(given[0]), given[1]
        if function is None and given[0].name not in BY_NAME:
            return self._make(TermKind.CALL, "functools.reduce", node, list(given), keys=[""] * len(given))
        start = given[2] if len(given) > 2 else self._make(TermKind.ELEMENT, "element", node, [items])
        size = self._make(TermKind.LENGTH, "len", node, [items])
        loop = self._reader.open_loop(node, items)
        total = self._make(TermKind.LOOP, "reduce", node, [start], conditions=[size])
        pair = [total, self._reader.element(items, node)]
        if function is not None:
            total.args.append(self._apply(function, node, Arguments(pair), state))
        else:
            total.args.append(self._make(TermKind.OPERATION, BY_NAME[given[0].name], node, pair))
        self._reader.loops.pop()
        return self._make(TermKind.EXIT, "reduce", node, [total], value=loop)

    def given(self, term: Term, node: cst.Call, state: State) -> Term:
        """The term of a call, or what it gives where it is given a function: what is known of that one."""
        given = next((one for one in term.args if _callable(one) is not None), None)
        function = None if given is None else _callable(given)
        last = term.name.rpartition(".")[2]
        if term.kind is not TermKind.CALL or function is None or last in words("wraps") or term.value == _PARTIAL:
            return term
        pairs = list(zip(term.keys, term.args, strict=True))
        others = [(key, one) for key, one in pairs if one is not given and one.kind not in _NO_ITEMS]
        count, names = function.parameters()
        named = {key: one for key, one in pairs if key in names}
        positional = [one for key, one in others if not key]
        # The last ones: in `pool.map(f, values)` the pool comes first.
        through = ([one for one in positional if one.kind is not TermKind.SYMBOL] or positional)[-count:]
        if last in words("applies") and through:
            return self.mapped("filter" if last == "filter" else "map", node, function, through, state, named)
        if not function.may_draw():
            return term
        made = self.mapped("map", node, function, through, state, named)
        args = [*(one for _, one in others), made]
        return self._draws.noise("unknown", term.name, node, args, [""] * len(args))

    def called(self, made: Term, node: cst.Call, arguments: Arguments, state: State) -> Term | None:
        """A call of what was made of a function by `numpy.vectorize` or `functools.partial`; None for all others."""
        if made.kind is not TermKind.CALL or not made.args:
            return None
        wrapped = _callable(made.args[0]) if made.name.rpartition(".")[2] in words("wraps") else None
        if wrapped is not None:
            return self.mapped("map", node, wrapped, arguments.positional, state)
        function = _callable(made)
        return None if function is None else self._apply(function, node, arguments, state)


@dataclass(frozen=True, slots=True)
class _Callable:
    """A function as a value. kept: the arguments that `functools.partial` has given it."""

    term: Term
    kept: Arguments = field(default_factory=Arguments)

    @property
    def function(self) -> Function:
        """The function."""
        assert isinstance(self.term.value, tuple)
        found: Function = self.term.value[0]
        return found

    @property
    def captured(self) -> Mapping[str, Term]:
        """What its names stand for around it."""
        assert isinstance(self.term.value, tuple)
        return self.term.value[1] or {}

    def parameters(self) -> tuple[int, frozenset[str]]:
        """How many arguments it needs, one at least, and the names of its parameters."""
        found = [one for one in all_parameters(self.function) if one.name.value not in OWNERS]
        left = [one for one in found[len(self.kept.positional) :] if one.name.value not in self.kept.named]
        return max(1, sum(one.default is None for one in left)), frozenset(one.name.value for one in left)

    def may_draw(self) -> bool:
        """Whether a word in it is one of noise, or a variable around it holds some."""
        mentioned = {one.value for one in nodes_below(self.function) if isinstance(one, cst.Name)}
        if any(word in DRAWING_WORDS or sounds_noisy(word) for word in mentioned):
            return True
        given = [*self.kept.all(), *(term for name, term in self.captured.items() if name in mentioned)]
        return any(one.kind in (TermKind.DRAW, TermKind.GENERATOR) for one in reached(given, Term.inputs))


def _callable(term: Term) -> _Callable | None:
    """The function that a value is, be it one under two names for two versions of a library."""
    if term.kind is TermKind.CHOICE:
        return next((found for one in term.args if (found := _callable(one)) is not None), None)
    if term.kind is TermKind.FUNCTION and isinstance(term.value, tuple):
        return _Callable(term)
    inner = _callable(term.args[0]) if term.value == _PARTIAL and term.args else None
    if inner is None:
        return None
    kept = list(zip(term.keys, term.args, strict=True))[1:]
    positional = [*inner.kept.positional, *(one for key, one in kept if not key)]
    return _Callable(inner.term, Arguments(positional, inner.kept.named | {key: one for key, one in kept if key}))
