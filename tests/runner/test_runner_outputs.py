"""Outputs as columns: what goes in comes out, in bulk as one by one, and nothing explodes."""

from __future__ import annotations

import dataclasses
import decimal
import enum
import json
import math
from collections import namedtuple
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.runner.batch import Batch, Leaf, LeafKind, Mapping, Raised, Record, Sequence, Viewed
from dplint.runner.decode import decode_batches
from dplint.runner.encode import MOST_SIGNATURES, Columns, Mode
from dplint.runner.failures import Failure
from dplint.runner.flatten import MOST_ITEMS, MOST_LEAVES
from dplint.runner.flatten import Raised as RunnerRaised
from tests.examples import examples


def through_the_wire(outputs: list[Any], *, bulk: bool) -> Batch:
    columns = Columns(Mode())
    if bulk:
        columns.take_block(outputs)
    else:
        for output in outputs:
            columns.take(output)
    header, buffers = columns.finish()
    body = b"".join(np.ascontiguousarray(buffer).tobytes() for buffer in buffers)
    (batch,) = decode_batches(json.loads(json.dumps({"batches": [header]})), body)
    return batch


def plain(value: Any) -> Any:
    """The naive description of what `Batch.outputs` must give."""
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.ravel().tolist()]
    if isinstance(value, list | tuple):
        return type(value)(plain(item) for item in value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value


def same(one: Any, other: Any) -> bool:
    """Equal in value and in type, NaN included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return bool(one == other) or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


SCALARS = (
    st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=True)
    | st.text(max_size=5)
    | st.none()
    | st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, 10**400, "", "1.5", "nan", -0.0])
)
ARRAYS = st.lists(st.floats() | st.integers(-5, 5), max_size=4).map(np.array) | st.lists(st.booleans(), max_size=3).map(
    np.array
)
OUTPUTS = st.recursive(
    SCALARS | ARRAYS | st.sets(st.integers(-9, 9), max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=2) | st.integers(-3, 3) | st.tuples(st.booleans()), inner, max_size=3)
    ),
    max_leaves=12,
)


@examples(150)
@given(st.lists(OUTPUTS, max_size=12), st.booleans())
def test_outputs_come_back(outputs, bulk):
    batch = through_the_wire(outputs, bulk=bulk)

    assert same(batch.outputs(), [plain(output) for output in outputs])


@examples(60)
@given(st.lists(OUTPUTS, max_size=12))
def test_bulk_and_single_encoding_agree(outputs):
    bulk, single = (through_the_wire(outputs, bulk=bulk) for bulk in (True, False))

    assert {group.skeleton: group.rows.tolist() for group in bulk.groups} == {
        group.skeleton: group.rows.tolist() for group in single.groups
    }


@examples(60)
@given(st.lists(st.lists(SCALARS, max_size=6), max_size=30), st.booleans())
def test_flat_lists_come_back(outputs, bulk):
    assert same(through_the_wire(outputs, bulk=bulk).outputs(), outputs)


class OwnNumber:
    """A number of a library, whose class has more to it, as that of mpmath."""

    __slots__ = ("_parts",)
    context = tuple(range(5_000))

    def __init__(self, value):
        self._parts = value.as_integer_ratio()

    def __float__(self):
        return self._parts[0] / self._parts[1]


class OwnBounds:
    """What has a middle as a number, and more."""

    __slots__ = ("high", "low")

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __float__(self):
        return (self.low + self.high) / 2


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (True, LeafKind.BOOL),
        (np.bool_(False), LeafKind.BOOL),
        (3, LeafKind.INT),
        (np.int8(3), LeafKind.INT),
        (np.uint64(7), LeafKind.INT),
        (np.array(3), LeafKind.INT),
        (0.5, LeafKind.FLOAT),
        (np.float32(0.5), LeafKind.FLOAT),
        (math.inf, LeafKind.FLOAT),
        (math.nan, LeafKind.NAN),
        (np.float64("nan"), LeafKind.NAN),
        ("a", LeafKind.STRING),
        (np.str_("a"), LeafKind.STRING),
        (None, LeafKind.NONE),
        (2**53 + 1, LeafKind.BIGINT),
        (np.uint64(2**64 - 1), LeafKind.BIGINT),
        (object(), LeafKind.OTHER),
    ],
)
@pytest.mark.parametrize("bulk", [True, False])
def test_kinds_of_leaves(output, kind, bulk):
    (group,) = through_the_wire([output, output], bulk=bulk).groups

    assert group.skeleton == Leaf()
    assert group.kinds.tolist() == [[kind], [kind]]


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Release:
    count: int
    answers: list[float]


Point = namedtuple("Point", "x y")


class Above:
    __slots__ = ("__dict__", "hidden", "unset")


class Plain(Above):
    def __init__(self, shown, hidden):
        self.shown = shown
        self.hidden = hidden
        self._late = 3
        self.__dict__["no name"] = 4


class Estimator:
    def __init__(self):
        self.alpha, self.random_state = 1.0, 5

    def get_params(self):
        return {"alpha": self.alpha}

    def fit(self, rows):
        self.mean_, self._rows, self.hidden__ = sum(rows) / len(rows), rows, 3
        return self


@pytest.mark.parametrize(
    ("output", "skeleton", "leaves"),
    [
        (
            Release(3, [0.5, 1.0]),
            Record("Release", ("count", "answers"), (Leaf(), Sequence("list", (2,), 2))),
            [3, 0.5, 1.0],
        ),
        (Point(1, 2), Record("Point", ("x", "y"), (Leaf(), Leaf())), [1, 2]),
        (OwnNumber(1.5), Viewed("OwnNumber", None, ("float",), (Leaf(),)), [1.5]),
        (OwnBounds(1, 2), Record("OwnBounds", ("high", "low"), (Leaf(), Leaf())), [2, 1]),
        (1 + 2j, Record("complex", ("real", "imag"), (Leaf(), Leaf())), [1, 2]),
        ({"a": 1, True: [2]}, Mapping(("a", True), (Leaf(), Sequence("list", (1,), 1)), 2), [1, 2]),
        ({3, 1, 2}, Sequence("set", (3,), 3), [1, 2, 3]),
        (np.array([[1, 2], [3, 4]]), Sequence("array", (2, 2), 4), [1, 2, 3, 4]),
        (np.array([1, 2, 3])[::-1], Sequence("array", (3,), 3), [3, 2, 1]),
        (decimal.Decimal("0.5"), Viewed("Decimal", None, ("float",), (Leaf(),)), [0.5]),
        (b"\x00\xff", Sequence("bytes", (2,), 2), [0, 255]),
        (b"bytes", Viewed("bytes", 5, ("decode",), (Leaf(),)), [0]),
        (Colour.RED, Viewed("Colour", None, ("name",), (Leaf(),)), [0]),
        (
            {0.5: 1},
            Viewed("dict", 1, ("list", "values"), (Sequence("list", (1,), 1), Sequence("list", (1,), 1))),
            [0.5, 1],
        ),
        (Plain(0.5, 2), Record("Plain", ("hidden", "shown", "_late"), (Leaf(), Leaf(), Leaf())), [2, 0.5, 3]),
        (Estimator().fit([1, 2]), Record("Estimator", ("mean_",), (Leaf(),)), [1.5]),
        (pd.Series([1.5, 2.5]), Viewed("Series", 2, ("list",), (Sequence("list", (2,), 2),)), [1.5, 2.5]),
        (
            pd.DataFrame({"a": [1, 2], "b": [3, 4]}),
            Viewed("DataFrame", 2, ("columns",), (Mapping(("a", "b"), (Sequence("list", (2,), 2),) * 2, 2),)),
            [1, 2, 3, 4],
        ),
        (range(3), Sequence("range", (3,), 3), [0, 1, 2]),
        ((True, [0.5]), Sequence("tuple", (2,), (Leaf(), Sequence("list", (1,), 1))), [1, 0.5]),
        ([], Sequence("list", (0,), 0), []),
    ],
)
@pytest.mark.parametrize("bulk", [True, False])
def test_shapes(output, skeleton, leaves, bulk):
    (group,) = through_the_wire([output], bulk=bulk).groups

    assert group.skeleton == skeleton
    assert group.values.tolist() == [leaves]


@pytest.mark.parametrize("bulk", [True, False])
def test_an_iterator_is_the_sequence_of_its_items(bulk):
    (group,) = through_the_wire([iter([7, 8]), map(abs, [-1, -2])], bulk=bulk).groups

    assert group.skeleton == Sequence("generator", (2,), 2)
    assert group.values.tolist() == [[7, 8], [1, 2]]


def test_texts_of_unusual_values():
    batch = through_the_wire([Colour.RED, b"ab", object(), lambda: 1], bulk=False)

    assert batch.outputs() == [("Colour", "RED"), ("bytes", "ab"), "object", "function"]


def test_a_tensor_is_taken_through_its_list():
    class Tensor:
        shape = (2, 1)

        def tolist(self):
            return [[1.0], [2.0]]

    (group,) = through_the_wire([Tensor()], bulk=False).groups

    assert group.skeleton == Sequence("Tensor", (2, 1), 2)


def test_an_exception_has_its_message_as_its_leaf():
    batch = through_the_wire([RunnerRaised(ValueError("no"))], bulk=True)

    assert batch.groups[0].skeleton == Raised("ValueError")
    assert batch.outputs() == [("ValueError", "no")]


def test_an_object_that_breaks_while_it_is_read_is_its_exception():
    class Breaks:
        def tolist(self):
            raise KeyError("inside")

    assert through_the_wire([Breaks()], bulk=False).outputs() == [("KeyError", "'inside'")]


@pytest.mark.parametrize("bulk", [True, False])
@pytest.mark.parametrize("make", [list, np.array, lambda items: [list(items)], lambda items: dict.fromkeys(items, 0.0)])
def test_only_the_first_leaves_of_a_long_output_are_kept(make, bulk):
    """The true length stays known."""
    (group,) = through_the_wire([make(range(MOST_LEAVES + 10))], bulk=bulk).groups
    skeleton = group.skeleton
    if isinstance(skeleton, Sequence) and isinstance(skeleton.items, tuple):
        (skeleton,) = skeleton.items

    assert group.values.shape == (1, MOST_LEAVES)
    assert skeleton.length == MOST_LEAVES + 10


def test_nothing_explodes_that_has_no_leaves_or_no_bottom():
    endless: list[Any] = []
    endless.append(endless)
    wide = [[[] for _ in range(300)] for _ in range(300)]
    batch = through_the_wire([endless, wide], bulk=False)

    assert len(batch.groups) == 2
    assert "list" in batch.strings


@pytest.mark.parametrize("bulk", [True, False])
def test_too_many_shapes_keep_their_length_alone(bulk):
    outputs = [[0] * length for length in range(MOST_SIGNATURES + 50)]
    batch = through_the_wire(outputs, bulk=bulk)
    last = next(group for group in batch.groups if isinstance(group.skeleton, Viewed))

    assert len(batch.groups) == MOST_SIGNATURES + 1
    assert last.skeleton == Viewed("list", None, ("length",), (Leaf(),))
    assert last.values[:, 0].tolist() == list(range(MOST_SIGNATURES, MOST_SIGNATURES + 50))
    assert len(batch.likenesses()[-1]) == MOST_SIGNATURES + 49


def test_long_texts_are_cut_but_stay_different():
    one, other = through_the_wire(["a" * 5000 + "b", "a" * 5000 + "c"], bulk=True).outputs()

    assert one != other
    assert len(one) <= 1100


def test_an_iterator_without_end_is_a_failure():
    with pytest.raises(Failure, match="yields without end"):
        through_the_wire([iter(int, 1)], bulk=False)
    assert len(through_the_wire([iter(range(MOST_ITEMS))], bulk=False).outputs()[0]) == MOST_LEAVES


def test_the_first_runs_decide_whether_bulk_is_safe():
    """A buffer that is returned again and again, or any view of it, must be read before the next run."""
    buffer = np.zeros(3)
    for output, safe in [
        (lambda: [1], True),
        (lambda: buffer, False),
        (lambda: buffer[:2], False),
        (lambda: {"a": 1}, False),
    ]:
        mode = Mode()
        columns = Columns(mode)
        for _ in range(300):
            columns.take(output())

        assert mode.careful is not safe
