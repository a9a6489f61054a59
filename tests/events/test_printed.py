"""Events read back from their text: the same set of outputs, as a runner sends them, and nothing else runs."""

import numpy as np
import pytest
from event_tools import OUTPUTS, Answer, batch_of, holds
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.events.split_runs import discover_grids
from dplint.runner.texts import TextNumbers
from tests.examples import examples


@examples(60)
@given(st.lists(OUTPUTS, min_size=2, max_size=12))
def test_an_event_that_was_printed_holds_for_the_same_outputs(outputs):
    batch = batch_of(outputs)
    grids = discover_grids([batch], [batch_of(outputs[:1])], TextNumbers())
    events = [grid.event(i) for grid in grids for i in range(0, grid.size, max(1, grid.size // 20))]
    seen = batch.likenesses()

    for event in events:
        printed = PrintedEvent(event.expression())
        assert [int(printed.holds(output)) for output in seen] == holds(event, outputs), event.expression()


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("output >= 0.67", {"output": (0.67,)}),
        ("1.5 <= output[0] < 3", {"output[0]": (1.5, 3.0), "output": ()}),
        ("len(output) > 2 and output[2] < -0.15", {"len(output)": (2.0,), "output[2]": (-0.15,), "output": ()}),
        ("list(output).count(False) == 1", {"list(output).count(False)": (1.0,), "output": ()}),
        ("output == [False, True]", {"output": ()}),
        ("3 * (output[0] >= 1) + -1 * (output[1] == 2) >= 2", {"3 * (output[0] >= 1) + -1 * (output[1] == 2)": (2.0,)}),
    ],
)
def test_what_an_event_is_about_is_what_its_conditions_compare(text, measures):
    found = {measure.expression: measure.thresholds for measure in PrintedEvent(text).measures}

    assert found == {"output": (), **measures}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "open('x', 'w')",
        "output.__class__.__mro__",
        "type(output).__bases__ == ()",
        "().__class__",
        "(lambda: 1)()",
        "[x for x in output]",
        "output.append(1)",
        "10 ** 10 ** 10 > output",
        "output >= 2 ** 54 ** 9",
        "sum(x >= 1 for x in output) if exec('1') else 0",
        "output == f'{output}'",
        "output ==",
        "output and print(output)",
        "1\nimport os",
    ],
)
def test_what_dplint_does_not_print_is_refused(text):
    with pytest.raises(NotAnEvent):
        PrintedEvent(text)


def test_a_likeness_has_the_type_name_the_length_and_the_attributes_of_the_output():
    outputs = [Answer(1.5, "a"), ValueError("too small"), np.arange(5000.0), {1, 2}, {"n": 3}]
    answer, error, array, members, record = batch_of(outputs).likenesses()

    assert (type(answer).__name__, answer.total, answer.label) == ("Answer", 1.5, "a")
    assert (type(error).__name__, str(error), isinstance(error, Exception)) == ("ValueError", "too small", True)
    assert (type(array).__name__, len(array), array[3]) == ("ndarray", 5000, 3.0)
    assert (type(members).__name__, len(members)) == ("set", 2)
    assert record == {"n": 3}


@examples(30)
@given(st.lists(OUTPUTS, min_size=1, max_size=12))
def test_likenesses_in_turn_are_those_of_all(outputs):
    batch = batch_of(outputs)
    (in_turn, together) = (
        [repr_of(one) for one in found] for found in (batch.likenesses_in_turn(), batch.likenesses())
    )

    assert in_turn == together


def repr_of(value):
    """What can be seen of a likeness, whose class has no equality."""
    return type(value).__name__, repr(getattr(value, "__dict__", None)), repr(value).split(" at 0x")[0]
