"""Bounds of a training of which the function makes one step: each step has canaries with coins of its own.

A coin of one step says nothing of those of others, so that bets are made step by step: Gonzalez, Dulce-Rubio, Ramdas
and Ribero, Sequentially Auditing Differential Privacy, NeurIPS 2025, do so by kernels, and here it is guesses. Given
all before, of a canary of a step no more guesses than (1 + t) / 2 are right on average, where t is the total variation
distance of what the step releases with it and without it. So it is of the share of right guesses of a step, whatever
canaries have to do with each other.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from dplint.audit.steps.accountant import FINE, ROUGH, Composition, NormalPair
from dplint.audit.steps.canaries import Canaries, Claimed
from dplint.claims import Training
from dplint.outcomes import BoundAt
from dplint.statistics.least_mean import LeastMean

_MUS = np.linspace(0.0, 10.0, 2001)
"""Of which bets say whether a step exceeds them: normal laws so far apart have guesses right as often."""


def step_bounds(canaries: Canaries, claimed: Claimed) -> tuple[list[BoundAt], bool]:
    """Make the steps of the claim; the bound at each look, and whether all were made. It may be looked at at any time.

    A bound of mu is that of a step. The steps are taken to be alike, as an accountant does. What is guessed is that a
    canary is in where its score is beyond its mean so far, as it is in half of the steps; coins are not looked at.
    """
    training = canaries.job.mechanism.claim.training
    assert training is not None
    bets = LeastMean(ndtr(_MUS / 2), canaries.level, training.steps)
    looks: list[BoundAt] = []
    sums, made, right = np.zeros(canaries.count), 0, 0
    canaries.session.planned = canaries.session.runs + training.steps
    for inside in canaries.coins():
        scored = next(canaries.train(inside, made, (1 << 62,)), None)
        if scored is not None:
            sums, made = sums + scored.scores, made + 1
            is_right = (scored.scores > (sums + scored.scores.mean()) / (made + 1)) == inside
            right += int(is_right.sum())
            bets.see(float(is_right.mean()))
            canaries.session.coverage.runs += 1
        ends = scored is None or made == training.steps
        if ends or made & (made - 1) == 0:
            looks.append(_bound(training, claimed.delta, bets, (made, right, canaries.count), FINE if ends else ROUGH))
            canaries.tell(looks[-1], claimed)
        if ends:
            break
    return looks, made == training.steps


def _bound(training: Training, delta: float, bets: LeastMean, counts: tuple[int, int, int], grid: int) -> BoundAt:
    """counts: of steps, right guesses and canaries."""
    (made, right, canaries), exceeded, normal = counts, bets.exceeded, 0.0
    mu = float(_MUS[exceeded - 1]) if exceeded else 0.0
    if mu and delta:
        spent = Composition(training.sample_rate, training.steps).spent(NormalPair(mu), grid)
        normal = max(one.epsilon(delta) for one in spent)
    # What keeps epsilon and delta has a total variation distance of 1 - 2 * (1 - delta) / (1 + e**epsilon) at most.
    apart = training.sample_rate * float(2 * ndtr(mu / 2) - 1)
    epsilon = math.log(max(1.0, 2 * (1 - delta) / (1 - apart) - 1))
    return BoundAt(made, epsilon, mu, normal, (made * canaries,) * 2, (right, right))
