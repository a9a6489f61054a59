"""Which pairs are worth runs: those on which the function does something that it has not done on others.

One run without noise of each data value shows the lines that it takes, the noise that it asks for, and its output. A
pair is worth trying if it takes a new line, if its two sides differ in a new way (an exception, another type or length,
other noise, other ones of a few numbers), or if their outputs are further apart, in units of the noise, than those of
any other pair.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplint.claims import Pair
from dplint.inputs.pairs import in_one_order

MOST = 12
"""So many pairs are returned at most, each in one order."""
_MOST_FOR_LINES, _MOST_UNLIKE, _MOST_FAR = 5, 4, 3
_FEW_NUMBERS = 8
"""Of so many numbers it matters which of them differ."""
_FURTHER = 1.01
"""By this factor a difference must exceed all known ones."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one data value makes the function do.

    lines: steps from line to line, by number. draws: for each place that draws, in words, how often and the least and
    the largest scale. shape: what the output is, without its numbers. numbers: those.
    """

    lines: frozenset[int]
    draws: Mapping[str, tuple[int, float | None, float | None]]
    shape: str
    numbers: tuple[float, ...]


def most_promising(pairs: Sequence[Pair], known: Sequence[Pair], seen: Mapping[str, Seen]) -> list[Pair]:
    """Of the pairs, those that are worth runs, best first, each in one order.

    known: pairs that are tried anyway. seen: by `key` of the data; pairs of data that were not seen are left out. Some
    of different kinds are always among them, even if nothing is new: not all that matters shows without noise.
    """
    usual = [pair for pair in known if key(pair.d1) in seen and key(pair.d2) in seen]
    open_pairs = [pair for pair in in_one_order(pairs) if key(pair.d1) in seen and key(pair.d2) in seen]
    chosen = _for_new_lines(open_pairs, usual, seen)
    chosen += _unlike([pair for pair in open_pairs if pair not in chosen], usual, seen)
    chosen += _far([pair for pair in open_pairs if pair not in chosen], usual, seen)
    chosen += _of_each_kind([pair for pair in open_pairs if pair not in chosen], MOST - len(chosen))
    return chosen


def key(value: object) -> str:
    """What tells data apart."""
    return repr(value)


def _for_new_lines(pairs: Sequence[Pair], usual: Sequence[Pair], seen: Mapping[str, Seen]) -> list[Pair]:
    """Pairs that take lines which none before has taken: on one side alone, and on both."""
    taken = {line for pair in usual for line in _lines(pair, seen)}
    chosen: list[Pair] = []
    for only_one in (True, False):
        covered = set(taken)
        while len(chosen) < _MOST_FOR_LINES:
            best, most = None, (0, 0.0)
            for pair in pairs:
                one, two = seen[key(pair.d1)].lines, seen[key(pair.d2)].lines
                new = ((one ^ two) if only_one else (one & two)) - covered
                rank = (len(new), _distance(pair, seen))
                if new and pair not in chosen and rank > most:
                    best, most = pair, rank
            if best is None:
                break
            chosen.append(best)
            covered |= _lines(best, seen)
    return chosen


def _unlike(pairs: Sequence[Pair], usual: Sequence[Pair], seen: Mapping[str, Seen]) -> list[Pair]:
    """Pairs whose sides differ in a way that no known pair shows."""
    ways = {_way(pair, seen) for pair in usual} | {""}
    chosen: list[Pair] = []
    for pair in pairs:
        way = _way(pair, seen)
        if way not in ways:
            ways.add(way)
            chosen.append(pair)
            if len(chosen) == _MOST_UNLIKE:
                break
    return chosen


def _far(pairs: Sequence[Pair], usual: Sequence[Pair], seen: Mapping[str, Seen]) -> list[Pair]:
    """Pairs whose outputs are further apart than those of all known ones."""
    most = max((_distance(pair, seen) for pair in usual), default=0.0)
    ranked = sorted(pairs, key=lambda pair: -_distance(pair, seen))
    return [pair for pair in ranked[:_MOST_FAR] if _distance(pair, seen) > _FURTHER * most]


def _of_each_kind(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """The first pairs of each size and kind of data, small ones first."""
    found: dict[tuple[int, str], Pair] = {}
    for pair in sorted(pairs, key=lambda pair: pair.size):
        found.setdefault((pair.size, pair.pattern.partition(",")[0]), pair)
    return list(found.values())[: max(0, most)]


def _lines(pair: Pair, seen: Mapping[str, Seen]) -> frozenset[int]:
    return seen[key(pair.d1)].lines | seen[key(pair.d2)].lines


def _way(pair: Pair, seen: Mapping[str, Seen]) -> str:
    """In which way, other than by how much, the two sides differ; empty if in none that tells."""
    one, two = seen[key(pair.d1)], seen[key(pair.d2)]
    ways = []
    if one.shape != two.shape:
        ways.append(f"{min(one.shape, two.shape)} or {max(one.shape, two.shape)}")
    if one.shape == two.shape and len(one.numbers) <= _FEW_NUMBERS:
        moved = [i for i, (a, b) in enumerate(zip(one.numbers, two.numbers, strict=True)) if a != b]
        ways.append(f"moves {moved}" if len(one.numbers) > 1 and moved else "")
    ways += [
        place for place in sorted(one.draws.keys() | two.draws.keys()) if one.draws.get(place) != two.draws.get(place)
    ]
    return "; ".join(filter(None, ways))


def _distance(pair: Pair, seen: Mapping[str, Seen]) -> float:
    """How far the outputs are apart, in units of the least noise; infinite if they are of different shapes."""
    one, two = seen[key(pair.d1)], seen[key(pair.d2)]
    if one.shape != two.shape or len(one.numbers) != len(two.numbers):
        return math.inf
    steps = [abs(a - b) for a, b in zip(one.numbers, two.numbers, strict=True) if math.isfinite(a) and math.isfinite(b)]
    scales = [low for side in (one, two) for _, low, _ in side.draws.values() if low is not None and low > 0]
    return max(steps, default=0.0) / (min(scales) if scales else 1.0)
