"""Pairs on which a reading of a function is compared with the function: chosen so that a misreading shows.

Patterns and their ends, values at and next to numbers of the source, data of no record and of many, and pairs at random
over the whole domain of the claim.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from dplint.claims import Literal, Mechanism, Pair
from dplint.inputs.forms import data_form
from dplint.inputs.moves import Moves, moves_among
from dplint.inputs.pairs import NoPairs, are_neighbours, choose_pairs, further_pairs
from dplint.program.nodes import Constant, Program
from dplint.program.walk import walk
from dplint.relations import DataKind, relation_of

_WHY = "a reading is compared there"
_LONG = 48
"""Records of data that is much longer than other data."""
_GRID, _EXACT = 1024, 1e9
"""Parts of 1 to which numbers at random are rounded towards 0, if they are less than this."""
_MOVED, _MANY = 3, 12
"""Changes in a row of a pair at random, and values of the source in data that hold no other."""


def pairs_to_compare(mechanism: Mechanism, program: Program, most: int, seed: int) -> list[Pair]:
    """So many neighbours of the claim's relation, each once; fewer where there are fewer, none of a custom relation.

    program: whose numbers are tried as data. seed: of those at random.
    """
    constants = [node.value for node in walk(program) if isinstance(node, Constant)]
    try:
        patterns = choose_pairs(mechanism)
        plain = [one for one in constants if isinstance(one, int | float | str) and not isinstance(one, bool)]
        further = further_pairs(mechanism, plain)
    except NoPairs:
        return []
    chance, moves = random.Random(seed), moves_among(constants, mechanism, _WHY)
    turns: tuple[Iterator[Pair], ...] = (
        _at_random(mechanism, moves, chance, most),  # first, for readings that are slow: these show more than others
        iter([*islice(_at_numbers(further, plain), most // 6), *_spread(further, most // 6)]),
        iter(_spread(patterns, most // 3)),
        _at_several(mechanism, moves, plain, chance),
        _long(mechanism, moves, chance),
    )
    chosen: dict[str, Pair] = {}
    while turns and len(chosen) < most:
        rest = []
        for turn in turns:
            pair = next(turn, None)
            if pair is not None:
                rest.append(turn)
                for near in (_with_few_bits(pair), pair):  # rounded they may be no neighbours
                    if are_neighbours(mechanism, near.d1, near.d2):
                        chosen.setdefault(repr((near.d1, near.d2)), near)
                        break
        turns = tuple(rest)
    return list(chosen.values())[:most]


def _at_numbers(pairs: Sequence[Pair], constants: Sequence[float | str]) -> Iterator[Pair]:
    """For each number of the source, and those next to it, the first pair that is so long, and that holds it.

    Large ones first, which are in few other pairs.
    """
    holding, long = dict[float, Pair](), dict[float, Pair]()
    for pair in pairs:
        for side in (pair.d1, pair.d2):
            long.setdefault(len(side) if isinstance(side, list) else 1, pair)
            for value in _numbers(side):
                holding.setdefault(value, pair)
    numbers = sorted((one for one in constants if not isinstance(one, str)), key=abs, reverse=True)
    for near in (near for one in numbers for near in (one, one + 1, one - 1)):
        yield from (found[near] for found in (long, holding) if near in found)


def _at_several(
    mechanism: Mechanism, moves: Moves, constants: Sequence[float | str], chance: random.Random
) -> Iterator[Pair]:
    """Data that hold a value of the source, one beside it or between two, and the one that follows in the source.

    By turns also data of nothing but such values.
    """
    values = list(dict.fromkeys(constants))
    numbers = sorted(one for one in values if not isinstance(one, str))
    between = [(low + high) / 2 for low, high in pairwise(numbers)]
    beside = [near for one in numbers for near in (one - 1, one + 1)]
    scalar = data_form(mechanism) == "scalar"
    for few in (values, [*between, *values], [*beside, *values]) if values else ():
        for number, value in enumerate(few):
            following = few[(number + 1) % len(few)]
            yield moves.holding([value, following], chance, scalar=scalar)
            yield moves.holding([chance.choice(few) for _ in range(_MANY)], chance, scalar=scalar)


def _numbers(value: Literal) -> Iterator[float]:
    match value:
        case list() | tuple():
            for item in value:
                yield from _numbers(item)
        case dict():
            yield from _numbers(list(value.values()))
        case int() | float():
            yield value


def _spread(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """The shortest, the longest, and so many others between them, evenly."""
    if len(pairs) <= most:
        return list(pairs)
    ends = [min(pairs, key=_length), max(pairs, key=_length)]
    return [*ends, *(pairs[k * len(pairs) // most] for k in range(most))]


def _length(pair: Pair) -> int:
    return len(pair.d1) if isinstance(pair.d1, list) else 1


def _at_random(mechanism: Mechanism, moves: Moves, chance: random.Random, most: int) -> Iterator[Pair]:
    scalar = data_form(mechanism) == "scalar"
    for number in range(2 * most):
        pair = moves.at_random(chance, scalar=scalar)
        for _ in range(number % _MOVED):
            pair = moves.moved(pair, chance)
        d1, d2 = (pair.d1, pair.d2) if number % 2 else (pair.d2, pair.d1)
        yield Pair(d1, d2, _WHY, _length(pair))


def _with_few_bits(pair: Pair) -> Pair:
    return Pair(_rounded(pair.d1), _rounded(pair.d2), pair.pattern, pair.size)


def _rounded(value: Literal) -> Literal:
    """Floats with few bits, whose sums and differences are exact: what floats round away is no misreading."""
    match value:
        case list():
            return [_rounded(item) for item in value]
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case float() if math.isfinite(value) and abs(value) < _EXACT:
            return math.trunc(value * _GRID) / _GRID
        case _:
            return value


def _long(mechanism: Mechanism, moves: Moves, chance: random.Random) -> Iterator[Pair]:
    """Data of many records, in both orders, unless the claim names its sizes."""
    if mechanism.claim.size is not None or relation_of(mechanism.claim).data is not DataKind.RECORDS:
        return
    records: list[Literal] = []
    while len(records) < _LONG:
        side = moves.at_random(chance, scalar=False).d1
        if not isinstance(side, list) or not side:
            return
        records += side
    if relation_of(mechanism.claim).same_size:
        yield Pair(records, [*records[1:2], *records[1:]], _WHY, len(records))
        return
    yield Pair(records, records[1:], _WHY, len(records))
    yield Pair(records[1:], records, _WHY, len(records))
