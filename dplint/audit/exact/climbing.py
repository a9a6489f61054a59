"""From the pair that loses most to its neighbourhood: entries, differences, sizes, arguments, while it loses more."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from dplint.audit.choices import Choice
from dplint.audit.exact.pairs import ComputedPair, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.exact.searching import LIMITS
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Literal, Pair
from dplint.inputs.arguments_noise import shaping
from dplint.inputs.neighbours import allows_argument, are_neighbours
from dplint.outcomes import Argument
from dplint.program.nodes import Program

_FAILURES = 25
"""Inputs in turn that lose no more than the best, after which it ends."""
_WHY = "a neighbouring input loses less"
_SAME = 1e-9
"""Losses that differ by less are the same: the last digits are those of rounded scales."""
_LONGEST = 12
"""Entries of the data."""

Number = int | float


def climbed_pairs(
    session: AuditSession, program: Program, start: ComputedPair, setting: Setting, end: float
) -> Iterator[ComputedPair]:
    """Inputs next to the best so far, each with its losses. end: as for `compute_pair`.

    All are such as the claim speaks of: neighbours by its relation, arguments that it allows. The same seed tries the
    same ones.
    """
    chance = random.Random(session.seed)
    # Noise of which the claim says nothing has a natural domain that nobody has written down: it stays as chosen.
    movable = {name for name, _ in session.mechanism.claim.args} | (set(program.parameters) - shaping(program))
    best, failures = start, 0
    known = {_key(start.pair, start.choice)}
    for _ in range(40 * _FAILURES):
        # A plateau leads away from where others begin, so that half of the moves begin where it began.
        origin = start if best.loss.low <= start.loss.low + _SAME and chance.random() < 0.5 else best
        pair, choice = _moved(session, origin, movable, chance)
        key = _key(pair, choice)
        if key in known or not _is_claimed(session, pair, choice, setting):
            continue
        known.add(key)
        try:
            found = worst_first(compute_pair(session, program, pair, choice, LIMITS, delta=setting.delta, end=end))
        except NotComputed:
            found = None
        except TooLong:
            return
        if found is not None:
            yield found
        # One that loses as much is gone to, so that a plateau does not end it.
        better = found is not None and found.loss.low > best.loss.low + _SAME
        failures = 0 if better else failures + 1
        if found is not None and found.loss.low >= best.loss.low - _SAME:
            best = found
        if failures >= _FAILURES:
            return


def _key(pair: Pair, choice: Choice) -> str:
    return repr((sorted((repr(pair.d1), repr(pair.d2))), choice.values))


def _is_claimed(session: AuditSession, pair: Pair, choice: Choice, setting: Setting) -> bool:
    return (
        are_neighbours(session.mechanism, pair.d1, pair.d2)
        and setting.fitting([pair]) == [pair]
        and all(allows_argument(session.mechanism, one.name, one.value) for one in choice.arguments)
    )


def _moved(
    session: AuditSession, best: ComputedPair, movable: Collection[str], chance: random.Random
) -> tuple[Pair, Choice]:
    """One change of the data, or of an argument."""
    open_ones = [one for one in best.choice.arguments if one.name in movable and _is_number(one.value)]
    if open_ones and chance.random() < 0.4:
        moved = chance.choice(open_ones)
        value = _moved_argument(moved.value, best, chance)
        arguments = tuple(Argument(one.name, value, _WHY) if one is moved else one for one in best.choice.arguments)
        return best.pair, replace(best.choice, arguments=arguments)
    claim = session.mechanism.claim
    return _moved_data(best.pair, claim.sensitivity, chance, sizes=claim.size is None), best.choice


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
    elif sizes and kind < 0.3 and len(d1) < _LONGEST:
        d1.insert(place, d1[place])
        d2.insert(place, d2[place])
    elif _is_number(d1[place]) and _is_number(d2[place]):
        entry = _moved_numbers(Pair(d1[place], d2[place], _WHY, 1), sensitivity, chance)
        d1[place], d2[place] = entry.d1, entry.d2
    return Pair(d1, d2, _WHY, len(d1))


def _moved_numbers(pair: Pair, sensitivity: float, chance: random.Random) -> Pair:
    """Both move by the same, or by how much they differ is another."""
    one, two = pair.d1, pair.d2
    if not (isinstance(one, int | float) and isinstance(two, int | float)):
        return pair
    step = _as_before(sensitivity, one)
    if chance.random() < 0.5:
        move = chance.choice((-2, -1, 1, 2)) * step
        return Pair(one + move, two + move, _WHY, 1)
    return Pair(one, one + chance.choice((-1, 0, 1)) * step, _WHY, 1)


def _as_before(step: float, like: Number) -> Number:
    """Whole data stays whole."""
    return int(step) if isinstance(like, int) and float(step).is_integer() else step


def _numbers(data: Literal) -> list[Number]:
    entries: Sequence[Literal] = data if isinstance(data, list | tuple) else [data]
    return [one for one in entries if isinstance(one, int | float) and not isinstance(one, bool)]


def _is_number(value: Literal) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
