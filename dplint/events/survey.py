"""What the outputs of a few runs look like: the parts they have, and how often each is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dplint.events.features import Place
from dplint.events.layout import Steps
from dplint.events.tables import Table


@dataclass
class Sight:
    """One place of the output, over all runs seen."""

    steps: Steps
    rows: int = 0
    leaf_rows: int = 0
    plain_rows: int = 0
    raised_rows: int = 0
    lengths: set[int | None] = field(default_factory=set)
    type_names: set[str] = field(default_factory=set)

    @property
    def place(self) -> Place:
        """The place as features name it."""
        return Place(self.steps)


@dataclass(frozen=True)
class Survey:
    """All places of the outputs seen, and the number of runs."""

    sights: dict[Steps, Sight]
    runs: int

    def guards(self, steps: Steps) -> tuple[str, ...]:
        """Conditions in Python under which a place exists; none for places that every run has."""
        if not steps or self.sights[steps].rows == self.runs:
            return ()
        parent, last = steps[:-1], steps[-1]
        place = Place(parent)
        guards = [*self.guards(parent), *self._container_guard(parent)]
        lengths = self.sights[parent].lengths
        if isinstance(last, int) and len(lengths) > 1:
            guards.append(f"len({place}) > {last if last >= 0 else -last - 1}")
        elif isinstance(last, str) and not last.startswith("."):
            guards.append(f"{last!r} in {place}")
        return tuple(guards)

    def container_guards(self, steps: Steps) -> tuple[str, ...]:
        """Conditions under which a place exists and is a container."""
        return (*self.guards(steps), *self._container_guard(steps))

    def _container_guard(self, steps: Steps) -> tuple[str, ...]:
        """A test of the type, where the place sometimes is something else."""
        sight = self.sights[steps]
        others = sight.leaf_rows + sight.raised_rows
        names = sorted("ndarray" if name == "array" else name for name in sight.type_names)
        if not others and len(names) <= 1:
            return ()
        place = Place(steps)
        containers = [name for name in names if name]
        return (f"type({place}).__name__ in {containers!r}",) if others else ()


def look_at(tables: Sequence[Table]) -> Survey:
    """Go through the shapes of all outputs."""
    sights: dict[Steps, Sight] = {}
    runs = 0
    for table in tables:
        rows = table.size
        runs += rows
        for steps, part in table.parts.items():
            sight = sights.setdefault(steps, Sight(steps))
            sight.rows += rows
            sight.leaf_rows += rows * part.is_leaf
            sight.plain_rows += rows * part.plain
            sight.raised_rows += rows * part.raised
            if part.raised:
                continue
            sight.lengths.add(part.length)
            if not part.is_leaf:
                sight.type_names.add(part.type_name)
    return Survey(sights, runs)
