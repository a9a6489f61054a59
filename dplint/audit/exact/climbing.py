"""From the pair that loses most to its neighbourhood: entries, differences, sizes, arguments, while it loses more."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from dplint.audit.branching import movable_arguments
from dplint.audit.choices import Choice, is_claimed
from dplint.audit.exact.pairs import LIMITS, ComputedPair, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Literal, Pair, is_number
from dplint.inputs.moves import LONGEST, Moves, moves_of
from dplint.outcomes import Argument
from dplint.program.nodes import Program

_FAILURES = 25
"""Inputs in turn that lose no more than the best, after which it ends."""
_WHY, _CLIMBED = "a neighbouring input loses less", "a climb"
_SAME = 1e-9
"""Losses that differ by less are the same: the last digits are those of rounded scales."""
_WORTH = 1e-3
"""Share of epsilon that an input must lose more for the search to go on from it as from a better one."""
_MOST_OF_GRID = 12
"""Values of an argument."""
_WIDE = 0.5
"""How often a change is one of `Moves`, in place of a step of the sensitivity."""

Number = int | float
Compute: TypeAlias = Callable[[Pair, Choice], ComputedPair]
"""The losses of a pair. Raises as `compute_pair` does."""


def climbed_pairs(
    session: AuditSession,
    program: Program,
    start: ComputedPair,
    setting: Setting,
    end: float,
    *,
    number: int = 0,
    patience: int = _FAILURES,
    compute: Compute | None = None,
) -> Iterator[ComputedPair]:
    """Inputs next to the best so far, each with its losses. end: as for `compute_pair`. number: of the climb, as each
    has chances of its own. patience: after how many inputs in turn that lose no more it ends. compute: where that is
    not `compute_pair` itself.

    All are such as the claim speaks of: neighbours by its relation, arguments that it allows. The same seed tries the
    same ones.
    """

    def exactly(pair: Pair, choice: Choice) -> ComputedPair:
        return compute_pair(session, program, pair, choice, LIMITS, delta=setting.delta, end=end)

    climb = _Climb(session, program, start, setting, compute or exactly)
    try:
        yield from climb.on_grid()
        yield from climb.at_random(number, patience)
    except TooLong:
        return


class _Climb:
    """From the best input so far to better ones."""

    def __init__(
        self, session: AuditSession, program: Program, start: ComputedPair, setting: Setting, compute: Compute
    ) -> None:
        self._session, self._setting, self._compute = session, setting, compute
        self._start = self._best = start
        self._known = {_key(start.pair, start.choice)}
        self._movable = movable_arguments(program, session.mechanism)
        self._worth = max(_SAME, _WORTH * setting.epsilon)
        self._moves = moves_of(session.mechanism, program, _CLIMBED)

    def on_grid(self) -> Iterator[ComputedPair]:
        """Each open argument in turn at entries of the data, halfway between them, and beyond; whole ones next to it.

        Raises TooLong.
        """
        for name in [one.name for one in _open_arguments(self._best, self._movable)]:
            origin = self._best
            (value,) = (one.value for one in origin.choice.arguments if one.name == name)
            for other in _grid(value, origin.pair):
                choice = _with_argument(origin.choice, name, other)
                if self._is_new(origin.pair, choice):
                    yield from self._tried(origin.pair, choice)

    def at_random(self, number: int, patience: int) -> Iterator[ComputedPair]:
        """One change of the data or of an argument after another, the same ones for the same seed. Raises TooLong."""
        chance, failures = random.Random(self._session.seed + number), 0
        for _ in range(40 * patience):
            # A plateau leads away from where others begin, so that half of the moves begin where it began.
            plateau = self._best.loss.low <= self._start.loss.low + _SAME
            origin = self._start if plateau and chance.random() < 0.5 else self._best
            pair, choice = _moved(self._session, self._moves, origin, self._movable, chance)
            if not self._is_new(pair, choice):
                continue
            before = self._best.loss.low
            yield from self._tried(pair, choice)
            failures = 0 if self._best.loss.low > before + self._worth else failures + 1
            if failures >= patience:
                return

    def _is_new(self, pair: Pair, choice: Choice) -> bool:
        """Whether nobody has tried it, and the claim speaks of it."""
        return _key(pair, choice) not in self._known and is_claimed(self._session, pair, choice, self._setting)

    def _tried(self, pair: Pair, choice: Choice) -> Iterator[ComputedPair]:
        """The input with its losses, if it can be computed."""
        self._known.add(_key(pair, choice))
        with contextlib.suppress(NotComputed):
            found = worst_first(self._compute(pair, choice))
            yield found
            # One that loses as much is gone to, so that a plateau does not end it.
            if found.loss.low >= self._best.loss.low - _SAME:
                self._best = found


def _key(pair: Pair, choice: Choice) -> str:
    return repr((sorted((repr(pair.d1), repr(pair.d2))), choice.values))


def _moved(
    session: AuditSession, moves: Moves, best: ComputedPair, movable: Collection[str], chance: random.Random
) -> tuple[Pair, Choice]:
    """One change of the data, or of an argument."""
    open_ones = _open_arguments(best, movable)
    if open_ones and chance.random() < 0.4:
        moved = chance.choice(open_ones)
        value = _moved_argument(moved.value, best, chance)
        return best.pair, _with_argument(best.choice, moved.name, value)
    if chance.random() < _WIDE:
        return moves.moved(best.pair, chance), best.choice
    claim = session.mechanism.claim
    return _moved_data(best.pair, claim.sensitivity, chance, sizes=claim.size is None), best.choice


def _open_arguments(computed: ComputedPair, movable: Collection[str]) -> list[Argument]:
    return [one for one in computed.choice.arguments if one.name in movable and is_number(one.value)]


def _with_argument(choice: Choice, name: str, value: Literal) -> Choice:
    arguments = tuple(Argument(name, value, _WHY) if one.name == name else one for one in choice.arguments)
    return replace(choice, arguments=arguments)


def _grid(value: Literal, pair: Pair) -> list[Number]:
    """Other values for an argument, the nearest first: thresholds are compared with entries, counts with numbers."""
    assert isinstance(value, int | float)
    entries = sorted({float(one) for one in (*_numbers(pair.d1), *_numbers(pair.d2))})
    between = [(one + other) / 2 for one, other in itertools.pairwise(entries)]
    beyond = [entries[0] - 1, entries[-1] + 1] if entries else []
    found: list[Number] = [one for one in (*entries, *between, *beyond) if math.isfinite(one)]
    if isinstance(value, int):
        found = [int(one) if one.is_integer() else one for one in map(float, found)]
        found += [value + move for move in (-2, -1, 1, 2)]
    nearest = sorted(dict.fromkeys(found), key=lambda one: abs(one - value))
    return [one for one in nearest if one != value][:_MOST_OF_GRID]


def _moved_argument(value: Literal, best: ComputedPair, chance: random.Random) -> Literal:
    """A whole number goes up or down; others to an entry of the data, halfway between two, or a little aside."""
    assert isinstance(value, int | float)
    if isinstance(value, int) and chance.random() < 0.5:
        return value + chance.choice((-2, -1, 1, 2))
    entries = [*_numbers(best.pair.d1), *_numbers(best.pair.d2), value]
    one, other = chance.choice(entries), chance.choice(entries)
    return chance.choice((one, (one + other) / 2, value + chance.choice((-1.0, -0.5, -0.25, 0.25, 0.5, 1.0))))


def _moved_data(pair: Pair, sensitivity: float, chance: random.Random, *, sizes: bool) -> Pair:
    """An entry moves on both sides, its difference changes, or, with `sizes`, both sides lose or repeat an entry."""
    if not (isinstance(pair.d1, list) and isinstance(pair.d2, list)):
        return _moved_numbers(pair, sensitivity, chance)
    d1, d2 = list(pair.d1), list(pair.d2)
    if not d1 or len(d1) != len(d2):
        return pair
    place, kind = chance.randrange(len(d1)), chance.random()
    if sizes and kind < 0.15 and len(d1) > 1:
        del d1[place], d2[place]
    elif sizes and kind < 0.3 and len(d1) < LONGEST:
        d1.insert(place, d1[place])
        d2.insert(place, d2[place])
    elif is_number(d1[place]) and is_number(d2[place]):
        entry = _moved_numbers(Pair(d1[place], d2[place], _CLIMBED, 1), sensitivity, chance)
        d1[place], d2[place] = entry.d1, entry.d2
    return Pair(d1, d2, _CLIMBED, len(d1))


def _moved_numbers(pair: Pair, sensitivity: float, chance: random.Random) -> Pair:
    """Both move by the same, or by how much they differ is another."""
    one, two = pair.d1, pair.d2
    if not (isinstance(one, int | float) and isinstance(two, int | float)):
        return pair
    step = _as_before(sensitivity, one)
    if chance.random() < 0.5:
        move = chance.choice((-2, -1, 1, 2)) * step
        return Pair(one + move, two + move, _CLIMBED, 1)
    return Pair(one, one + chance.choice((-1, 0, 1)) * step, _CLIMBED, 1)


def _as_before(step: float, like: Number) -> Number:
    """Whole data stays whole."""
    return int(step) if isinstance(like, int) and float(step).is_integer() else step


def _numbers(data: Literal) -> list[Number]:
    entries: Sequence[Literal] = data if isinstance(data, list | tuple) else [data]
    return [one for one in entries if isinstance(one, int | float) and not isinstance(one, bool)]
