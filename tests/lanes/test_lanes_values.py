"""Values in whatever spaces are one Python object for each lane: bringing, selecting and merging against such objects.

The model of a value is a dict from lanes to objects; lanes that it lacks may hold anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dplint.readings.lanes.lane_values import (
    Dicts,
    Lists,
    Numbers,
    Patched,
    Tag,
    Uniform,
    Value,
    blend,
    bring,
    same,
)
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.places import filtered
from dplint.readings.lanes.spaces import Space
from dplint.runner.texts import TextNumbers
from tests.examples import examples
from tests.lanes.lane_tools import World, bits_of, exact, masks, worlds

steady = examples(60)
Model = dict[int, Any]

FLOATS = st.floats(width=64) | st.sampled_from([0.0, -0.0, float("nan"), float("inf")])
INTEGERS = st.integers(-5, 5) | st.integers(-(2**63), 2**63) | st.sampled_from([2**53, 2**53 + 1, 2**62, -(2**62)])
NUMPY = (
    st.floats(width=64).map(np.float64) | st.integers(-(2**63), 2**63 - 1).map(np.int64) | st.booleans().map(np.bool_)
)
SCALARS = st.none() | st.booleans() | st.text("ab", max_size=2) | INTEGERS | FLOATS | NUMPY
ARRAYS, RAGGED = (
    st.sampled_from(["float64", "int64", "bool"]).flatmap(
        lambda dtype, least=least, most=most: st.lists(st.integers(0, 3), min_size=least, max_size=most).map(
            lambda items: np.array(items, dtype)
        )
    )
    for least, most in ((2, 2), (0, 3))
)
RAGGED_FLOATS = st.lists(FLOATS, max_size=3).map(lambda items: np.array(items, float))
TABLES = st.lists(st.integers(-3, 3), min_size=6, max_size=6).map(lambda items: np.array(items, float).reshape(2, 3))
KINDS = [
    st.booleans(),
    st.integers(-9, 9),
    INTEGERS,
    FLOATS,
    NUMPY,
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.lists(FLOATS, min_size=2, max_size=2),
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
    st.lists(st.lists(st.integers(0, 9), max_size=2), max_size=2),
    ARRAYS,
    RAGGED,
    RAGGED_FLOATS,
    TABLES,
    st.fixed_dictionaries({"a": FLOATS, "b": st.lists(st.integers(0, 9), max_size=2)}),
    st.dictionaries(st.sampled_from(["x", "y", 1, True, None, 0.5]), FLOATS, max_size=3),
    st.dictionaries(SCALARS | st.just((1, "a")), st.lists(INTEGERS, max_size=2), max_size=3),
    SCALARS | ARRAYS | st.lists(SCALARS, max_size=2),
]
ANYTHING = st.sampled_from(KINDS).flatmap(lambda kind: kind)


def made(data: st.DataObject, world: World, kind: st.SearchStrategy[Any]) -> tuple[Value, Model]:
    """A value of Python objects: the same in all lanes, or one for each lane of some space."""
    if data.draw(st.integers(0, 3)) == 0:
        one = data.draw(kind)
        return Uniform(one), dict.fromkeys(range(world.size), one)
    space = data.draw(st.sampled_from(world.spaces))
    objects = data.draw(st.lists(kind, min_size=space.size, max_size=space.size))
    return world.lanes.implode(objects, space, None), dict(zip(world.members[space], objects, strict=True))


def built(data: st.DataObject, world: World, kind: st.SearchStrategy[Any], depth: int) -> tuple[Value, Model]:
    """A value that displays of lists and dicts, and selections, made of others."""
    ways = ["made", "list", "ragged", "dict", "some", "filtered", "select", "select"]
    way = data.draw(st.sampled_from(ways)) if depth else "made"
    if way == "made":
        return made(data, world, kind)
    if way == "select":
        mask = data.draw(masks(world))
        new, new_model = built(data, world, kind, depth - 1)
        old, old_model = built(data, world, kind, depth - 1)
        here = world.set_of(mask)
        model = {lane: item for lane, item in old_model.items() if lane not in here}
        return world.lanes.select(mask, new, old), model | {n: item for n, item in new_model.items() if n in here}
    items = [built(data, world, kind, depth - 1) for _ in range(data.draw(st.integers(1, 2)))]
    space = data.draw(st.sampled_from(world.spaces))
    defined = [n for n in world.members[space] if all(n in model for _, model in items)]
    columns = {lane: [model[lane] for _, model in items] for lane in defined}
    values = tuple(value for value, _ in items)
    if way in ("some", "filtered"):
        return some_of(data, world, space, values, columns, listed=way == "filtered")
    if way == "dict":
        keys = tuple("xy"[: len(values)])
        return Dicts(keys, values), {lane: dict(zip(keys, objects, strict=True)) for lane, objects in columns.items()}
    tuples = data.draw(st.booleans())
    name = tuple if tuples else list
    if way == "list":
        return Lists(space, values, None, tuples), {lane: name(objects) for lane, objects in columns.items()}
    last = data.draw(bits_of(space.size))
    has = dict(zip(world.members[space], last.tolist(), strict=True))
    model = {lane: name(objects if has[lane] else objects[:-1]) for lane, objects in columns.items()}
    return Lists(space, values, None, tuples, last), model


def some_of(
    data: st.DataObject, world: World, space: Space, values: tuple[Value, ...], columns: Model, *, listed: bool
) -> tuple[Value, Model]:
    """A dict or a list of those of the values that each lane has."""
    keys = tuple("yx"[: len(values)])
    there = [data.draw(bits_of(space.size)) for _ in values]
    has = {lane: [bool(bits[row]) for bits in there] for row, lane in enumerate(world.members[space])}
    kept = {
        lane: [one for one in zip(has[lane], keys, objects, strict=True) if one[0]] for lane, objects in columns.items()
    }
    if listed:
        return filtered(world.lanes, space, values, tuple(there)), {
            n: [one for *_, one in row] for n, row in kept.items()
        }
    truths = tuple(Numbers(space, bits, Tag.BOOL) for bits in there)
    return Dicts(keys, values, None, truths), {n: {key: one for _, key, one in row} for n, row in kept.items()}


def assert_holds(world: World, value: Value, model: Model, space: Space) -> None:
    """Seen from the space, the value is what the model says, in the lanes of which it says anything."""
    known = [(row, lane) for row, lane in enumerate(world.members[space]) if lane in model]
    rows = np.array([row for row, _ in known], np.intp)

    found = world.lanes.explode(world.lanes.at(value, space), space, rows)

    assert [exact(item) for item in found] == [exact(model[lane]) for _, lane in known]


@steady
@given(st.data())
def test_objects_in_and_out_are_the_same(data):
    size = data.draw(st.integers(1, 6))
    merger = LaneMerger(size, TextNumbers())
    rows = np.flatnonzero(data.draw(bits_of(size)))
    objects = data.draw(ANYTHING.flatmap(lambda _: st.lists(ANYTHING, min_size=len(rows), max_size=len(rows))))

    value = merger.implode(objects, merger.root, rows)

    assert [exact(item) for item in merger.explode(value, merger.root, rows)] == [exact(item) for item in objects]


@examples(150)
@given(st.data())
def test_a_value_is_the_same_from_every_space_that_has_its_lanes(data):
    world = data.draw(worlds())
    kind = data.draw(st.sampled_from(KINDS))

    value, model = built(data, world, kind, depth=2)

    # In random order: each look is kept, and later ones may start from it.
    for space in data.draw(st.permutations(world.spaces)):
        assert_holds(world, value, model, space)


@examples(100)
@given(st.data())
def test_a_chain_of_selections_in_any_spaces(data):
    world = data.draw(worlds())
    kind = data.draw(st.sampled_from(KINDS))
    value, model = made(data, world, kind)

    for _ in range(data.draw(st.integers(2, 5))):
        mask = data.draw(masks(world))
        new, new_model = made(data, world, kind)
        value = world.lanes.select(mask, new, value)
        model = {lane: item for lane, item in model.items() if lane not in world.set_of(mask)} | {
            lane: item for lane, item in new_model.items() if lane in world.set_of(mask)
        }
        if data.draw(st.booleans()):
            assert_holds(world, value, model, data.draw(st.sampled_from(world.spaces)))

    for space in world.spaces:
        assert_holds(world, value, model, space)


@steady
@given(st.data())
def test_merging_takes_the_new_where_the_bits_are_set(data):
    world = data.draw(worlds())
    kind = data.draw(st.sampled_from(KINDS))
    space = data.draw(st.sampled_from(world.spaces))
    bits = data.draw(st.none() | bits_of(space.size))
    new, new_model = built(data, world, kind, depth=1)
    old, old_model = built(data, world, kind, depth=1)

    merged = world.lanes.merge(space, bits, new, old)

    here = dict(zip(world.members[space], [True] * space.size if bits is None else bits.tolist(), strict=True))
    sides = {lane: new_model if is_new else old_model for lane, is_new in here.items()}
    assert_holds(world, merged, {lane: model[lane] for lane, model in sides.items() if lane in model}, space)


@steady
@given(st.data())
def test_what_is_looked_at_is_no_longer_patched(data):
    world = data.draw(worlds())
    value, _ = built(data, world, data.draw(st.sampled_from(KINDS)), depth=2)

    for space in world.spaces:
        assert not isinstance(world.lanes.at(value, space), Patched)


@steady
@given(st.data())
def test_bringing_keeps_the_entries_of_the_lanes_that_both_spaces_have(data):
    world = data.draw(worlds())
    home = data.draw(st.sampled_from(world.spaces))
    table = np.array([world.members[home], world.members[home]], float).reshape(2, home.size) + 1.0

    for space in world.spaces:
        if space is home:
            continue
        brought = bring(table, home, space)
        shared = set(world.members[home]) & set(world.members[space])
        assert brought.shape == (2, space.size)
        for row, lane in enumerate(world.members[space]):
            if lane in shared:
                assert brought[:, row].tolist() == [lane + 1.0] * 2


BITS = st.integers(0, 2**64 - 1).map(lambda word: np.uint64(word).view(np.float64))


@steady
@given(st.data())
def test_blending_is_where_bit_for_bit(data):
    size = data.draw(st.integers(1, 6))
    bits = data.draw(bits_of(size))
    numbers = {
        np.float64: BITS | st.sampled_from([0.0, -0.0, 1.0]),
        np.int64: st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, 1]),
        np.int32: st.integers(-(2**31), 2**31 - 1),
        np.uint8: st.integers(0, 255),
        np.bool_: st.booleans(),
    }
    dtype = data.draw(st.sampled_from(list(numbers)))
    new, old = (
        np.array(data.draw(st.lists(numbers[dtype], min_size=2 * size, max_size=2 * size)), dtype).reshape(2, size)
        for _ in range(2)
    )
    if data.draw(st.booleans()):
        new = new[0, 0]
    if data.draw(st.booleans()):
        old = old[0, 0]
    if np.ndim(new) == np.ndim(old) == 2 and data.draw(st.booleans()):
        bits = np.stack([bits, ~bits])

    expected = np.where(bits, new, old)

    found = blend(bits, new, old)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()


@steady
@given(SCALARS, SCALARS)
def test_scalars_are_the_same_only_if_nothing_tells_them_apart(left, right):
    assert same(left, left)
    if same(left, right):
        assert exact(left) == exact(right)
    assert not same(0.0, -0.0)
    assert not same(1, True)
    assert not same(1, np.int64(1))
