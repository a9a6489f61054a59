"""What the exact interpretation does with noise is what Python does with the numbers that the noise was.

It is walked along the draws of real runs: each draw is a name whose value is known, each comparison comes out as it
does for these values, and in the end the output is evaluated. Floats are rounded on the way, so numbers agree to nine
digits, and cases that hang on the last bit are left to the other interpretations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import settings

from dplint.program.evaluator import evaluate
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.exact.affine import Affine, mapped
from dplint.readings.exact.interpretation import ExactInterpretation, Limits, Raised
from dplint.readings.exact.paths import Value
from dplint.readings.exact.weights import Weight
from dplint_conformance import Case, all_cases, plain_outcomes, program_of, quiet, strategy
from dplint_conformance.search import ARGUMENTS
from tests.examples import one_in

SEEDS = range(6)
NOTHING = object()
ROUNDED = {"sum_goes_from_left_to_right"}
"""Cases about what rounding does, which is not modelled."""


def number(value: Affine, draws: Mapping[int, float]) -> float:
    total = sum(int(a.p) / int(a.q) * draws[draw] for draw, a in value.coefficients.items())
    return total + int(value.constant.p) / int(value.constant.q)


class Guided(ExactInterpretation):
    """Follows the one path that the draws of a run take."""

    def __init__(self, replay: Any) -> None:
        super().__init__(Limits())
        self.replay = replay
        self.draws: dict[int, float] = {}
        self.wanted: Any = NOTHING

    def draw(self, node, parameters, size, active, site):
        if not self.leaves(active):
            return Value(None)
        (leaf,) = self.leaves(active)
        given = {name: self.plain(self.get(value, leaf)) for name, value in parameters.items()}
        try:
            self.wanted = self.replay(node, given, None if size is None else self.get(size, leaf), site)
        except Exception as error:
            self.raised(type(error).__name__, (), active, node.span)
            return Value(None)
        return super().draw(node, parameters, size, active, site)

    def plain(self, value: Any) -> Any:
        found = mapped(value, lambda noise: number(noise, self.draws))
        return np.array(found, float) if isinstance(found, np.ndarray) and found.dtype == object else found

    def _follow(self, leaf, ways, table):
        if self.wanted is not NOTHING:
            wanted, self.wanted = self.wanted, NOTHING
            # Items that stand twice in what is chosen from are two ways with one value.
            chosen = [way for way in ways if self.fits(way[1], wanted)][:1]
        else:
            chosen = [way for way in ways if self.admits(way[0])]
        assert len(chosen) == 1, f"{len(chosen)} of {len(ways)} ways for the same draws"
        super()._follow(leaf, chosen, table)

    def fits(self, drawn: Any, wanted: Any) -> bool:
        """Learns what the new draws are."""
        if isinstance(drawn, Affine):
            (draw,) = drawn.coefficients.keys() - self.draws.keys()
            self.draws[draw] = 0.0
            self.draws[draw] = float(wanted) - number(drawn, self.draws)
            return True
        if isinstance(drawn, np.ndarray):
            same = drawn.shape == np.shape(wanted)
            return same and all(self.fits(a, b) for a, b in zip(drawn.ravel(), np.ravel(wanted), strict=True))
        both_nan = all(isinstance(one, float) and math.isnan(one) for one in (drawn, wanted))
        return both_nan or bool(drawn == wanted)

    def admits(self, weight: Weight) -> bool:
        """Whether the draws lie where the weight is positive."""
        for draw, functions in weight.functions.items():
            for function in functions:
                if not any(
                    (low is None or int(low.p) / int(low.q) <= self.draws[draw])
                    and (high is None or self.draws[draw] <= int(high.p) / int(high.q))
                    for low, high in function.support()
                ):
                    return False
        for direction, (low, high) in weight.limits.items():
            total = sum(int(a.p) / int(a.q) * self.draws[draw] for draw, a in direction)
            if low is not None and total < int(low.p) / int(low.q):
                return False
            if high is not None and total > int(high.p) / int(high.q):
                return False
        return True


def close(found: Any, right: Any) -> bool:
    if isinstance(right, np.ndarray):
        return isinstance(found, np.ndarray) and close(found.tolist(), right.tolist())
    if isinstance(right, list | tuple):
        return type(found) is type(right) and len(found) == len(right) and all(map(close, found, right))
    if isinstance(right, set | frozenset):
        return type(found) is type(right) and close(sorted(found, key=repr), sorted(right, key=repr))
    if isinstance(right, dict):
        return (
            isinstance(found, dict) and found.keys() == right.keys() and all(close(found[k], right[k]) for k in right)
        )
    if isinstance(right, float | np.floating) and isinstance(found, float | np.floating):
        return math.isclose(found, right, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(found) and math.isnan(right))
    if isinstance(right, int) and isinstance(found, float):
        # Draws are floats here, so that whole numbers beyond 2**53 come out rounded.
        return found == float(right)
    return bool(found == right) and (type(found) is type(right) or isinstance(right, np.generic | int))


@dataclass
class Count:
    followed: int = 0
    refused: int = 0


def followed(case: Any, count: Count) -> None:
    program = program_of(case)
    if isinstance(program, Unsupported):
        return
    expected, replays = plain_outcomes(case, SEEDS)
    for (kind, right), replay in zip(expected, replays, strict=True):
        guided = Guided(replay)
        try:
            with quiet():
                evaluate(program, guided, {name: Value(case.arguments[name]) for name in program.parameters})
        except UnsupportedConstruct as refused:
            count.refused += refused.unsupported.span.line > 0
            return
        (ending,) = guided.endings
        if kind == "raised":
            names = {right, "UnboundLocalError"} if right == "NameError" else {right}
            assert isinstance(ending.output, Raised), (case.name, ending.output, right)
            assert ending.output.exception in names, (case.name, ending.output, right)
        else:
            found = guided.plain(ending.output)
            assert close(found, right), (case.name, found, right)
    count.followed += 1


@pytest.mark.parametrize("part", one_in(4, range(16)))
def test_the_cases_of_the_suite(part):
    count = Count()
    for case in all_cases()[part::16]:
        if case.name not in ROUNDED:
            followed(case, count)
    assert count.followed > count.refused


@pytest.mark.parametrize("seed", one_in(70, range(70)))
def test_random_mechanisms(seed):
    """The grammar of the conformance suite; at night a thousand mechanisms."""
    count = Count()

    @hypothesis.seed(seed)
    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=[*hypothesis.HealthCheck])
    @hypothesis.given(source=strategy.mechanisms())
    def one(source: str) -> None:
        followed(Case("made", source, ARGUMENTS), count)

    one()
    assert count.followed > 2
