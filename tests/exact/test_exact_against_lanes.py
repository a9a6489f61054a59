"""Exact probabilities against how often things come out on lanes: random mechanisms, and those of the fixtures.

Each comparison may fail by chance with probability 1e-11 at most. There are fewer than 50,000 of them in a night, and
seeds are fixed, so that with a right program all of them together fail with probability below 1e-6.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

import hypothesis
import numpy as np
import pytest
from flint import ctx
from hypothesis import settings

from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.exact import Limits, Raised, losses_of_pair
from dplint.readings.exact.laws import total_probability
from dplint.readings.exact.outputs import form_of
from dplint.readings.lanes import LaneStrings, SampledDraws, objects_of, read_block
from dplint.statistics.intervals import interval
from dplint.testing.conformance import Case, program_of, quiet, strategy
from dplint.testing.conformance.search import ARGUMENTS
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
    """Outputs of runs on lanes."""
    draws = SampledDraws(np.random.SeedSequence(seed))
    with quiet():
        block = read_block(mechanism, arguments, RUNS, draws, LaneStrings(), sys.version_info[:2])
    return [Raised(value) if kind == "raised" else value for kind, value in objects_of(block)]


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
    law = found.laws[0]
    with ctx.workprec(found.precision):
        total = total_probability(law)
    if total is None:
        return
    assert total.contains(1)
    counts = Counter(form_of(output)[0].key[0] for output in outputs)
    left = RUNS
    rest = 0.0
    for (key, *_), form in law.items():
        if form.size or form.terms[0].latents:
            rest += float(form.probability())
            continue
        hits = counts[key[0]]
        left -= hits
        within(hits, float(form.probability()), (mechanism.name, form.form.template))
    within(left, rest, (mechanism.name, "with noise"))
    count.compared += 1


def within(hits, probability, what):
    low, high = interval(hits, RUNS, LEVEL)
    assert low - 1e-12 <= probability <= high + 1e-12, (what, hits, probability)


@pytest.mark.parametrize("seed", one_in(40, range(40)))
def test_random_mechanisms(seed):
    """At night a thousand, else twenty-five; what is refused names its place."""
    count = Count()

    @hypothesis.seed(seed)
    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=[*hypothesis.HealthCheck])
    @hypothesis.given(source=strategy.mechanisms())
    def one(source: str) -> None:
        mechanism = program_of(Case("made", source, ARGUMENTS))
        if not isinstance(mechanism, Unsupported):
            compare(mechanism, ARGUMENTS, seed, count)

    one()
    assert count.compared > 1
    assert count.placed == count.refused


FIXTURES = [
    ("statdp/noisy_max.py", "noisy_max_v1a"),
    ("statdp/noisy_max.py", "noisy_max_v2a"),
    ("statdp/sparse_vector.py", "svt"),
    ("statdp/sparse_vector.py", "isvt1"),
    ("statdp/sparse_vector.py", "isvt2"),
    ("statdp/sparse_vector.py", "isvt3"),
    ("statdp/sparse_vector.py", "isvt4"),
]


@pytest.mark.parametrize(("file", "name"), FIXTURES)
@pytest.mark.parametrize("data", [[1.0] * 4, [2.0, 0.0, 2.0, 0.0]])
def test_the_mechanisms_of_statdp(file, name, data):
    mechanism = program(file, name)
    given = {"queries": data, "epsilon": 0.7, "T": 0.5, "N": 1}
    count = Count()
    compare(mechanism, {key: value for key, value in given.items() if key in mechanism.parameters}, 1, count)
    assert count.compared == 1
