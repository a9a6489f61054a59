"""Which values certainly show the data: taint on the graph of terms, washed off by noise, and stopped by the unknown.

Two steps, each to a fixed point. First, for every term: the draws that it depends on, whether it depends on the data at
all, with which loops it varies, and how far it is known. Then the exposures: in which ways it shows data without noise.
A value is *data* where it has an exposure, *released* where noise lies between, *public* where it does not depend on
the data, and *unknown* where a call lies between that cannot be read. Nothing is said of what is unknown.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from dplint.distributions import distributions
from dplint.rules.flow.certainty import Certainty, Known
from dplint.rules.flow.columns import (
    is_computed,
    is_key_of_a_left_join,
    is_position,
    overwritten,
    shown_parts,
    stores_last_column,
    tests_of,
)
from dplint.rules.flow.dicts import is_part
from dplint.rules.flow.lengths import Lengths, is_edges
from dplint.rules.flow.terms import DICT_VALUE, DrawTerm, Graph, Loop, Term, TermKind, inside, reached
from dplint.rules.flow.vocabulary import AGGREGATES, FRESH, PASSING, SELECTIONS


class Exposure(Enum):
    """How a value shows data that no noise was added to."""

    VALUE = "value"
    SIZE = "size"
    """Through the length of the whole data alone, where that is private."""
    BRANCH = "branch"
    """Through a condition that decided which of several values it is."""
    SELECTION = "selection"
    """Through the place of a largest, smallest or sorted value."""
    SHARED = "shared"
    """There is noise on it, but one draw for several values."""


Exposures = Mapping[Exposure, Term]
"""For each way a witness: the data, the length, the condition, the selection, the sum."""

_NONE: Exposures = {}
_ADDITIVE = frozenset({"+", "-", "^", "%", "|"})
_SHIFTING = frozenset({Exposure.VALUE, Exposure.SELECTION, Exposure.BRANCH})
_INVERSIONS = frozenset({"searchsorted", "bisect", "bisect_left", "bisect_right"})
_ROUNDS = 12
_PUBLIC_DATA = re.compile(r"(?:^|[._])(?:is_)?(?:public|non_private|nonprivate)$")

_CALLED_PUBLIC = re.compile(r"(?:^|_)public(?:_|$)", re.IGNORECASE)
"""Variables of which the code itself says that nothing in them is private."""


@dataclass(slots=True)
class _Facts:
    draws: int = 0
    data: bool = False
    varies: int = 0


class Exposed:
    """What is known of every term of a graph."""

    def __init__(
        self,
        graph: Graph,
        *,
        private_size: bool,
        with_delta: bool = False,
        guessed: bool = False,
        own_pairs: bool = False,
        public: Iterable[Term] = (),
    ) -> None:
        """own_pairs: nobody knows in which parts of a record neighbours differ. public: what the user says is."""
        self._own_pairs = own_pairs
        self.graph = graph
        self._guessed = guessed
        self._with_delta = with_delta
        self.draws = [term for term in graph.terms if term.kind is TermKind.DRAW]
        self._bits = {term: 1 << position for position, term in enumerate(self.draws)}
        self._facts = defaultdict[Term, _Facts](_Facts)
        self.lengths = Lengths(self._depends_on_all if own_pairs else self.depends, private_size=private_size)
        self._settle_facts()
        self._certainty = Certainty(graph, self, guessed=guessed)
        called = [one.term for one in graph.assigned if _CALLED_PUBLIC.search(one.name)] if guessed else []
        self._public = frozenset([*public, *called])
        self._exposures: dict[Term, Exposures] = {}
        self._settle_exposures()

    # what rules ask

    def of(self, term: Term) -> Exposures:
        """In which ways a value shows the data."""
        return self._exposures.get(term, _NONE)

    def depends(self, term: Term) -> bool:
        """Whether a value depends on the data, with noise or without."""
        return self._facts[term].data

    def _depends_on_all(self, term: Term) -> bool:
        """Whether a value depends on more of the data than parts that may be the same in neighbours."""

        def follow(one: Term) -> Iterable[Term]:
            return one.inputs() if self.depends(one) and not is_part(one) else ()

        return any(one.kind is TermKind.DATA for one in reached([term], follow))

    def has_draws(self, term: Term) -> bool:
        """Whether a value depends on any draw."""
        return self._facts[term].draws != 0

    def draws_of(self, term: Term) -> list[Term]:
        """The draws that a value depends on."""
        return [draw for draw in self.draws if self._facts[term].draws & self._bits[draw]]

    def is_noise(self, term: Term) -> bool:
        """Whether a value depends on draws and not on the data."""
        return self.has_draws(term) and not self.depends(term)

    def way(self, term: Term) -> list[Term]:
        """How data comes to a value that shows it, the data first, by the fewest steps; empty if it shows none."""
        behind: dict[Term, Term | None] = {term: None}
        pending = deque([term] if self.of(term) else [])
        while pending:
            one = pending.popleft()
            if one.kind is TermKind.DATA:
                return _chain(one, behind)
            for other in one.inputs():
                if other not in behind and self.of(other):
                    behind[other] = one
                    pending.append(other)
        return []

    def varies(self, term: Term) -> int:
        """The loops, as bits, whose rounds a value differs between."""
        return self._facts[term].varies

    def is_known(self, term: Term) -> bool:
        """Whether all is known of what a value is made of."""
        return self._certainty.of(term) is Known.WHOLE

    def is_random(self, guards: Iterable[Term]) -> bool:
        """Whether a coin is among the conditions, or what may be one for all that is known."""
        return any(self._certainty.is_coin(guard) or not self.is_known(guard) for guard in guards)

    # draws, data, loops

    def _settle_facts(self) -> None:
        for _ in range(_ROUNDS):
            self.lengths.forget()
            changed = [term for term in self.graph.terms if self._update(term, self._facts[term])]
            if not changed:
                return

    def _update(self, term: Term, facts: _Facts) -> bool:
        draws, data, varies = self._bits.get(term, 0), term.kind is TermKind.DATA, 0
        for one in term.inputs():
            other = self._facts[one]
            draws |= other.draws
            data = data or other.data
            varies |= other.varies
        if term.kind is TermKind.LENGTH:
            data = self.lengths.exposure(term.args[0]) is not None
        elif term.kind is TermKind.GENERATOR or term.is_call(FRESH):
            data = False
        else:
            varies |= _own_loops(term)
        loop = term.value
        if isinstance(loop, Loop):
            varies = varies & ~loop.bit if term.kind is TermKind.EXIT else varies | loop.bit
        elif term.kind is TermKind.CONTAINER and isinstance(loop, tuple):
            for one in loop[0]:
                varies &= ~one.bit
        if (draws, data, varies) == (facts.draws, facts.data, facts.varies):
            return False
        facts.draws, facts.data, facts.varies = draws, data, varies
        return True

    # exposures

    def _settle_exposures(self) -> None:
        data = (term for term in self.graph.terms if self._facts[term].data and term not in self._public)
        touched = [term for term in data if self._certainty.of(term) is not Known.UNKNOWN]
        for _ in range(_ROUNDS):
            changed = False
            for term in touched:
                found = self._expose(term)
                if found.keys() != self.of(term).keys():
                    self._exposures[term] = found
                    changed = True
            if not changed:
                return

    def _expose(self, term: Term) -> Exposures:
        match term.kind:
            case TermKind.DATA:
                return {Exposure.VALUE: term}
            case TermKind.LENGTH:
                return self._length(term)
            case TermKind.OPERATION | TermKind.COMPARISON:
                return self._operation(term)
            case TermKind.CALL:
                return self._call(term)
            case TermKind.DRAW:
                return self._draw(term)
            case TermKind.CHOICE:
                return self._choice(term)
            case TermKind.EXIT:
                return self._union(overwritten(term) or self._after(term.args[0]) or term.args)
            case TermKind.CONTAINER:
                return self._container(term)
            case TermKind.LOOP:
                return self._loop(term)
            case _:
                return self._union(_parts(term))

    def _union(self, terms: list[Term]) -> dict[Exposure, Term]:
        found: dict[Exposure, Term] = {}
        for term in terms:
            for exposure, witness in self.of(term).items():
                found.setdefault(exposure, witness)
        return found

    def _hides_its_place(self, term: Term) -> bool:
        """Whether noise is stored among noise, so that the place does not show where it is."""
        stores = term.name == "store" and len(term.args) == 3
        among_noise = stores and self.has_draws(term.args[0]) and not self.of(term.args[0])
        return among_noise and self.has_draws(term.args[-1])

    def _is_stable(self, term: Term) -> bool:
        """Whether categories are let through only where a noisy value passed a test, and delta pays for the rest."""
        return self._with_delta and self.is_tested(tests_of(term))

    def is_tested(self, guards: tuple[Term, ...]) -> bool:
        """Whether a test of noisy data is among the conditions, and none of exact data alone decides it."""
        return any(
            one.kind is TermKind.COMPARISON and self.has_draws(one) and self.depends(one) and not self.of(one)
            for guard in guards
            for one in (guard, *guard.args)
        )

    def _loop(self, term: Term) -> Exposures:
        found = self._union(term.args)
        if any(map(self._is_stable, _ways_of(term))):
            return found  # how many rounds there are does not show in it
        return self._under(term, found)

    def _container(self, term: Term) -> Exposures:
        if self._is_stable(term):
            return self._union(shown_parts(term))
        if self._is_masked(term):
            return _NONE
        if self._guessed and self._is_noised(term):
            return self._under(term, self._union(term.args[1:]))
        if self.has_draws(term.args[-1]) and stores_last_column(term):
            return self._under(term, self._with_columns(term.args[0], [term.args[-1]]))
        if self._hides_its_place(term):
            return self._under(term, self._union([term.args[0], term.args[-1]]))
        return self._under(term, self._union(term.args))

    def _with_columns(self, table: Term, columns: list[Term]) -> dict[Exposure, Term]:
        """What a table shows whose columns these have become."""
        before = {one: witness for one, witness in self.of(table).items() if one is not Exposure.VALUE}
        return before | self._union(columns)

    def _after(self, variable: Term) -> list[Term]:
        """What is known of a list or array after a loop that stores noisy values into it: nothing of the rest."""
        backs = [way for one in variable.args[1:] for way in one.alternatives]
        return backs if self._guessed and all(map(self._is_noised, backs)) else []

    def _is_noised(self, term: Term) -> bool:
        """Whether noisy values are stored at some positions of a list or array, which may be all there are."""
        return term.is_container("store") and self.has_draws(term.args[-1]) and is_position(term.args[-2])

    def _is_masked(self, term: Term) -> bool:
        """Whether coins decide which elements are replaced: `bits[flip] = 1 - bits[flip]`."""
        stores = term.name == "store" and len(term.args) == 3
        return stores and term.args[1].kind is TermKind.COMPARISON and self.is_noise(term.args[1])

    def _length(self, term: Term) -> Exposures:
        exposed = self.lengths.exposure(term.args[0])
        if exposed is None or (exposed == "value" and not self.of(term.args[0])):
            return _NONE
        return {Exposure.SIZE if exposed == "size" else Exposure.VALUE: term}

    def _operation(self, term: Term) -> Exposures:
        found = self._union(term.args)
        if not found or is_edges(term) or self._is_kept_apart(term):
            return _NONE
        if term.name not in ("[]", "slice"):
            noisy = [one for one in term.args if self._washes(one, term)]
            if noisy:
                raw = 0
                for one in term.args:
                    if self.of(one) and one not in noisy:
                        raw |= self.varies(one)
                if any(raw & ~self.varies(one) == 0 for one in noisy) or self._certainty.is_coin(term):
                    return _NONE
                if term.name in ("+", "-") and Exposure.VALUE in found:
                    return {Exposure.SHARED: term}
            if Exposure.BRANCH in found and term.kind is TermKind.OPERATION:
                found.setdefault(Exposure.VALUE, found.pop(Exposure.BRANCH))
        if term.kind is TermKind.COMPARISON and self.has_draws(term):
            return {Exposure.BRANCH: term}  # with noise that all rounds share
        return found

    def _is_kept_apart(self, term: Term) -> bool:
        """Whether a part of the data is not known to be private."""
        joined = term.name == "[]" and is_key_of_a_left_join(term, self.depends)
        return joined or (self._own_pairs and is_part(term))

    def _washes(self, operand: Term, term: Term) -> bool:
        """Whether noise in the operand hides what the others show.

        In sums and comparisons any noise does; in products only a value that is nothing but noise.
        """
        if not self.has_draws(operand):
            return False
        return term.kind is TermKind.COMPARISON or term.name in _ADDITIVE or not self.depends(operand)

    def _call(self, term: Term) -> Exposures:
        found = self._union(term.args)
        if not found:
            return found
        if term.name in _INVERSIONS and any(map(self._is_level, term.args)):
            return _NONE  # a distribution function at a uniform number
        if term.name in SELECTIONS and not self._is_of_one_item(term):
            for exposure in (Exposure.VALUE, Exposure.BRANCH):
                if exposure in found:
                    found.pop(exposure)
                    found[Exposure.SELECTION] = term
            return found
        if term.name in AGGREGATES:
            return self._aggregate(term, found)
        if term.name == "assign" and is_computed(term.args[0]) and all(map(self.has_draws, term.args[1:])):
            return self._with_columns(term.args[0], term.args[1:])
        if term.name not in PASSING and any(self.is_noise(one) for one in term.args):
            return _NONE
        return found

    def _is_level(self, term: Term) -> bool:
        """Whether a value is noise, drawn between bounds, or noise times whatever: a share of a sum of weights."""
        if term.is_operation("*"):
            return any(map(self.is_noise, term.args))
        return self.is_noise(term) or (term.kind is TermKind.DRAW and term.name == "uniform")

    def _is_of_one_item(self, selection: Term) -> bool:
        """Whether a selection in a loop is made by the item of this round alone, as the nearest of fixed centres is."""
        whole = inside(selection, lambda one: not (one.kind is TermKind.ELEMENT and one.loops & selection.loops))
        return not any(one.kind in (TermKind.DATA, TermKind.LOOP, TermKind.EXIT) and self.depends(one) for one in whole)

    def _aggregate(self, term: Term, found: dict[Exposure, Term]) -> Exposures:
        if any(self.has_draws(one) for one in term.args):
            return _NONE
        if Exposure.BRANCH in found:
            found.setdefault(Exposure.VALUE, found.pop(Exposure.BRANCH))
        found.pop(Exposure.SHARED, None)
        return found

    def _draw(self, term: Term) -> Exposures:
        assert isinstance(term.value, DrawTerm)
        drawn = distributions().get(term.name)
        chosen = None if drawn is None or drawn.items is None else term.argument(drawn.items)
        if self._guessed and term.argument("p", "weights") is not None:
            return _NONE  # a choice by weights, among what may be known to all
        return dict(self.of(chosen)) if chosen is not None else _NONE

    def _choice(self, term: Term) -> Exposures:
        if self.is_random(term.conditions):
            return _NONE
        ways = term.args
        if any(map(says_public, term.conditions)):
            ways = [one for one in ways if self.has_draws(one)] or ways
        found = self._union(ways)
        stored = any(one.kind is TermKind.CONTAINER for one in term.args)
        if (not stored or _is_longer_by_one(ways)) and all(
            self.has_draws(one.args[1] if stored else one) for one in ways
        ):
            return found  # every way has noise on it: which way it was need not show
        return self._under(term, found)

    def _under(self, term: Term, found: dict[Exposure, Term]) -> Exposures:
        """With what the conditions show."""
        conditions = list(term.conditions)
        if term.kind is TermKind.CONTAINER and isinstance(term.value, tuple):
            count = term.value[1]
            found = self._union(term.args[:count])
            conditions += term.args[count:]
        for condition in conditions:
            shown = self.of(condition)
            if not _SHIFTING.isdisjoint(shown):
                found.setdefault(Exposure.BRANCH, condition)
            if Exposure.SIZE in shown:
                found.setdefault(Exposure.SIZE, shown[Exposure.SIZE])
        return found


def _chain(first: Term, behind: Mapping[Term, Term | None]) -> list[Term]:
    chain = [first]
    while (following := behind[chain[-1]]) is not None:
        chain.append(following)
    return chain


def _is_longer_by_one(ways: list[Term]) -> bool:
    """Whether every way appends one item to the same list."""
    appended = all(one.is_container("append") and len(one.args) == 2 for one in ways)
    return appended and all(one.args[0] is ways[0].args[0] for one in ways)


def _ways_of(variable: Term) -> list[Term]:
    """What a loop variable may be after a round."""
    return [way for one in variable.args for way in one.alternatives]


def _own_loops(term: Term) -> int:
    """The loops between whose rounds a value differs by itself: what draws, and what takes the next item."""
    if term.kind is TermKind.DRAW or term.kind is TermKind.LOOP:
        return term.loops
    if term.is_call("next") and term.args:
        return term.loops & ~term.args[0].loops  # of what is made inside, each round takes the first item
    return 0


def says_public(condition: Term) -> bool:
    """Whether it is a flag which says that the data is public, so that there is nothing to protect."""
    return condition.kind is TermKind.SYMBOL and _PUBLIC_DATA.search(condition.name) is not None


def _parts(term: Term) -> list[Term]:
    """What a term is made of; the keys of a dict do not show in its values."""
    values_alone = term.kind is TermKind.ELEMENT and term.name == DICT_VALUE and term.args[0].name == "dictcomp"
    return term.args[0].args[1:2] if values_alone else term.args
