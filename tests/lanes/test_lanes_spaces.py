"""Masks in whatever spaces are sets of lanes: every operation against Python's own sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dplint.readings.lanes.spaces import Mask, Space, common_space, spread
from tests.examples import examples
from tests.lanes.lane_tools import World, bits_of, masks, worlds

steady = examples(70)


def ancestors(space: Space) -> list[Space]:
    """The space itself, its parent, and so on up to the root."""
    return [space] if space.parent is None else [space, *ancestors(space.parent)]


def random_mask(data: st.DataObject, world: World, depth: int = 2) -> tuple[Mask, set[int]]:
    """A mask that some operations have made, and the set that the same operations on sets make."""
    if depth == 0 or data.draw(st.booleans()):
        mask = data.draw(masks(world))
        return mask, world.set_of(mask)
    left, left_set = random_mask(data, world, depth - 1)
    operation = data.draw(st.sampled_from(["both", "either", "minus", "negate", "inside"]))
    if operation == "negate":
        return world.lanes.negate(left), set(range(world.size)) - left_set
    if operation == "inside":
        return world.lanes.inside(left), left_set
    right, right_set = random_mask(data, world, depth - 1)
    expected = {"both": left_set & right_set, "either": left_set | right_set, "minus": left_set - right_set}
    return getattr(world.lanes, operation)(left, right), expected[operation]


@steady
@given(st.data())
def test_operations_on_masks_are_operations_on_sets(data):
    world = data.draw(worlds())

    mask, expected = random_mask(data, world, depth=3)

    assert world.set_of(mask) == expected
    assert world.lanes.count(mask) == len(expected)
    assert world.lanes.never(mask) == (not expected)
    # No lane has ended yet, so all lanes must be in it.
    assert world.lanes.always(mask) == (len(expected) == world.size)


@steady
@given(st.data())
def test_a_mask_is_the_same_lanes_seen_from_every_space(data):
    world = data.draw(worlds())
    mask, expected = random_mask(data, world)

    for space in world.spaces:
        bits = mask.within(space)
        found = [True] * space.size if bits is None else bits.tolist()
        assert found == [lane in expected for lane in world.members[space]]


@steady
@given(st.data())
def test_masks_are_never_changed(data):
    world = data.draw(worlds())
    kept = [data.draw(masks(world)) for _ in range(3)]
    before = [world.set_of(mask) for mask in kept]

    for left in kept:
        world.lanes.negate(left)
        for right in kept:
            for operation in (world.lanes.both, world.lanes.either, world.lanes.minus):
                operation(left, right)

    assert [world.set_of(mask) for mask in kept] == before


@steady
@given(st.data())
def test_rows_and_count_inside_are_about_the_masks_own_space(data):
    world = data.draw(worlds())
    mask = data.draw(masks(world))
    here, expected = world.members[mask.space], world.set_of(mask)

    rows = mask.rows()

    assert (rows is None) == (mask.bits is None)
    assert [here[row] for row in (range(len(here)) if rows is None else rows)] == [n for n in here if n in expected]
    assert mask.count_inside() == len(expected & set(here))


@steady
@given(st.data())
def test_inside_has_nothing_outside_of_its_space(data):
    world = data.draw(worlds())
    mask = data.draw(masks(world))

    assert not world.lanes.inside(mask).outside


@steady
@given(worlds())
def test_positions_of_a_space_in_those_that_it_descends_from(world):
    for space in world.spaces:
        for above in ancestors(space)[1:]:
            rows = space.rows_in(above).tolist()
            assert [world.members[above][row] for row in rows] == world.members[space]


@steady
@given(worlds())
def test_descent_and_the_narrowest_common_space(world):
    for left in world.spaces:
        for right in world.spaces:
            shared = [space for space in ancestors(left) if space in ancestors(right)]
            assert left.lies_in(right) == (right in ancestors(left))
            assert common_space(left, right) is shared[0]


@steady
@given(st.data())
def test_spreading_puts_data_at_its_rows_and_zeros_elsewhere(data):
    chosen = data.draw(bits_of(data.draw(st.integers(1, 8))))
    rows = np.flatnonzero(chosen)
    table = np.arange(1.0, 1.0 + 2 * len(rows)).reshape(2, len(rows))

    wide = spread(table, len(chosen), rows)

    assert wide.shape == (2, len(chosen))
    assert wide[:, rows].tolist() == table.tolist()
    assert not wide[:, ~chosen].any()
