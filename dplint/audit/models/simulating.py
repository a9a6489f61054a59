"""Which event two models would betray themselves by soonest, by simulating them: a million runs take a second."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np

from dplint.audit.models.comparing import Sides, half_line, shift_loss, shortened, without_noise
from dplint.audit.models.learning import Floats, Model
from dplint.audit.procedure import drawn
from dplint.events.conditions import Between, Event, ScoreAbove, Slope, Vote
from dplint.statistics.betting import growth, optimal_stake

_FIRST = 10_000
"""Simulated runs of each side on which events are chosen."""
_SECOND, _NUMBERS = 200_000, 2_000_000
"""Simulated runs of each side to see whether these are luck, and how many numbers they may be."""
_WIDE_FIRST, _WIDE_SECOND, _WIDE_NUMBERS = 100_000, 2_000_000, 10_000_000
"""The same where a small error is looked for, which coupled runs may show."""
_ALONE = 12
"""Numbers that are looked at each for itself, those that tell most."""
_PLAIN_PER_STEP = 0.02
"""How much of its growth an event may lack, for each step in simplicity, and still be preferred."""
_ERRORS = 2.0
"""Standard errors by which shares must be off for a growth to be luck."""
_CUTS = 48
_LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where between two centres a number is asked whether it is nearer to the first one."""
_MOST_VOTES = 60
_KEPT = 3
_TINY = 1e-9
_COMPUTED = 1 << 50
"""Runs that would give probabilities about as surely as to compute them does."""


Gain: TypeAlias = Callable[[Floats, Floats, int], Floats]
"""What events are worth, by their shares of so many simulated runs on either side; 0 for nothing."""


@dataclass(frozen=True)
class Betrayal:
    """An event that is likelier on one side than a claim allows, by the models.

    forwards: whether that is the first side. gain: ln of the factor that one pair of runs would earn against the claim,
    inf for an event that is certain there, and impossible on the other side; or how far it is above what is allowed.
    """

    event: Event
    forwards: bool
    gain: float


def betrayals(sides: Sides, epsilon: float, delta: float, seed: np.random.SeedSequence) -> list[Betrayal]:
    """The events that would show soonest that a claim is wrong, the best first; none where the models obey it."""
    if shift_loss(sides) <= epsilon * (1 + _TINY):
        return []
    certain = [Betrayal(event, forwards, math.inf) for forwards, event in without_noise(sides)]
    if certain:
        return certain[:_KEPT]
    gain = partial(_growths, epsilon=epsilon, delta=delta)
    return _chosen(sides, (gain, gain), (_FIRST, _SECOND), _NUMBERS, seed)


def widest(sides: Sides, epsilon: float, delta: float, seed: np.random.SeedSequence) -> Betrayal | None:
    """The event whose probability exceeds most what the claim allows, by the models; None if they obey it."""
    if shift_loss(sides) <= epsilon * (1 + _TINY):
        return None
    # What looks best on few runs may be luck, which the many tell.
    gains = tuple(partial(_margins, epsilon=epsilon, delta=delta, errors=errors) for errors in (0.0, _ERRORS))
    runs = _WIDE_FIRST, _WIDE_SECOND
    return next(iter(_chosen(sides, (gains[0], gains[1]), runs, _WIDE_NUMBERS, seed)), None)


def _chosen(
    sides: Sides, gains: tuple[Gain, Gain], runs: tuple[int, int], most: int, seed: np.random.SeedSequence
) -> list[Betrayal]:
    """The events that gain most on simulated runs, and still gain on others, the best first.

    gains, runs: of the first choice and of the second. most: numbers that are simulated for each.
    """
    generator = np.random.Generator(np.random.SFC64(seed))
    models = sides.first, sides.second
    numbers = max(1, len(models[0].draws_in(sides.leaves)) + len(sides.leaves))

    def outputs(wanted: int) -> tuple[Floats, ...]:
        some = min(wanted, max(_FIRST, most // numbers))
        needed = [model.draws_in(sides.leaves) for model in models]
        z = [drawn(model.laws, some, generator, rows) for model, rows in zip(models, needed, strict=True)]
        return tuple(model.outputs(sides.leaves, one) for model, one in zip(models, z, strict=True))

    proposed = [found for one in _scores(sides, outputs(runs[0])) for found in one.betrayals(gains[0])]
    best = sorted(proposed, key=_worth)[:_KEPT]
    if not best:
        return []
    known = [one.computed(models, gains[1]) for one in best]
    fresh = outputs(runs[1]) if None in known else ()
    checked = (
        Betrayal(one.event, one.forwards, one.checked(fresh, gains[1]) if found is None else found)
        for one, found in zip(best, known, strict=True)
    )
    return sorted((one for one in checked if one.gain > 0), key=_worth)


def _worth(one: Betrayal) -> float:
    """The best first, of nearly equal ones the simplest."""
    return -one.gain * max(0.5, 1 - _PLAIN_PER_STEP * one.event.complexity)


@dataclass(frozen=True, eq=False)
class _Proposed(Betrayal):
    score: _Score
    low: float
    high: float

    def computed(self, models: tuple[Model, Model], gain: Gain) -> float | None:
        """The gain by the computed probabilities of both models; None where they are not known."""
        first, second = (one.probability(self.event) for one in (models if self.forwards else models[::-1]))
        if first is None or second is None:
            return None
        return float(gain(np.array([sum(first) / 2]), np.array([sum(second) / 2]), _COMPUTED)[0])

    def checked(self, outputs: tuple[Floats, ...], gain: Gain) -> float:
        """The gain on other simulated runs, at worst."""
        shares = [float(np.mean((points >= self.low) & (points < self.high))) for points in map(self.score.of, outputs)]
        first, second = shares if self.forwards else shares[::-1]
        return float(gain(np.array([first]), np.array([second]), outputs[0].shape[1])[0])


@dataclass(frozen=True, eq=False)
class _Score:
    """One number of each output, by whose half-lines and intervals events are made."""

    points: tuple[Floats, Floats]

    def of(self, outputs: Floats) -> Floats:
        """The number on other outputs."""
        raise NotImplementedError

    def event(self, low: float, high: float) -> Event:
        """That it lies there."""
        raise NotImplementedError

    def ranges(self) -> Iterator[tuple[float, float]]:
        """The ranges that are worth a look."""
        pooled = np.concatenate(self.points)
        spread = float(np.subtract(*np.quantile(pooled, [0.75, 0.25])))
        cuts = np.quantile(pooled, np.linspace(0.01, 0.99, _CUTS))
        for cut in dict.fromkeys(shortened(float(cut), spread) for cut in cuts):
            yield cut, math.inf
            yield -math.inf, cut

    def betrayals(self, gain: Gain) -> list[_Proposed]:
        """The best event of each direction."""
        ranges = list(self.ranges())
        if not ranges:
            return []
        sorted1, sorted2 = (np.sort(points) for points in self.points)
        lows, highs = (np.array(ends) for ends in zip(*ranges, strict=True))
        runs = len(sorted1)
        share1, share2 = (
            (np.searchsorted(points, highs) - np.searchsorted(points, lows)) / runs for points in (sorted1, sorted2)
        )
        found = []
        for forwards, (one, two) in ((True, (share1, share2)), (False, (share2, share1))):
            gains = gain(one, two, runs)
            best = int(np.argmax(gains))
            if gains[best] > 0:
                low, high = ranges[best]
                found.append(_Proposed(self.event(low, high), forwards, float(gains[best]), self, low, high))
        return found


@dataclass(frozen=True, eq=False)
class _Number(_Score):
    sides: Sides
    row: int

    def of(self, outputs: Floats) -> Floats:
        found: Floats = outputs[self.row]
        return found

    def event(self, low: float, high: float) -> Event:
        return Event((Between(self.sides.features[self.row], low, high),))

    def ranges(self) -> Iterator[tuple[float, float]]:
        """Also around the centres: noise may differ in its scale alone."""
        yield from super().ranges()
        for points, model in zip(self.points, (self.sides.first, self.sides.second), strict=True):
            centre = float(model.centre[self.sides.leaves[self.row]])
            yield centre, math.inf
            yield -math.inf, centre
            for radius in np.quantile(np.abs(points - centre), [0.1, 0.25, 0.5, 0.75]).tolist():
                yield shortened(centre - radius, radius), shortened(centre + radius, radius)


@dataclass(frozen=True, eq=False)
class _Weighted(_Score):
    sides: Sides
    weights: tuple[float, ...]

    def of(self, outputs: Floats) -> Floats:
        found: Floats = np.array(self.weights) @ outputs
        return found

    def event(self, low: float, high: float) -> Event:
        sign = 1.0 if math.isfinite(low) else -1.0
        terms = [(sign * w, one) for w, one in zip(self.weights, self.sides.features, strict=True) if w]
        return Event((ScoreAbove(tuple(Slope(w, one) for w, one in terms), low if sign > 0 else -high),))


@dataclass(frozen=True, eq=False)
class _Votes(_Score):
    """How many numbers are how far on the first side's half, weighted by how much each tells."""

    sides: Sides
    votes: tuple[tuple[int, int, float, bool], ...]

    def of(self, outputs: Floats) -> Floats:
        total = np.zeros(outputs.shape[1])
        for weight, row, cut, up in self.votes:
            total += weight * ((outputs[row] >= cut) if up else (outputs[row] < cut))
        return total

    def event(self, low: float, high: float) -> Event:
        """Votes are for the first side: fewer of them than some are more for the other one."""
        turned = not math.isfinite(low)
        votes = [(w, half_line(self.sides.features[row], cut, up=up != turned)) for w, row, cut, up in self.votes]
        total = sum(w for w, _ in votes)
        least = total - high + 0.5 if turned else low + 0.5
        if least > total - min(w for w, _ in votes):
            # All must hold: of each number the last condition or the first one says all.
            return Event(tuple({one.feature: one for _, one in (reversed(votes) if turned else votes)}.values()))
        return Event((ScoreAbove(tuple(Vote(w, condition) for w, condition in votes), least),))

    def ranges(self) -> Iterator[tuple[float, float]]:
        for cut in np.unique(np.concatenate(self.points)).tolist():
            yield cut - 0.5, math.inf
            yield -math.inf, cut + 0.5


def _scores(sides: Sides, outputs: tuple[Floats, ...]) -> Iterator[_Score]:
    one, two = outputs
    for row in _telling(sides):
        yield _Number((one[row], two[row]), sides, row)
    if len(sides.leaves) < 2:
        return
    weights = _discriminant(sides)
    if weights is not None:
        yield _Weighted((np.array(weights) @ one, np.array(weights) @ two), sides, weights)
    for levels in ((0.5,), (0.0,), (1.0,), _LEVELS):
        votes = _votes(sides, levels)
        if votes and len(votes) <= _MOST_VOTES:
            empty = _Votes((one[0], two[0]), sides, votes)
            yield _Votes((empty.of(one), empty.of(two)), sides, votes)


def _telling(sides: Sides) -> list[int]:
    """The numbers that tell most by themselves."""
    (noise1, noise2), (centre1, centre2) = (np.linalg.norm(one, axis=1) for one in sides.jacobians), sides.centres
    tells = np.abs(centre1 - centre2) / noise1 + np.abs(np.log(noise1 / noise2))
    return sorted(np.argsort(-tells, kind="stable")[:_ALONE].tolist())


def _discriminant(sides: Sides) -> tuple[float, ...] | None:
    """Weights of the sum that tells the two sides apart best, for normal noise; larger on the first side."""
    (one, two), (centre1, centre2) = sides.jacobians, sides.centres
    covariance = one @ one.T + two @ two.T
    weights = np.linalg.pinv(covariance, rcond=1e-9) @ (centre1 - centre2)
    largest = float(np.abs(weights).max(initial=0.0))
    if not largest:
        return None
    return tuple(np.round(weights / largest, 3).tolist())


def _votes(sides: Sides, levels: Sequence[float]) -> tuple[tuple[int, int, float, bool], ...]:
    """For each number with a shift of its own, cuts between its two centres; the weights go by shift and noise."""
    (one, two), (centre1, centre2) = sides.jacobians, sides.centres
    noise = (np.linalg.norm(one, axis=1) + np.linalg.norm(two, axis=1)) / 2
    shifts = centre1 - centre2
    tells = np.abs(shifts) / noise
    rows = np.flatnonzero(tells > 1e-3 * tells.max(initial=0.0))
    if not len(rows):
        return ()
    weights = np.maximum(1, np.round(4 * tells / tells.max())).astype(int)
    weights = weights // np.gcd.reduce(weights[rows])
    found = []
    for row, level in product(rows.tolist(), levels):
        shift = float(shifts[row])
        found.append((int(weights[row]), row, shortened(float(centre2[row]) + level * shift, abs(shift)), shift > 0))
    return tuple(found)


def _margins(share1: Floats, share2: Floats, runs: int, *, epsilon: float, delta: float, errors: float) -> Floats:
    """How far the first shares are above what the claim allows, less some standard errors; 0 where it would hold."""
    allowed = math.exp(epsilon)
    error1, error2 = _errors(share1, runs), _errors(share2, runs)
    error = errors * np.sqrt(error1**2 + (allowed * error2) ** 2)
    return np.maximum(share1 - allowed * share2 - delta - error, 0.0)


def _errors(share: Floats, runs: int) -> Floats:
    found: Floats = np.sqrt((share * (1 - share) + 1 / runs) / runs)
    return found


def _growths(share1: Floats, share2: Floats, runs: int, *, epsilon: float, delta: float) -> Floats:
    """How fast bets would grow if the shares were off by some standard errors; 0 where the claim would hold."""
    error1, error2 = _errors(share1, runs), _errors(share2, runs)
    q1 = np.clip(share1 - _ERRORS * error1, 1 / runs, 1 - 1 / runs)
    q2 = np.clip(share2 + _ERRORS * error2, 1 / runs, 1 - 1 / runs)
    return np.maximum(growth(q1, q2, optimal_stake(q1, q2, epsilon, delta), epsilon, delta), 0.0)
