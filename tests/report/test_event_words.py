"""Events in words, and those that Python says best left as they are."""

import pytest

from dplint.outcomes import OutputEvent, SingleOutput
from dplint.report.event_words import event_words

NUMBERS = r"list(map(float, re.findall(r'-?\d+(?:\.\d+)?(?:e[-+]?\d+)?', {})))"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("type(output).__name__ == 'ValueError'", "it raises ValueError"),
        ("type(output).__name__ == 'list'", "it returns a list"),
        ("output is None", "it returns None"),
        ("output != output", "the output is NaN"),
        ("output[1] != output[1]", "output[1] is NaN"),
        ("output != 1 and output is None", None),
        ("isinstance(output, Exception)", "it raises an exception"),
        ("isinstance(output, Exception) and type(output).__name__ == 'Full'", "it raises Full"),
        (
            "isinstance(output, Exception) and type(output).__name__ == 'Full' and str(output) == 'x'",
            "it raises Full and its message is 'x'",
        ),
        ("isinstance(output, Exception) and str(output) == 'empty'", "its message is 'empty'"),
        (
            "type(output).__name__ in ['KeyError'] and len(str(output)) == 22",
            "it raises KeyError and the length of its message is exactly 22",
        ),
        (f"{NUMBERS.format('output')}[1] >= 10", "the second number in the text is at least 10"),
        (f"{NUMBERS.format('str(output)')}[-1] < 0.5", "the last number in its message is less than 0.5"),
        (f"{NUMBERS.format('output.stdout')}[-1] < 0.5", "the last number in what it prints is less than 0.5"),
        ("output.stderr == ''", "what it prints to stderr is empty"),
        ("len(output.stdout) >= 9", "the length of what it prints is at least 9"),
        ("len(output.logging) == 0", "it logs nothing"),
        ("len(output.logging) < 2", "the number of its log records is less than 2"),
        ("output.logging[0] == 'INFO root: done'", "its first log record is 'INFO root: done'"),
        ("'a.txt' in output.files", "it writes 'a.txt'"),
        ("output.files['a.txt'] == 'x'", "what it writes to 'a.txt' is 'x'"),
        ("type(output.returned).__name__ == 'KeyError'", "it raises KeyError"),
        ("output.returned is None", "it returns None"),
        ("output.arguments['data'][0] < 3", None),
        ("output >= 3", None),
        ("output['count'] <= 0 and output['sum'] >= 10", None),
        ("type(output).__name__ == 'ValueError' and output[0] >= 1", None),
        ("this is no event", None),
    ],
)
def test_what_an_event_is_in_words(event, words):
    assert event_words(OutputEvent(event)) == words


def test_a_single_output_has_no_words():
    assert event_words(SingleOutput(3)) is None
