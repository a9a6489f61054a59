"""Bounds of one whole training, from one run, by how many guesses are right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dplint.audit.steps.canaries import Canaries, Claimed, Inside
from dplint.outcomes import BoundAt
from dplint.statistics.one_run import Guesses, epsilon_of, guesses_planned, least_epsilon, least_mu

_LAST_SHARE = 0.9
"""Of the level for the end of a training that yields; the looks before it share the rest."""
_MOST_LOOKS = 40
_PLANS = ((1.0, 0.9), (2.0, 0.1))
"""Numbers of guesses that are best if so many times the claimed mu is spent, and the share of the level for each."""


def whole_bounds(canaries: Canaries, claimed: Claimed) -> tuple[list[BoundAt], bool]:
    """Train once; the bound at each look, and whether the training came to its end.

    How many guesses are made follows from the claim, and from nothing that is seen: with so many the bound would be
    highest if normal laws had just what is claimed, or twice as much.
    """
    inside, whole = next(canaries.coins()), False
    looks: list[BoundAt] = []
    for scored in canaries.train(inside, 0, [1 << look for look in range(_MOST_LOOKS)]):
        whole, level = scored.ended, canaries.level * _share(len(looks), ended=scored.ended)
        order = np.argsort(scored.scores, kind="stable")
        looks.append(_look(scored.releases, order, inside, claimed, (canaries.level, level)))
        canaries.tell(looks[-1], claimed)
    canaries.session.coverage.runs += 1
    return looks or [BoundAt(0, 0.0, 0.0, 0.0, (0, 0), (0, 0))], whole


def _look(
    releases: int, order: npt.NDArray[np.int64], inside: Inside, claimed: Claimed, levels: tuple[float, float]
) -> BoundAt:
    """levels: that of the audit, which plans are made with, and of this look."""
    planned, delta = claimed.planned, claimed.delta

    def best(delta_of_plan: float | None, bound: Callable[[Guesses, float], float]) -> tuple[float, Guesses]:
        bounds = []
        for times, share in _PLANS:
            made = guesses_planned(len(order), times * planned, delta_of_plan, share * levels[0])
            guesses = _guessed(order, inside, made)
            bounds.append((bound(guesses, share * levels[1]), guesses))
        return max(bounds, key=lambda row: row[0])

    epsilon, first = best(delta, lambda guesses, level: least_epsilon(guesses, delta, level))
    mu, second = best(None, least_mu)
    return BoundAt(
        releases=releases,
        epsilon=epsilon,
        mu=mu,
        normal_epsilon=epsilon_of(mu, delta) if delta else 0.0,
        made=(first.made, second.made),
        right=(first.right, second.right),
    )


def _guessed(order: npt.NDArray[np.int64], inside: Inside, made: int) -> Guesses:
    """That those with the highest scores are in, and those with the lowest ones are not."""
    half = made // 2
    right = int(inside[order[len(order) - half :]].sum() + (~inside[order[:half]]).sum())
    return Guesses(len(order), made, right)


def _share(look: int, *, ended: bool) -> float:
    """Of the level, for a look; looks count from 0. One that is the first and the last has all."""
    if ended:
        return _LAST_SHARE if look else 1.0
    return (1 - _LAST_SHARE) / ((look + 1) * (look + 2))
