"""The check of the translation: a right one passes, and whatever a wrong one does differently is found and named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns, NotOnLanes
from dplint.audit.translation import ULPS, first_difference, tolerance
from dplint.program.nodes import Program
from dplint.readings.lanes import Outputs
from dplint.readings.lanes.lane_values import Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

SEED = np.random.SeedSequence(2)
DATA = DataValue([1.0, 0.0, 2.0, 1.0])


def lane_runs(program, mechanism, runner):
    runner.load(mechanism)
    assert isinstance(program, Program), program
    return LaneRuns(program, mechanism, runner)


def checked(runner, program, mechanism, lanes=1000, data=DATA, **arguments):
    """Check a program against a mechanism, which may be another one's."""
    lane_runs(program, mechanism, runner).check(data, arguments, lanes, SEED)


RIGHT = """
def m_loop(rng, queries, epsilon=0.5):
    best, index = -math.inf, 0
    for i, q in enumerate(queries):
        noisy = q + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best, index = noisy, i
    return index

def m_rejection(rng, queries, epsilon=0.5):
    turns = 0
    while True:
        noisy = queries[0] + rng.laplace(scale=1 / epsilon)
        turns += 1
        if noisy > 0:
            return [noisy] * turns

def m_raises(rng, queries):
    if rng.random() < 0.3:
        raise ValueError(f"no luck: {len(queries)}")
    return 1 // int(rng.integers(0, 3))

def m_types(rng, queries):
    draw = rng.integers(0, 5)
    if draw == 0:
        return None
    if draw == 1:
        return "text"
    if draw == 2:
        return (1.5, [2])
    return {"a": True, "b": rng.normal()} if draw == 3 else np.asarray(queries) + rng.laplace(size=4)

def m_keys(rng, queries):
    noisy = queries[0] + rng.laplace(scale=2.0)
    return {True: noisy, "a": 1} if noisy > 0.5 else {1: noisy, "a": 1}

def m_sum(rng, queries):
    return np.sum(np.asarray(queries) + rng.normal(size=len(queries)))

def m_legacy(queries):
    return [q + np.random.laplace(0, 2) for q in queries] + [random.gauss(0, 1)]
"""


@pytest.mark.parametrize("name", re.findall(r"def (\w+)", RIGHT))
def test_a_right_translation_passes(targets, lanes_runner, name):
    target = targets(RIGHT)[name]

    checked(lanes_runner, target.program, target.mechanism)


WRONG = {
    "a scale": (
        "return queries[0] + rng.laplace(scale=1.0)",
        "return queries[0] + rng.laplace(scale=2.0)",
        r"scale.*2\.0.*1\.0|scale.*1\.0.*2\.0",
    ),
    "a scale in a few runs only": (
        "return queries[0] + rng.laplace(scale=1.0 if rng.random() < 0.98 else 3.0)",
        "return queries[0] + rng.laplace(scale=1.0)",
        r"laplace|random",
    ),
    "an operator": (
        "return queries[0] + rng.laplace()",
        "return queries[0] - rng.laplace()",
        r"on the same draws the function gives .* and its translation ",
    ),
    "a comparison that only ties tell apart": (
        "return rng.integers(0, 5) > 2",
        "return rng.integers(0, 5) >= 2",
        r"the function gives (True|False) and its translation (True|False)",
    ),
    "the order of two draws": (
        "a = rng.laplace()\n    b = rng.random()\n    return a + b",
        "b = rng.random()\n    a = rng.laplace()\n    return a + b",
        r"laplace.*random|random.*laplace",
    ),
    "the order of two draws of one distribution": (
        "a = rng.laplace()\n    b = rng.laplace()\n    return a > 2 * b",
        "b = rng.laplace()\n    a = rng.laplace()\n    return a > 2 * b",
        r"the function gives (True|False) and its translation (True|False)",
    ),
    "one turn of a loop less": (
        "return [q + rng.laplace() for q in queries]",
        "found = []\n    for i in range(len(queries) - 1):\n        found.append(queries[i] + rng.laplace())\n"
        "    return found",
        r"draw",
    ),
    "one turn of a loop more": (
        "total = 0.0\n    for i in range(3):\n        total += queries[i] + rng.laplace()\n    return total",
        "total = 0.0\n    for i in range(4):\n        total += queries[i] + rng.laplace()\n    return total",
        r"draw",
    ),
    "a returned type": (
        "return round(queries[0] + rng.laplace())",
        "return float(round(queries[0] + rng.laplace()))",
        r"the function gives -?\d+\.0 and its translation -?\d+$",
    ),
    "a tuple for a list": (
        "return [rng.laplace(), 1]",
        "return (rng.laplace(), 1)",
        r"the function gives \(.*\) and its translation \[.*\]",
    ),
    "the sign of zero": (
        "return 0.0 * rng.random()",
        "return -0.0 * rng.random()",
        r"the function gives -0\.0 and its translation 0\.0",
    ),
    "the last digit": (
        "return (rng.random() + 0.1) + 0.2",
        "return rng.random() + (0.1 + 0.2)",
        r"the function gives \d.* and its translation \d",
    ),
    "an exception": (
        "return 1.0 if rng.random() < 0.9 else 2.0",
        'if rng.random() < 0.9:\n        return 1.0\n    raise ValueError("no")',
        r"the function gives \('ValueError', 'no'\) and its translation 2\.0",
    ),
    "another exception": (
        'if rng.random() < 0.5:\n        raise RuntimeError("no")\n    return 0',
        'if rng.random() < 0.5:\n        raise ValueError("no")\n    return 0',
        r"the function gives \('ValueError', 'no'\) and its translation \('RuntimeError', 'no'\)",
    ),
    "the message of an exception": (
        'if rng.random() < 0.5:\n        raise ValueError("one")\n    return 0',
        'if rng.random() < 0.5:\n        raise ValueError("two")\n    return 0',
        r"the function gives \('ValueError', 'two'\) and its translation \('ValueError', 'one'\)",
    ),
    "a draw that nobody looks at": (
        "return rng.laplace()",
        "noise = rng.laplace()\n    rng.random()\n    return noise",
        r"random",
    ),
    "a size": (
        "return np.sum(rng.laplace(size=3))",
        "return np.sum(rng.laplace(size=4))",
        r"size",
    ),
}


@pytest.mark.parametrize("difference", WRONG)
def test_a_wrong_translation_is_found_and_what_differs_is_named(targets, lanes_runner, difference):
    translated, real, words = WRONG[difference]
    found = targets(f"def m_lanes(rng, queries):\n    {translated}\n\ndef m_real(rng, queries):\n    {real}\n")

    with pytest.raises(NotOnLanes, match=words) as refused:
        checked(lanes_runner, found["m_lanes"].program, found["m_real"].mechanism)

    assert str(refused.value).startswith("the check of the translation failed: ")
    # Both are right translations of themselves.
    for target in found.values():
        checked(lanes_runner, target.program, target.mechanism)


def test_a_wrong_draw_is_named_by_its_place(targets, lanes_runner):
    """The place is that of the program, which is that of the source: in its third turn, where a helper is called."""
    found = targets("""
        def _noisy(rng, q, scale):
            return q + rng.laplace(scale=scale)

        def m_lanes(rng, queries):
            return [_noisy(rng, q, 1.0) for q in queries]

        def m_real(rng, queries):
            return [_noisy(rng, q, 1.0 if q < 2 else 2.0) for q in queries]
    """)
    lines = Path(found["m_lanes"].mechanism.path).read_text().splitlines()
    draw, call = (
        next(n for n, line in enumerate(lines, 1) if text in line) for text in ("rng.laplace(", "q, 1.0) for")
    )

    with pytest.raises(NotOnLanes) as refused:
        checked(lanes_runner, found["m_lanes"].program, found["m_real"].mechanism)

    place = f"run 0, draw 3, the noise of line {draw} (called in line {call}) in the third turn: the function asked for"
    assert place in str(refused.value)


def test_an_input_is_checked_once_and_again_if_more_lanes_are_wanted(targets, lanes_runner, monkeypatch):
    found = targets("def m(rng, queries, k=1):\n    return queries[0] + k * rng.laplace()\n")["m"]
    runs = lane_runs(found.program, found.mechanism, lanes_runner)
    asked = []
    replay = lanes_runner.replay
    monkeypatch.setattr(lanes_runner, "replay", lambda request: asked.append(request.runs) or replay(request))

    for data, k, lanes in ((DATA, 1, 30), (DATA, 1, 30), (DATA, 1, 20), (DATA, 2, 30), (DATA, 1, 1000)):
        runs.check(data, {"k": k}, lanes, SEED)
    runs.check(DataValue([0.0]), {"k": 1}, 30, SEED)

    assert asked == [30, 30, 1000, 30]


@pytest.mark.parametrize(
    ("body", "ulps"),
    [
        ("return sum(queries) + rng.laplace()", 0),
        ("return max(queries) + rng.laplace()", 0),
        ("return np.max(np.asarray(queries)) + rng.laplace()", 0),
        ("return np.sum(queries) + rng.laplace()", ULPS),
        ("return np.asarray(queries).mean() + rng.laplace()", ULPS),
        ("return np.cumsum(rng.laplace(size=3))", ULPS),
        ("return np.asarray(queries) @ rng.laplace(size=4)", ULPS),
        ("return np.std(rng.laplace(size=3))", ULPS),
        ("return helper(queries, rng)", ULPS),
        ("return [q for q in queries if q + rng.laplace() > 0]", 0),
    ],
)
def test_floats_may_differ_by_four_ulps_only_where_numpy_sums(targets, body, ulps):
    helper = "def helper(queries, rng):\n    return np.sum(queries) + rng.laplace()\n\n"
    program = targets(f"{helper}def m(rng, queries):\n    {body}\n")["m"].program

    assert tolerance(program) == ulps


def outputs_of(*objects):
    lanes = Lanes(len(objects), TextNumbers())
    lanes.finish(
        lanes.implode(list(objects), lanes.root, None) if len(objects) > 1 else Uniform(objects[0]), lanes.everywhere()
    )
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)
    return outputs.batch()


@pytest.mark.parametrize("number", [1.0, -3.7, 1e-300, 1e300, 0.1])
def test_four_ulps_are_four_ulps(number):
    near, far = number, number
    for _ in range(4):
        near = np.nextafter(near, np.inf)
    for _ in range(5 if abs(number) != 1.0 else 6):
        far = np.nextafter(far, np.inf)

    assert first_difference(outputs_of(number), outputs_of(float(near)), 4) is None
    assert first_difference(outputs_of(number), outputs_of(float(near)), 0) == 0
    assert first_difference(outputs_of(number), outputs_of(float(far)), 4) == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1.0, 1), (1, True), (float("inf"), -float("inf")), (float("inf"), 1.7e308), (None, 0),
        (float("nan"), 0.0), ("a", "b"), (2**60, 2**60 + 1), ([1, 2], [2, 1]), ([1], (1,)), ([1], [1, 1]), ([[]], []),
        ({"a": 1}, {"b": 1}), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({True: 1}, {1: 1}),
        ({(True,): 1}, {(1,): 1}), (np.zeros(2), [0.0, 0.0]),
        (np.zeros((2, 1)), np.zeros((1, 2))), ("1", 1),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("ulps", [0, 4])
def test_outputs_that_differ(left, right, ulps):
    assert first_difference(outputs_of(left), outputs_of(left), ulps) is None
    assert first_difference(outputs_of(right), outputs_of(right), ulps) is None
    assert first_difference(outputs_of(left), outputs_of(right), ulps) == 0


def test_zeros_of_different_sign_differ_unless_a_sum_explains_it():
    assert first_difference(outputs_of(0.0), outputs_of(-0.0), 0) == 0
    assert first_difference(outputs_of([1.0, -0.0]), outputs_of([1.0, 0.0]), 0) == 0
    assert first_difference(outputs_of(0.0), outputs_of(-0.0), 4) is None


def test_the_first_run_that_differs_is_told():
    same, other = [1.5, "a", None, "b", 2**60], [1.5, "a", None, "c", 2**60]

    assert first_difference(outputs_of(*same), outputs_of(*same), 0) is None
    # The texts of the two are numbered differently.
    assert first_difference(outputs_of("b", "a", "c"), outputs_of("b", "a", "c"), 0) is None
    assert first_difference(outputs_of(*same), outputs_of(*other), 0) == 3


UNKNOWN_DEFAULTS = {
    "an object": "k=object()",
    "a function": "k=np.exp",
    "an array": "k=np.zeros(3)",
}


@pytest.mark.parametrize("default", UNKNOWN_DEFAULTS.values(), ids=UNKNOWN_DEFAULTS)
def test_a_default_that_is_no_plain_value_keeps_a_mechanism_off_lanes(targets, lanes_runner, default):
    target = targets(f"def m(rng, queries, {default}):\n    return queries[0] + rng.laplace()\n")["m"]

    for call in ("check", "sample"):
        runs = lane_runs(target.program, target.mechanism, lanes_runner)
        with pytest.raises(NotOnLanes, match="the default of its parameter k is not a plain value"):
            getattr(runs, call)(DATA, {}, 10, SEED)


def test_a_plain_default_is_used(targets, lanes_runner):
    target = targets("def m(rng, queries, k=[2, None], *, sign=-1.5):\n    return [k, sign, rng.random() < 2]\n")["m"]
    runs = lane_runs(target.program, target.mechanism, lanes_runner)

    runs.check(DATA, {}, 10, SEED)

    assert runs.sample(DATA, {}, 2, SEED).outputs() == [[[2, None], -1.5, True]] * 2


@pytest.mark.parametrize("data", [DataValue([{"a": 1}], form="frame"), DataValue(None, "scalar", handle=0)])
def test_data_that_only_the_users_interpreter_has_keeps_a_mechanism_off_lanes(targets, lanes_runner, data):
    target = targets("def m(rng, queries):\n    return len(queries) + rng.laplace()\n")["m"]

    for call in ("check", "sample"):
        runs = lane_runs(target.program, target.mechanism, lanes_runner)
        with pytest.raises(NotOnLanes, match="its data are objects that only the user's interpreter has"):
            getattr(runs, call)(data, {}, 10, SEED)


@pytest.mark.parametrize("form", ["list of lists", "list of tuples"])
def test_rows_without_names_come_to_lanes_as_to_the_function(targets, lanes_runner, form):
    source = "def m(rng, rows):\n    return [[row[0] + rng.laplace(), len(row), row[-1]] for row in rows] + rows[:1]\n"
    target = targets(source)["m"]
    data = DataValue([{"a": 1.5, "b": "x"}, {"a": 2, "b": "y"}], form=form)
    lanes_runner.load(target.mechanism)
    runs = lane_runs(target.program, target.mechanism, lanes_runner)

    runs.check(data, {}, 20, SEED)

    (first, second, last) = runs.sample(data, {}, 1, SEED).outputs()[0]
    row = [1.5, "x"] if form == "list of lists" else (1.5, "x")
    assert (first[1:], second[1:], last) == ([2, "x"], [2, "y"], row)


def test_what_the_reading_refuses_is_named_with_its_line(targets, lanes_runner):
    target = targets("def m(rng, queries):\n    while rng.random() < 2:\n        pass\n    return 1\n")["m"]
    runs = lane_runs(target.program, target.mechanism, lanes_runner)

    with pytest.raises(NotOnLanes, match=r"^a loop of more than 10,000 turns at line \d+ is not understood$"):
        runs.sample(DATA, {}, 10, SEED)


def test_one_seed_gives_the_same_runs_and_another_seed_others(targets, lanes_runner):
    target = targets("def m(rng, queries):\n    return [q + rng.laplace() for q in queries]\n")["m"]
    runs = lane_runs(target.program, target.mechanism, lanes_runner)

    first, again, other = (
        runs.sample(DATA, {}, 1000, np.random.SeedSequence(seed)).groups[0].values for seed in (1, 1, 2)
    )

    assert np.array_equal(first, again)
    assert not np.isin(first, other).any()
