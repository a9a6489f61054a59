"""Outputs of lanes are encoded as the runner encodes the outputs of plain runs, whatever they are.

The reference is the runner's own encoder, on the same outputs as Python objects, through the wire's own form.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.exact_shapes import exact_groups
from dplint.readings.lanes import encoding
from dplint.readings.lanes.lane_values import Dicts, Lists, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.outputs import Outputs, objects_of
from dplint.runner.batch import Batch, Group, LeafKind
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode
from dplint.runner.flatten import Raised
from dplint.runner.texts import TextNumbers
from tests.examples import examples
from tests.lanes.lane_tools import World, exact, masks, worlds
from tests.lanes.test_lanes_values import FLOATS, INTEGERS, KINDS, SCALARS, built

KEPT = [
    *KINDS,
    st.sampled_from([2**53, 2**53 - 1, 2**53 + 1, -(2**53), 1.5, float("nan"), None, "text", True]),
    st.tuples(st.lists(st.integers(0, 9), max_size=2), st.lists(FLOATS, max_size=2), SCALARS),
    st.lists(INTEGERS, max_size=2).map(lambda items: np.array(items) if items else np.array([], float)),
    st.fixed_dictionaries({"a": SCALARS, 1: st.lists(SCALARS, max_size=1), None: st.just(())}),
    st.sampled_from([{"a": 1}, {"b": 1, "a": 2}, {}, [[]], [[], [1]], ((),), np.zeros((2, 0)), {1, 2}, b"bytes", 1j]),
]
MESSAGES = st.sampled_from(["", "no", "division by zero", "list index out of range"])


def end_all(data: st.DataObject, world: World, kind: st.SearchStrategy[Any]) -> list[tuple[str, Any]]:
    """End all lanes in random groups, with outputs or exceptions; returns how each lane ended."""
    lanes, ended = world.lanes, {}
    for turn in range(5):
        going = set(range(world.size)) - set(ended)
        mask = lanes.everywhere() if turn == 4 else data.draw(masks(world))
        for lane in set(range(world.size)) - going:
            # As the evaluator does it: who has returned is no longer active.
            mask = lanes.minus(mask, lanes.mask(lanes.root, np.arange(world.size) == lane))
        raising = data.draw(st.integers(0, 4)) == 0
        value, model = built(data, world, MESSAGES if raising else kind, depth=0 if raising else 2)
        # A value says nothing of lanes that it was not made for.
        known = lanes.mask(lanes.root, np.array([lane in model for lane in range(world.size)]))
        here = lanes.both(mask, known)
        lanes.finish(value, here, "ValueError" if raising else None)
        ended |= {lane: ("raised" if raising else "output", model[lane]) for lane in world.set_of(here)}
    rest = lanes.mask(lanes.root, np.array([lane not in ended for lane in range(world.size)]))
    lanes.finish(Uniform(None), rest)
    return [ended.get(lane, ("output", None)) for lane in range(world.size)]


def encoded(endings: list[tuple[str, Any]]) -> Batch:
    """What the runner would send."""
    columns = Columns(Mode())
    columns.take_block([Raised(ValueError(value)) if kind == "raised" else value for kind, value in endings])
    header, buffers = columns.finish()
    plain = json.loads(json.dumps({"batches": [header]}))
    (batch,) = decode_batches(plain, b"".join(memoryview(b).cast("B") for b in buffers if b.nbytes))
    return batch


def leaves(batch: Batch) -> dict[Any, dict[int, list[tuple[LeafKind, Any]]]]:
    """For each shape and run the leaves, with texts in place of their numbers; every run is there exactly once."""
    found: dict[Any, dict[int, list[tuple[LeafKind, Any]]]] = {}
    for group in batch.groups:
        assert group.skeleton not in found
        assert (np.diff(group.rows) > 0).all()
        assert group.kinds.shape == group.values.shape == (len(group.rows), group.kinds.shape[1])
        found[group.skeleton] = {
            run: [(LeafKind(kind), _shown(kind, value, batch)) for kind, value in zip(kinds, values, strict=True)]
            for run, kinds, values in zip(group.rows.tolist(), group.kinds.tolist(), group.values.tolist(), strict=True)
        }
    assert sorted(run for group in found.values() for run in group) == list(range(batch.runs))
    return found


def _shown(kind: int, value: float, batch: Batch) -> Any:
    return (
        batch.strings[int(value)] if kind in (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER) else float(value).hex()
    )


def apart(batch: Batch) -> Batch:
    """The batch in groups of exact shapes."""
    found: dict[Any, list[Group]] = {}
    for group in batch.groups:
        for one in exact_groups(group):
            found.setdefault(one.skeleton, []).append(one)
    groups = []
    for skeleton, ones in found.items():
        rows = np.concatenate([one.rows for one in ones])
        order = np.argsort(rows)
        kinds, values = (np.concatenate([getattr(one, of) for one in ones]) for of in ("kinds", "values"))
        groups.append(Group(skeleton, rows[order], kinds[order], values[order]))
    return Batch(batch.runs, tuple(groups), batch.strings)


def as_multisets(found: dict[Any, dict[int, Any]]) -> dict[Any, list[str]]:
    return {skeleton: sorted(map(repr, group.values())) for skeleton, group in found.items()}


@examples(150)
@given(st.data())
def test_a_batch_is_what_the_runner_makes_of_the_same_outputs(data):
    world = data.draw(worlds())

    endings = end_all(data, world, data.draw(st.sampled_from(KEPT)))
    placed, loose = Outputs(world.lanes.texts, placed=True), Outputs(world.lanes.texts)
    together = Outputs(world.lanes.texts, placed=True, together=True)
    for outputs in (placed, loose, together):
        outputs.add(world.lanes)

    expected = leaves(encoded(endings))
    assert leaves(placed.batch()) == leaves(apart(together.batch())) == expected
    assert repr(together.batch().outputs()) == repr(placed.batch().outputs())
    assert as_multisets(leaves(loose.batch())) == as_multisets(expected)
    assert [exact(item) for item in objects_of(world.lanes)] == [
        exact((kind, "ValueError" if kind == "raised" else item)) for kind, item in endings
    ]


@examples(40)
@given(st.data())
def test_many_blocks_follow_one_another(data):
    texts, endings = TextNumbers(), []
    placed, loose = Outputs(texts, placed=True), Outputs(texts)
    kind = data.draw(st.sampled_from(KEPT))
    for _ in range(data.draw(st.integers(2, 4))):
        world = data.draw(worlds(texts))
        endings += end_all(data, world, kind)
        placed.add(world.lanes)
        loose.add(world.lanes)

    expected = leaves(encoded(endings))
    assert leaves(placed.batch()) == expected
    assert as_multisets(leaves(loose.batch())) == as_multisets(expected)
    assert placed.runs == loose.runs == len(endings)


def counted(size: int, *longest: int) -> tuple[Lanes, list[Any]]:
    """Lanes that return a tuple of lists of numbers, each of random lengths up to `longest`."""
    rng, lanes = np.random.default_rng(0), Lanes(size, TextNumbers())
    lists, objects = [], []
    for most in longest:
        lengths = rng.integers(0, most + 1, size)
        table = rng.normal(size=(most, size))
        items = tuple(Numbers(lanes.root, row, Tag.FLOAT) for row in table)
        lists.append(Lists(lanes.root, items, lengths.astype(np.int32), tuples=False))
        objects.append([table[:count, lane].tolist() for lane, count in enumerate(lengths)])
    lanes.finish(Lists(lanes.root, tuple(lists), None, tuples=True), lanes.everywhere())
    return lanes, list(zip(*objects, strict=True))


@pytest.mark.parametrize("longest", [(3,), (3, 5), (1, 2, 3), (40, 60), (40, 40, 40)], ids=str)
def test_several_lists_of_varying_length(longest):
    """The last of these has more shapes than are told apart by arithmetic."""
    lanes, objects = counted(600, *longest)
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    assert leaves(outputs.batch()) == leaves(encoded([("output", item) for item in objects]))


def test_exceptions_keep_their_names_and_messages():
    lanes = Lanes(6, TextNumbers())
    lanes.finish(Uniform("first"), lanes.mask(lanes.root, np.arange(6) % 3 == 0), "ValueError")
    keys = lanes.implode(["a", "b"], lanes.root, np.array([1, 4]))
    lanes.finish(keys, lanes.mask(lanes.root, np.arange(6) % 3 == 1), "KeyError")
    lanes.finish(Uniform(7), lanes.mask(lanes.root, np.arange(6) % 3 == 2))
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    raised = [("ValueError", "first"), ("KeyError", "a"), 7, ("ValueError", "first"), ("KeyError", "b"), 7]
    assert outputs.batch().outputs() == raised


@pytest.mark.parametrize(
    "output",
    [
        list(range(4096)),
        list(range(5000)),
        [list(range(50))] * 100,
        np.arange(5000),
        np.zeros((70, 70)),
        {"a": list(range(3000)), "b": list(range(3000))},
        [[[[[1]]]]],
    ],
    ids=lambda output: f"{type(output).__name__} of {len(output)}",
)
def test_what_is_too_large_is_cut_as_the_runner_cuts_it(output):
    """Built position by position, as `append` builds it, and as one object."""
    for value in (spelled_out(output), Uniform(output)):
        lanes = Lanes(3, TextNumbers())
        lanes.finish(value, lanes.everywhere())
        outputs = Outputs(lanes.texts, placed=True)
        outputs.add(lanes)

        assert leaves(outputs.batch()) == leaves(encoded([("output", output)] * 3))


@pytest.mark.parametrize("output", [{2.5: 1}, {"a": {0.5: [1]}}, {(1, 0.5): 2}, {1: 2, None: 3}, {(1, "a"): 5}])
def test_keys_that_noise_may_have_made_are_looked_at_as_the_runner_does(output):
    lanes = Lanes(3, TextNumbers())
    lanes.finish(spelled_out(output), lanes.everywhere())
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    assert leaves(outputs.batch()) == leaves(encoded([("output", output)] * 3))


def test_what_all_outputs_have_in_common_is_written_once():
    """Lists of bools of two lengths, from two blocks: an eighth of the memory of floats, and one row of kinds."""
    made = [[True, False], [False], [True, True], [False]]
    outputs = Outputs(TextNumbers(), placed=True)
    for _ in range(2):
        lanes = Lanes(4, outputs.texts)
        lanes.finish(lanes.implode(made, lanes.root, None), lanes.everywhere())
        outputs.add(lanes)

    batch = outputs.batch()
    assert [group.values.dtype for group in batch.groups] == [np.bool_, np.bool_]
    assert [group.kinds.strides[0] for group in batch.groups] == [0, 0]
    assert batch.outputs() == made * 2


def test_an_output_that_all_lanes_share_is_encoded_once(monkeypatch):
    """An empty list, as of a loop over no data, and what only Python can look into."""
    encoded_objects = []
    one_by_one = encoding._one_by_one
    monkeypatch.setattr(encoding, "_one_by_one", lambda *given: encoded_objects.extend(given[0]) or one_by_one(*given))
    for output in ([], {"a": (1, "b"), "c": [None, 0.5]}, 2**60):
        lanes = Lanes(1000, TextNumbers())
        lanes.finish(Uniform(output), lanes.mask(lanes.root, np.arange(1000) < 900))
        lanes.finish(Uniform(None), lanes.mask(lanes.root, np.arange(1000) >= 900))
        for placed in (True, False):
            outputs = Outputs(lanes.texts, placed=placed)
            outputs.add(lanes)

            assert outputs.batch().outputs() == [output] * 900 + [None] * 100
    assert len(encoded_objects) == 6


CONSTANTS = [
    *([], (), {}, [1, "a", None], ["x", [0.5, ()]], {"a": (1, "b"), "c": [None, float("nan")]}, [[], [[]]]),
    *(np.zeros(0), np.zeros((2, 0)), np.array([[1.5, -0.0], [2.0, 3.0]]), [np.arange(3)], np.array([True])),
]


@pytest.mark.parametrize("constant", CONSTANTS, ids=repr)
def test_beside_what_differs_a_constant_is_encoded_once(constant, monkeypatch):
    monkeypatch.setattr(encoding, "_one_by_one", lambda *_: pytest.fail("lane by lane"))
    lanes, noise = Lanes(5, TextNumbers()), np.arange(5.0)
    lengths = np.array([2, 1, 2, 0, 1], np.int32)
    lists = Lists(lanes.root, (Uniform(constant), Numbers(lanes.root, noise, Tag.FLOAT)), lengths, tuples=False)
    lanes.finish(Lists(lanes.root, (Uniform(constant), lists), None, tuples=True), lanes.everywhere())
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    made = [(constant, [constant, number][:length]) for number, length in zip(noise, lengths, strict=True)]
    assert leaves(outputs.batch()) == leaves(encoded([("output", item) for item in made]))


@pytest.mark.parametrize(
    "constant", [{2.5: 1}, {1, 2}, 2**60, b"ab", np.array(1), np.array(["a"]), np.zeros(5000)], ids=repr
)
def test_a_constant_that_only_the_runner_can_look_into_is_left_to_it(constant):
    lanes = Lanes(5, TextNumbers())
    noise = Numbers(lanes.root, np.arange(5.0), Tag.FLOAT)
    lanes.finish(Lists(lanes.root, (noise, Uniform(constant)), None, tuples=False), lanes.everywhere())
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    made = [[float(number), constant] for number in range(5)]
    assert leaves(outputs.batch()) == leaves(encoded([("output", item) for item in made]))


@pytest.mark.parametrize(
    "made",
    [
        [{"a": 1.5, "b": 0.5}, {"b": 2.5, "a": 1.0}, {}, {"b": 0.5}, {"a": 3.5}],
        [{1: "x", 2: "y"}, {2: "x", 1: "z"}, {None: "x"}, {"1": "x"}, {0: "x", True: "y"}],
        [{1: [0.5], 2: []}, {2: [0.5, 1.5], 1: [1.0]}, {2: []}, {-7: [2.0]}, {1: [4.0]}],
        [(0.5, {"a": None, "b": None}), (1.5, {}), (2.5, {"b": None, "a": None}), (4.5, {})],
        [{f"q{number}": number, "all": 1} for number in range(700)],
    ],
)
def test_dicts_whose_keys_have_no_order_in_common_are_not_looked_at_one_by_one(made, monkeypatch):
    monkeypatch.setattr(encoding, "_one_by_one", lambda *_: pytest.fail("lane by lane"))
    lanes = Lanes(len(made), TextNumbers())
    lanes.finish(lanes.implode(made, lanes.root, None), lanes.everywhere())
    outputs = Outputs(lanes.texts, placed=True)
    outputs.add(lanes)

    assert leaves(outputs.batch()) == leaves(encoded([("output", item) for item in made]))


@pytest.mark.parametrize(("keys", "shapes"), [(3, 8), (9, 1), (40, 1)])
def test_dicts_of_some_keys_are_of_one_shape_where_each_of_all_shapes_has_few_lanes(keys, shapes):
    """8 shapes of 2,000 lanes are worth being told apart, 512 of 30 are not."""
    size = 16_000
    noisy, lanes = np.random.default_rng(keys).normal(size=(keys, size)), Lanes(size, TextNumbers())
    numbers = tuple(Numbers(lanes.root, row, Tag.FLOAT) for row in noisy)
    there = tuple(Numbers(lanes.root, row > 0, Tag.BOOL) for row in noisy)
    lanes.finish(Dicts(tuple(range(keys)), numbers, None, there), lanes.everywhere())
    outputs = Outputs(lanes.texts, placed=True, together=True)
    outputs.add(lanes)
    batch = outputs.batch()

    assert len(batch.groups) == shapes
    expected = [{key: x for key, x in enumerate(lane) if x > 0} for lane in noisy.T.tolist()]
    assert batch.outputs() == expected


def test_dicts_that_hold_texts_or_lists_keep_their_shapes():
    """Texts are looked into, and lists have lengths."""
    for entries in (["x", "y", "x", "y"], [[1], [2], [3], [4]]):
        lanes = Lanes(4, TextNumbers())
        there = Numbers(lanes.root, np.array([True, False, True, False]), Tag.BOOL)
        entry = lanes.implode(entries, lanes.root, None)
        lanes.finish(Dicts(("a",), (entry,), None, (there,)), lanes.everywhere())
        outputs = Outputs(lanes.texts, together=True)
        outputs.add(lanes)

        assert sorted(len(group.skeleton.keys) for group in outputs.batch().groups) == [0, 1]


def test_bools_beside_numbers_become_floats():
    """A list of a bool and a float, and one whose item is a bool in some lanes alone."""
    for made in ([[True, 0.5], [False, 1.5]], [[True], [2]]):
        lanes = Lanes(2, TextNumbers())
        lanes.finish(lanes.implode(made, lanes.root, None), lanes.everywhere())
        outputs = Outputs(lanes.texts)
        outputs.add(lanes)

        (group,) = outputs.batch().groups
        assert group.values.dtype == np.float64
        assert [[type(item) for item in output] for output in outputs.batch().outputs()] == [
            [type(item) for item in output] for output in made
        ]
        assert outputs.batch().outputs() == made


def spelled_out(output: Any) -> Any:
    """Lists and dicts as `Lists` and `Dicts` of their items, all the way down."""
    root = Lanes(3, TextNumbers()).root
    if isinstance(output, list):
        return Lists(root, tuple(spelled_out(item) for item in output), None, tuples=False)
    if isinstance(output, dict):
        return Dicts(tuple(output), tuple(map(spelled_out, output.values())))
    return Uniform(output)
