"""What a step releases of one data value: numbers, each a constant and a sum of normal draws, learnt by given draws.

All draws are given: zeros tell the constants, and a few others how each number hangs on each draw. Then come runs with
fresh draws; a number that does not come out as it was learnt is left out. So what is told rests on runs, not on all
that a function could do with its noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import connected_components

from dplint.audit.procedure import drawn
from dplint.audit.session import AuditSession
from dplint.claims import Literal
from dplint.runner.batch import Batch, DataValue, LeafKind, Skeleton, leaf_value
from dplint.runner.client import GivenNoise, Trace, TracedDraws

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]
MOST_DRAWS = 1 << 15
"""Draws of one step that are followed."""
_NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)
_FAR = 64.0
"""How much wider than noise the draws are by which one is told from others."""
_PROBES = 3
"""Runs by which one draw is told from others."""
_BEFORE = 2
"""Runs that tell whether the noise is that of a value before."""
_TOGETHER = 1 << 16
"""Numbers that are given to runs of several data values in one request."""
_NEAR = 3
"""Draws on either side of the likeliest that are looked at."""
_MOST_PARTS = 64
"""Pieces of all draws that are given by themselves at once, for numbers that several draws are in."""
PRECISE = 1e-8
"""What a number may be off from what was learnt, as a share of what noise moves it by."""
_RANK, _BARE = 1e-9, 1e3
"""A correlation matrix has no eigenvalues below, as far as its digits tell; and a distance that no noise hides."""
_DOUBLE, _SINGLE = 2.0**-50, 2.0**-21
"""What the last digits of a number may be wrong by, as a share of it."""


class NotRead(Exception):
    """What a step releases is not understood, for the reason in words."""


@dataclass(frozen=True)
class Noise:
    """How numbers hang on independent standard normal draws. matrix: shape (numbers, draws)."""

    matrix: Any
    _parts: dict[bytes, Noise] = field(default_factory=dict)

    def only(self, kept: Places) -> Noise:
        """Of some numbers alone, made once."""
        return self._parts.setdefault(kept.tobytes(), Noise(self.matrix[kept]))

    @cached_property
    def widths(self) -> Floats:
        """The standard deviation of each number."""
        found: Floats = np.sqrt(np.asarray(self.matrix.power(2).sum(axis=1)).ravel())
        return found

    @cached_property
    def correlation(self) -> Any:
        """Of the numbers, which all have noise; sparse."""
        scaled = diags_array(1 / self.widths) @ self.matrix
        return csr_array(scaled @ scaled.T)

    @cached_property
    def _blocks(self) -> list[tuple[Places, Floats, Floats]]:
        """Numbers that draws connect, by their count, shape (blocks, numbers): directions, and widths along them."""
        count, labels = connected_components(self.correlation, directed=False)
        members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels, minlength=count))[:-1])
        found = []
        for size in sorted(set(map(len, members))):
            places = np.array([one for one in members if len(one) == size])
            values, directions = np.ones((len(places), 1)), np.ones((len(places), 1, 1))
            if size > 1:
                values, directions = np.linalg.eigh([self.correlation[one][:, one].toarray() for one in places])
            found.append((places, directions, np.sqrt(np.maximum(values, _RANK))))
        return found

    def apart(self, moved: Floats, rounding: Floats) -> tuple[float, int]:
        """The length of a move in units of the noise, from below, and its dimension; infinite where that hides nothing.

        rounding: what of a move may be due to it, which is taken off.
        """
        move, slack = moved / self.widths, rounding / self.widths
        total, dims = 0.0, 0
        for places, directions, widths in self._blocks:
            inside = np.abs(np.einsum("bij,bi->bj", directions, move[places]))
            less = np.linalg.norm(slack[places], axis=1)
            if places.shape[1] > 1:  # the directions are as good as the digits that they were learnt from
                less = less + (PRECISE + slack[places].max(axis=1)) * np.linalg.norm(move[places], axis=1)
            total += float(((np.maximum(inside - less[:, None], 0.0) / widths) ** 2).sum())
            dims += int((widths**2 > _RANK).sum())
        distance = math.sqrt(total)
        return (math.inf if distance > _BARE else distance), dims


@dataclass(frozen=True)
class Seen:
    """The outputs of some runs of one data value in their order: kinds and values of shape (runs, leaves)."""

    skeleton: Skeleton
    kinds: npt.NDArray[np.uint8]
    values: Floats
    batch: Batch

    @classmethod
    def of(cls, batch: Batch) -> Seen:
        """Raises NotRead where the outputs have several forms."""
        if len(batch.groups) != 1:
            raise NotRead("the form of the output depends on the noise")
        (group,) = batch.groups
        order = np.argsort(group.rows)
        return cls(group.skeleton, group.kinds[order], group.values[order], batch)

    @cached_property
    def numbers(self) -> Mask:
        """Which leaves are finite numbers in all runs."""
        return np.asarray((np.isin(self.kinds, _NUMBERS) & np.isfinite(self.values)).all(axis=0), np.bool_)

    @cached_property
    def rounding(self) -> Floats:
        """What each number may be wrong by, by the precision that it has in all runs."""
        single = ((self.values.astype(np.float32) == self.values) & (self.kinds == LeafKind.FLOAT)).all(axis=0)
        sizes = np.abs(np.where(self.numbers, self.values, 0.0)).max(axis=0)
        found: Floats = np.where(single, _SINGLE, _DOUBLE) * sizes
        return found

    @cached_property
    def fixed(self) -> dict[int, str]:
        """Leaves that are no finite numbers, and the same in all runs, with what they are."""
        alike = (self.values == self.values[0]) | np.isnan(self.values)
        same = (alike & (self.kinds == self.kinds[0])).all(axis=0) & ~self.numbers
        first = zip(self.kinds[0].tolist(), self.values[0].tolist(), strict=True)
        strings = self.batch.strings
        return {leaf: repr(leaf_value(*one, strings)) for leaf, one in enumerate(first) if same[leaf]}


@dataclass(frozen=True)
class Released:
    """What is released of one data value: its first run, which was without noise, and `width` times `noise`.

    unread: leaves of which nothing is known. draws: numbers that were drawn.
    """

    seen: Seen
    noise: Noise
    unread: Places
    draws: int
    width: float = 1.0

    @property
    def centre(self) -> Floats:
        """Without noise."""
        found: Floats = self.seen.values[0]
        return found

    @cached_property
    def widths(self) -> Floats:
        """The standard deviation of each leaf, 0 for what has no noise."""
        return self.width * self.noise.widths


@dataclass
class Reading:
    """Learns what is released, value by value: where the noise is what it was, two runs tell.

    fresh: runs with fresh draws, on which what was learnt is held against the function.
    """

    session: AuditSession
    arguments: dict[str, Literal]
    stream: tuple[int, ...]
    fresh: int
    _laws: tuple[str, ...] = ()
    known: list[Released] = field(default_factory=list)
    _asked: int = 0

    def released(self, values: Sequence[DataValue]) -> list[Released | NotRead]:
        """Of each data value. Raises what a session raises."""
        found: list[Released | NotRead] = []
        while len(found) < len(values):
            room = max(1, _TOGETHER // max(1, _BEFORE * len(self._laws)))
            together = values[len(found) : len(found) + room] if self.known else values[:1]
            again = self._again(together) if self.known else [None]
            found += [one or self._once(value) for value, one in zip(together, again, strict=True)]
        return found

    def _once(self, value: DataValue) -> Released | NotRead:
        try:
            found = self._learnt(value)
        except NotRead as error:
            return error
        self.known.append(found)
        return found

    def _runs(self, value: DataValue, rows: Floats | None) -> Seen:
        """Runs with given draws, which have to be of the laws that are known; with none given, one that tells them."""
        (trace,) = self._traced([value], 1 if rows is None else len(rows), rows)
        draws = [run for run in trace.draws if run is not None]
        if rows is None:
            self._laws = _laws_of(draws)
        if len(draws) != trace.batch.runs or {run.laws for run in draws} != {self._laws}:
            raise NotRead("what is drawn depends on what was drawn before")
        return Seen.of(trace.batch)

    def _traced(self, values: Sequence[DataValue], runs: int, rows: Floats | None) -> list[Trace]:
        self._asked += 1
        given = None if rows is None else GivenNoise(self._laws, rows)
        stream = (*self.stream, self._asked)
        return self.session.trace(values, self.arguments, runs, stream, given, most=MOST_DRAWS)

    def _again(self, values: Sequence[DataValue]) -> list[Released | None]:
        """By two runs each: the noise is that of a value before, or a multiple of it; None where it is another one."""
        rows = self._draws(_BEFORE * len(values))
        rows[::_BEFORE, self._normal] = 0.0
        traces = self._traced(values, _BEFORE, rows)
        # A run that draws nothing leaves its row to the next one: what was drawn is what counts.
        return [self._as_before(trace) for trace in traces]

    def _as_before(self, trace: Trace) -> Released | None:
        first, second = trace.draws
        if first is None or second is None:
            return None
        normal, zeros = self._normal, np.array(first.values)
        if {first.laws, second.laws} != {self._laws} or zeros[normal].any():
            return None
        try:
            seen, z = Seen.of(trace.batch), np.array(second.values)[normal]
        except NotRead:
            return None
        alike = (one for one in self.known if (one.seen.skeleton, one.draws) == (seen.skeleton, len(self._laws)))
        return next((found for one in alike if (found := _like(one, seen, z)) is not None), None)

    @property
    def _normal(self) -> npt.NDArray[np.bool_]:
        return np.array([law == "normal" for law in self._laws], np.bool_)

    def _draws(self, count: int) -> Floats:
        """Fresh draws of all laws, a row each."""
        chance, normal = np.random.default_rng(self.session.seed_for((*self.stream, self._asked, 0))), self._normal
        found = chance.standard_normal((count, len(self._laws)))
        others = [law for law in self._laws if law != "normal"]
        found[:, ~normal] = drawn(others, count, chance).T
        return found

    def _learnt(self, value: DataValue) -> Released:
        self._runs(value, None)
        normal = np.flatnonzero(self._normal)
        rows = self._draws(1 + self.fresh)
        rows[0, normal] = 0.0
        seen = self._runs(value, rows)
        varies = (seen.values != seen.values[0]).any(axis=0)
        moves = seen.numbers & (np.abs(seen.values - seen.values[0]) > seen.rounding).any(axis=0)
        matrix = self._matrix(value, normal, np.flatnonzero(moves), seen)
        expected = seen.values[0] + rows[1:, normal] @ matrix.T
        allowed = seen.rounding + PRECISE * np.abs(expected - seen.values[0])
        unread = ~seen.numbers | (np.abs(expected - seen.values[1:]) > allowed).any(axis=0)
        unread |= varies & ~moves  # of noise that is lost in the last digits nothing is known
        unread[list(seen.fixed)] = False
        if unread.any():
            matrix = csr_array(diags_array(np.where(unread, 0.0, 1.0)) @ matrix)
        if unread.all():
            raise NotRead("no number in the output is a sum of normal noise")
        return Released(seen, Noise(matrix), np.flatnonzero(unread), len(self._laws))

    def _matrix(self, value: DataValue, normal: Places, moving: Places, before: Seen) -> Any:
        """How the leaves hang on the draws: pieces of all draws are given by themselves until one is in each number."""
        centre = before.values[0]
        shape = len(centre), len(normal)
        found = csr_array(shape)
        waiting = [(0, len(normal), moving)] if len(normal) and len(moving) else []
        while waiting and len(waiting) <= _MOST_PARTS:
            rows = self._draws(_PROBES * len(waiting))
            for number, (first, last, _) in enumerate(waiting):
                part = rows[number * _PROBES : (number + 1) * _PROBES]
                part[:, normal[first:last]] *= _FAR
                part[:, np.delete(normal, np.s_[first:last])] = 0.0
            seen, further = self._runs(value, rows), []
            rounding = 2 * seen.rounding
            for number, (first, last, leaves) in enumerate(waiting):
                here = np.s_[number * _PROBES : (number + 1) * _PROBES]
                moved = (seen.values[here] - centre)[:, leaves]
                draw, slope = _single(moved, rows[here][:, normal[first:last]], rounding[leaves])
                known, still = draw >= 0, (np.abs(moved) <= rounding[leaves]).all(axis=0)
                found = found + csr_array((slope[known], (leaves[known], first + draw[known])), shape=shape)
                rest, middle = leaves[~known & ~still], (first + last) // 2
                if len(rest) and last - first > 1:
                    further += [(first, middle, rest), (middle, last, rest)]
            waiting = further
        return found


def _laws_of(draws: Sequence[TracedDraws]) -> tuple[str, ...]:
    if not draws:
        raise NotRead("its noise is of no known law, comes of a seed, or is more than is followed")
    if draws[0].documented:
        raise NotRead("its noise is made by a library that takes no given noise")
    return draws[0].laws


def _single(moved: Floats, steps: Floats, rounding: Floats) -> tuple[Places, Floats]:
    """The one draw that each number hangs on, -1 where there is none, and by how much. moved: (runs, numbers)."""
    ratios, wanted = steps[1] / steps[0], moved[1] / np.where(moved[0] == 0, np.nan, moved[0])
    order = np.argsort(ratios)
    near = np.searchsorted(ratios[order], wanted)
    draw, slope = np.full(moved.shape[1], -1), np.zeros(moved.shape[1])
    for offset in range(-_NEAR, _NEAR + 1):
        tried = order[np.clip(near + offset, 0, len(order) - 1)]
        z = steps[:, tried]
        fitted = (z * moved).sum(axis=0) / (z**2).sum(axis=0)
        allowed = rounding + PRECISE * np.abs(moved).max(axis=0)
        fits = (np.abs(moved - fitted * z) <= allowed).all(axis=0) & (draw < 0) & (np.abs(moved) > rounding).any(axis=0)
        draw[fits], slope[fits] = tried[fits], fitted[fits]
    return draw, slope


def _like(before: Released, seen: Seen, z: Floats) -> Released | None:
    """What is released, where the noise of a value before is that of these two runs but for its width.

    z: the normal draws of the second run; those of the first were zeros.
    """
    known = np.setdiff1d(np.arange(len(before.centre)), before.unread)
    if set(known[~seen.numbers[known]].tolist()) - seen.fixed.keys():
        return None
    known = known[seen.numbers[known]]
    moved, expected = (seen.values[1] - seen.values[0])[known], (before.noise.matrix @ z)[known]
    rounding, length = seen.rounding[known], float(np.linalg.norm(expected))
    width = float(moved @ expected) / length**2 if length else 1.0
    if abs(width - 1) * length <= 8 * float(np.linalg.norm(rounding)):
        width = 1.0
    if width <= 0 or (np.abs(moved - width * expected) > 2 * rounding + PRECISE * np.abs(moved)).any():
        return None
    return replace(before, seen=seen, width=width)
