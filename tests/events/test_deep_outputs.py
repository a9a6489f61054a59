"""Values that lie deep in an output have events; those that have none by themselves are named."""

import pytest
from event_tools import batch_of

from dplint.events.layout import _MOST_PARTS, is_cut, parts_of
from dplint.events.split_runs import grids_of, sample_of
from dplint.runner.batch import MOST_LEAVES
from dplint.runner.texts import TextNumbers

DEEP = {
    "lists": (lambda x: [[[[[x]]]]], "output[0][0][0][0][0]"),
    "dicts": (lambda x: {"a": {"b": {"c": {"d": {"e": x}}}}}, "output['a']['b']['c']['d']['e']"),
    "a list of numbers, deep": (lambda x: {"a": [{"b": ([2.0, x],)}]}, "output['a'][0]['b'][0][1]"),
    "twenty lists in one another": (lambda x: nested(x, 20), "output" + 20 * "[0]"),
}


def nested(value, depth):
    return [nested(value, depth - 1)] if depth else value


def sample(outputs):
    return sample_of([batch_of(outputs)], [], TextNumbers())


@pytest.mark.parametrize(("output", "place"), DEEP.values(), ids=DEEP)
def test_a_deep_number_has_events_of_its_own(output, place):
    found = sample([output(float(number)) for number in range(50)])

    assert place in {axis.feature.expression for grid in grids_of(found) for axis in grid.axes}
    assert found.left_out == (0, "")


LEFT_OUT = {
    # 24 elements from the front have a place, and the last one.
    "a long list": ([0.0] * 100, "75 of 100 values of an output (the first in output)"),
    "a short list": ([0.0] * 25, ""),
    # Of the first 40 parts none is a number. Then come 24 numbers: ten and, as [-1], the last of them once more, twice.
    "lists in lists": ([[[0.0] * 10] * 10] * 10, "978 of 1,000 values of an output (the first in output[0][2][1])"),
    "more than is kept": (
        [0.0] * (MOST_LEAVES + 1),
        "4,072 of 4,096 values of an output (the first in output) and what lies beyond the first 4,096 values",
    ),
}


@pytest.mark.parametrize(("output", "words"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_not_looked_at_one_by_one_is_named(output, words):
    number, told = sample([output, output]).left_out

    assert told.startswith(words)
    assert bool(number) is bool(told) is bool(words)


def test_an_output_of_very_many_parts_is_not_taken_apart_down_to_the_ground():
    def parts_with(rows):
        (group,) = batch_of([[[[[[0.0, 1.0]]]] for _ in range(rows)]]).groups
        return parts_of(group.skeleton)

    few, many = parts_with(2), parts_with(24)
    assert (0, 0, 0, 0, 1) in few
    assert len(many) <= _MOST_PARTS
    assert (23, 0, 0, 0, 1) in many


@pytest.mark.parametrize(
    ("output", "cut"),
    [([0.0] * 4096, False), ([0.0] * 4097, True), ([[0.0] * 4000, [0.0] * 97], True), ({"a": [1], "b": (2,)}, False)],
)
def test_whether_outputs_are_cut(output, cut):
    (group,) = batch_of([output]).groups
    assert is_cut(group.skeleton) is cut
