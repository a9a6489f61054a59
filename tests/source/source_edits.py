"""Applying edits as an editor does, without the code under test: columns count from 1, the end is exclusive."""

import itertools
import re


def offset(text, line, column):
    """The place in the text; lines end at CRLF, CR or LF."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    return starts[line - 1] + column - 1


def apply(text, *edits):
    """The text after the edits, which must not overlap."""
    places = sorted(
        (offset(text, e.span.line, e.span.column), offset(text, e.span.end_line, e.span.end_column), e.text)
        for e in edits
    )
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(places))
    for start, end, new in reversed(places):
        assert 0 <= start <= end <= len(text)
        text = text[:start] + new + text[end:]
    return text
