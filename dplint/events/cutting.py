"""Thresholds for learnt scores, by the caller's criterion; how good they are is counted on runs that are held out."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dplint.events.conditions import Between, Condition, Event, ScoreAbove, Slope, Vote
from dplint.events.learning import Learnt
from dplint.events.ordered import Ordered
from dplint.events.rounding import between, may_be_one, one_of_each
from dplint.events.split_runs import Counts, Criterion, Floats, Half, SplitRuns, Suggestion
from dplint.events.thresholds import cuts_at

_MOST_THRESHOLDS = 1_000
_QUANTILES = (*(np.arange(1, 100) / 100).tolist(), 0.993, 0.995, 0.997, 0.998, 0.999, 0.9995)


def cut(
    learnt: Learnt, split_runs: SplitRuns, criterion: Criterion, *, swapped: bool = False, most: int = 3
) -> list[Suggestion]:
    """The best event of every model that was learnt on the same runs, best first.

    criterion, swapped: as for `refining.Refining.events`. Empty if none is worth anything by the criterion.
    """
    found = []
    for scores in learnt.models:
        best = [_best(_negated(s) if swapped else s, split_runs, criterion, swapped=swapped) for s in scores]
        found += sorted((s for s in best if s is not None), key=lambda s: -s.score)[:1]
    return sorted(found, key=lambda s: -s.score)[:most]


def _best(score: ScoreAbove, split_runs: SplitRuns, criterion: Criterion, *, swapped: bool) -> Suggestion | None:
    """The best half-line of a score; None if none is worth anything."""
    halves = (split_runs.held_out, split_runs.search)
    points = [_points(score, half) for half in halves]
    thresholds = _thresholds(points[0])
    if not len(thresholds):
        return None
    sides = (1, 0) if swapped else (0, 1)
    held, searched = (
        tuple(_reaching(own[half.sides == side], thresholds) for side in sides)
        for own, half in zip(points, halves, strict=True)
    )
    runs = split_runs.held_out.runs
    scores = criterion(held[0], held[1], runs)
    # All runs tell better than half of them where to cut: one number may be chosen on what the weights were.
    worth = np.where(scores > 0, criterion(held[0] + searched[0], held[1] + searched[1], 2 * runs), 0.0)
    best = int(np.argmax(worth))
    if not worth[best] > 0:
        return None
    event = Event((_simplest(replace(score, threshold=float(thresholds[best]))),))
    return Suggestion(event, float(scores[best]), int(held[0][best]), int(held[1][best]), runs)


def _points(score: ScoreAbove, half: Half) -> Floats:
    """The score of each output, shape (outputs,)."""
    return np.concatenate([np.broadcast_to(score.points(values), values.table.size) for values in half.values])


def _thresholds(points: Floats) -> Floats:
    """All values of a score but the smallest if they are few, else quantiles of it, rounded; NaN reaches nothing."""
    finite = Ordered.of(points[np.isfinite(points)])
    distinct = Ordered(finite.distinct)
    rounded = may_be_one(distinct)
    values = one_of_each(distinct) if rounded else distinct.numbers
    if len(values) > _MOST_THRESHOLDS:
        return np.array(cuts_at(finite, _QUANTILES))
    return np.array(between(values)) if rounded else values[1:]


def _reaching(points: Floats, thresholds: Floats) -> Counts:
    """How many points reach each threshold."""
    ordered = np.sort(points[~np.isnan(points)])
    return np.asarray(len(ordered) - np.searchsorted(ordered, thresholds, side="left"), np.int64)


def _simplest(condition: ScoreAbove) -> Condition:
    """What a score with one term says in plain words, if it says no more than that."""
    if len(condition.terms) > 1:
        return condition
    (term,) = condition.terms
    if isinstance(term, Vote):
        return term.condition if 0 < condition.threshold <= term.weight else condition
    if term.feature.COUNTS and term.weight > 0 and condition.threshold > 0:
        return Between(term.feature, float(math.ceil(condition.threshold / term.weight)), math.inf)
    return condition


def _negated(score: ScoreAbove) -> ScoreAbove:
    """The score that is high where this one is low."""
    return replace(score, terms=tuple(_opposite(term) for term in score.terms))


def _opposite(term: Vote | Slope) -> Vote | Slope:
    """The term with the opposite sign; of a condition that holds or fails for every output rather its opposite."""
    if isinstance(term, Slope):
        return Slope(-term.weight, term.feature)
    condition = term.condition
    if isinstance(condition, Between) and not (condition.feature.guards or condition.feature.number_guards):
        return Vote(term.weight, Between(condition.feature, *_complement(condition)))
    return Vote(-term.weight, condition)


def _complement(condition: Between) -> tuple[float, float]:
    """The bounds of the opposite half-line."""
    return (condition.high, math.inf) if math.isinf(condition.low) else (-math.inf, condition.low)
