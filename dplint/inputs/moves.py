"""Changes of a pair that keep it one: of an entry, of a block, of the difference, of the length; and pairs at random.

Most changes are small or go to a number that the program knows, since faults begin at such numbers. Whether the claim
speaks of what comes out is for the caller to ask: a change may leave the relation.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.claims import Categories, Columns, Domain, Interval, Literal, Mechanism, NumbersOrMissing, Pair, is_number
from dplint.inputs.pairs import data_domain, has_whole_numbers
from dplint.program.nodes import Constant, Program
from dplint.program.walk import walk
from dplint.relations import DEFAULT_SIZES, DataKind, Neighbourhood, relation_of

LONGEST = 12
"""Entries of the data."""
_WIDTH = 10.0
"""How far answers of which the claim says nothing lie from zero at least, in sensitivities."""
_ASIDE = (0.0, 0.0, 0.5, -0.5, 1.0, -1.0, 1e-3, -1e-3)
_OWN_NUMBERS = 0.35
"""How often a number of the program takes part."""
_FAR = 1e9


@dataclass(frozen=True, slots=True)
class Moves:
    """The changes of one mechanism's data. why: what pairs are called."""

    mechanism: Mechanism
    domain: Domain
    constants: tuple[float, ...]
    why: str

    @property
    def _step(self) -> float:
        return self.mechanism.claim.sensitivity

    def at_random(self, chance: random.Random, *, scalar: bool) -> Pair:
        """A pair that no pattern knows."""
        relation = relation_of(self.mechanism.claim)
        size = chance.choice(self.mechanism.claim.size or DEFAULT_SIZES[:1])
        if scalar or relation.data is DataKind.VALUE:
            return self._of_value(self._value(chance), lambda: self._difference(chance), chance)
        base = [self._value(chance) for _ in range(size)]
        return self._of_entries(base, lambda: self._difference(chance), chance)

    def holding(self, values: Sequence[Literal], chance: random.Random, *, scalar: bool) -> Pair:
        """A pair of which entries, or some of their columns, are these values, as many as there is room for."""
        relation = relation_of(self.mechanism.claim)
        entries = [self._with(self._value(chance), value, chance) for value in values]
        if scalar or relation.data is DataKind.VALUE:
            return self._of_value(entries[0], lambda: self._step, chance)
        size = chance.choice(self.mechanism.claim.size or DEFAULT_SIZES[:1])
        base = [*entries, *(self._value(chance) for _ in range(size))][:size]
        chance.shuffle(base)
        return self._of_entries(base, lambda: self._step, chance)

    def _of_value(self, one: Any, step: Callable[[], float], chance: random.Random) -> Pair:
        """A pair of single values. step: how far a number moves."""
        is_answer = relation_of(self.mechanism.claim).data is not DataKind.VALUE
        other = _plus(one, step()) if is_answer else self._value(chance)
        return Pair(one, self._placed(other), self.why, 1)

    def _of_entries(self, base: list[Any], step: Callable[[], float], chance: random.Random) -> Pair:
        """A pair of data with these entries. step: how far an answer that moves does."""
        relation, size = relation_of(self.mechanism.claim), len(base)
        if relation.data is DataKind.VECTOR:
            moves = [0.0] * size
            for place in range(size) if relation.all_move else [chance.randrange(size)] if size else []:
                moves[place] = step()
            return self._vectors(base, moves)
        return self._records(base, chance.randint(0, max(0, size - 1)), self._value(chance))

    def _with(self, entry: Any, value: Literal, chance: random.Random) -> Any:
        """The entry with the value in it where it fits: in one column, or as it is."""
        if not isinstance(self.domain, Columns):
            return value if _fits(value, self.domain) else entry
        fitting = [name for name, column in self.domain.columns if _fits(value, column)]
        return {**entry, chance.choice(fitting): value} if fitting else entry

    def moved(self, pair: Pair, chance: random.Random) -> Pair:
        """Another pair, near this one or next to a number of the program."""
        relation = relation_of(self.mechanism.claim)
        if not (isinstance(pair.d1, list) and isinstance(pair.d2, list)):
            return self._moved_value(pair, chance)
        if relation.data is DataKind.VECTOR:
            return self._moved_vector(pair.d1, pair.d2, chance)
        return self._moved_records(pair.d1, pair.d2, chance)

    def _moved_vector(self, d1: Sequence[Any], d2: Sequence[Any], chance: random.Random) -> Pair:
        base, moves = list(d1), [b - a for a, b in zip(d1, d2, strict=False)]
        if not base:
            return self._vectors(base, moves)
        kind = chance.random()
        if self.mechanism.claim.size is None and kind < 0.1:
            place = chance.randrange(len(base))
            if chance.random() < 0.5 and len(base) > 1:
                del base[place], moves[place]
            elif len(base) < LONGEST:
                base.insert(place, base[place])
                moves.insert(place, moves[place])
        elif kind < 0.65:
            base = self._moved_entries(base, chance)
        else:
            moves = self._moved_difference(moves, chance)
        return self._vectors(base, moves)

    def _moved_entries(self, base: list[Any], chance: random.Random) -> list[Any]:
        """One entry, or a block: moved, copied, exchanged, made equal."""
        base, n = list(base), len(base)
        i, j, kind = chance.randrange(n), chance.randrange(n), chance.random()
        if kind < 0.5:
            base[i] = self._next_to(base[i], base[j], chance)
        elif kind < 0.62:
            base[i] = _plus(base[j], chance.choice((0.0, self._step, -self._step)))
        elif kind < 0.72:
            base[i], base[j] = base[j], base[i]
        elif kind < 0.82:
            by = self._next_to(base[i], base[j], chance)
            if is_number(by) and all(map(is_number, base)):
                base = [one + by - base[i] for one in base]
        elif kind < 0.9:
            base = [base[j]] * n
        else:
            cut, front = chance.randint(1, n), chance.random() < 0.5
            base = [base[j] if (place < cut) is front else one for place, one in enumerate(base)]
        return base

    def _moved_difference(self, moves: list[float], chance: random.Random) -> list[float]:
        s, n = self._step, len(moves)
        i, kind = chance.randrange(n), chance.random()
        if not relation_of(self.mechanism.claim).all_move:
            if kind < 0.7:
                return [chance.choice((s, -s)) if place == i else 0.0 for place in range(n)]
            share, sign = chance.random(), chance.choice((1, -1))
            j = chance.randrange(n)
            found = [0.0] * n
            found[i] += share * s
            found[j] += sign * (1 - share) * s
            return found
        if kind < 0.45:
            return [chance.choice((s, -s, -one, 0.0)) if place == i else one for place, one in enumerate(moves)]
        if kind < 0.6:
            return [chance.choice((s, -s))] * n
        if kind < 0.85:
            cut, level = chance.randint(1, n), chance.choice((s, -s))
            return [level if place < cut else -level for place in range(n)]
        drift = max(-s, min(s, moves[i] + chance.gauss(0, 0.3) * s))
        return [drift if place == i else one for place, one in enumerate(moves)]

    def _moved_records(self, d1: list[Any], d2: list[Any], chance: random.Random) -> Pair:
        """The records that both have, the one in which they differ, or its place."""
        shorter, longer = sorted((d1, d2), key=len)
        place = next((i for i, one in enumerate(shorter) if one != longer[i]), len(shorter))
        own = longer[place] if place < len(longer) else self._value(chance)
        base, kind = list(shorter), chance.random()
        n = len(base)
        if kind < 0.3 or not base:
            own = self._next_to(own, chance.choice(base) if base else own, chance)
        elif kind < 0.4:
            place = chance.randint(0, n)
        elif kind < 0.75:
            base = self._moved_entries(base, chance)
        elif kind < 0.85:
            i, j = chance.randrange(n), chance.randrange(n)
            base[i] = base[j] if chance.random() < 0.5 else own
        elif chance.random() < 0.5 and n > 1:
            del base[chance.randrange(n)]
        elif n < LONGEST:
            base.insert(chance.randint(0, n), self._next_to(chance.choice(base), own, chance))
        return self._records(base, place, own)

    def _moved_value(self, pair: Pair, chance: random.Random) -> Pair:
        one, two = pair.d1, pair.d2
        if relation_of(self.mechanism.claim).data is DataKind.VALUE:
            if chance.random() < 0.5:
                one = self._next_to(one, two, chance)
            else:
                two = self._next_to(two, one, chance)
            return Pair(one, two, self.why, 1)
        if not (is_number(one) and is_number(two)):
            return pair
        by = two - one
        if chance.random() < 0.7:
            one = self._next_to(one, two, chance)
        else:
            by = chance.choice((self._step, -self._step, -by, self._difference(chance)))
        return Pair(self._placed(one), self._placed(_plus(one, by)), self.why, 1)

    def _vectors(self, base: Sequence[Any], moves: Sequence[float]) -> Pair:
        d1 = [self._placed(one) for one in base]
        d2 = [self._placed(one + move) for one, move in zip(d1, moves, strict=True)]
        return Pair(d1, d2, self.why, len(d1))

    def _records(self, base: list[Any], place: int, own: Any) -> Pair:
        if relation_of(self.mechanism.claim).definition is Neighbourhood.ONE_MORE:
            return Pair(base, [*base[:place], own, *base[place:]], self.why, len(base))
        place = min(place, len(base) - 1)
        return Pair(base, [*base[:place], own, *base[place + 1 :]] if base else [], self.why, len(base))

    def _difference(self, chance: random.Random) -> float:
        return chance.uniform(-self._step, self._step)

    def _value(self, chance: random.Random) -> Any:
        return _any_of(self.domain, self.constants, chance)

    def _next_to(self, value: Any, other: Any, chance: random.Random) -> Any:
        """A value like this one, one that the program knows, or one of the domain."""
        return _next_to(self.domain, value, other, self.constants, chance)

    def _placed(self, value: Any) -> Any:
        return _placed(value, self.domain)


def moves_of(mechanism: Mechanism, program: Program, why: str) -> Moves:
    """The moves of a mechanism. why: what pairs are called."""
    return moves_among([n.value for n in walk(program) if isinstance(n, Constant)], mechanism, why)


def moves_among(values: Iterable[Literal], mechanism: Mechanism, why: str) -> Moves:
    """The moves of a mechanism of which no more is known than these values, its numbers among them."""
    constants = tuple(sorted({float(one) for one in values if _is_near(one)}))  # type: ignore[arg-type]
    domain = data_domain(mechanism)
    if domain is None:
        step = mechanism.claim.sensitivity
        low = min([-_WIDTH * step, *(one - 2 * step for one in constants)])
        high = max([_WIDTH * step, *(one + 2 * step for one in constants)])
        domain = Interval(low, high, has_whole_numbers(mechanism))
    elif isinstance(domain, Interval) and has_whole_numbers(mechanism):
        domain = Interval(domain.low, domain.high, True)
    return Moves(mechanism, domain, constants, why)


def _any_of(domain: Domain, constants: Sequence[float], chance: random.Random) -> Any:
    match domain:
        case Columns(columns):
            return {name: _any_of(column, constants, chance) for name, column in columns}
        case Categories(values):
            return chance.choice(values)
        case NumbersOrMissing(numbers=numbers, none=none):
            return None if none and chance.random() < 0.1 else _any_of(numbers, constants, chance)
        case Interval(low, high):
            value = chance.uniform(low, high)
            if constants and chance.random() < _OWN_NUMBERS / 2:
                value = chance.choice(constants)
            return _placed(value, domain)


def _next_to(domain: Domain, value: Any, other: Any, constants: Sequence[float], chance: random.Random) -> Any:
    if isinstance(domain, Columns) and isinstance(value, dict):
        name, column = chance.choice(domain.columns)
        peer = other[name] if isinstance(other, dict) else value[name]
        return {**value, name: _next_to(column, value[name], peer, constants, chance)}
    if isinstance(domain, NumbersOrMissing):
        domain = domain.numbers
    if not isinstance(domain, Interval) or not is_number(value):
        return _any_of(domain, constants, chance)
    kind, width = chance.random(), (domain.high - domain.low) / 4
    if constants and kind < _OWN_NUMBERS:
        near = chance.choice(constants) + chance.choice(_ASIDE)
        peer = other if is_number(other) and chance.random() < 0.25 else 0.0
        return _placed(near + peer, domain)
    if kind < 0.8:
        return _placed(value + chance.gauss(0, 1) * width * 10 ** chance.uniform(-2.5, 0), domain)
    if kind < 0.92:
        return _placed(chance.choice((domain.low, domain.high)), domain)
    return _any_of(domain, constants, chance)


def _placed(value: Any, domain: Domain) -> Any:
    """A number moved into the domain, whole where the domain is; anything else as it is."""
    if isinstance(domain, NumbersOrMissing):
        domain = domain.numbers
    if not isinstance(domain, Interval) or not is_number(value):
        return value
    inside = min(max(value, domain.low), domain.high)
    return round(inside) if domain.integer else float(inside)


def _fits(value: Literal, domain: Domain) -> bool:
    if isinstance(domain, NumbersOrMissing):
        domain = domain.numbers
    if isinstance(domain, Interval):
        return is_number(value) and domain.low <= value <= domain.high and (not domain.integer or value == int(value))
    return isinstance(domain, Categories) and value in domain.values


def _plus(value: Any, by: float) -> Any:
    return value + by if is_number(value) else value


def _is_near(value: Literal) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < _FAR
