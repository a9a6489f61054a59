"""Exact probabilities against how often things come out in runs: random mechanisms, and those of the fixtures.

Each comparison may fail by chance with probability 1e-11 at most. There are fewer than 50,000 of them in a night, and
seeds are fixed, so that with a right program all of them together fail with probability below 1e-6.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import hypothesis
import numpy as np
import pytest
from flint import ctx
from hypothesis import settings

from benchmarks import exact
from dplint.events.printed import PrintedEvent
from dplint.outcomes import Measure
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import RealGenerators, run
from dplint.readings.exact import Limits, Raised, losses_of_pair, number_event
from dplint.readings.exact.laws import total_probability
from dplint.readings.exact.outputs import form_of
from dplint.statistics.intervals import interval
from dplint_conformance import Case, program_of, quiet, strategy
from dplint_conformance.search import ARGUMENTS
from tests.exact.exact_tools import program
from tests.examples import one_in

RUNS = 4_000
LEVEL = 1e-11
LIMITS = Limits(paths=300, steps=3_000)


@dataclass
class Count:
    compared: int = 0
    refused: int = 0
    placed: int = 0


def sampled(mechanism, arguments, seed):
    """Outputs of runs, one after the other."""
    generators = RealGenerators(*np.random.SeedSequence(seed).spawn(2))

    def draw(node, parameters, size, _site):
        return generators.draw(node, dict(parameters), size)

    with quiet():
        runs = [run(mechanism, arguments, draw) for _ in range(RUNS)]
    return [one.output if one.exception is None else Raised(one.exception[0]) for one in runs]


def compare(mechanism, arguments, seed, count):
    """The probability of each single output, and of all outputs with noise in them together."""
    try:
        with quiet():
            found = losses_of_pair(mechanism, arguments, arguments, limits=LIMITS)
            outputs = sampled(mechanism, arguments, seed)
    except UnsupportedConstruct as refused:
        count.refused += 1
        count.placed += bool(refused.unsupported.span.line > 0 and refused.unsupported.construct)
        return
    if agrees(found, found.laws[0], outputs, mechanism.name):
        count.compared += 1


def agrees(found, law, outputs, name):
    """Holds a law against sampled outputs; False where it has a density whose mass is not known."""
    with ctx.workprec(found.precision):
        total = total_probability(law)
    if total is None:
        return False
    assert total.contains(1)
    counts = Counter(form_of(output)[0].key[0] for output in outputs)
    left = RUNS
    rest = 0.0
    for (key, *_), form in law.items():
        if form.size:
            rest += float(form.probability())
            continue
        hits = counts[key[0]]
        left -= hits
        within(hits, float(form.probability()), (name, form.form.template))
    within(left, rest, (name, "with noise"))
    return True


def within(hits, probability, what):
    low, high = interval(hits, RUNS, LEVEL)
    assert low - 1e-12 <= probability <= high + 1e-12, (what, hits, probability)


@pytest.mark.parametrize("seed", one_in(70, range(70)))
def test_random_mechanisms(seed, record_property):
    """At night a thousand, else fifteen; what is refused names its place. `--junitxml` has how many were what."""
    count = Count()

    @hypothesis.seed(seed)
    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=[*hypothesis.HealthCheck])
    @hypothesis.given(source=strategy.mechanisms())
    def one(source: str) -> None:
        mechanism = program_of(Case("made", source, ARGUMENTS))
        if not isinstance(mechanism, Unsupported):
            compare(mechanism, ARGUMENTS, seed, count)

    one()
    record_property("compared", count.compared)
    record_property("refused", count.refused)
    assert count.compared > 1
    assert count.placed == count.refused


FAMILIES = ("statdp", "dpsniper", "dpfinder", "checkdp")
SIZE = 4
WITHOUT_EVENTS = {"svt34_parallel"}
"""A pair of lists: whether outputs of other forms are in an event is not known. Its single outputs are compared."""


def rows_of_fixtures():
    """The benchmark mechanisms on all of their pairs."""
    for family in FAMILIES:
        for row in json.loads((exact.FIXTURES / family / "truth.json").read_text())["mechanisms"]:
            for label, d1, d2 in exact.pairs_of(row, SIZE):
                yield pytest.param(family, row, d1, d2, id=f"{family}-{row['function']}-{label}")


FIXTURES = list(rows_of_fixtures())


def test_there_are_more_rows_than_sixty():
    assert len(FIXTURES) > 60


@pytest.mark.parametrize(
    ("family", "row", "d1", "d2"),
    [
        row if number % 25 == 0 else pytest.param(*row.values, id=row.id, marks=pytest.mark.nightly)
        for number, row in enumerate(FIXTURES)
    ],
)
def test_the_mechanisms_of_the_fixtures(family, row, d1, d2):
    """Every single output, and the event that shows most of outputs with noise, on both inputs of each pair."""
    mechanism = program(f"{family}/{row['file']}", row["function"])
    known = {"T": 0.5, "t": 0.5, "N": 1, "c": 1, "n": 5, **(row.get("arguments") or {}), "epsilon": 0.7}
    known = {name: value for name, value in known.items() if name in mechanism.parameters and name != mechanism.data}
    sides = [{**known, mechanism.data: data} for data in (d1, d2)]
    found = losses_of_pair(mechanism, *sides, limits=Limits(steps=100_000), prune=True)
    outputs = [sampled(mechanism, side, seed) for seed, side in enumerate(sides, 1)]
    for law, some in zip(found.laws, outputs, strict=True):
        agrees(found, law, some, mechanism.name)
    events = 0
    for key in {one.key for one in found.forwards[:4] if one.measure is Measure.DENSITY}:
        event = number_event(*found.laws, key, claimed=0.0, precision=found.precision)
        if event is not None:
            events += 1
            holds = PrintedEvent(event.expression).holds
            for bounds, some in zip((event.p1, event.p2), outputs, strict=True):
                low, high = interval(sum(holds(output) for output in some), RUNS, LEVEL)
                assert low - 1e-12 <= bounds.high, (event.expression, bounds)
                assert bounds.low <= high + 1e-12, (event.expression, bounds)
    noisy = [one for one in found.forwards[:4] if one.measure is Measure.DENSITY]
    several = all(found.laws[0][one.key].size > 1 for one in noisy)
    assert events or several or mechanism.name in WITHOUT_EVENTS, "something was counted"
