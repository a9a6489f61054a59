"""Edits put into a text, and texts put back into their files."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import os
import re
import tempfile
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dplint.contents import content
from dplint.outcomes import Edit
from dplint.source.notebooks import Notebook, is_notebook, read_notebook
from dplint.source.text import decode

_BREAK = re.compile(r"\r\n|\r|\n")


class OverlapError(ValueError):
    """Two edits are for the same characters."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits, whose places are all those before any of them. Line ends stay what they are.

    Raises:
        OverlapError: two of them overlap, or stand at the very same place.
    """
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    placed = sorted((*_range(starts, edit, len(text)), edit.text) for edit in edits)
    for (first, end, _), (start, _, _) in itertools.pairwise(placed):
        if start < end or first == start:
            raise OverlapError
    pieces, at = [], 0
    for start, end, new in placed:
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


def _range(starts: list[int], edit: Edit, length: int) -> tuple[int, int]:
    span = edit.span
    start = _offset(starts, span.line, span.column, length)
    return start, max(start, _offset(starts, span.end_line, span.end_column, length))


def _offset(starts: list[int], line: int, column: int, length: int) -> int:
    return length if line > len(starts) else min(length, starts[line - 1] + column - 1)


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was read: its bytes, its text without a byte order mark, and how to encode another text like it.

    The text of a notebook is that of its cells.
    """

    path: Path
    raw: bytes
    text: str
    encoding: str
    notebook: Notebook | None = None

    def encode(self, text: str) -> bytes:
        """Another text in the encoding of the file, with a byte order mark if it had one; in a notebook, in its cells.

        Raises UnicodeEncodeError if the encoding does not have a character of it, OSError if it has no place there.
        """
        return (text if self.notebook is None else self.notebook.written(text)).encode(self.encoding)


def read_original(path: Path) -> Original:
    """Read a source file.

    Raises:
        OSError: it cannot be read.
        DecodeError: it is no text.
    """
    raw = content(path)
    if is_notebook(path.name):
        notebook = read_notebook(raw)
        encoding = "utf-8-sig" if raw.startswith(codecs.BOM_UTF8) else "utf-8"
        return Original(path, raw, notebook.text, encoding, notebook)
    text = decode(raw)
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    return Original(path, raw, text.removeprefix("\ufeff"), encoding)


class FileChangedError(OSError):
    """The file is not what it was when it was read."""


def replace_content(original: Original, raw: bytes) -> None:
    """Put other bytes into a file: a reader sees all of them or none, and the permissions stay.

    Raises:
        OSError: it cannot be written; FileChangedError if somebody else has changed it meanwhile.
    """
    path = Path(os.path.realpath(original.path))  # what a link leads to is changed, not the link
    handle, unfinished = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
        status = path.stat()
        if path.read_bytes() != original.raw:
            raise FileChangedError(0, "it has changed since it was read")
        Path(unfinished).chmod(status.st_mode & 0o7777)
        Path(unfinished).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(unfinished).unlink()
        raise
