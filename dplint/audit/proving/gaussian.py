"""The rule of Gaussian noise in its own arithmetic: with numbers in place of the terms that a proof is about.

The rule says that noise which moves by the difference of what it is added to makes the run on D2 give what that on D1
gives, and that this keeps the claim. So on D2 the reading is run, and compared with the function, with the noise of the
run on D1 moved so: the outputs have to be the same, and normal noise that is moved so far, by the scales of these very
runs, must have no larger delta than is claimed (Balle and Wang, ICML 2018, theorem 8, in floats, apart from the
checker).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.audit.comparing import Arguments, Contradiction, Recorder, Sides, same_outputs
from dplint.claims import Literal, Mechanism
from dplint.expressions import ExpressionError, evaluate_expression
from dplint.program.nodes import Draw
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.program.runs import Run
from dplint.proofs.numbers import CheckedReading, KnownDraw
from dplint.sites import DrawSite

_MARGIN = 1e-6
"""Relative, for what floats lose."""


class GaussianReading:
    """The reading of a proof; on the second side with the noise of the first, as the rule moves it."""

    def __init__(self, reading: CheckedReading, mechanism: Mechanism) -> None:
        self._reading, self._mechanism = reading, mechanism
        self._first: tuple[object, Run, Sequence[KnownDraw]] | None = None
        self.moved = 0
        """How many runs were made with noise that was moved."""

    def run(self, sides: Sides, side: int, arguments: Arguments, draws: Callable[[], Recorder]) -> tuple[Run, bool]:
        """See `comparing.Reading`."""
        if side == 1:
            self._first = None
        run, whole = self._reading.run(sides, side, arguments, draws)
        there, about = self._reading.drawn, repr((sides, arguments))
        if side == 1:
            self._first = (about, run, there) if whole else None
        elif self._first is not None and self._first[0] == about and whole and run.exception is None:
            _, first, here = self._first
            moves = _moves(here, there)
            if moves and first.exception is None:
                try:
                    return self._again(sides, arguments, draws, first, here, moves)
                except UnsupportedConstruct:  # draws that data leaves out
                    return self._reading.run(sides, 2, arguments, draws)
        return run, whole

    def _again(
        self,
        sides: Sides,
        arguments: Arguments,
        draws: Callable[[], Recorder],
        first: Run,
        here: Sequence[KnownDraw],
        moves: Sequence[float],
    ) -> tuple[Run, bool]:
        noise = [float(one.noise) + move for one, move in zip(here, moves, strict=True)]
        run, whole = self._reading.run(sides, 2, arguments, lambda: _Given(draws(), list(noise)))
        scales = [(float(one.scale), float(two.scale)) for one, two in zip(here, self._reading.drawn, strict=True)]
        if not same_outputs(first.output, run.output):
            raise Contradiction(f"its noise is moved and it gives {run.output!r} in place of {first.output!r}")
        mu = math.hypot(*(move / one for move, (one, _) in zip(moves, scales, strict=True)))
        if any(not math.isclose(one, two, rel_tol=_MARGIN) for one, two in scales):
            raise Contradiction("the scales of its noise differ between the two")
        claim, data = self._mechanism.claim, {str(self._mechanism.data): sides[0]}
        epsilon, delta = (_number(one, {**data, **arguments}) for one in (claim.epsilon, claim.delta))
        if epsilon is not None and delta is not None and delta_of(mu, epsilon) > delta * (1 + _MARGIN):
            raise Contradiction(f"its noise moves by {mu:.6g} of its size, whose delta at {epsilon:g} is too large")
        self.moved += 1
        return run, whole


class _Given:
    """Noise that is known, recorded as if it were drawn."""

    def __init__(self, recorder: Recorder, noise: list[float]) -> None:
        self._recorder, self._noise = recorder, noise

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        drawn = self._recorder(node, parameters, size, site)
        if np.size(drawn) > len(self._noise):
            raise unsupported("noise for which there is none on the other side", node.span)
        return self._recorder.instead(_placed(drawn, parameters.get("loc", 0), self._noise))


def _placed(drawn: Any, loc: Any, noise: list[float]) -> Any:
    """Of the shape of a draw, what is at its location with the next of the noise."""
    if not hasattr(drawn, "__len__"):
        return loc + noise.pop(0)
    locs = loc if hasattr(loc, "__len__") else [loc] * len(drawn)
    return [_placed(one, at, noise) for one, at in zip(drawn, locs, strict=True)]


def _moves(here: Sequence[KnownDraw], there: Sequence[KnownDraw]) -> list[float] | None:
    """By how much each draw moves; None where the draws are not those of one another, or not each by itself."""
    if [one.key for one in here] != [one.key for one in there] or not all(one.single for one in (*here, *there)):
        return None
    pairs = [(one.base, two.base) for one, two in zip(here, there, strict=True)]
    return [0.0 if one is None or two is None else float(one - two) for one, two in pairs]


def _number(claimed: float | str, values: Mapping[str, Literal]) -> float | None:
    try:
        return evaluate_expression(claimed, values) if isinstance(claimed, str) else float(claimed)
    except ExpressionError:
        return None


def delta_of(mu: float, epsilon: float) -> float:
    """The least delta that normal noise of size 1 keeps with an epsilon where it moves by mu."""
    if mu == 0:
        return 0.0
    below = [math.erfc(far / math.sqrt(2)) / 2 for far in (epsilon / mu - mu / 2, epsilon / mu + mu / 2)]
    return below[0] - math.exp(epsilon) * below[1]
