"""Dicts whose keys have no order in common are Python's, whatever is done to them and in whatever lanes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dplint.readings.lanes import dicts
from dplint.readings.lanes.lane_values import Dicts, Keyed, Objects, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.places import filtered
from dplint.runner.texts import TextNumbers
from tests.examples import examples
from tests.lanes.lane_tools import World, bits_of, exact, worlds

KEYS = st.sampled_from(["a", "b", "", 0, 1, True, False, 1.0, -0.0, 0.0, 2.5, None, 7, 2**53])
FEW = st.sampled_from(["a", "b", 1])
WHOLE = st.sampled_from([0, 1, 2, 3])
MISSING = "missing"


def one_each(data: st.DataObject, world: World, kind: st.SearchStrategy[Any]) -> tuple[Any, list[Any]]:
    """An object for each lane, or the same for all."""
    if data.draw(st.booleans()):
        alone = data.draw(kind)
        return Uniform(alone), [alone] * world.size
    objects = data.draw(st.lists(kind, min_size=world.size, max_size=world.size))
    return world.lanes.implode(objects, world.lanes.root, None), objects


@examples(200)
@given(st.data())
def test_a_dict_is_what_was_done_to_it(data):
    world = data.draw(worlds())
    lanes, kind = world.lanes, data.draw(st.sampled_from([KEYS, FEW, WHOLE]))
    value: Any = Uniform({})
    model: list[dict[Any, Any]] = [{} for _ in range(world.size)]
    for _ in range(data.draw(st.integers(1, 6))):
        space = data.draw(st.sampled_from(world.spaces))
        bits = data.draw(st.none() | bits_of(space.size))
        active = lanes.mask(space, bits)
        here = world.set_of(active) & set(world.members[space])
        key, keys = one_each(data, world, kind)
        item, items = one_each(data, world, st.floats(-1, 1) | st.integers(0, 9))
        held = dicts.mapping(lanes.at(value, space))
        if held is None:
            return  # left to Python
        there = dicts.contains(lanes, held, lanes.at(key, space), active)
        for row, lane in enumerate(world.members[space]) if there is not None else ():
            if lane in here:
                assert bool(there if isinstance(there, bool) else there[row]) is (keys[lane] in model[lane])
        got = dicts.get_entry(lanes, held, lanes.at(key, space), active, Uniform(MISSING))
        if got is not None:
            rows = np.array([row for row, lane in enumerate(world.members[space]) if lane in here], np.intp)
            expected = [model[world.members[space][row]].get(keys[world.members[space][row]], MISSING) for row in rows]
            assert [exact(one) for one in lanes.explode(got.value, space, rows)] == [exact(one) for one in expected]
        method = data.draw(st.sampled_from(["set", "set", "setdefault"]))
        arguments = [lanes.at(key, space), lanes.at(item, space)]
        change = (
            dicts.set_entry(lanes, held, *arguments, active)
            if method == "set"
            else dicts.update(lanes, held, method, arguments, active)
        )
        if change is None:
            return
        value = lanes.select(lanes.mask(space, None), change.value, value)
        for lane in here:
            if method == "set" or keys[lane] not in model[lane]:
                model[lane][keys[lane]] = items[lane]
        shown = lanes.explode(lanes.at(value, lanes.root), lanes.root, None)
        assert [exact(one) for one in shown] == [exact(one) for one in model]


@examples(100)
@given(st.data())
def test_a_dict_of_pairs(data):
    world = data.draw(worlds())
    lanes, kind = world.lanes, data.draw(st.sampled_from([KEYS, FEW, WHOLE]))
    pairs = st.lists(st.tuples(kind, st.floats(-1, 1)), min_size=1, max_size=4)
    objects = data.draw(st.lists(pairs, min_size=world.size, max_size=world.size))
    before = copy.deepcopy(objects)

    found = dicts.KNOWN["dict"](lanes, [lanes.implode(objects, lanes.root, None)], {}, lanes.everywhere())

    assert objects == before
    if found is not None:
        shown = lanes.explode(found.value, lanes.root, None)
        assert [exact(one) for one in shown] == [exact(dict(one)) for one in objects]


def test_keys_by_lane_are_known_to_arrays():
    """What the tests above say nothing of where arrays know nothing."""
    lanes = Lanes(1000, TextNumbers())
    keys = np.random.default_rng(3).integers(0, 3, (4, 1000)).tolist()
    value: Any = Uniform({})
    for column in keys:
        held = dicts.mapping(value)
        assert held is not None
        key = lanes.implode(column, lanes.root, None)
        assert held.keys == () or dicts.contains(lanes, held, key, lanes.everywhere()) is not None
        change = dicts.set_entry(lanes, held, key, key, lanes.everywhere())
        assert change is not None
        value = change.value

    assert isinstance(value, Keyed)
    for method, expected in (
        ("keys", list),
        ("values", lambda one: [*one.values()]),
        ("items", lambda one: [*one.items()]),
    ):
        found = dicts.METHODS[method](lanes, [value], {}, lanes.everywhere())
        assert found is not None
        made = [dict(zip(lane, lane, strict=True)) for lane in zip(*keys, strict=True)]
        assert lanes.explode(found.value, lanes.root, None) == list(map(expected, made))


def test_nan_and_what_is_no_scalar_are_left_to_python():
    lanes = Lanes(2, TextNumbers())
    held = dicts.mapping(lanes.implode([{"a": 1.0, "b": 2.0}, {"b": 3.0, "a": 4.0}], lanes.root, None))
    assert isinstance(held, Keyed)
    odd = [lanes.implode([1.0, float("nan")], lanes.root, None), lanes.implode(["a", float("nan")], lanes.root, None)]
    for key in (*odd, Uniform(float("nan")), Uniform((1,)), Uniform([1])):
        assert dicts.set_entry(lanes, held, key, Uniform(0), lanes.everywhere()) is None
        assert dicts.contains(lanes, held, key, lanes.everywhere()) is None
    for key in (float("nan"), (1,)):
        odd_dicts = [{key: 1, 2: 0}, {2: 0, key: 1}]
        assert isinstance(lanes.implode(odd_dicts, lanes.root, None), Objects)


def test_dicts_of_two_branches_keep_their_own_keys():
    lanes = Lanes(4, TextNumbers())
    mask = lanes.mask(lanes.root, np.array([True, False, True, False]))
    for one, other in (
        ({1: "x"}, {True: "y"}),
        ({0.0: 1}, {-0.0: 2}),
        ({"a": 1, "b": 2}, {"b": 3, "a": 4}),
    ):
        new, old = (Dicts(tuple(held), tuple(map(Uniform, held.values()))) for held in (one, other))
        found = lanes.at(lanes.select(mask, new, old), lanes.root)
        assert isinstance(found, Keyed)
        shown = lanes.explode(found, lanes.root, None)
        assert [exact(item) for item in shown] == [exact(item) for item in (one, other) * 2]


def test_python_is_asked_once_for_lanes_that_hold_the_same():
    lanes = Lanes(1000, TextNumbers())
    given = [lane % 2 for lane in range(1000)]
    asked: list[int] = []

    def made(number: int) -> dict[int, int]:
        asked.append(number)
        return {1: number, 2: 0} if number else {2: 0, 1: number}

    found = lanes.each(made, [lanes.implode(given, lanes.root, None)], lanes.everywhere())

    assert len(asked) == 2
    assert isinstance(found, Keyed)
    assert [exact(one) for one in lanes.explode(found, lanes.root, None)] == [exact(made(one)) for one in given]


def test_lists_of_a_space_without_lanes_have_no_items():
    lanes = Lanes(3, TextNumbers())
    space, nobody = lanes.root.narrowed(np.zeros(0, np.intp)), np.zeros(0, np.bool_)

    assert filtered(lanes, space, (Uniform(None), Uniform("a")), (nobody, nobody)).items == ()
