"""Runs: fresh data for each, data values in turns, pairs from the user's own neighbour function."""

from __future__ import annotations

import sys

import pytest

from dplint.claims import Pair
from dplint.outcomes import FailureKind
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest


def test_data_values_take_turns_in_reversed_order_every_other_round(own_runner, write):
    """The mechanism counts its calls: with blocks of 2, D1 has calls 0 1 | 6 7 | 8 9, D2 has 2 3 | 4 5 | 10 11."""
    own_runner.load(
        write("""
        import itertools
        CALLS = itertools.count()
        def m(queries): return next(CALLS)
    """)
    )
    batches = own_runner.sample(SampleRequest((DataValue([1]), DataValue([2])), runs=6, block=2))

    assert [batch.outputs() for batch in batches] == [[0, 1, 6, 7, 8, 9], [2, 3, 4, 5, 10, 11]]


def test_the_last_block_may_be_shorter(own_runner, write):
    own_runner.load(write("def m(queries): return queries[0]"))
    batches = own_runner.sample(SampleRequest((DataValue([1]), DataValue([2])), runs=1001, block=250))

    assert [batch.outputs() for batch in batches] == [[1] * 1001, [2] * 1001]


@pytest.mark.parametrize(
    ("value", "form", "change"),
    [
        ([3, 1, 2], "list", "queries.sort(); queries.append(9)"),
        ([[3], [1]], "list", "queries[0].append(9); queries.pop()"),
        ([{"a": 1}], "list", "queries[0]['a'] += 1"),
        ([{"a": [1]}], "list", "queries[0]['a'].append(2)"),
        ([3.0, 1.0], "array", "queries += 1"),
        ([([1],)], "tuple", "queries[0][0].append(2)"),
        ([{"a": 1}, {"a": 2}], "frame", "queries.loc[0, 'a'] = 5"),
        ({"a": 1}, "scalar", "queries['b'] = 1"),
        ({"a": [1]}, "scalar", "queries['a'].append(1)"),
    ],
)
def test_every_run_has_its_own_copy_of_the_data(shared_runner, write, value, form, change):
    shared_runner.load(
        write(f"def m(queries):\n    seen = repr(queries)\n    {change}\n    return seen, repr(queries) != seen")
    )
    (batch,) = shared_runner.sample(SampleRequest((DataValue(value, form),), runs=3))
    first, *others = batch.outputs()

    assert first[1]
    assert others == [first, first]


def test_arguments_are_fresh_too(shared_runner, write):
    shared_runner.load(write("def m(queries, bounds):\n    bounds.append(1)\n    return len(bounds)"))
    (batch,) = shared_runner.sample(SampleRequest((DataValue([1]),), {"bounds": [0]}, runs=3))

    assert batch.outputs() == [2, 2, 2]


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        ("list", [1, 2], "list [1, 2]"),
        ("tuple", [1, 2], "tuple (1, 2)"),
        ("array", [1, 2], "ndarray array([1, 2])"),
        ("array", [], "ndarray array([], dtype=float64)"),
        ("scalar", 3, "int 3"),
        ("scalar", "a", "str 'a'"),
    ],
)
def test_forms_of_data(shared_runner, write, form, value, text):
    shared_runner.load(write("def m(queries): return f'{type(queries).__name__} {queries!r}'"))

    assert shared_runner.sample(SampleRequest((DataValue(value, form),)))[0].outputs() == [text]


def test_an_empty_frame_has_the_columns_and_types_of_the_other_side(shared_runner, write):
    shared_runner.load(
        write("""
        def m(people):
            return [list(people.columns), [str(t) for t in people.dtypes], len(people), list(people.index)]
    """)
    )
    datas = (DataValue([], "frame"), DataValue([{"age": 3, "city": "x"}, {"age": 4, "city": "y"}], "frame"))
    empty, full = (batch.outputs()[0] for batch in shared_runner.sample(SampleRequest(datas)))

    assert empty[:2] == full[:2]
    assert (empty[2:], full[2:]) == ([0, []], [2, [0, 1]])
    assert shared_runner.sample(SampleRequest(datas[:1]))[0].outputs()[0] == empty


def test_a_returned_buffer_is_read_before_the_next_run(own_runner, write):
    own_runner.load(
        write("""
        import numpy as np
        BUFFER = np.zeros(2)
        def m(queries):
            BUFFER[0] += 1
            return BUFFER[:1]
    """)
    )
    (batch,) = own_runner.sample(SampleRequest((DataValue([1]),), runs=5000))

    assert batch.groups[0].values.ravel().tolist() == list(range(1, 5001))


def test_rows_say_which_run_an_output_comes_from(own_runner, write):
    """Also where shapes mix, and where bulk encoding takes over after the first runs."""
    own_runner.load(
        write("""
        import itertools
        CALLS = itertools.count()
        def m(queries):
            n = next(CALLS)
            return n if n % 3 == 0 else [n] * (n % 3) if n % 2 else (n, "x")
    """)
    )
    (batch,) = own_runner.sample(SampleRequest((DataValue([1]),), runs=2000, block=700))

    assert batch.outputs() == [n if n % 3 == 0 else [n] * (n % 3) if n % 2 else (n, "x") for n in range(2000)]
    assert all((group.rows[1:] > group.rows[:-1]).all() for group in batch.groups)


@pytest.mark.parametrize("output", ["[]", "()", "{}", "np.zeros(0)", "np.zeros((2, 0))", "[[], {}]"])
def test_outputs_without_leaves_come_through(shared_runner, write, output):
    shared_runner.load(write(f"import numpy as np\ndef m(queries): return {output} if queries[0] else 1.5"))
    empty, full = shared_runner.sample(SampleRequest((DataValue([1]), DataValue([0])), runs=450))

    assert [group.values.shape for group in empty.groups] == [(450, 0)]
    assert full.outputs() == [1.5] * 450


PAIRS = """
    class Graph:
        def __init__(self, edges): self.edges = edges
        def __repr__(self): return f"Graph({self.edges})"
        def __len__(self): return self.edges

    def plain():
        yield [1, 2], [1, 2, 3]
        yield (1.5, "a"), (1.5, "b")
        yield {"a": 1}, {"a": 2}

    def objects(limit=10**9):
        for edges in range(limit):
            yield Graph(edges), Graph(edges + 1)

    def drawn(rng):
        yield rng.integers(100), 5

    def wrong(): return [1, 2]
    def fails(): raise KeyError("x")

    def claimed(): yield 1, 2
    def m(graph): return len(graph)
    m.__dplint_claim__ = {"neighbors": claimed}
    """


def test_pairs_of_plain_values(shared_runner, write):
    mechanism = write(PAIRS)
    shared_runner.load(mechanism)

    assert shared_runner.pairs(":plain", 10) == [
        Pair([1, 2], [1, 2, 3], "custom", 2, (0, 1)),
        Pair((1.5, "a"), (1.5, "b"), "custom", 2, (2, 3)),
        Pair({"a": 1}, {"a": 2}, "custom", 1, (4, 5)),
    ]
    assert shared_runner.pairs(f"{mechanism.module}:plain", 1) == [Pair([1, 2], [1, 2, 3], "custom", 2, (0, 1))]


def test_objects_stay_in_the_runner_and_are_used_by_their_handles(shared_runner, write):
    shared_runner.load(write(PAIRS))
    pairs = shared_runner.pairs(":objects", 4)
    datas = tuple(DataValue(None, "scalar", handle=handle) for handle in pairs[3].handle)

    # The first of the pair is equal to the second one of the pair before.
    assert pairs[3] == Pair("Graph(3)", "Graph(4)", "custom", 3, (5, 7), plain=False)
    assert [batch.outputs() for batch in shared_runner.sample(SampleRequest(datas, runs=2))] == [[3, 3], [4, 4]]


def test_a_neighbour_function_may_draw(shared_runner, write):
    shared_runner.load(write(PAIRS))
    pairs = [shared_runner.pairs(":drawn", 1, seed=(seed, ())) for seed in (1, 1, 2)]

    assert pairs[0] == pairs[1] != pairs[2]
    assert type(pairs[0][0].d1) is int


def test_a_lambda_of_the_claim_is_found_through_the_claim(shared_runner, write):
    shared_runner.load(write(PAIRS))

    assert shared_runner.pairs(":<lambda>", 9) == [Pair(1, 2, "custom", 1, (0, 1))]


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        (":wrong", r"must yield pairs \(d1, d2\); item 0 is 1"),
        (":fails", "neighbour function failed: KeyError"),
        ("no_such_module_here:f", "not to be found: ModuleNotFoundError"),
    ],
)
def test_neighbour_functions_that_do_not_work(shared_runner, write, reference, text):
    shared_runner.load(write(PAIRS))
    with pytest.raises(RunnerError, match=text) as caught:
        shared_runner.pairs(reference, 5)

    assert caught.value.kind == FailureKind.INPUT


def test_a_handle_of_no_pair_is_an_input_failure(shared_runner, write):
    shared_runner.load(write(PAIRS))
    with pytest.raises(RunnerError, match="no object number 7: 0 were made"):
        shared_runner.sample(SampleRequest((DataValue(None, "scalar", 7),)))


@pytest.mark.process
def test_nothing_can_be_sampled_before_a_mechanism_is_loaded():
    with (
        Runner(sys.executable, deadline=10, memory_mib=256) as runner,
        pytest.raises(RunnerError, match="nothing is loaded"),
    ):
        runner.sample(SampleRequest((DataValue([1]),)))
