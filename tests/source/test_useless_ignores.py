"""Comments that silence nothing are reported, where that is known, with the fix that removes them."""

import pytest
from source_edits import apply
from suppression_tools import FAILED, FILE, UNTESTABLE, commented, finding, nothing_found, results

from dplint.claims import Span
from dplint.outcomes import Severity, StopReason
from dplint.source.suppressions import find_suppressions, useless


def complaints(text, items=(), mechanisms=None):
    return useless(find_suppressions(text, FILE), list(items), mechanisms)


def test_a_comment_that_silences_something_is_of_use():
    assert complaints("x = 1  # dplint: ignore[DP0]\n", [finding(1, "DP001")]) == []


def test_a_useless_comment_is_a_warning_at_its_place():
    (found,) = complaints("x = 1  # noqa  # dplint: ignore[DP001]\n")

    assert (found.code, found.severity, found.span) == ("DP020", Severity.WARNING, Span(1, 16, 1, 39))
    assert "there is no DP001 in its lines" in found.message


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x = 1  # dplint: ignore[DP001]\ny\n", "x = 1\ny\n"),
        ("x = 1 # dplint: ignore[DP001] why \t\r\ny\r\n", "x = 1\r\ny\r\n"),
        ("x = 1  # dplint: ignore[DP001]", "x = 1"),
        ("x = 1  # noqa: E501  # dplint: ignore[DP001]\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # dplint: ignore[DP001]  # noqa: E501\n", "x = 1  # noqa: E501\n"),
        ("# dplint: ignore[DP001]\nx = 1\n", "x = 1\n"),
        ("x = 1\n    # dplint: ignore[DP001]\ny = 1\n", "x = 1\ny = 1\n"),
        ("x = 1\n# dplint: ignore[DP001]", "x = 1"),
        ("# dplint: ignore[DP001]", ""),
        ("x = 1  # dplint: ignore[DP003, DP001]\n", "x = 1  # dplint: ignore[DP003]\n"),
        ("x = 1  # dplint: ignore[DP001,DP003,DP2] w\n", "x = 1  # dplint: ignore[DP003] w\n"),
    ],
)
def test_the_fix_removes_what_is_useless(text, after):
    (found,) = complaints(text, [finding(1, "DP003")])

    assert found.fix.safe
    assert apply(text, *found.fix.edits) == after
    assert complaints(after, [finding(1, "DP003")]) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ignore", "names no code"),
        ("ignore[]", "names no code"),
        ("ignore[E501]", "'E501' is neither a code nor the beginning of one"),
        ("ignore[DP101", "bracket is not closed"),
        ("noqa", "no comment 'noqa'"),
    ],
)
def test_comments_that_cannot_be_used_say_why_and_what_to_write(words, message):
    (found,) = complaints(f"x = 1  # dplint: {words}\n")

    assert message in found.message
    assert "# dplint: ignore[DP101]" in found.message
    assert found.fix is None


def test_unknown_codes_and_failures_are_named():
    (found,) = complaints("x = 1  # dplint: ignore[DP888, DP905]\n")

    assert "dplint has no code DP888" in found.message
    assert "DP905 cannot be silenced" in found.message


def test_a_useless_comment_can_be_silenced_itself():
    assert complaints("x = 1  # dplint: ignore[DP001, DP020]\n") == []
    assert complaints("# dplint: ignore[DP020]\ndef f():\n    x = 1  # dplint: ignore[DP001]\n") == []
    assert complaints("x = 1  # dplint: ignore  # dplint: ignore[DP020]\n") == []


@pytest.mark.parametrize(
    ("outcome", "useless_code"),
    [
        (nothing_found(), True),
        (nothing_found(StopReason.NOTHING_LEFT), True),
        (nothing_found(StopReason.TIME), False),
        (nothing_found(StopReason.CANCELLED), False),
        (FAILED, False),
        (UNTESTABLE, False),
    ],
)
@pytest.mark.parametrize("place", ["above", "head", "lambda"])
def test_a_code_of_verdicts_is_judged_after_an_audit_that_came_to_its_end(place, outcome, useless_code):
    text = commented(place, "DP901")
    items = results(text, outcome)
    mechanisms = [item.mechanism for item in items]

    found = complaints(text, items, mechanisms)

    assert bool(found) == useless_code
    assert not any(one.fix.safe for one in found)
    assert complaints(text, items, None) == []
    assert complaints(text, [], mechanisms) == []


def test_a_code_of_verdicts_is_not_judged_beside_a_wrong_claim():
    text = "# dplint: ignore[DP901]\ndef f():\n    pass\n"

    assert complaints(text, [finding(2, "DP003", severity=Severity.ERROR)], []) == []
    assert len(complaints(text, [], [])) == 1
