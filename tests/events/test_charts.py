"""Pictures of outputs: nothing is lost, thresholds lie on edges, and the event is told apart."""

import numpy as np
import pytest
from event_tools import OUTPUTS
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.charts import chart
from dplint.events.printed import PrintedEvent
from tests.examples import examples


def totals(found, key):
    return [sum(getattr(bar, f"{key}{side}") for bar in (*found.bars, *found.others)) for side in (1, 2)]


@examples(100)
@given(
    st.lists(OUTPUTS, min_size=1, max_size=30),
    st.lists(OUTPUTS, min_size=1, max_size=30),
    st.sampled_from(["output >= 0.5", "len(output) > 1 and output[1] < 2", "output == 'a'", "sum(output) >= 1"]),
)
def test_every_output_is_in_one_bar_and_inside_or_not_as_the_event_says(one, two, text):
    event = PrintedEvent(text)

    found = chart(one, two, event)
    assert totals(found, "count") == [len(one), len(two)] == [found.runs1, found.runs2]
    assert totals(found, "inside") == [sum(map(event.holds, side)) for side in (one, two)]


@pytest.mark.parametrize("text", ["output >= 0.7", "-1.3 <= output < 0.25", "output < 12"])
def test_thresholds_lie_on_edges_so_that_a_bin_is_in_the_event_or_not(text):
    random = np.random.default_rng(1)
    one, two = random.laplace(1, 1, 5000).tolist(), random.laplace(0, 1, 5000).tolist()
    found = chart(one, two, PrintedEvent(text))

    assert found.kind == "numbers"
    for bar in found.bars:
        inside, count = bar.inside1 + bar.inside2, bar.count1 + bar.count2
        assert inside in (0, count), bar
    edges = [bar.low for bar in found.bars]
    assert np.allclose(np.diff(edges), edges[1] - edges[0])
    limits = PrintedEvent(text).measures[0].thresholds
    assert all(min(abs(edge - limit) for edge in [*edges, found.bars[-1].high]) < 1e-9 for limit in limits)


def test_whole_numbers_have_a_bin_each():
    random = np.random.default_rng(2)
    one, two = random.poisson(20, 4000).tolist(), random.poisson(15, 4000).tolist()
    found = chart(one, two, PrintedEvent("output >= 18"))

    assert all(bar.high - bar.low == 1 and bar.low % 1 == 0.5 for bar in found.bars)
    (bin18,) = [bar for bar in found.bars if bar.low < 18 < bar.high]
    assert (bin18.count1, bin18.inside1) == (one.count(18), one.count(18))


def test_a_rare_category_of_the_event_has_a_bar_of_its_own():
    many = [f"name {number}" for number in range(40)] * 5
    found = chart([*many, "rare"], many, PrintedEvent("output == 'rare'"))

    assert ("'rare'", 1, 0) in {(bar.label, bar.count1, bar.count2) for bar in found.bars}
    assert found.bars[-1].label == "29 others"


def test_of_a_vector_the_coordinate_of_the_event_is_drawn():
    random = np.random.default_rng(3)
    one, two = random.laplace((0, 0, 1, 0), size=(3000, 4)), random.laplace(size=(3000, 4))
    found = chart(one.tolist(), two.tolist(), PrintedEvent("len(output) > 2 and output[2] >= 0.5"))

    assert (found.measure, found.kind) == ("output[2]", "numbers")


def test_exceptions_stand_beside_numbers():
    one = [*np.linspace(0, 5, 300).tolist(), *[ValueError("no")] * 50]
    found = chart(one, np.linspace(0, 5, 350).tolist(), PrintedEvent("type(output).__name__ == 'ValueError'"))

    assert {bar.label: (bar.count1, bar.inside1) for bar in found.bars}["'ValueError'"] == (50, 50)
    numbers = chart(one, np.linspace(0, 5, 350).tolist(), PrintedEvent("output >= 2"))
    assert [(bar.label, bar.count1, bar.inside1) for bar in numbers.others] == [("raises ValueError", 50, 0)]


def test_a_single_value_that_comes_often_stands_beside_the_histogram():
    random = np.random.default_rng(4)
    one, two = random.laplace(size=2000).tolist() + [0.0] * 3000, random.laplace(size=5000).tolist()
    found = chart(one, two, PrintedEvent("output == 0"))

    assert found.kind == "numbers"
    assert [(bar.label, bar.count1, bar.count2, bar.inside1) for bar in found.others] == [("0.0", 3000, 0, 3000)]
    assert sum(bar.inside1 + bar.inside2 for bar in found.bars) == 0
