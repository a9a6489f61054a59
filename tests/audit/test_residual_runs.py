"""Runs by residual programs: they are those of the function, in law and run by run, and nothing forged is called."""

import itertools
import math
import sys

import numpy as np
import pytest

from dplint.audit import residual_runs
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.outcomes import NoViolation, Violation
from dplint.program.refusals import Unsupported
from dplint.runner import time_had
from dplint.runner.batch import DataValue, SampleRequest
from dplint.runner.client import Runner
from dplint.runner.residual import NotResidual, ResidualProgram
from dplint.runner.texts import TextNumbers
from dplint.tracing import recording
from tests.audit.conftest import outcome_of

SOURCE = """
import math
import os
import random
import sys
from decimal import Decimal

import numpy as np
from scipy import stats

def m_split(rng, queries):
    threshold = 1.0 + rng.laplace(scale=2.0)
    for place, query in enumerate(queries):
        if query + rng.laplace(scale=4.0) >= threshold:
            return place
    return None

def m_joined(rng, queries):
    best, top = 0, -math.inf
    for place, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2.0)
        if noisy > top:
            best, top = place, noisy
    return best

def m_by_data(rng, queries):
    total = sum(queries) if queries[0] > 0.5 else len(queries)
    return total + rng.laplace(scale=2.0)

def m_array_written(rng, queries):
    table = np.zeros(3)
    for place, query in enumerate(queries):
        table[place] += query + rng.normal()
        if table[place] > 1.0:
            table[2] = table[place]
    view = table[:2]
    view[0] = 7.0
    return table

def m_of_scipy(rng, queries):
    return queries[0] + stats.laplace.rvs(scale=2.0, random_state=rng)

def m_texts(rng, queries):
    return "yes" if rng.random() < 0.5 else f"{queries[0] + rng.laplace():.1f}"

def m_told(rng, queries):
    return [*queries, rng.laplace()] if queries[0] > 2 else [len(queries), rng.laplace()]

def m_dict(rng, queries):
    noisy = {place: query + rng.laplace() for place, query in enumerate(queries)}
    return {place: value for place, value in noisy.items() if value > 1.0}

def m_decimal(rng, queries):
    return float(Decimal(queries[0] + rng.laplace()))

def m_looks_at_itself(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return noisy if "_dplint" in globals() else -noisy

class Report:
    def __init__(self):
        self.values = []

def m_right(rng, queries):
    exec("")
    report = Report()
    values = report.values
    for query in queries:
        values.append(query + rng.laplace(scale=1.0))
    return report.values

def m_wrong(rng, queries):
    exec("")
    report = Report()
    values = report.values
    for query in queries:
        values.append(query + rng.laplace(scale=0.4))
    return report.values

def m_branches(rng, queries):
    exec("")
    total = queries[0] + rng.laplace(scale=1.0)
    if rng.random() < 0.5:
        total = total + rng.laplace(scale=1.0)
    return total if total > 0 else None

def m_by_itself(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return float(str(noisy)) if sys.getsizeof(noisy) else noisy

def m_of_the_system(queries):
    return queries[0] + random.SystemRandom().gauss(0.0, 1.0) + int.from_bytes(os.urandom(1), "big")

def m_large(rng, queries):
    noise = rng.laplace(size=2_000_000)
    return queries[0] + noise[0]

def m_counts_its_runs(rng, queries, calls=[]):
    calls.append(1)
    return queries[0] + rng.laplace(scale=1.0) + (len(calls) > 100)
"""
NAMES = ["m_split", "m_joined", "m_by_data", "m_array_written", "m_of_scipy", "m_texts", "m_dict"]
DATA = DataValue([1.0, 0.0])
SEED = np.random.SeedSequence(7)


@pytest.fixture
def functions(targets):
    return targets(SOURCE, 'epsilon=1.0, neighbors="l1", size=2')


@pytest.fixture
def runs_of(functions):
    """Makes the runs of a function; all runners are closed at the end."""
    runners = []

    def made(name, **given):
        mechanism = functions[name].mechanism
        runner = Runner(sys.executable, deadline=20, memory_mib=4000, mechanism=mechanism)
        runners.append(runner)
        runner.load(mechanism, None)
        return ResidualRuns(runner, mechanism, **given)

    yield made
    for runner in runners:
        runner.close()


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_operations_are_those_of_the_function(name, runs_of):
    runs = runs_of(name)
    runs.check([DATA], {}, 1_000, SEED)
    assert runs.sample(DATA, {}, 5_000, SEED).runs == 5_000


@pytest.mark.process
@pytest.mark.parametrize("name", ["m_split", "m_joined", "m_dict"])
def test_runs_that_part_have_the_law_of_others(name, runs_of):
    """Shares of outputs by forks against those of calls: a difference beyond 6 sigma has a chance below 1e-8."""
    count, runs = 20_000, runs_of(name)
    batches = [runs.sample(DATA, {}, count, SEED), *runs._runner.sample(SampleRequest((DATA,), runs=count))]
    shares = []
    for batch in batches:
        outputs = [tuple(one) if isinstance(one, dict) else one for one in batch.outputs()]
        shares.append({value: outputs.count(value) / count for value in set(outputs)})
    for value in {*shares[0], *shares[1]}:
        one, other = (share.get(value, 0.0) for share in shares)
        assert abs(one - other) <= 6 * np.sqrt(2 * max(one, other, 1 / count) / count)


@pytest.mark.process
def test_one_program_serves_all_data_of_a_shape(runs_of):
    runs = runs_of("m_by_data")
    for place, values in enumerate(([1.0, 0.0], [2.0, 5.0], [0.0, 0.0], [0.25, 1.0])):
        runs.check([DataValue(values)], {}, 200, np.random.SeedSequence(place))
        sample = runs.sample(DataValue(values), {}, 2_000, np.random.SeedSequence(place))
        centre = np.median([float(one) for one in sample.outputs()])
        assert abs(centre - (sum(values) if values[0] > 0.5 else 2)) < 0.5  # 2 / sqrt(2000) is a tenth of it
    assert len(runs._programs) == 1


@pytest.mark.process
def test_the_right_one_passes_and_the_wrong_one_is_found_by_runs_that_calls_confirm(functions):
    right, wrong = (outcome_of(functions[name], max_runs=200_000) for name in ("m_right", "m_wrong"))

    assert isinstance(functions["m_right"].program, Unsupported)
    assert isinstance(right, NoViolation)
    assert isinstance(wrong, Violation)
    assert wrong.confirmation is not None
    assert wrong.confirmation.agrees
    assert 1.0 < wrong.epsilon_lower <= 2.5, "the loss at scale 0.4 is 2.5"
    assert right.effort.notes == wrong.effort.notes == ()


@pytest.mark.process
def test_they_have_the_law_of_the_function(runs_of):
    """Of 40,000 runs, means within six standard errors: they fail by chance once in 10**8."""
    values = np.array(runs_of("m_right").sample(DATA, {}, 40_000, SEED).outputs())

    assert values.shape == (40_000, 2)
    assert np.abs(values.mean(axis=0) - DATA.value).max() < 6 * math.sqrt(2 / 40_000)
    assert abs(np.abs(values - DATA.value).mean() - 1.0) < 6 * math.sqrt(1 / 80_000)


@pytest.mark.process
def test_a_branch_may_draw_and_lanes_may_differ_in_type(runs_of):
    outputs = runs_of("m_branches").sample(DATA, {}, 40_000, SEED).outputs()
    positive = [value for value in outputs if value is not None]

    # 1 + X or 1 + X + Y: P(> 0) is 1 - e**-1 / 2, or 1 - (1 + 1/2) * e**-1 / 2.
    expected = 1 - (0.5 * math.exp(-1) + 0.75 * math.exp(-1)) / 2
    assert abs(len(positive) / 40_000 - expected) < 6 * math.sqrt(0.25 / 40_000)
    assert min(positive) > 0


@pytest.mark.process
def test_the_same_seed_gives_the_same_runs_and_another_one_others(runs_of):
    runs = runs_of("m_right")
    first, again, other = (
        np.array(runs.sample(DATA, {}, 500, seed).outputs()) for seed in (SEED, SEED, np.random.SeedSequence(8))
    )

    assert (first == again).all()
    assert (first != other).all()


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("m_decimal", "it works with Decimal"),
        ("m_by_itself", "some runs cannot be made together with others"),
        ("m_of_the_system", "urandom|operating system"),
        ("m_counts_its_runs", "it changes .*m_counts_its_runs"),
        ("m_large", "too much memory"),
    ],
)
def test_what_cannot_be_followed_is_refused(runs_of, name, told):
    with pytest.raises(NotOnLanes, match=told):
        runs_of(name).check([DATA], {}, 30, SEED)


@pytest.mark.process
def test_where_calls_are_as_fast_runs_are_calls(runs_of, monkeypatch):
    """A block takes a million seconds, and calls take one."""
    runs = runs_of("m_right", timed=True)
    clock = itertools.accumulate(itertools.cycle([0.0, 1e6, 0.0, 1.0]))
    monkeypatch.setattr(time_had, "now", lambda: next(clock))

    with pytest.raises(NotOnLanes, match="calls are as fast"):
        runs.sample(DATA, {}, 6_000, SEED)


@pytest.mark.process
def test_a_function_that_is_not_what_was_rewritten_is_seen(runs_of):
    with pytest.raises(WrongTranslation, match="the check of its operations failed"):
        runs_of("m_looks_at_itself").check([DATA], {}, 100, SEED)


@pytest.mark.process
def test_an_example_tells_each_draw_with_its_place(runs_of):
    """The first noisy value is above the threshold: the noise of the threshold and of one query, in their lines."""
    draws = runs_of("m_split").example(DATA, {}, lambda output: output == 0, SEED)

    lines = [line for line, text in enumerate(SOURCE.splitlines(), 1) if "rng.laplace(scale=2.0)" in text][:1]
    lines += [line for line, text in enumerate(SOURCE.splitlines(), 1) if "rng.laplace(scale=4.0)" in text]
    offset = draws[0].site.span.line - lines[0]
    assert [draw.site.span.line - offset for draw in draws] == lines
    assert 1.0 + draws[1].value >= 1.0 + draws[0].value


FORGED = [
    ["named", "builtins.eval"],
    ["named", "os.system"],
    ["library", "os", "system"],
    ["named", "__import__"],
    ["ours", "tracing.recording", "importlib"],
]


@pytest.mark.parametrize("function", FORGED, ids=str)
def test_nothing_that_a_recording_may_not_name_is_called(function):
    """Who works for the user's code can send any recording."""
    step = ["each.each", [[function, ["list", [["=", "print(1)"]]], ["dict", []]], []], ["=", 1]]
    forged = {"paths": [[[step], [0, [[1, "0x0.0p+0"]]]]], "lost": []}
    with pytest.raises(NotResidual, match="not a recording"):
        ResidualProgram(lambda *_: forged)


@pytest.mark.parametrize("name", ["__class__", "__globals__", "tofile", "dump"])
def test_attributes_that_lead_out_of_a_value_are_not_looked_up(name):
    with pytest.raises(AttributeError):
        recording._NAMED["attribute"](1.5, name)
    with pytest.raises(AttributeError):
        recording._NAMED["attribute"](recording._NAMED["method"], "func_name")


def test_no_name_is_that_of_a_function_with_effects():
    effects = {
        "eval",
        "exec",
        "open",
        "compile",
        "input",
        "print",
        "getattr",
        "setattr",
        "vars",
        "globals",
        "load",
        "save",
    }
    effects |= {
        "fromfile",
        "tofile",
        "memmap",
        "loadtxt",
        "savetxt",
        "genfromtxt",
        "frompyfunc",
        "vectorize",
        "__import__",
    }
    assert not {name.rpartition(".")[2] for name in recording._NAMED} & effects


DATAS = [DataValue(values) for values in ([3.0, 1.0], [0.0, 5.0], [4.0], [9.0, 2.0], [3.0, 1.0], [1.0, 2.0, 3.0])]


@pytest.mark.process
@pytest.mark.parametrize("most", [1, 1 << 14])
def test_data_values_that_share_a_block_have_their_own_outputs(runs_of, monkeypatch, most):
    """Of several shapes, by two ways of the function: what is no noise tells whose output it is."""
    monkeypatch.setattr(residual_runs, "_TOGETHER", most)
    runs = runs_of("m_told")

    runs.check(DATAS, {}, 20, SEED)
    [(count, batches)] = runs.blocks(DATAS, {}, 50, SEED, TextNumbers())

    assert count == 50
    told = [batch.outputs() for batch in batches]
    for data, outputs in zip(DATAS, told, strict=True):
        expected = data.value if data.value[0] > 2 else [len(data.value)]
        assert len(outputs) == 50
        assert all(output[:-1] == expected for output in outputs)
    assert len({output[-1] for outputs in told for output in outputs}) == 50 * len(DATAS), "noise is no one else's"


@pytest.mark.process
def test_data_values_are_run_apart_once_no_program_is_for_all_of_them(runs_of):
    runs = runs_of("m_told")
    runs.check(DATAS[:2], {}, 20, SEED)
    runs._any_data = False

    runs.check(DATAS, {}, 30, SEED)
    batches = runs.together(DATAS, {}, 10, SEED, None, TextNumbers())

    assert [batch.outputs()[0][:-1] for batch in batches][:2] == [[3.0, 1.0], [2]]
