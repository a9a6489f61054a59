"""How far what a step releases of two neighbours is apart: as two normal laws, and in which numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from dplint.audit.distances import NotMeasured
from dplint.audit.steps.accountant import NormalPair
from dplint.audit.steps.noise import PRECISE, Floats, Noise, Places, Released
from dplint.events.layout import parts_of
from dplint.runner.batch import Skeleton

_SHOWN = 4


Apart: TypeAlias = tuple[NormalPair, tuple[str, ...]]
"""Two normal laws that are seen in what is released, of the first data value and the second, and what differs."""


def apart(one: Released, two: Released) -> Apart:
    """Raises NotMeasured where nothing is known of both."""
    if one.seen.skeleton != two.seen.skeleton:
        return _told("the output has another form")
    named, fixed = _names(one.seen.skeleton), (one.seen.fixed, two.seen.fixed)
    unread = np.union1d(one.unread, two.unread)
    either = np.setdiff1d(np.array([*fixed[0], *fixed[1]], np.int64), unread)
    bare = [leaf for leaf in either.tolist() if fixed[0].get(leaf) != fixed[1].get(leaf)]
    if bare:
        return _told(*(f"{named(leaf)}: {' and '.join(one.get(leaf, 'a number') for one in fixed)}" for leaf in bare))
    leaves = np.setdiff1d(np.arange(len(one.centre)), np.union1d(unread, either))
    moved, allowed = (two.centre - one.centre)[leaves], np.maximum(one.seen.rounding, two.seen.rounding)[leaves] * 2
    widths = one.widths[leaves], two.widths[leaves]
    plain = (widths[0] == 0) & (widths[1] == 0)
    for where, what in (
        ((widths[0] == 0) != (widths[1] == 0), "with noise on one side alone"),
        (plain & (np.abs(moved) > allowed), "released without noise"),
    ):
        if where.any():
            return _told(*(f"{named(leaf)}: {what}" for leaf in leaves[where].tolist()))
    if plain.all():
        raise NotMeasured("nothing that it releases is seen to be a sum of normal noise")
    return _laws(one, two, leaves[~plain])


def _told(*differences: str) -> Apart:
    more = (f"and {len(differences) - _SHOWN:,} more",) if len(differences) > _SHOWN else ()
    return NormalPair(math.inf), (*differences[:_SHOWN], *more)


def _laws(one: Released, two: Released, leaves: Places) -> Apart:
    """Of numbers that have noise on both sides: those on which it is as many times wider or narrower."""
    rounding, moved = 2 * np.maximum(one.seen.rounding, two.seen.rounding), one.centre - two.centre
    slack = float((rounding[leaves] / two.widths[leaves]).max())
    ratios = one.widths[leaves] / two.widths[leaves]
    ratio = float(np.sort(ratios)[len(ratios) // 2])
    ratio = 1.0 if abs(ratio - 1) <= PRECISE + slack else ratio - math.copysign(slack, ratio - 1)
    kept = leaves[np.abs(ratios / ratio - 1) <= PRECISE + 2 * slack]
    if one.noise is not two.noise and not _alike(one.noise.only(kept), two.noise.only(kept), slack):
        # Noise of another form: the one number that is moved furthest, which all of them tell no less than.
        kept = kept[[np.argmax(np.abs(moved[kept] / two.widths[kept]))]]
    distance, dims = two.noise.only(kept).apart(moved[kept] / two.width, rounding[kept] / two.width)
    side = "D1" if ratio > 1 else "D2"
    words = () if ratio == 1.0 else (f"the noise is {max(ratio, 1 / ratio):.6g} times as wide on {side}",)
    return NormalPair(distance, ratio, dims), (*words, *_by_part(one, two, kept))


def _alike(one: Noise, two: Noise, slack: float) -> bool:
    """Whether two noises have one law but for their widths."""
    return float(np.abs((one.correlation - two.correlation).data).max(initial=0.0)) <= 4 * (PRECISE + slack)


def _by_part(one: Released, two: Released, leaves: Places) -> tuple[str, ...]:
    """How far each part of the output is moved, over its noise: the layers of a model."""
    moved: Floats = np.zeros(len(one.centre))
    moved[leaves] = (one.centre - two.centre)[leaves] / two.widths[leaves]
    parts = [item for item in parts_of(one.seen.skeleton).items() if len(item[0]) == 1 and not item[1].is_leaf]
    lengths = [(float(np.linalg.norm(moved[part.start : part.stop])), steps[0]) for steps, part in parts]
    longest = sorted(lengths, key=lambda row: -row[0])[:_SHOWN] if len(parts) > 1 else []
    return tuple(f"{step!r}: {length:.6g}" for length, step in longest if length > 0)


def _names(skeleton: Skeleton) -> Callable[[int], str]:
    """What a leaf of an output is called."""
    parts = parts_of(skeleton)

    def name(leaf: int) -> str:
        inside = [
            (part.stop - part.start, len(steps), steps)
            for steps, part in parts.items()
            if part.start <= leaf < part.stop and -1 not in steps
        ]
        steps = min(inside, default=(0, 0, ()), key=lambda row: row[:2])[2]
        return "output" + "".join(f"[{step!r}]" for step in steps)

    return name
