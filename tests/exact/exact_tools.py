"""Pairs of fixtures and of mechanisms written in a test, put through the exact interpretation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from scipy import integrate

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import PairLosses, losses_of_pair
from tests.program.program_tools import lowered

ROOT = Path(__file__).resolve().parents[2]


@cache
def targets(file: str) -> dict[str, Target]:
    """The mechanisms of a fixture, by name."""
    found = [one for one in load_file(ROOT / "fixtures" / file, Settings()) if isinstance(one, Target)]
    return {one.mechanism.qualname: one for one in found}


def program(file: str, name: str) -> Program:
    """The program of a mechanism of the fixtures."""
    found = targets(file)[name].program
    assert isinstance(found, Program), found
    return found


def written(source: str, folder: Path) -> Program:
    """The program of a mechanism written in a test."""
    found = lowered(source, folder)
    if not isinstance(found, Program):
        raise UnsupportedConstruct(found)
    return found


def losses(mechanism: Program, d1: Any, d2: Any, **arguments: Any) -> PairLosses:
    """Of a pair; arguments that the mechanism does not have are left out."""
    given = {name: value for name, value in arguments.items() if name in mechanism.parameters}
    data = mechanism.data
    assert data is not None
    return losses_of_pair(mechanism, {**given, data: d1}, {**given, data: d2})


def largest(side: Any) -> tuple[float, float]:
    """What holds the largest loss of one order."""
    return max(one.loss.low for one in side), max(one.loss.high for one in side)


def probabilities(mechanism: Program, data: Any, **arguments: Any) -> dict[str, float]:
    """The middle of the probability of each single output, by its repr."""
    found = losses(mechanism, data, data, **arguments).forwards
    assert all(math.isfinite(one.p1.high) for one in found)
    return {repr(one.output): one.p1.middle for one in found}


def quadrature(function: Callable[[float], float], ends: Sequence[float]) -> float:
    """The integral between the first end and the last, by SciPy between neighbouring ones; ends in order."""
    return sum(integrate.quad(function, a, b, epsabs=1e-14, limit=300)[0] for a, b in itertools.pairwise(ends))
