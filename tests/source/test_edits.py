"""Edits are applied as an editor does it, and files keep their bytes but for the edits."""

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.claims import Span
from dplint.outcomes import Edit
from dplint.source.edits import FileChangedError, OverlapError, apply_edits, read_original, replace_content
from tests.examples import examples
from tests.source import source_edits

TEXTS = st.lists(st.sampled_from(["ab", "é", "x = 1", "", "\t"]), min_size=1, max_size=5)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def edited(draw):
    """A text and edits in it that do not meet."""
    lines = draw(TEXTS)
    text = draw(ENDS).join(lines)
    places = [(row, column) for row, line in enumerate(lines, 1) for column in range(1, len(line) + 2)]
    chosen = draw(st.lists(st.sampled_from(places), max_size=6, unique=True).map(sorted))
    pairs = list(zip(chosen[::2], chosen[1::2], strict=False))
    return text, [Edit(Span(*start, *end), draw(st.sampled_from(["", "new", "a\nb"]))) for start, end in pairs]


@examples(300)
@given(edited(), st.randoms(use_true_random=False))
def test_edits_are_those_of_an_editor_in_any_order(case, random):
    text, edits = case
    expected = source_edits.apply(text, *edits)
    random.shuffle(edits)
    assert apply_edits(text, edits) == expected


def test_a_place_behind_the_last_line_is_the_end():
    assert apply_edits("a\nb", [Edit(Span(2, 1, 3, 1), "")]) == "a\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1, 1, 1, 3), (1, 2, 1, 4)),
        ((1, 1, 1, 5), (1, 2, 1, 3)),
        ((1, 2, 1, 2), (1, 2, 1, 2)),
        ((1, 2, 1, 2), (1, 2, 1, 3)),
    ],
)
def test_edits_that_meet_are_refused(first, second):
    with pytest.raises(OverlapError):
        apply_edits("abcdef", [Edit(Span(*first), "x"), Edit(Span(*second), "y")])


@pytest.mark.parametrize(
    "raw",
    [
        b"x = 1\r\ny = 2\r\n",
        b"\xef\xbb\xbfx = '\xc3\xa9'\r\n",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\r",
        b"# coding: cp1252\r\nx = '\x80'",
        b"",
    ],
)
def test_what_is_not_edited_keeps_its_bytes(tmp_path, raw):
    path = tmp_path / "a.py"
    path.write_bytes(raw)
    original = read_original(path)
    assert original.encode(original.text) == raw
    replace_content(original, original.encode(original.text + "z = 3"))
    assert path.read_bytes() == raw + b"z = 3"
    assert [file.name for file in tmp_path.iterdir()] == ["a.py"]


def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "a.py", tmp_path / "link.py"
    path.write_text("x")
    path.chmod(0o750)
    link.symlink_to(path)
    replace_content(read_original(link), b"y")
    assert link.is_symlink()
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("y", 0o750)


def test_a_file_that_somebody_else_has_changed_is_left_alone(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("x")
    original = read_original(path)
    path.write_text("theirs")
    with pytest.raises(FileChangedError):
        replace_content(original, b"ours")
    assert path.read_text() == "theirs"
    assert [file.name for file in tmp_path.iterdir()] == ["a.py"]
