"""An event's mask and its Python expression are the same set of outputs, for outputs of every kind."""

import math

import numpy as np
import pytest
from event_tools import Answer, batch_of, holds
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.counting import CellCounter, EventCounter
from dplint.events.split_runs import discover_grids
from dplint.runner.texts import TextNumbers
from tests.examples import examples


def check_events(outputs, least=1):
    """For every output alone and for all together, cell counts, hits and evaluated expressions agree."""
    texts = TextNumbers()
    batch = batch_of(outputs)
    grids = discover_grids([batch], [batch_of(outputs[:1])], texts)
    assert sum(grid.size for grid in grids) >= least
    cells, together = CellCounter(grids, len(outputs), texts), CellCounter(grids, 1, texts)
    events = [grid.event(i) for grid in grids for i in range(0, grid.size, max(1, grid.size // 40))]
    hits = EventCounter(events, len(outputs), texts)
    for side, output in enumerate(outputs):
        cells.add(side, batch_of([output]))
        hits.add(side, batch_of([output]))
    together.add(0, batch)
    truths = [holds(event, outputs) for event in events]
    assert hits.hits() == truths
    counts, (sums,) = cells.counts(), together.counts()
    remaining = iter(zip(events, truths, strict=True))
    for number, grid in enumerate(grids):
        totals = [grid.totals(side[number]) for side in counts]
        assert totals[0].shape == (grid.size,)
        assert grid.totals(sums[number]).tolist() == np.sum(totals, axis=0).tolist()
        for index in range(0, grid.size, max(1, grid.size // 40)):
            event, truth = next(remaining)
            assert event.complexity == grid.complexities[index]
            assert [side[index] for side in totals] == truth, event.expression()
    return [event.expression() for event in events]


def repeated(rng, values, n=300):
    return [values[i] for i in rng.integers(0, len(values), n)]


def test_numbers():
    """Continuous scalars: half-lines and intervals."""
    rng = np.random.default_rng(0)

    expressions = check_events(rng.normal(size=300).tolist())

    assert any(" <= output < " in e for e in expressions)


def test_categories():
    """A few ints, bools, strings, None: equality, spelled as the program would."""
    rng = np.random.default_rng(0)

    assert "output == 'b'" in check_events(repeated(rng, ["a", "b", "c"]))
    assert "output == True" in check_events(repeated(rng, [True, False]))
    assert "output is None" in check_events(repeated(rng, [None, 3, 4]))
    assert "output == 4" in check_events(repeated(rng, [3, 4]))


def test_fixed_length_categories():
    """Counts of each value and the Hamming distance to the noise-free output."""
    rng = np.random.default_rng(0)
    outputs = [rng.integers(0, 2, 4).astype(bool).tolist() for _ in range(300)]

    expressions = check_events(outputs)

    assert any(e.startswith("list(output).count(False) ==") for e in expressions)
    assert any(e.startswith("sum(a != b for a, b in zip(output, [") for e in expressions)


def test_varying_length_categories():
    """The length joins in, and elements that may be missing are guarded."""
    rng = np.random.default_rng(0)
    outputs = [[False] * int(n) + [True] for n in rng.geometric(0.3, 300) - 1]

    expressions = check_events(outputs)

    assert any(e.startswith("len(output) ==") for e in expressions)
    assert any(e.startswith("len(output) > 1 and output[1] ==") for e in expressions)


def test_number_vectors():
    """Element, sum, minimum, maximum; the mean says what the sum does where all are of one length."""
    rng = np.random.default_rng(0)

    expressions = check_events([rng.normal(size=3).tolist() for _ in range(300)])
    of_many_lengths = check_events([rng.normal(size=n).tolist() for n in rng.integers(2, 4, 300)])

    assert not any("/ len(output)" in e for e in expressions)
    assert any("sum(output) / len(output)" in e for e in of_many_lengths)

    for start in ("output[0]", "sum(output)", "min(output)", "max(output)"):
        assert any(e.startswith(start) or f"<= {start}" in e for e in expressions)


def test_varying_length_numbers():
    """The length, the last element, and the empty list."""
    rng = np.random.default_rng(0)

    check_events([rng.normal(size=int(n)).tolist() for n in rng.integers(0, 5, 300)])


def test_mixed_outputs_give_products():
    """ "False nine times, and the last number in an interval": a categorical and a numeric condition."""
    rng = np.random.default_rng(0)
    outputs = [[False] * int(n) + [float(rng.normal())] for n in rng.integers(0, 4, 400)]

    expressions = check_events(outputs)

    assert any("list(output).count(False) ==" in e and "output[-1]" in e for e in expressions)


def test_arrays_tuples_dicts_and_records():
    """Parts of outputs are reached by index, key or attribute."""
    rng = np.random.default_rng(0)
    check_events([rng.normal(size=3) for _ in range(200)])
    check_events([(int(rng.integers(3)), [float(rng.normal())] * 2) for _ in range(200)])
    check_events([{"n": int(rng.integers(3)), "mean": float(rng.normal())} for _ in range(200)])
    expressions = check_events([Answer(float(rng.normal()), "ab"[int(rng.integers(2))]) for _ in range(200)])
    assert any("output.total" in e for e in expressions)


def test_exceptions_are_outputs():
    """The type tells exceptions apart from what is returned, and their messages are values too."""
    rng = np.random.default_rng(0)
    outputs = [ValueError(f"bad {n}") if n < 2 else float(rng.normal()) for n in rng.integers(0, 5, 400)]

    expressions = check_events(outputs)

    assert "type(output).__name__ == 'ValueError'" in expressions
    assert any("str(output) == 'bad 1'" in e for e in expressions)


def test_infinity_and_nan_are_values():
    """NaN equals nothing, infinity lies in half-lines."""
    rng = np.random.default_rng(0)

    expressions = check_events(repeated(rng, [math.nan, math.inf, -math.inf, 0.0]))

    assert "output != output" in expressions


def test_a_constant_output_offers_no_event():
    """Nothing varies, so nothing can tell inputs apart."""
    assert discover_grids([batch_of([[1, 2]] * 50)], [], TextNumbers()) == ()


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=True, width=16),
    st.sampled_from(["", "a", "it's"]),
    st.none(),
)


@examples(60)
@given(st.lists(st.one_of(SCALARS, st.lists(SCALARS, max_size=4)), min_size=2, max_size=30))
def test_any_mixture_of_outputs(outputs):
    """Whatever comes, mask and expression agree; nothing crashes."""
    check_events(outputs, least=0)


@pytest.mark.parametrize("value", [2**60, -(2**70)])
def test_large_integers_are_compared_exactly(value):
    """Beyond 2**53 floats would merge neighbours."""
    expressions = check_events([value, value + 1] * 30)

    assert f"output == {value}" in expressions
