"""A model of one data value: the numbers of the output as an affine function of the noise, learnt from some ten runs.

The idea to record the draws of a run is that of Cebere, Erb, Desfontaines, Bellet and Fitzsimons, "Privacy in Theory,
Bugs in Practice" (PETS 2026); here nothing has to be marked by hand. Nothing is concluded from a model alone: it says
where runs are worth most, and coupled runs pay for what it is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dplint.audit.models.leaves import (
    ENOUGH,
    MOST_MIXED,
    SPARE,
    TRANSFORMS,
    UNIFORM,
    LeafModel,
    elements_of,
    fit,
    transformed,
)
from dplint.audit.models.probabilities import probability
from dplint.events.conditions import Event
from dplint.runner.batch import Group, LeafKind, Skeleton
from dplint.runner.client import Trace

Floats = npt.NDArray[np.float64]

RUNS = 10
"""Runs of a data value from which a model is learnt, where each number of the output has a draw of its own."""
NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)
_HUGE = 1e100
_MOST_DRAWS = 4_096
"""Draws of a run from which a model is learnt: it holds a number for each of them, and each number of the output."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """output = centre + jacobian @ z, for the leaves that are numbers, with one independent z for each of `laws`.

    centre: shape (leaves,), NaN for leaves that are no numbers. jacobian: shape (leaves, draws). others: those leaves,
    which are the same in all runs. decimals, limits: of leaves that are rounded, and then clipped. transform: what is
    done to uniform draws before. unknown: leaves that are something else. documented, places: see `TracedDraws`.
    estimated: roughly, and not learnt. scales: of the draws of a run.
    """

    skeleton: Skeleton
    centre: Floats
    jacobian: Floats
    laws: tuple[str, ...]
    others: dict[int, tuple[int, float | str]]
    decimals: dict[int, int] = field(default_factory=dict)
    limits: dict[int, tuple[float, float]] = field(default_factory=dict)
    transform: str = ""
    unknown: frozenset[int] = frozenset()
    documented: bool = False
    estimated: bool = False
    scales: tuple[float, ...] = ()
    places: tuple[tuple[str, int], ...] = ()

    @property
    def only_suggests(self) -> bool:
        """Whether nothing may be concluded beside this model: its laws are not those of generators that have drawn."""
        return self.documented or self.estimated

    @property
    def families(self) -> tuple[str, ...]:
        """What the draws are in the end, without parameters."""
        made = [self.transform if self.transform and law in UNIFORM else law for law in self.laws]
        return tuple(one.partition(" ")[0] for one in made)

    @property
    def is_affine(self) -> bool:
        """Whether nothing is rounded or clipped, and draws are taken as they are."""
        return not (self.decimals or self.limits or self.transform)

    def probability(self, event: Event) -> tuple[float, float] | None:
        """As in `NoiseModel`."""
        return None if self.transform else probability(self, event)

    def outputs(self, leaves: Sequence[int], z: Floats) -> Floats:
        """As in `NoiseModel`: a sum in the order of the draws, for a product of matrices differs in its last digits."""
        rows = list(leaves)
        found = np.repeat(self.centre[rows, None], z.shape[1], axis=1)
        jacobian, made = self.jacobian[rows], transformed(self.transform, self.laws, z)
        for draw in np.flatnonzero(jacobian.any(axis=0)).tolist():
            found += jacobian[:, draw, None] * made[draw]
        for row, leaf in enumerate(rows):
            if leaf in self.decimals:
                found[row] = np.round(found[row], self.decimals[leaf])
            if leaf in self.limits:
                found[row] = np.clip(found[row], *self.limits[leaf])
        return found

    def draws_in(self, leaves: Sequence[int]) -> list[int]:
        """The draws that those leaves hang on; of uniform ones that are transformed all, for some belong together."""
        inside = self.jacobian[list(leaves)].any(axis=0)
        if self.transform:
            inside = inside | np.isin(self.laws, UNIFORM)
        found: list[int] = np.flatnonzero(inside).tolist()
        return found

    def is_other_than(self, other: Model) -> bool:
        """Whether outputs differ in their form, or in a leaf that is no number and always the same."""
        both = self.others.keys() & other.others.keys()
        return self.skeleton != other.skeleton or any(self.others[leaf] != other.others[leaf] for leaf in both)


@dataclass(frozen=True, slots=True)
class Refused:
    """There is no model, for the reason given. runs: with so many there may be one; 0 if not. hidden: draws are."""

    reason: str
    runs: int = 0
    hidden: bool = False


def learn(trace: Trace) -> Model | Refused:
    """The model that all runs of the trace obey."""
    if len(trace.batch.groups) != 1:
        return Refused("the form of the output varies")
    (group,) = trace.batch.groups
    draws = [run for run in trace.draws if run is not None]
    if len(draws) != trace.batch.runs:
        return Refused("a draw is of no known law, or could come again", hidden=True)
    if len({run.laws for run in draws}) != 1:
        return Refused("the number or the kind of the draws varies")
    if len(draws[0].laws) > _MOST_DRAWS:
        return Refused(f"a run makes {len(draws[0].laws):,} draws")
    # The draws of a run, in the order in which the batch has the outputs.
    ordered = [draws[row] for row in group.rows.tolist()]
    drawn = np.array([run.values for run in ordered], np.float64).reshape(len(ordered), -1)
    tables = np.array([run.scales or (1.0,) * len(run.values) for run in ordered], np.float64)
    scales = tables[0] if len(tables) else np.zeros(0)
    found, transform = _leaves(group, drawn, scales, draws[0].laws)
    fixed = _fixed(group)
    known = [leaf for leaf in found if found[leaf] is not None]
    unknown = frozenset(range(group.values.shape[1])) - frozenset(known) - fixed
    if any(run.opaque for run in draws) and any(one is None for one in found.values()):
        return Refused("a draw is of no known law", hidden=True)
    if unknown and (more := _more_runs(len(draws), drawn.shape[1], numbers=not unknown.isdisjoint(found))):
        return Refused("several draws are in a number, or it is rounded or clipped", more)
    if unknown and not known:
        return Refused("no number in the output is a sum of draws")
    leaves = {leaf: one for leaf, one in found.items() if one is not None}
    width = group.values.shape[1]
    model = Model(
        skeleton=group.skeleton,
        centre=np.full(width, np.nan),
        jacobian=np.zeros((width, drawn.shape[1])),
        laws=draws[0].laws,
        others=_others(group, fixed, trace.batch.strings),
        decimals={leaf: one.decimals for leaf, one in leaves.items() if one.decimals is not None},
        limits={leaf: (one.low, one.high) for leaf, one in leaves.items() if one.low > -np.inf or one.high < np.inf},
        transform=transform,
        unknown=unknown,
        documented=any(run.documented for run in draws),
        scales=tuple(scales.tolist()),
        places=draws[0].places,
    )
    for leaf, one in leaves.items():
        model.centre[leaf], model.jacobian[leaf] = one.centre, one.row
    return model


def _leaves(
    group: Group, drawn: Floats, scales: Floats, laws: tuple[str, ...]
) -> tuple[dict[int, LeafModel | None], str]:
    """A model of each leaf that has a name and is a number in all runs, and the transform with which most have one."""
    kinds = np.isin(group.kinds, NUMBERS).all(axis=0) & (np.abs(group.values) < _HUGE).all(axis=0)
    finite = np.flatnonzero(kinds & np.isfinite(group.values).all(axis=0)).tolist()
    names = elements_of(group.skeleton)
    numbers = [leaf for leaf in finite if leaf in names]
    best: dict[int, LeafModel | None] = {}
    chosen, most = "", -1
    for name in TRANSFORMS if any(law in UNIFORM for law in laws) else ("",):
        made = transformed(name, laws, drawn.T).T
        if not np.isfinite(made).all():
            continue
        found = {leaf: fit(group.values[:, leaf], made, scales) for leaf in numbers}
        count = sum(one is not None for one in found.values())
        if count > most:
            best, chosen, most = found, name, count
        if count == len(numbers):
            break
    return best, chosen


def _more_runs(runs: int, draws: int, *, numbers: bool) -> int:
    """So many runs may tell more of a number; 0 if not."""
    if not numbers:
        return 0
    wanted = max(draws + SPARE + 1 if draws <= MOST_MIXED else 0, ENOUGH)
    return wanted if runs < wanted else 0


def _fixed(group: Group) -> frozenset[int]:
    """The leaves that are no numbers, and the same in all runs."""
    same = (group.kinds == group.kinds[0]).all(axis=0) & (group.values == group.values[0]).all(axis=0)
    return frozenset(np.flatnonzero(same & ~np.isin(group.kinds[0], NUMBERS)).tolist())


def _others(group: Group, leaves: frozenset[int], strings: Sequence[str]) -> dict[int, tuple[int, float | str]]:
    """Leaves that are no numbers: their kind, and the text or 0."""
    textual = (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER)
    kinds, values = group.kinds[0].tolist(), group.values[0].tolist()
    return {
        leaf: (kinds[leaf], strings[int(values[leaf])] if kinds[leaf] in textual else 0.0) for leaf in sorted(leaves)
    }
