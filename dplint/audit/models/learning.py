"""A model of one data value: the numbers of the output as an affine function of the noise, learnt from some ten runs.

The idea to record the draws of a run is that of Cebere, Erb, Desfontaines, Bellet and Fitzsimons, "Privacy in Theory,
Bugs in Practice" (PETS 2026); here nothing has to be marked by hand. Nothing is concluded from a model alone: it says
where runs are worth most, and coupled runs pay for what it is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplint.runner.batch import Group, LeafKind, Skeleton
from dplint.runner.client import Trace

Floats = npt.NDArray[np.float64]

RUNS = 10
"""Runs of a data value from which a model is learnt, where each number of the output has a draw of its own."""
MOST_MIXED = 40
"""Draws of a run up to which numbers are understood that several draws are in."""
_SPARE = 4
"""Runs beyond those that the entries of a row take, which have to agree with it."""
_NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)
_HUGE = 1e100
_PRECISE = 1e-6
"""What may be left of a number's changes, as a share of them."""
_ROUNDING = 1e-12
"""What may be left of a number, as a share of it: the last digits are those of sums in another order."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """output = centre + jacobian @ z, for the leaves that are numbers, with one independent z for each of `laws`.

    centre: shape (leaves,), NaN for leaves that are no numbers. jacobian: shape (leaves, draws). others: those leaves,
    which are the same in all runs.
    """

    skeleton: Skeleton
    centre: Floats
    jacobian: Floats
    laws: tuple[str, ...]
    others: dict[int, tuple[int, float | str]]

    def outputs(self, leaves: Sequence[int], z: Floats) -> Floats:
        """As in `NoiseModel`: a sum in the order of the draws, for a product of matrices differs in its last digits."""
        rows = list(leaves)
        found = np.repeat(self.centre[rows, None], z.shape[1], axis=1)
        jacobian = self.jacobian[rows]
        for draw in np.flatnonzero(jacobian.any(axis=0)).tolist():
            found += jacobian[:, draw, None] * z[draw]
        return found


@dataclass(frozen=True, slots=True)
class Refused:
    """There is no model, for the reason given. runs: with so many there may be one; 0 if not."""

    reason: str
    runs: int = 0


def learn(trace: Trace) -> Model | Refused:
    """The model that all runs of the trace obey."""
    if len(trace.batch.groups) != 1:
        return Refused("the form of the output varies")
    (group,) = trace.batch.groups
    draws = [run for run in trace.draws if run is not None]
    if len(draws) != trace.batch.runs:
        return Refused("a draw has no location and scale")
    if len({run.laws for run in draws}) != 1:
        return Refused("the number or the kind of the draws varies")
    if (group.kinds != group.kinds[0]).any():
        return Refused("the kind of a value in the output varies")
    numeric = np.isin(group.kinds[0], _NUMBERS)
    if (group.values[:, ~numeric] != group.values[0, ~numeric]).any():
        return Refused("a value in the output that is no number varies")
    # The draws of a run, in the order in which the batch has the outputs.
    drawn = np.array([draws[row].values for row in group.rows.tolist()], np.float64)
    outputs = np.where(numeric, group.values, 0.0)
    if not (np.abs(outputs) < _HUGE).all():
        return Refused("a number in the output is infinite, or nearly so")
    found = _rows(outputs, drawn.reshape(len(outputs), -1))
    if isinstance(found, Refused):
        return found
    centre, jacobian = found
    return Model(
        skeleton=group.skeleton,
        centre=np.where(numeric, centre, np.nan),
        jacobian=jacobian,
        laws=draws[0].laws,
        others=_others(group, numeric, trace.batch.strings),
    )


def _others(
    group: Group, numeric: npt.NDArray[np.bool_], strings: tuple[str, ...]
) -> dict[int, tuple[int, float | str]]:
    """The leaves that are no numbers: their kind, and the text or 0."""
    textual = (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER)
    kinds, values = group.kinds[0].tolist(), group.values[0].tolist()
    return {
        leaf: (kinds[leaf], strings[int(values[leaf])] if kinds[leaf] in textual else 0.0)
        for leaf in np.flatnonzero(~numeric).tolist()
    }


def _rows(outputs: Floats, drawn: Floats) -> tuple[Floats, Floats] | Refused:
    """Centre and Jacobian of outputs of shape (runs, leaves) and draws of shape (runs, draws)."""
    moved, steps = outputs[1:] - outputs[0], drawn[1:] - drawn[0]
    runs, draws = steps.shape
    allowed = _PRECISE * np.abs(moved).max(axis=0) + _ROUNDING * np.abs(outputs).max(axis=0)
    jacobian = np.zeros((outputs.shape[1], draws))
    varying = np.abs(moved).max(axis=0) > _ROUNDING * np.abs(outputs).max(axis=0)
    squares = (steps**2).sum(axis=0)
    if varying.any() and not squares.any():
        return Refused("the output varies with nothing that was seen to be drawn")
    mixed: list[int] = []
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.where(squares[:, None] > 0, steps.T @ moved / squares[:, None], 0.0)
    for leaf in np.flatnonzero(varying).tolist():
        draw = int(np.argmax(slopes[:, leaf] ** 2 * squares))
        rest = np.abs(moved[:, leaf] - slopes[draw, leaf] * steps[:, draw]).max()
        if rest <= allowed[leaf]:
            jacobian[leaf, draw] = slopes[draw, leaf]
        else:
            mixed.append(leaf)
    if mixed:
        if draws > MOST_MIXED:
            return Refused(f"{draws} draws are in the same numbers")
        if runs < draws + _SPARE:
            return Refused("several draws are in a number", draws + _SPARE + 1)
        solved = np.linalg.lstsq(steps, moved[:, mixed], rcond=None)[0]
        if (np.abs(moved[:, mixed] - steps @ solved).max(axis=0) > allowed[mixed]).any():
            return Refused("the output is not affine in the noise")
        # What is far below the others is what rounding left.
        small = np.abs(solved) < _PRECISE * np.abs(solved).max(axis=0)
        jacobian[mixed] = np.where(small, 0.0, solved).T
    return outputs[0] - jacobian @ drawn[0], jacobian
