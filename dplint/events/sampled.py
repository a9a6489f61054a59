"""A few outputs of every data value, in which event families look for features."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dplint.events import places
from dplint.events.array_values import TableValues
from dplint.events.columns import Column, Floats, Key, Ordered, ValueClass, may_be_one, some_are_one
from dplint.events.conditions import Feature, joined, joined_column
from dplint.events.layout import Part, is_cut
from dplint.events.places import Place, Steps, Through
from dplint.events.table_values import Table
from dplint.events.thresholds import common_values, is_literal
from dplint.program.building import call, compare, constant, display, method
from dplint.program.nodes import Expression
from dplint.program.printing import printed
from dplint.runner.batch import MOST_LEAVES, LeafKind
from dplint.runner.texts import TextNumbers

_OF_TEXTS = frozenset(["json", "numbers", "str", "words"])


@dataclass
class Sight:
    """One place of the output, over all runs seen.

    parents: names of the types of what holds it. type_names: of what is there, values and exceptions aside; `sized` of
    these have a length, `plain` ones were seen with nothing but values in one dimension, `nested` ones with more.
    """

    steps: Steps
    rows: int = 0
    leaf_rows: int = 0
    raised_rows: int = 0
    lengths: set[int | None] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)
    type_names: set[str] = field(default_factory=set)
    sized: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)

    @property
    def place(self) -> Place:
        """The place as features name it."""
        return Place(self.steps)

    @property
    def flat(self) -> bool:
        """Whether a type tells that what is there has only values in it, each with a place or a number of its own."""
        return bool(self.plain) and self.plain.isdisjoint(self.nested)


@dataclass(frozen=True)
class Survey:
    """All places of the outputs seen, and the number of runs."""

    sights: dict[Steps, Sight]
    runs: int

    def guards(self, steps: Steps) -> tuple[Expression, ...]:
        """Conditions under which a place exists; none for places that every run has."""
        if not steps or self.sights[steps].rows == self.runs:
            return ()
        parent, last = steps[:-1], steps[-1]
        place = Place(parent).tree
        parents = self.sights[steps].parents
        if isinstance(last, int) and parents == {"dict"}:
            last = places.Key(last)
        elif isinstance(last, int):
            # Where it is a key at other times, it is looked at as an index.
            parents = parents - {"dict"}
        guards = [*self.container_guards(parent, parents)]
        lengths = self.sights[parent].lengths
        if isinstance(last, int) and len(lengths) > 1:
            guards.append(compare(call("len", place), ">", constant(last if last >= 0 else -last - 1)))
        elif isinstance(last, places.Key):
            guards.append(compare(constant(last.value), "in", place))
        elif isinstance(last, str) and not last.startswith("."):
            guards.append(compare(constant(last), "in", place))
        elif last == Through("json") and self.sights[steps].rows < self.sights[parent].leaf_rows:
            opening = "{" if "dict" in self.sights[steps].type_names else "["
            guards.append(method(place, "startswith", constant(opening)))
        return tuple(guards)

    def surely_seen(self, steps: Steps) -> bool:
        """Whether the views on the way to a place show something wherever there is what they look at.

        No guard tells whether all entries of a dict are numbers. Texts are looked into whatever they say.
        """
        return all(
            not isinstance(step, Through)
            or step.view in _OF_TEXTS
            or self.sights[steps[: depth + 1]].rows
            == self.sights[steps[:depth]].rows - self.sights[steps[:depth]].leaf_rows
            for depth, step in enumerate(steps)
        )

    def container_guards(self, steps: Steps, type_names: set[str]) -> tuple[Expression, ...]:
        """Conditions under which a place exists and is of one of these types."""
        sight = self.sights[steps]
        guards = self.guards(steps)
        if not (sight.leaf_rows or sight.raised_rows or sight.type_names - type_names):
            return guards
        of_a_type = compare(call("type-name", sight.place.tree), "in", display(map(constant, sorted(type_names))))
        return (*guards, of_a_type)


def look_at(tables: Sequence[Table]) -> Survey:
    """Go through the shapes of all outputs."""
    sights: dict[Steps, Sight] = {}
    runs = 0
    for table in tables:
        runs += table.size
        for steps, part in table.parts.items():
            if table.size:
                parent = {_python_name(table.parts[steps[:-1]])} if steps else set()
                _note(sights.setdefault(steps, Sight(steps)), part, table.size, parent)
    for steps, sight in sights.items():
        if steps[-1:] == (Through("numbers"),):
            owner = steps[:-2] if steps[-2:-1] == (Through("str"),) else steps[:-1]
            if sight.rows < sights[owner].rows:
                sight.lengths.add(0)  # of the texts that hold none
    return Survey(sights, runs)


def _note(sight: Sight, part: Part, rows: int, parents: set[str]) -> None:
    """So many outputs that have a part."""
    sight.rows += rows
    sight.leaf_rows += rows * part.is_leaf
    sight.raised_rows += rows * part.raised
    sight.parents |= parents
    if not part.raised:
        sight.lengths.add(part.length)
        if not part.is_leaf:
            _note_container(sight, part)


def _note_container(sight: Sight, part: Part) -> None:
    name = _python_name(part)
    sight.type_names.add(name)
    if part.length is not None:
        sight.sized.add(name)
    (sight.plain if part.plain else sight.nested).add(name)


def _python_name(part: Part) -> str:
    if part.is_leaf:
        return "str"  # what is a leaf and holds something at once is a text that is looked into
    return "ndarray" if part.type_name == "array" else part.type_name


_PLACES, _VALUES = 40, 24
"""How many parts are looked at, and how many values at least, where there are as many."""
_COUNTED_VALUES = 6
_COMMON = 0.005
"""Share of the elements that a value must have to be counted."""


@dataclass(frozen=True)
class SampledOutputs:
    """Outputs, and noise-free ones, one of each data value or none at all."""

    tables: Sequence[Table]
    noise_free: Sequence[Table]
    texts: TextNumbers
    machine: bool = False
    """Whether it is asked how numbers are stored, too."""
    scales: tuple[float, ...] = ()
    """Of noise by the book, for the claim; for such questions."""

    @cached_property
    def survey(self) -> Survey:
        """What the outputs look like."""
        return look_at(self.tables)

    def parts(self) -> Iterator[SampledPart]:
        """The parts that outputs have, those of few steps first; of very many only the first, and the first values."""
        sights = self.survey.sights
        ordered = sorted(sights, key=lambda s: (len(s), [str(x) for x in s]))
        values = [steps for steps in ordered if sights[steps].leaf_rows]
        for steps in dict.fromkeys([*ordered[:_PLACES], *values[:_VALUES]]):
            # Of a sequence that holds sequences only the last of flat ones is known, which no guard could tell apart.
            last_of_nested = steps and steps[-1] == -1 and not sights[steps[:-1]].flat
            if not last_of_nested and self.survey.surely_seen(steps):
                yield SampledPart(self, Place(steps))

    @property
    def left_out(self) -> tuple[int, str]:
        """How many values of an output are no parts by themselves, and which, in words; of the shape that has most."""
        places = {part.place.steps for part in self.parts()}
        return max((_left_out(table, places) for table in self.tables), default=(0, ""))

    def pooled(self, feature: Feature) -> Column:
        """The values of a feature on all outputs, table by table, written out for each."""
        return self._looked_at(feature)[0]

    def numbers(self, feature: Feature) -> Ordered:
        """The numbers among them."""
        if feature not in self._ordered:
            self._ordered[feature] = Ordered.of_column(self.pooled(feature))
        return self._ordered[feature]

    def _looked_at(self, feature: Feature) -> tuple[Column, bool]:
        """The values of a feature on all outputs, and whether it may be a float: what is no leaf of outputs may."""
        if feature not in self._pooled:
            columns = list(map(feature.column, self._values))
            kinds = (column.kinds for column in columns)
            floats = any(kind is None or bool((kind == LeafKind.FLOAT).any()) for kind in kinds)
            self._pooled[feature] = joined(columns, self._values), floats
        return self._pooled[feature]

    def landmarks(self, feature: Feature) -> tuple[float, ...]:
        """The finite numbers that a feature is on noise-free outputs, ascending."""
        column = joined_column(feature, self._noise_free_values)
        values = column.values[column.classes == ValueClass.NUMBER]
        return tuple(sorted(set(values[np.isfinite(values)].tolist())))

    def rounded(self, feature: Feature) -> bool:
        """Whether values of a feature may differ by the rounding of floats alone; no, if that is what is asked for."""
        if self.machine or feature.COUNTS:
            return False
        if not self._looked_at(feature)[1]:
            return False
        return self.some_rounded or may_be_one(self.numbers(feature).finite)

    @cached_property
    def some_rounded(self) -> bool:
        """Whether numbers of the outputs do: then so may all that is made of them. No, if that is what is asked for."""
        return not self.machine and any(some_are_one(Ordered.of(part.finite_numbers)) for part in self.parts())

    @cached_property
    def _pooled(self) -> dict[Feature, tuple[Column, bool]]:
        return {}

    @cached_property
    def _ordered(self) -> dict[Feature, Ordered]:
        return {}

    @cached_property
    def _values(self) -> tuple[TableValues, ...]:
        return tuple(TableValues(table, self.texts) for table in self.tables)

    @cached_property
    def _noise_free_values(self) -> tuple[TableValues, ...]:
        return tuple(TableValues(table, self.texts) for table in self.noise_free)


@dataclass(frozen=True)
class SampledPart:
    """One part of the outputs, as the sample shows it."""

    sample: SampledOutputs
    place: Place

    @cached_property
    def sight(self) -> Sight:
        """How often there is what."""
        return self.sample.survey.sights[self.place.steps]

    @cached_property
    def guards(self) -> tuple[Expression, ...]:
        """Conditions under which outputs have the part."""
        return self.sample.survey.guards(self.place.steps)

    def inside(self, type_names: set[str]) -> tuple[Expression, ...]:
        """Conditions under which outputs have the part, and it is of one of these types."""
        return self.sample.survey.container_guards(self.place.steps, type_names)

    @property
    def seen(self) -> list[tuple[Table, Part]]:
        """The tables whose outputs have the part."""
        return _having(self.place.steps, self.sample.tables)

    @property
    def seen_noise_free(self) -> list[tuple[Table, Part]]:
        """The tables whose noise-free outputs have the part."""
        return _having(self.place.steps, self.sample.noise_free)

    @cached_property
    def numbers(self) -> Floats:
        """The numbers that the part is in these outputs, infinities among them, NaN not; bools are left out."""
        found = [np.zeros(0)]
        for table, part in self.seen:
            if part.is_leaf:
                leaf = table.leaf(part.start)
                number = (leaf.classes == ValueClass.NUMBER) & (table.kinds_of(part)[0] != LeafKind.BOOL)
                found.append(leaf.values[np.broadcast_to(number, leaf.values.shape)])
        return np.concatenate(found)

    @property
    def finite_numbers(self) -> Floats:
        """Those that are finite."""
        return self.numbers[np.isfinite(self.numbers)]

    @cached_property
    def all_boolean(self) -> bool:
        """Whether all leaves of the part are bools."""
        kinds = (table.kinds_of(part) for table, part in self.seen)
        return all((one == LeafKind.BOOL).all() for one in kinds)

    @cached_property
    def holds_others(self) -> bool:
        """Whether some leaves of the part are no numbers."""
        classes = (table.slice(part).classes for table, part in self.seen)
        return any((one != ValueClass.NUMBER).any() for one in classes)

    @cached_property
    def common_keys(self) -> list[Key]:
        """The values that occur often among the elements of a sequence; empty where the elements are continuous.

        None is a number where numbers differ by rounding alone.
        """
        plain = [(table, part) for table, part in self.seen if part.plain]
        columns = [table.slice(part) for table, part in plain]
        if not columns:
            return []
        classes = [np.broadcast_to(column.classes, column.values.shape).ravel() for column in columns]
        flat = Column(np.concatenate(classes), np.concatenate([column.values.ravel() for column in columns]))
        kinds = np.concatenate([table.kinds_of(part).ravel() for table, part in plain])
        booleans = bool((kinds[(flat.values == 0.0) | (flat.values == 1.0)] == LeafKind.BOOL).all())
        numbers = Ordered.of_column(flat)
        rounded = not self.sample.machine and some_are_one(numbers.finite)
        shares = {
            key: count
            for key, count in common_values(flat, numbers, self.sample.texts, booleans=booleans)
            if not (rounded and key.kind is ValueClass.NUMBER)
        }
        # NaN equals nothing, so Python's `count` never finds it.
        common = [
            key
            for key, count in shares.items()
            if count >= _COMMON * len(flat.values) and key.kind is not ValueClass.NAN and is_literal(key)
        ]
        return sorted(common, key=lambda k: (-shares[k], k.shown))[:_COUNTED_VALUES]


def _left_out(table: Table, places: Collection[Steps]) -> tuple[int, str]:
    """How many values the outputs of a table have of which none of these places is, and which, in words."""
    layout = table.layout
    seen = {part.start for steps, part in layout.parts.items() if part.is_leaf and steps in places}
    unseen = [leaf for leaf in range(layout.leaves) if leaf not in seen]
    beyond = f"what lies beyond the first {MOST_LEAVES:,} values of an output" if is_cut(layout.skeleton) else ""
    if not unseen:
        return len(beyond), beyond
    inside = [steps for steps, part in layout.parts.items() if part.start <= unseen[0] < part.stop]
    first = printed(Place(max(inside, key=len)).tree)
    words = f"{len(unseen):,} of {layout.leaves:,} values of an output (the first in {first})"
    return len(unseen) + len(beyond), f"{words} and {beyond}" if beyond else words


def _having(steps: Steps, tables: Sequence[Table]) -> list[tuple[Table, Part]]:
    return [(table, part) for table in tables if (part := table.parts.get(steps)) is not None]
