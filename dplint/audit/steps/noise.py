"""What a step releases of one data value: numbers, each a constant and a sum of normal draws, learnt by given draws.

All draws are given: zeros tell the constants, and a few others how each number hangs on each draw. The last runs have
fresh draws; a number that does not come out as it was learnt is left out. So what is told rests on runs, not on all
that a function could do with its noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dplint.audit.procedure import drawn
from dplint.audit.session import AuditSession
from dplint.claims import Literal
from dplint.events.layout import is_cut
from dplint.runner.batch import Batch, DataValue, Group, LeafKind, Skeleton
from dplint.runner.client import GivenNoise, TracedDraws

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]
MOST_DRAWS = 1 << 15
"""Draws of one step that are followed."""
_NUMBERS = (LeafKind.BOOL, LeafKind.INT, LeafKind.FLOAT)
_TEXTUAL = (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER)
_FAR = 64.0
"""How much wider than noise the draws are by which one is told from others."""
_PROBES, _FRESH = 3, 2
_NEAR = 3
"""Draws on either side of the likeliest that are looked at."""
_MOST_PARTS = 64
"""Pieces of all draws that are given by themselves at once, for numbers that several draws are in."""
_PRECISE = 1e-6
_RANK = 1e-9
_DOUBLE, _SINGLE = 2.0**-50, 2.0**-21
"""What the last digits of a number may be wrong by, as a share of it."""


class NotRead(Exception):
    """What a step releases is not understood, for the reason in words."""


@dataclass(frozen=True)
class Noise:
    """How numbers hang on independent standard normal draws. matrix: shape (numbers, draws)."""

    matrix: Any

    @cached_property
    def widths(self) -> Floats:
        """The standard deviation of each number."""
        return np.sqrt(np.asarray(self.matrix.power(2).sum(axis=1)).ravel())

    @cached_property
    def covariance(self) -> Any:
        """Of the numbers, sparse."""
        return self.matrix @ self.matrix.T

    @cached_property
    def _blocks(self) -> list[tuple[Places, Floats, Floats]]:
        """Numbers that draws connect, by their count: shape (blocks, numbers), directions and inverse widths in them."""
        count, labels = connected_components(self.covariance, directed=False)
        members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels, minlength=count))[:-1])
        found = []
        for size in sorted(set(map(len, members))):
            places = np.array([one for one in members if len(one) == size])
            dense = np.stack([self.covariance[one][:, one].toarray() for one in places]) if size > 1 else None
            if dense is None:
                found.append((places, np.ones((len(places), 1, 1)), 1 / self.widths[places]))
                continue
            values, directions = np.linalg.eigh(dense)
            known = values > _RANK * values[:, -1:]
            found.append((places, directions, np.where(known, 1 / np.sqrt(np.where(known, values, 1.0)), np.inf)))
        return found

    def apart(self, moved: Floats, allowed: Floats) -> tuple[float, int]:
        """The length of a move in units of the noise, and its dimension; infinite where no noise hides it.

        allowed: what each number may be moved by rounding. It is taken off.
        """
        total, dims = 0.0, 0
        for places, directions, inverse in self._blocks:
            inside = np.einsum("bij,bi->bj", directions, moved[places])
            slack = np.sqrt((allowed[places] ** 2).sum(axis=1, keepdims=True))
            hidden = np.isfinite(inverse)
            if (np.abs(inside) > slack + _PRECISE * np.abs(moved[places]).max(axis=1, keepdims=True))[~hidden].any():
                return np.inf, dims
            total += float(((inside[hidden] * inverse[hidden]) ** 2).sum())
            dims += int(hidden.sum())
        rounding = float(np.linalg.norm(allowed / self.widths))
        return max(0.0, float(np.sqrt(total)) - rounding), dims


@dataclass(frozen=True)
class Released:
    """What is released of one data value: `centre` + `width` * `noise`.

    fixed: leaves that are the same in all runs and no finite numbers, with what they are. unread: leaves of which
    nothing is known. rounding: what each number may be wrong by. cut: whether some of the output was not seen.
    draws: numbers that were drawn.
    """

    skeleton: Skeleton
    centre: Floats
    noise: Noise
    fixed: dict[int, str]
    unread: Places
    rounding: Floats
    draws: int
    width: float = 1.0
    cut: bool = False
    shown: str = ""

    @cached_property
    def widths(self) -> Floats:
        """The standard deviation of each leaf, 0 for what has no noise."""
        return self.width * self.noise.widths


@dataclass
class Reading:
    """Learns what is released, value by value: where the noise is what it was, two runs tell."""

    session: AuditSession
    arguments: dict[str, Literal]
    stream: tuple[int, ...]
    _laws: tuple[str, ...] = ()
    known: list[Released] = field(default_factory=list)
    _asked: int = 0

    def released(self, value: DataValue) -> Released:
        """Of one data value. Raises NotRead, and what a session raises."""
        if self._laws:
            found = self._again(value)
            if found is not None:
                return found
        found = self._learnt(value)
        self.known.append(found)
        return found

    def _runs(self, value: DataValue, rows: Floats | None, laws: tuple[str, ...]) -> tuple[Group, Batch, Places]:
        """Runs with given draws, which have to be of these laws; with none given, one run."""
        self._asked += 1
        given = None if rows is None else GivenNoise(laws, rows)
        count = 1 if rows is None else len(rows)
        (trace,) = self.session.trace(
            [value], self.arguments, count, (*self.stream, self._asked), given, most=MOST_DRAWS
        )
        draws = [run for run in trace.draws if run is not None]
        if rows is None:
            self._laws = _laws_of(draws)
        if len(draws) != count or {run.laws for run in draws} != {self._laws if rows is None else laws}:
            raise NotRead("what is drawn depends on what was drawn before")
        if len(trace.batch.groups) != 1:
            raise NotRead("the form of the output depends on the noise")
        (group,) = trace.batch.groups
        order = np.empty(count, np.int64)
        order[group.rows] = np.arange(count)
        return group, trace.batch, order

    def _again(self, value: DataValue) -> Released | None:
        """By two runs: the noise is that of a value before, or a multiple of it; None where it is another one."""
        rows = self._draws(_FRESH)
        rows[0, self._normal] = 0.0
        try:
            group, batch, order = self._runs(value, rows, self._laws)
        except NotRead:
            return None
        values, kinds = group.values[order], group.kinds[order]
        for before in self.known:
            if before.skeleton != group.skeleton or before.draws != len(self._laws):
                continue
            found = _like(before, values, kinds, rows[1, self._normal], batch)
            if found is not None:
                return found
        return None

    @property
    def _normal(self) -> npt.NDArray[np.bool_]:
        return np.array([law == "normal" for law in self._laws], np.bool_)

    def _draws(self, count: int) -> Floats:
        """Fresh draws of all laws, a row each."""
        seed = self.session.seed_for((*self.stream, self._asked, 0))
        return drawn(self._laws, count, np.random.default_rng(seed)).T.copy()

    def _learnt(self, value: DataValue) -> Released:
        self._runs(value, None, ())
        normal = np.flatnonzero(self._normal)
        rows = self._draws(1 + _FRESH)
        rows[0, normal] = 0.0
        group, batch, order = self._runs(value, rows, self._laws)
        values, kinds = group.values[order], group.kinds[order]
        numbers = np.isin(kinds, _NUMBERS).all(axis=0) & np.isfinite(values).all(axis=0)
        rounding = np.where(numbers, _share(values[:, numbers]) * np.abs(np.where(numbers, values, 0.0)).max(axis=0), 0.0)
        moving = np.flatnonzero(numbers & (np.abs(values - values[0]) > rounding).any(axis=0))
        matrix = self._matrix(value, normal, moving, values[0], rounding)
        fixed = _fixed(kinds, values, numbers, batch)
        expected = values[0] + rows[1:, normal] @ matrix.T
        allowed = rounding + _PRECISE * np.abs(expected - values[0])
        unread = ~numbers | (np.abs(expected - values[1:]) > allowed).any(axis=0)
        unread[list(fixed)] = False
        if unread.any():
            keep = csr_array((np.where(unread, 0.0, 1.0), (range(len(unread)),) * 2))
            matrix = csr_array(keep @ matrix)
        cut = is_cut(group.skeleton)
        left = np.flatnonzero(unread)
        return Released(
            group.skeleton, values[0], Noise(matrix), fixed, left, rounding, len(self._laws), 1.0, cut, _shown(values[0])
        )

    def _matrix(self, value: DataValue, normal: Places, moving: Places, centre: Floats, rounding: Floats) -> Any:
        """How the leaves hang on the draws: pieces of all draws are given by themselves until one is in each number."""
        width, found = len(centre), csr_array((len(centre), len(normal)))
        waiting = [(0, len(normal), moving)] if len(normal) and len(moving) else []
        while waiting and len(waiting) <= _MOST_PARTS:
            rows = np.concatenate([self._draws(_PROBES) for _ in waiting])
            for number, (first, last, _) in enumerate(waiting):
                part = rows[number * _PROBES : (number + 1) * _PROBES]
                outside = np.delete(np.arange(len(normal)), np.s_[first:last])
                part[:, normal] *= _FAR
                part[:, normal[outside]] = 0.0
            group, _, order = self._runs(value, rows, self._laws)
            seen, further = group.values[order], []
            for number, (first, last, leaves) in enumerate(waiting):
                here = np.s_[number * _PROBES : (number + 1) * _PROBES]
                moved = (seen[here] - centre)[:, leaves]
                steps = rows[here][:, normal[first:last]]
                draw, slope = _single(moved, steps, rounding[leaves] * 2)
                known, still = draw >= 0, (np.abs(moved) <= rounding[leaves] * 2).all(axis=0)
                shape = (width, len(normal))
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


def _share(values: Floats) -> float:
    """What numbers may be wrong by, as a share of them: whether all are of single precision."""
    single = values.size > 0 and bool((values.astype(np.float32) == values).all()) and bool((values != np.round(values)).any())
    return _SINGLE if single else _DOUBLE


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
        allowed = rounding + _PRECISE * np.abs(moved).max(axis=0)
        fits = (np.abs(moved - fitted * z) <= allowed).all(axis=0) & (draw < 0) & (np.abs(moved) > rounding).any(axis=0)
        draw[fits], slope[fits] = tried[fits], fitted[fits]
    return draw, slope


def _like(before: Released, values: Floats, kinds: Any, z: Floats, batch: Batch) -> Released | None:
    """What is released, where the noise of a value before is that of these runs but for its width."""
    numbers = np.isin(kinds, _NUMBERS).all(axis=0) & np.isfinite(values).all(axis=0)
    known = np.setdiff1d(np.arange(values.shape[1]), before.unread)
    fixed = _fixed(kinds, values, numbers, batch)
    if set(known[~numbers[known]]) - set(fixed):
        return None
    rounding = np.where(numbers, _share(values[:, numbers]) * np.abs(np.where(numbers, values, 0.0)).max(axis=0), 0.0)
    known = known[numbers[known]]
    moved, expected = (values[1] - values[0])[known], (before.noise.matrix @ z)[known]
    width = float(moved @ expected / (expected @ expected)) if expected.any() else 0.0
    width = 1.0 if abs(width - 1) <= 8 * np.linalg.norm(rounding[known]) / max(np.linalg.norm(expected), 1e-300) else width
    if width <= 0 < len(expected) and expected.any():
        return None
    if (np.abs(moved - width * expected) > 2 * rounding[known] + _PRECISE * np.abs(moved)).any():
        return None
    return Released(
        before.skeleton, values[0], before.noise, fixed, before.unread, rounding, before.draws, width, before.cut, _shown(values[0])
    )


def _fixed(kinds: Any, values: Floats, numbers: Any, batch: Batch) -> dict[int, str]:
    """Leaves that are no finite numbers, and the same in all runs."""
    same = (kinds == kinds[0]).all(axis=0) & ((values == values[0]) | np.isnan(values)).all(axis=0) & ~numbers
    return dict(_as_text(kinds[0], values[0], np.flatnonzero(same), batch))


def _as_text(kinds: Any, values: Floats, leaves: Places, batch: Batch) -> Iterator[tuple[int, str]]:
    for leaf in leaves.tolist():
        kind = LeafKind(kinds[leaf])
        yield leaf, batch.strings[int(values[leaf])] if kind in _TEXTUAL else f"{kind.name} {values[leaf]}"


def _shown(values: Floats) -> str:
    return np.array2string(values[:8], precision=6, separator=", ") + (" ..." if len(values) > 8 else "")
