"""Runs with recorded draws: what the concrete reading, or Python itself, gave, and the exact reading on the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from benchmarks import exact
from dplint.distributions import GENERATOR, LEGACY, PYTHON, SCIPY, of
from dplint.program.interpretation import DrawCallback, Run
from dplint.program.nodes import Draw, Program
from dplint.readings import concrete
from dplint.readings.exact.following import run_at
from dplint.sites import DrawSite
from dplint_conformance import Case, plain_outcomes, program_of, quiet
from tests.exact.exact_tools import program
from tests.exact.test_exact_conformance import agrees, close

FAMILIES = ("statdp", "dpsniper", "dpfinder", "checkdp")
KNOWN = {"T": 0.5, "t": 0.5, "N": 1, "c": 1, "n": 5}


class Different(AssertionError):
    """A reading asks for other draws, or has another output."""


@dataclass
class Drawn:
    """One draw: what was asked for, and what it gave."""

    node: Draw
    parameters: Mapping[str, Any]
    size: Any
    site: DrawSite
    value: Any


class Recorder:
    """Draws from generators of a seed, and keeps what they gave."""

    def __init__(self, seed: int) -> None:
        self.draws: list[Drawn] = []
        self._generators = {
            GENERATOR: np.random.default_rng(seed),
            LEGACY: np.random.RandomState(seed),
            PYTHON: random.Random(seed),
        }

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        if node.family == SCIPY:
            law = getattr(stats, node.distribution)
            value = law.rvs(**parameters, size=size, random_state=self._generators[GENERATOR])
        else:
            signature = of(node.distribution).signature(node.family, parameters)
            assert signature is not None
            value = signature.call(self._generators[node.family], dict(parameters), size)
        self.draws.append(Drawn(node, dict(parameters), size, site, value))
        return value

    def again(self) -> DrawCallback:
        """Gives the same, to who asks for the same."""
        left = iter(self.draws)

        def draw(node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
            kept = next(left, None)
            if kept is None or (kept.node.span, kept.size, kept.site) != (node.span, size, site):
                raise Different(f"another draw at {site}")
            if not close(dict(parameters), kept.parameters):
                raise Different(f"another parameter at {site}: {parameters}")
            return kept.value

        return draw


@dataclass(frozen=True)
class FixtureRun:
    """A run of a mechanism of the fixtures."""

    name: str
    program: Program
    arguments: Mapping[str, Any]

    def compare(self, seed: int) -> Run:
        """Raises Different, and what the reading raises."""
        recorder = Recorder(seed)
        right = concrete.run(self.program, self.arguments, recorder)
        run = run_at(self.program, self.arguments, recorder.again())
        outcome = ("raised", right.exception[0]) if right.exception else ("output", right.output)
        if not agrees(run, outcome) or run.branches != right.branches:
            raise Different(f"{self.name}: {run} is not {right}")
        return run


@cache
def fixture_runs(size: int = 4) -> list[FixtureRun]:
    """Both sides of each pair of the benchmark mechanisms."""
    return list(_fixture_runs(size))


def _fixture_runs(size: int) -> Iterator[FixtureRun]:
    for family in FAMILIES:
        for row in json.loads((exact.FIXTURES / family / "truth.json").read_text())["mechanisms"]:
            mechanism = program(f"{family}/{row['file']}", row["function"])
            known = {**KNOWN, **(row.get("arguments") or {}), "epsilon": 0.7}
            given = {name: value for name, value in known.items() if name in mechanism.parameters}
            for label, *sides in exact.pairs_of(row, size):
                for data in sides:
                    name = f"{family}-{row['function']}-{label}"
                    yield FixtureRun(name, mechanism, {**given, mechanism.data: data})


@dataclass(frozen=True)
class CaseRun:
    """A run of a case of the conformance suite."""

    case: Any
    program: Program

    def compare(self, seed: int) -> Run:
        """Raises Different, and what the reading raises."""
        ((outcome,), (replay,)) = plain_outcomes(self.case, [seed])
        with quiet():
            run = run_at(self.program, self.case.arguments, replay)
        if not agrees(run, outcome) or replay.finish() is not None:
            raise Different(f"{self.case.name}: {run} is not {outcome}; {replay.fault}")
        return run


@cache
def small_runs() -> list[CaseRun]:
    """One for each thing that the reading does with noise."""
    source = (Path(__file__).parent / "small_mechanisms.py").read_text(encoding="utf-8")
    names = re.findall(r"^def (\w+)", source, re.MULTILINE)
    cases = [Case(name, source, {"queries": [1.0, 0.5, 2.0]}) for name in names]
    return [CaseRun(case, lowered) for case in cases if isinstance(lowered := program_of(case), Program)]
