"""Help while a claim is written: keys, relations, names of parameters, each with a line about it."""

import inspect

import pytest

from dplint.decorator import dp
from dplint.relations.registry import relation_names
from dplint.server.claim_help import completions, key_at, key_words, signature
from dplint.server.documents import Text

KEYS = set(inspect.signature(dp).parameters)
BELOW = "\ndef release(rng, counts: dict[str, int], epsilon, *, k=3):\n    pass\n"
PARAMETERS = ["rng", "counts", "epsilon", "k"]


def at_cursor(text, function):
    """What a function says at the place of `|`."""
    at = text.index("|")
    whole = Text(text.replace("|", "") + BELOW)
    return function(whole, whole.position(at))


def labels(text):
    return [one.label for one in at_cursor(text, completions)]


def test_each_key_has_its_line():
    assert set(key_words()) == KEYS
    for words in key_words().values():
        assert words[0].isupper() or words[0] == "`"
        assert words.endswith(".")


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("@dp(|", set()),
        ("@dp(|)", set()),
        ("@dplint.dp(epsilon=1.0, |)", {"epsilon"}),
        ("# dplint: dp(epsilon=1.0, siz|", {"epsilon"}),
        ('@dp(\n    epsilon="a, b)",\n    |\n)', {"epsilon"}),
        ("@dp(epsilon=1, |, delta=0)", {"epsilon", "delta"}),
    ],
)
def test_keys_that_are_not_there_yet_are_offered(text, used):
    assert {label.rstrip("=") for label in labels(text)} == KEYS - used
    assert all(one.detail for one in at_cursor(text, completions))


@pytest.mark.parametrize(
    "text", ["|@dp(epsilon=1)", "@dp(epsilon=1)|", "x = dp.f(|)", "print(|)", "@dp(epsilon=1 + |)"]
)
def test_nothing_is_said_outside_of_a_claim_or_inside_of_a_number(text):
    assert [one for one in labels(text) if one.rstrip("=") in KEYS and one.endswith("=")] == []
    if "1 +" not in text:
        assert labels(text) == []
        assert at_cursor(text, signature) is None


def test_values_are_offered_with_quotes_where_none_are_open():
    names = list(relation_names())
    assert labels("@dp(epsilon=1, neighbors=|)") == [f'"{name}"' for name in names]
    assert labels('@dp(epsilon=1, neighbors="l|")') == names
    assert labels('@dp(epsilon="|")') == PARAMETERS
    assert labels('@dp(epsilon=1, args={"|": 3})') == PARAMETERS
    assert labels("@dp(epsilon=1, numerics=|)") == ['"machine"', '"real"']
    assert "stdout" in labels('@dp(epsilon=1, observe=("|"))')
    assert labels("@dp(epsilon=1, sensitivity=|)") == []
    details = {one.label: one.detail for one in at_cursor('@dp(epsilon=1, neighbors="|")', completions)}
    assert details["l1"].endswith("the differences between their numbers add up to at most the sensitivity")


def test_the_signature_points_at_the_key_in_hand():
    shown = at_cursor('@dp(epsilon=1, neighbors="|")', signature)
    (form,) = shown.signatures
    assert form.parameters[shown.active_parameter].label == "neighbors='linf'"
    assert all(one.label in form.label and one.documentation for one in form.parameters)
    assert at_cursor("@dp(epsilon=1, |)", signature).active_parameter == list(inspect.signature(dp).parameters).index(
        "delta"
    )


def test_a_key_is_found_at_its_name_and_nowhere_else():
    text = Text('@dp(epsilon="epsilon", size=3)' + BELOW + "x = f(size=3)\n")

    def found(piece, more=0):
        return key_at(text, text.position(text.text.index(piece) + more))

    key, where = found("size=3", 2)
    assert (key, text.offset(where.start), text.offset(where.end)) == ("size", 23, 27)
    assert found('"epsilon', 3) is None
    assert found("k=3") is None
    assert key_at(text, text.position(text.text.rindex("size"))) is None
