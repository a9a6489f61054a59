"""What the exact reading does with noise is what Python does with the numbers that the noise was.

It is walked as for losses, and the path is followed that the draws of a real run take. Floats are rounded on the way,
so numbers agree to nine digits, and cases that hang on the last bit are left to the other interpretations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import settings

from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.exact.following import OnBoundary, run_at
from dplint_conformance import Case, all_cases, plain_outcomes, program_of, quiet, strategy
from dplint_conformance.search import ARGUMENTS
from tests.examples import one_in

SEEDS = range(6)
ROUNDED = {"sum_goes_from_left_to_right"}
"""Cases about what rounding does, which is not modelled."""


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
    undecided: int = 0


def agrees(run: Any, outcome: tuple[str, Any]) -> bool:
    """Whether a run came to the outcome of the Python function."""
    kind, right = outcome
    if kind == "raised":
        names = {right, "UnboundLocalError"} if right == "NameError" else {right}
        return run.exception is not None and run.exception[0] in names
    return run.exception is None and close(run.output, right)


def followed(case: Any, count: Count) -> None:
    program = program_of(case)
    if isinstance(program, Unsupported):
        return
    for outcome, replay in zip(*plain_outcomes(case, SEEDS), strict=True):
        try:
            with quiet():
                run = run_at(program, case.arguments, replay)
        except UnsupportedConstruct as refused:
            count.refused += refused.unsupported.span.line > 0
            return
        except OnBoundary:
            count.undecided += 1
            continue
        assert agrees(run, outcome), (case.name, case.source, run, outcome)
        assert replay.finish() is None, (case.name, case.source, replay.fault)
    count.followed += 1


@pytest.mark.parametrize("part", one_in(4, range(16)))
def test_the_cases_of_the_suite(part):
    count = Count()
    for case in all_cases()[part::16]:
        if case.name not in ROUNDED:
            followed(case, count)
    assert 2 * count.followed > count.refused, "the suite has cases for runs, too, but a third of each part is followed"
    assert count.undecided == 0


@pytest.mark.parametrize("seed", one_in(70, range(70)))
def test_random_mechanisms(seed):
    """The grammar of the conformance suite; at night more than a thousand mechanisms."""
    count = Count()

    @hypothesis.seed(seed)
    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=[*hypothesis.HealthCheck])
    @hypothesis.given(source=strategy.mechanisms())
    def one(source: str) -> None:
        followed(Case("made", source, ARGUMENTS), count)

    one()
    assert count.followed > 2
