"""Several values of the data in one block give what each of them gives in a block of its own, on the same draws."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns
from dplint.program.nodes import Program
from dplint.readings.lanes import CallbackDraws, Outputs, objects_of, read_block
from dplint.readings.lanes.stacks import stack
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers
from tests.lanes.lane_tools import exact

LANES = 60
PROGRAMS = """
def m_each(rng, data):
    return [x + rng.laplace() for x in data]

def m_first(rng, data):
    noisy = data[0] * 2 + rng.integers(0, 3)
    data = list(data)
    data[1] = noisy
    data.append(len(data))
    return data

def m_branch(rng, data):
    count = 0
    for x in data:
        if x > 0 and rng.random() < 0.5:
            count += 1
        elif x == 0:
            return (count, x)
    return count

def m_best(rng, data):
    return np.argmax([x + rng.gumbel() for x in data])

def m_kinds(rng, data):
    return [type_of(x, rng) for x in data]

def type_of(x, rng):
    if isinstance(x, bool):
        return "bool"
    return "int" if isinstance(x, int) else rng.random()

def m_divides(rng, data):
    return 10 // (int(data[0]) - int(rng.integers(0, 3)))

def m_sorted(rng, data):
    return sorted(data)[int(rng.integers(0, 2))]

def m_index(rng, data):
    return data[int(rng.integers(0, 4))]

def m_sums(rng, data):
    return sum(data) + np.sum(np.asarray(data)) + rng.normal()
"""
NAMES = ["m_each", "m_first", "m_branch", "m_best", "m_kinds", "m_divides", "m_sorted", "m_index", "m_sums"]
DATA = {
    "floats": [[1.0, 0.0, 2.0], [2.0, 0.0, 2.0], [0.5, -1.0, 3.0]],
    "integers": [[1, 0, 2], [2, 0, 2], [0, -1, 3]],
    "integers and floats": [[1, 0.0, 2], [1.0, 0, 2.0], [0, -1, 3.5]],
    "truths": [[True, False, True], [False, False, True]],
    "truths and numbers": [[True, 0, 2.5], [1, False, 2]],
    "large integers": [[2**53 + 1, 2**60, 1], [2**53, 2**61, 2]],
    "tuples": [(1.0, 2.0, 3.0), (0.0, 2.0, 3.0)],
    "arrays": [np.array([1.0, 0.0, 2.0]), np.array([0.0, 0.0, 3.0])],
    "arrays of integers": [np.array([1, 0, 2]), np.array([0, 0, 3])],
}


class Draws:
    """A generator of its own for each lane, which goes by the lane's number."""

    def __init__(self, first: int, lanes: int) -> None:
        self._generators = [np.random.default_rng(first + lane) for lane in range(lanes)]

    def __call__(self, lane, node, parameters, size, site):
        return getattr(self._generators[lane], node.distribution)(**parameters, size=size)


def outcomes(program, data, first, lanes):
    block = read_block(
        program, {"data": data}, lanes, CallbackDraws(Draws(first, lanes)), TextNumbers(), (3, 11), least=16
    )
    return [exact(item) for item in objects_of(block)], block


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_stack_is_its_values_one_after_the_other(targets, name, data):
    program = targets(PROGRAMS)[name].program
    assert isinstance(program, Program), program
    before = copy.deepcopy(data)

    together, block = outcomes(program, stack(data, LANES), 0, LANES * len(data))

    alone = [outcomes(program, value, LANES * number, LANES)[0] for number, value in enumerate(data)]
    assert together == [outcome for found in alone for outcome in found]
    assert [exact(value) for value in data] == [exact(value) for value in before]
    # And cut apart again.
    outputs = Outputs(block.texts, placed=True)
    outputs.add(block)
    parts = stack(data, LANES).split(outputs.batch())
    assert [part.runs for part in parts] == [LANES] * len(data)
    assert [exact(item) for part in parts for item in part.outputs()] == [
        exact(item) for item in outputs.batch().outputs()
    ]
    for part in parts:
        assert sorted(row for group in part.groups for row in group.rows.tolist()) == list(range(LANES))


@pytest.mark.parametrize(
    "values",
    [
        [[1.0], [1.0, 2.0]],
        [[1.0], (1.0,)],
        [[[1.0]], [[2.0, 3.0]]],
        [[[1.0]], [(2.0,)]],
        [[[1.0]], [2.0]],
        [[[1.0] * 65], [[2.0] * 65]],
        [[{"a": 1}], [{"a": 2}]],
        [np.zeros(2), np.zeros(3)],
        [np.zeros(2), np.zeros(2, np.int64)],
        [np.zeros((2, 2)), np.ones((2, 2))],
        [1, 2.0],
        [{"a": 1}, {"a": 2}],
        [[2**80], [1]],
    ],
    ids=str,
)
def test_values_of_different_shapes_are_not_stacked(values):
    assert stack(values, 10) is None


@pytest.mark.parametrize(("one", "other"), [(1.5, 2.5), (3, 2**60), (True, False), ("a", "b"), (None, None)])
def test_scalars_are_stacked(targets, one, other):
    program = targets("def m(rng, data):\n    return (data, rng.random())\n")["m"].program

    together, _ = outcomes(program, stack([one, other], LANES), 0, 2 * LANES)

    assert together == outcomes(program, one, 0, LANES)[0] + outcomes(program, other, LANES, LANES)[0]


@pytest.mark.parametrize(
    "rows",
    [
        [[[1.0, 2], [0.5, 3]], [[1.0, 2], [0.25, 4]], [[-1.0, 2], [True, 2**60]]],
        [[(1.0, 2.0), (3.0, 4.0)], [(1.0, 2.5), (3.0, 4.0)]],
        [([], [1]), ([], [2])],
    ],
    ids=str,
)
def test_rows_are_stacked(targets, rows):
    source = "def m(rng, data):\n    return [(sum(row) + rng.random(), len(row), row) for row in data]\n"
    program = targets(source)["m"].program

    together, _ = outcomes(program, stack(rows, LANES), 0, LANES * len(rows))

    alone = [outcomes(program, value, LANES * number, LANES)[0] for number, value in enumerate(rows)]
    assert together == [outcome for found in alone for outcome in found]


def test_lanes_sample_all_values_at_once_or_leave_it(targets, lanes_runner):
    target = targets("def m(rng, data, k=1):\n    return [x + 0 * rng.laplace() for x in data] + [k]\n")["m"]
    lanes_runner.load(target.mechanism)
    runs = LaneRuns(target.program, target.mechanism, lanes_runner)
    values = [DataValue([1.0, 2.0]), DataValue([3.0, 4.0])]
    seed = np.random.SeedSequence(1)

    together = runs.sample_all(values, {"k": 7}, 5, seed)

    assert [batch.outputs() for batch in together] == [[[1.0, 2.0, 7]] * 5, [[3.0, 4.0, 7]] * 5]
    assert runs.sample_all(values, {}, runs.chunk, seed) is None
    assert runs.sample_all([*values, DataValue([1.0])], {}, 5, seed) is None


def test_many_runs_of_all_values_come_in_blocks_that_they_share(targets, lanes_runner, monkeypatch):
    target = targets("def m(rng, data):\n    return [x + 0 * rng.laplace() for x in data]\n")["m"]
    lanes_runner.load(target.mechanism)
    runs = LaneRuns(target.program, target.mechanism, lanes_runner)
    values = [DataValue([1.0]), DataValue([2.0]), DataValue([3.0])]
    monkeypatch.setattr(runs, "_block", 100)

    def counts(together):
        read: list[int] = []
        read_block = LaneRuns._read
        with monkeypatch.context() as inside:
            inside.setattr(LaneRuns, "_read", lambda *given: read.append(given[2]) or read_block(*given))
            found = runs.blocks(values, {}, 80, np.random.SeedSequence(1), TextNumbers(), together=together)
            made = [[batch.outputs() for batch in batches] for _, batches in found]
        assert [[out for block in made for out in block[side]] for side in range(3)] == [
            [value.value] * 80 for value in values
        ]
        return read

    assert counts(together=True) == [99, 99, 42]
    assert counts(together=False) == [66, 66, 66, 14, 14, 14]
    assert runs.stacks
