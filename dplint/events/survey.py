"""What the outputs of a few runs look like: the parts they have, and how often each is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dplint.events.layout import Part
from dplint.events.places import Key, Place, Steps, Through
from dplint.events.tables import Table
from dplint.program.building import call, compare, constant, display, method
from dplint.program.nodes import Expression

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
            last = Key(last)
        elif isinstance(last, int):
            # Where it is a key at other times, it is looked at as an index.
            parents = parents - {"dict"}
        guards = [*self.container_guards(parent, parents)]
        lengths = self.sights[parent].lengths
        if isinstance(last, int) and len(lengths) > 1:
            guards.append(compare(call("len", place), ">", constant(last if last >= 0 else -last - 1)))
        elif isinstance(last, Key):
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
