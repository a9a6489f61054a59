"""How far it is known what a value is made of: calls that cannot be read stop what could be said of all behind them."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from dplint.rules.flow.known import is_container, is_unread
from dplint.rules.flow.terms import Graph, Loop, StoreGuards, Term, TermKind

_UNIFORM = frozenset({"random", "uniform", "integers"})
_ROUNDS = 12


class Known(Enum):
    """How far it is known what a value is made of."""

    WHOLE = 0
    PARTLY = 1
    """Some of its parts, or what it is in some cases, is not known."""
    UNKNOWN = 2


class _Flow(Protocol):
    """What has been found of draws and data."""

    def depends(self, term: Term) -> bool:
        """Whether a value depends on the data."""

    def draws_of(self, term: Term) -> list[Term]:
        """The draws that a value depends on."""


class Certainty:
    """What is known of the terms of a graph. guessed: there is no claim, and so nothing that says what the data is."""

    def __init__(self, graph: Graph, flow: _Flow, *, guessed: bool) -> None:
        self._flow = flow
        self._guessed = guessed
        self._known: dict[Term, Known] = {}
        for _ in range(_ROUNDS):
            before = dict(self._known)
            for term in graph.terms:
                self._known[term] = max(self.of(term), self._found(term), key=_rank)
            if before == self._known:
                break

    def of(self, term: Term) -> Known:
        """How far a value is known."""
        return self._known.get(term, Known.WHOLE)

    def is_coin(self, condition: Term) -> bool:
        """Whether it is noise, or a uniform number is compared with whatever: a value is chosen by its probability."""
        if not self._flow.depends(condition):
            return bool(self._flow.draws_of(condition))
        if condition.kind is TermKind.OPERATION and condition.name in ("and", "or", "not"):
            return any(map(self.is_coin, condition.args))
        return condition.kind is TermKind.COMPARISON and self._is_drawn_evenly(condition)

    def _found(self, term: Term) -> Known:
        """How far a value is known, by what is known of what it is made of."""
        if term.kind is TermKind.DRAW:
            return Known.UNKNOWN if is_unread(term) else Known.WHOLE
        parts = [self.of(one) for one in term.args]
        worst = max(parts, key=_rank, default=Known.WHOLE)
        if term.kind in (TermKind.LOOP, TermKind.EXIT):
            return worst
        stops = is_unread(term) or any(self.of(one) is not Known.WHOLE for one in term.conditions)
        if stops or (self._guessed and self._is_by_chance(term)):
            return Known.UNKNOWN
        if term.kind is TermKind.CHOICE:
            return worst if all(one is worst for one in parts) else Known.PARTLY
        if term.kind is TermKind.LENGTH:
            return worst if worst is Known.UNKNOWN else Known.WHOLE
        if term.name == "store" and term.kind is TermKind.CONTAINER:
            return Known.UNKNOWN if self._hides_how_much(term) else max(parts[1:], key=_rank)
        if is_container(term):
            return min(worst, Known.PARTLY, key=_rank)
        return Known.UNKNOWN if worst is not Known.WHOLE else worst

    def _is_by_chance(self, term: Term) -> bool:
        """Whether a coin decides what it is, or a uniform number and weights of the data which part of something."""
        if term.kind is TermKind.CHOICE:
            return any(map(self.is_coin, term.conditions))
        if isinstance(term.value, StoreGuards):
            return any(map(self.is_coin, term.value.guards))
        places = term.args[1:] if term.name == "[]" else []
        return any(self._flow.depends(one) and self._is_drawn_evenly(one) for one in places)

    def _hides_how_much(self, store: Term) -> bool:
        """Whether nobody can say how much of a container is left of what it was.

        A coin decides what is replaced, as in a randomised response, or all columns that there are may be named.
        """
        guards = store.value.guards if isinstance(store.value, StoreGuards) else ()
        if any(map(self.is_coin, guards)):
            return True
        *places, value = store.args[1:]
        named = all(isinstance(one.value, int) or one.name == "slice" or _is_given(one) for one in places)
        return self._guessed and named and bool(self._flow.draws_of(value))

    def _is_drawn_evenly(self, term: Term) -> bool:
        """Whether uniform numbers are all the randomness in a value."""
        draws = self._flow.draws_of(term)
        return bool(draws) and _UNIFORM.issuperset(one.name for one in draws)


def _is_given(place: Term) -> bool:
    """Whether a caller says which place it is, and so may name all that there are."""
    return place.kind is TermKind.SYMBOL and not isinstance(place.value, Loop)


def _rank(known: Known) -> int:
    return known.value
