"""Frames, literals, and that the worker believes nothing that the runner's process sends."""

from __future__ import annotations

import json
import math
import os
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.outcomes import FailureKind
from dplint.runner import frames, literals
from dplint.runner.decode import decode_batches
from dplint.runner.process import Capture, RunnerError
from tests.examples import examples

LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.tuples(st.integers()), inner)
    ),
    max_leaves=10,
)


@examples(60)
@given(LITERALS)
def test_literals_survive_json(value):
    assert repr(literals.decode(json.loads(json.dumps(literals.encode(value))))) == repr(value)


def test_nan_survives_json():
    assert math.isnan(literals.decode(json.loads(json.dumps(literals.encode(math.nan)))))


def test_what_is_not_plain_is_named():
    with pytest.raises(TypeError, match="float64"):
        literals.encode([np.float64(1)])
    with pytest.raises(ValueError, match="not an encoded literal"):
        literals.decode({"x": 1})


def test_a_frame_comes_through_a_pipe():
    read, write = os.pipe()
    try:
        frames.write_frame(write, {"a": [1, "ü"]}, [np.arange(3, dtype="<i4"), np.empty((0, 4))])
        os.close(write)

        assert frames.read_frame(read) == ({"a": [1, "ü"]}, bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]))
        assert frames.read_frame(read) is None
    finally:
        os.close(read)


def test_bytes_that_are_no_frame_are_refused():
    with pytest.raises(frames.BrokenFrame):
        frames.sizes(b"hello, this is no frame"[: frames.HEAD.size])
    with pytest.raises(frames.BrokenFrame):
        frames.sizes(frames.HEAD.pack(frames.MAGIC, 1, 1 << 60))
    with pytest.raises(frames.BrokenFrame):
        frames.parse_header(b"[]")


GOOD = {"runs": 2, "strings": ["a"], "groups": [{"signature": 0, "rows": 2, "leaves": 1}]}
ROWS, KINDS, VALUES = np.array([0, 1], "<i4"), np.array([1, 4], "u1"), np.array([5.0, 0.0])


def body(rows=ROWS, kinds=KINDS, values=VALUES):
    return rows.tobytes() + kinds.tobytes() + values.tobytes()


def test_a_good_answer_is_decoded():
    (batch,) = decode_batches({"batches": [GOOD]}, body())

    assert batch.outputs() == [5, "a"]


@pytest.mark.parametrize(
    ("header", "data"),
    [
        ({}, b""),
        ({"batches": [GOOD]}, b""),
        ({"batches": [GOOD]}, body() + b"x"),
        ({"batches": [{**GOOD, "runs": 3}]}, body()),
        ({"batches": [GOOD]}, body(rows=np.array([0, 0], "<i4"))),
        ({"batches": [GOOD]}, body(kinds=np.array([1, 99], "u1"))),
        ({"batches": [GOOD]}, body(values=np.array([5.0, 1.0]))),
        ({"batches": [GOOD]}, body(values=np.array([5.0, np.nan]))),
        ({"batches": [{**GOOD, "groups": [{"signature": ["s", "list", [2], 2], "rows": 2, "leaves": 1}]}]}, body()),
        ({"batches": [{**GOOD, "groups": [{"signature": ["x"], "rows": 2, "leaves": 1}]}]}, body()),
        ({"batches": [{**GOOD, "groups": [{"signature": 0, "rows": -2, "leaves": 1}]}]}, body()),
    ],
)
def test_a_wrong_answer_is_refused(header, data):
    with pytest.raises(frames.BrokenFrame):
        decode_batches(header, data)


def test_the_capture_keeps_the_tail_and_the_total():
    capture = Capture()
    for number in range(2000):
        capture.add(b"%06d\n" % number)

    assert capture.total == 14_000
    assert capture.tail.endswith("001999\n")
    assert len(capture.tail) == 4096


def test_a_runner_error_survives_pickling():
    error = pickle.loads(pickle.dumps(RunnerError(FailureKind.CRASH, "why", "where")))

    assert (error.kind, error.reason, error.detail) == (FailureKind.CRASH, "why", "where")
