"""What the tests of events share: batches as a runner sends them, and what Python says of an event."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from dplint.runner.batch import Batch, Group, LeafKind, Sequence
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode
from dplint.runner.flatten import Raised


@dataclass
class Answer:
    total: float
    label: str


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=True, width=16),
    st.sampled_from([0.0, -0.0, 1.0, math.inf, 2**60, 2**60 + 1]),
    st.sampled_from(["", "a", "it's", "True"]),
    st.none(),
)
FLAT = st.one_of(SCALARS, st.lists(SCALARS, max_size=4))
OUTPUTS = st.one_of(
    FLAT,
    st.lists(st.booleans(), max_size=5),
    st.tuples(st.integers(0, 2), st.booleans()),
    st.sets(st.integers(0, 40), max_size=3),
    st.lists(FLAT, max_size=3),
    st.fixed_dictionaries({"n": st.integers(0, 2), "x": FLAT}),
    st.dictionaries(st.sampled_from([(0, 1), (1,), 1]), FLAT, max_size=3),
    st.builds(Answer, st.floats(allow_nan=False, width=16), st.sampled_from("ab")),
    st.sampled_from("xy").map(ValueError),
)
"""Outputs of all kinds, so that no two need be of one shape."""


def batch_of(outputs):
    """The batch that a runner would send for these outputs."""
    columns = Columns(Mode())
    for output in outputs:
        columns.take(Raised(output) if isinstance(output, Exception) else output)
    header, buffers = columns.finish()
    body = b"".join(np.ascontiguousarray(b).tobytes() for b in buffers)
    (batch,) = decode_batches({"batches": [header]}, body)
    return batch


def leaf_by_leaf(batch):
    """The same batch with each leaf in one piece of memory, as lanes deliver it."""
    groups = [Group(g.skeleton, g.rows, np.asfortranarray(g.kinds), np.asfortranarray(g.values)) for g in batch.groups]
    return Batch(batch.runs, tuple(groups), batch.strings)


def holds(event, outputs):
    """What Python says of the printed event, 0 or 1 for each output."""
    code = compile(event.expression(), "event", "eval")
    return [int(bool(eval(code, {"Answer": Answer}, {"output": output}))) for output in outputs]


def batch_of_rows(values):
    """Lists of floats, one for each row of an array, as lanes would deliver them."""
    runs, width = values.shape
    group = Group(
        Sequence("list", (width,), width),
        np.arange(runs, dtype=np.int32),
        np.full((runs, width), LeafKind.FLOAT, np.uint8),
        values.astype(np.float64),
    )
    return leaf_by_leaf(Batch(runs, (group,), ()))


def promise(epsilon, errors=1.0):
    """A criterion as the audit has: the growth of a bet with a payoff some standard errors below what was seen."""

    def score(count1, count2, runs):
        one, two, factor = count1 / runs, count2 / runs, np.exp(epsilon)
        variance = (one * (1 - one) + factor**2 * two * (1 - two)) + 1 / runs
        payoff = np.maximum(one - factor * two - errors * np.sqrt(variance / runs), 0.0)
        return payoff**2 / (2 * (variance + payoff**2))

    return score


def growth(one, two, epsilon):
    """The growth of the best constant bet on independent hits of these probabilities, by its definition."""
    factor = np.exp(epsilon)
    stakes = np.linspace(0, 1 / factor, 300)[:-1]
    both, first, second = one * two, one * (1 - two), two * (1 - one)
    logs = both * np.log1p(stakes * (1 - factor)) + first * np.log1p(stakes) + second * np.log1p(-stakes * factor)
    return float(logs.max())
