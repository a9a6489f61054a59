"""Positions and edits of texts, against an implementation that was written apart from it, naively."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from dplint.claims import Span
from dplint.server.documents import Buffer, Text
from tests.examples import examples
from tests.server.document_model import CODECS, lines_of, offset_of, position_of

ODD = "ab \t\r\n\f\v\x00\x1c\x85\u2028\u2029\ufeffé\u0301ε中😀𝔸\ud83d"
texts = st.text(st.sampled_from(ODD), max_size=40) | st.lists(
    st.sampled_from(["\r\n", "\n", "\r", "😀", "def f():", "ε", "x"]), max_size=20
).map("".join)
encodings = st.sampled_from(sorted(CODECS))
ANY = examples(500)


def as_tuple(position):
    return position.line, position.character


def position(place):
    return lsp.Position(place["line"], place["character"])


@ANY
@given(texts, encodings)
@example("\r\n😀", "utf-16")
def test_lines_are_those_of_the_protocol(text, encoding):
    made = Text(text, encoding)

    assert [made.line(number) for number in range(len(made.starts))] == [one.rstrip("\r\n") for one in lines_of(text)]
    assert made.line(len(made.starts)) == made.line(-1) == ""


@ANY
@given(texts, encodings, st.data())
def test_an_offset_becomes_a_position_and_comes_back(text, encoding, data):
    offset = data.draw(st.integers(0, len(text)))
    made = Text(text, encoding)
    found = made.position(offset)

    # Within a line's end of two characters there is a place in the text, but none that the protocol can name.
    if text[:offset].endswith("\r") and text[offset:].startswith("\n"):
        return
    assert as_tuple(found) == as_tuple(position(position_of(text, offset, encoding)))
    assert made.offset(found) == offset


@ANY
@given(texts, encodings, st.integers(0, 12), st.integers(0, 60))
def test_any_position_becomes_the_same_offset(text, encoding, line, character):
    """Also one beyond the end of a line or of the text, or in the middle of a character."""
    expected = offset_of(text, {"line": line, "character": character}, encoding)

    assert Text(text, encoding).offset(lsp.Position(line, character)) == expected


@ANY
@given(texts, encodings, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), texts), max_size=5))
def test_edits_give_the_same_text(text, encoding, edits):
    made = Text(text, encoding)
    buffer = Buffer("file:///m.py", text, 1, position_codec=PositionCodec(lsp.PositionEncodingKind(encoding)))
    for one, other, new in edits:
        first, last = sorted((min(one, len(text)), min(other, len(text))))
        where = [position(position_of(text, place, encoding)) for place in (first, last)]
        first, last = (offset_of(text, position_of(text, place, encoding), encoding) for place in (first, last))
        text = text[:first] + new + text[last:]
        change = lsp.TextDocumentContentChangePartial(range=lsp.Range(*where), text=new)
        made = made.edited(change)
        buffer.apply_change(change)
        assert made.text == text
        assert buffer.source == text
    assert "".join(buffer.lines) == text
    assert list(buffer.lines) == [one for one in lines_of(text) if one] + ([""] if lines_of(text)[-1] == "" else [])


@ANY
@given(texts, encodings, st.data())
def test_spans_are_those_of_python_and_come_back(text, encoding, data):
    """Lines and columns from 1 in code points; a byte order mark, which no reader sees, is counted by an editor."""
    lines = [one.rstrip("\r\n") for one in lines_of(text)]
    number = data.draw(st.integers(1, len(lines)))
    mark = number == 1 and text.startswith("\ufeff")
    column = data.draw(st.integers(1, len(lines[number - 1]) + 1 - mark))
    made = Text(text, encoding)
    start = made.range(Span(number, column, number, column)).start

    offset = sum(map(len, lines_of(text)[: number - 1])) + column - 1 + mark
    assert as_tuple(start) == as_tuple(position(position_of(text, offset, encoding)))
    assert made.place(start) == (number, column)


@pytest.mark.parametrize("encoding", sorted(CODECS))
def test_a_change_of_everything_is_taken(encoding):
    made = Text("old 😀\r\n", encoding).edited(lsp.TextDocumentContentChangeWholeDocument("new 😀\n"))

    assert (made.text, made.encoding) == ("new 😀\n", encoding)


def test_a_range_that_is_the_wrong_way_round_is_turned():
    where = lsp.Range(lsp.Position(0, 3), lsp.Position(0, 1))

    assert Text("abcd").edited(lsp.TextDocumentContentChangePartial(range=where, text="-")).text == "a-d"
