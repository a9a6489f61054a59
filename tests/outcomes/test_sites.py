"""Draw sites in words."""

from dataclasses import replace

import pytest

from dplint.claims import Span
from dplint.sites import DrawSite, lines_words, noise_words


def at(line, column=9, *, calls=(), turns=()):
    return DrawSite(Span(line, column, line, column + 20), tuple(Span(call, 5, call, 15) for call in calls), turns)


@pytest.mark.parametrize(
    ("site", "words"),
    [
        (at(12), "the noise of line 12"),
        (at(12, turns=(2,)), "the noise of line 12 in the third turn"),
        (at(12, turns=(0, 10)), "the noise of line 12 in the first turn, and there the 11th"),
        (at(3, calls=(20,)), "the noise of line 3 (called in line 20)"),
        (at(3, calls=(20, 8), turns=(21,)), "the noise of line 3 (called in line 20, then line 8) in the 22nd turn"),
    ],
)
def test_a_site_in_words(site, words):
    assert noise_words(site) == words


def test_a_site_in_another_module_names_its_file():
    there = replace(at(3).span, file="shop/noise.py")

    assert (
        noise_words(DrawSite(there, at(3, calls=(20,)).calls))
        == "the noise of line 3 of shop/noise.py (called in line 20)"
    )
    inner = DrawSite(there, (there, replace(there, line=9)))
    assert noise_words(inner).endswith("(called in line 3 of shop/noise.py, then line 9 of shop/noise.py)")
    assert noise_words(DrawSite(there), (at(3, 1),)) == "the noise of line 3 of shop/noise.py", "another file's line 3"
    spans = [at(12).span, at(4).span, there, replace(there, line=8), at(12).span]
    assert lines_words(spans) == "lines 4, 12, lines 3, 8 of shop/noise.py"
    assert lines_words([there]) == "line 3 of shop/noise.py"


def test_columns_tell_draws_of_one_line_apart():
    left, right, below = at(12, 9), at(12, 40, turns=(1,)), at(13)
    assert noise_words(right, (left, right)) == "the noise of line 12, column 40 in the second turn"
    assert noise_words(left, (left, right)) == "the noise of line 12, column 9"
    assert noise_words(left, (left, below)) == "the noise of line 12"
    assert noise_words(left, (left, at(12, 9, turns=(1,)))) == "the noise of line 12", "the turn tells them apart"


@pytest.mark.parametrize(
    ("turn", "ordinal"),
    [(0, "first"), (9, "tenth"), (10, "11th"), (12, "13th"), (20, "21st"), (22, "23rd"), (110, "111th")],
)
def test_turns_count_from_zero_and_are_told_from_one(turn, ordinal):
    assert noise_words(at(1, turns=(turn,))).endswith(f"in the {ordinal} turn")
