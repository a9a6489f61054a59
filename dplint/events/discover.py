"""Choosing features, thresholds and products from a few runs: the candidate events of Algorithm 3.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3, for all five kinds of output. One
procedure serves them all: a feature with few values is categorical, others are cut at quantiles of the pooled sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from dplint.events.extract import read_pooled
from dplint.events.features import (
    Count,
    Element,
    Feature,
    Hamming,
    Length,
    Message,
    Place,
    Summary,
    Summed,
    TypeName,
    Whole,
)
from dplint.events.grids import Grid, NumberAxis, ValueAxis
from dplint.events.layout import OF_PYTHON, UNORDERED, Steps
from dplint.events.survey import Survey, look_at
from dplint.events.tables import Table, tables_of
from dplint.events.thresholds import Described, common_values, describe, is_literal
from dplint.events.values import Class, Column, Key, Texts
from dplint.events.wholes import describe_rows, row_key
from dplint.runner.batch import Batch, Kind

PILOT_RUNS = 500
"""Runs of each data value in which features and thresholds are looked for."""
_PLACES = 40
_COUNTED_VALUES = 6
_REFERENCES = 4
_CROSSED_VALUES = 5
_CROSSED_NUMBERS = 4


def discover_grids(pilot: Sequence[Batch], noise_free: Sequence[Batch], texts: Texts) -> tuple[Grid, ...]:
    """The grids to count.

    `pilot`: outputs of every data value, of which the first 500 are looked at; `noise_free`: one of each, may be empty.
    """
    tables = tables_of(pilot, texts, PILOT_RUNS)
    quiet = tables_of(noise_free, texts, 1)
    survey = look_at(tables)
    described: list[Described] = []
    for feature in features_of(survey, tables, quiet, texts):
        if isinstance(feature, Whole):
            found = describe_rows(feature, tables, texts)
        else:
            landmarks = _numbers_of(read_pooled(feature, quiet, texts))
            pooled = read_pooled(feature, tables, texts)
            found = describe(feature, pooled, landmarks, texts, booleans=is_boolean(feature, tables))
        if found is not None:
            described.append(found)
    return (*_single(described), *_crossed(described))


def _numbers_of(column: Column) -> tuple[float, ...]:
    values = column.values[column.classes == Class.NUMBER]
    return tuple(sorted(set(values[np.isfinite(values)].tolist())))


def is_boolean(feature: Feature, tables: Sequence[Table]) -> bool:
    """Whether every 0 and 1 among an element's values is a bool, so that conditions spell it False and True."""
    if not isinstance(feature, Element):
        return False
    seen = False
    for table in tables:
        part = table.parts.get(feature.place.steps)
        if part is None or not part.is_leaf:
            continue
        leaf = table.leaf(part)
        bits = (leaf.classes == Class.NUMBER) & ((leaf.values == 0.0) | (leaf.values == 1.0))
        seen |= bool(bits.any())
        if (bits & (table.kinds[part.start] != Kind.BOOL)).any():
            return False
    return seen


def features_of(survey: Survey, tables: Sequence[Table], quiet: Sequence[Table], texts: Texts) -> Iterator[Feature]:
    """The features that outputs like those in `tables` have, whether they vary or not; quiet: noise-free outputs."""
    for steps in sorted(survey.sights, key=lambda s: (len(s), [str(x) for x in s]))[:_PLACES]:
        sight = survey.sights[steps]
        if steps and steps[-1] == -1 and not survey.sights[steps[:-1]].flat:
            continue  # only the last of flat sequences is known, which no guard could tell from others
        place, guards = sight.place, survey.guards(steps)
        kinds_vary = len(sight.type_names) + bool(sight.leaf_rows) + bool(sight.raised_rows) > 1
        if kinds_vary or sight.raised_rows:
            yield TypeName(place, guards)
        if sight.raised_rows:
            yield Message(place, (*guards, f"isinstance({place}, Exception)"))
        if sight.leaf_rows:
            yield Element(place, guards, _number_guard(steps, tables))
        if len(sight.lengths - {None}) > 1:
            yield Length(place, survey.container_guards(steps, sight.sized))
        if sight.flat:
            inside = survey.container_guards(steps, sight.plain)
            yield from _sequence_features(steps, inside, survey, tables, quiet, texts)


def _number_guard(steps: Steps, tables: Sequence[Table]) -> str:
    """What keeps a comparison from failing, or from being about large integers, where the value is sometimes no number.

    Large integers are known by their digits only, and lie in no interval.
    """
    text = str(Place(steps))
    classes: set[int] = set()
    large = False
    for table in tables:
        part = table.parts.get(steps)
        if part is not None:
            classes |= set(np.unique(table.classes[part.start]).tolist()) if part.is_leaf else {int(Class.OTHER)}
            large |= part.is_leaf and bool((table.kinds[part.start] == Kind.BIGINT).any())
    guards = []
    if Class.NONE in classes:
        guards.append(f"{text} is not None")
    if Class.TEXT in classes:
        guards.append(f"not isinstance({text}, str)")
    if Class.OTHER in classes:
        guards.append(f"isinstance({text}, (int, float))")
    if large:
        guards.append(_not_large(text))
    return " and ".join(guards)


def _not_large(text: str) -> str:
    return f"(isinstance({text}, float) or abs({text}) <= 2**53)"


def _sequence_features(
    steps: Steps,
    guards: tuple[str, ...],
    survey: Survey,
    tables: Sequence[Table],
    quiet: Sequence[Table],
    texts: Texts,
) -> Iterator[Feature]:
    place = Place(steps)
    keys = _common_keys(steps, tables, texts)
    for key in keys:
        yield Count(place, guards, "", key)
    types = survey.sights[steps].plain
    if keys and types.isdisjoint(UNORDERED):
        for reference in _references(steps, quiet, texts):
            yield Hamming(place, guards, "", reference)
        yield Whole(place, guards, "", as_list=types != {"list"})
    if _all_boolean(steps, tables):
        return
    not_empty = (f"len({place}) > 0",) if 0 in survey.sights[steps].lengths else ()
    numeric = ""
    if _holds_others(steps, tables):
        numeric = f"all(isinstance(x, (int, float)) and x == x and {_not_large('x')} for x in {place})"
    for summary in Summary:
        yield Summed(place, (*guards, *not_empty), numeric, summary, not types <= OF_PYTHON)


def _all_boolean(steps: Steps, tables: Sequence[Table]) -> bool:
    """Whether a sequence holds only bools, of which the counts say everything."""
    return all(
        (table.kinds[part.start : part.stop] == Kind.BOOL).all()
        for table in tables
        if (part := table.parts.get(steps)) is not None
    )


def _holds_others(steps: Steps, tables: Sequence[Table]) -> bool:
    return any(
        (table.classes[part.start : part.stop] != Class.NUMBER).any()
        for table in tables
        if (part := table.parts.get(steps)) is not None
    )


def _common_keys(steps: Steps, tables: Sequence[Table], texts: Texts) -> list[Key]:
    """The values that occur often among the elements of a sequence; empty where the elements are continuous."""
    shares: dict[Key, int] = {}
    total = 0
    for table in tables:
        part = table.parts.get(steps)
        if part is None or not part.plain:
            continue
        column = table.slice(part)
        total += column.values.size
        bits = (column.values == 0.0) | (column.values == 1.0)
        booleans = bool((table.kinds[part.start : part.stop][bits] == Kind.BOOL).all())
        flat = Column(np.broadcast_to(column.classes, column.values.shape).ravel(), column.values.ravel())
        for key, count in common_values(flat, texts, booleans=booleans):
            shares[key] = shares.get(key, 0) + count
    # NaN equals nothing, so Python's `count` never finds it.
    common = [
        key for key, count in shares.items() if count >= 0.005 * total and key.kind is not Class.NAN and is_literal(key)
    ]
    return sorted(common, key=lambda k: (-shares[k], k.shown))[:_COUNTED_VALUES]


def _references(steps: Steps, quiet: Sequence[Table], texts: Texts) -> list[tuple[Key, ...]]:
    """Distinct noise-free outputs, the longest first, as references for the Hamming distance."""
    found: dict[tuple[Key, ...], None] = {}
    for table in quiet:
        part = table.parts.get(steps)
        if part is None or not part.plain or part.stop == part.start:
            continue
        for index in range(table.size):
            row = row_key(table, part, index, texts)
            if all(key.kind is not Class.NAN and is_literal(key) for key in row.items):
                found.setdefault(row.items, None)
    return sorted(found, key=len, reverse=True)[:_REFERENCES]


def _single(described: Sequence[Described]) -> Iterator[Grid]:
    for item in described:
        for axis in item.axes:
            yield Grid((axis,))


def _crossed(described: Sequence[Described]) -> Iterator[Grid]:
    """Products of two conditions: a categorical with a numeric one, and two categorical ones."""
    values = [item.values for item in described if item.values is not None and item.categorical]
    numbers = [item.numbers for item in described if item.numbers is not None and not item.categorical]
    values = sorted(values, key=_eagerness)[:_CROSSED_VALUES]
    numbers = sorted(numbers, key=_eagerness)[:_CROSSED_NUMBERS]
    pairs: list[tuple[ValueAxis, ValueAxis | NumberAxis]] = [*product(values, numbers), *combinations(values, 2)]
    for first, second in pairs:
        if first.feature.place.steps != second.feature.place.steps or type(first.feature) is not type(second.feature):
            yield Grid((first, second))


def _eagerness(axis: ValueAxis | NumberAxis) -> tuple[int, int, str]:
    """Which axes to cross first: counts and lengths, the last element, the first elements, then the rest."""
    feature = axis.feature
    match feature:
        case Count() | Length() | TypeName():
            rank = 0
        case Element(place=place) if place.steps and place.steps[-1] == -1:
            rank = 1
        case Element():
            rank = 2
        case Summed():
            rank = 3
        case _:
            rank = 4
    return rank, len(feature.place.steps), feature.expression
