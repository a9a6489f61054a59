"""Notebooks of Jupyter: their code cells as the text of one module, and back into the file with nothing else changed.

Each cell begins with a line of its own, `# %% cell 3`, so that the text tells where the cells are, also after edits.
What only IPython understands (`%matplotlib inline`, `!pip install`) becomes `pass` with the line in a comment; inside
of a function it becomes a call that nobody can make, for without it the function would be another one.

Names of places in notebooks: "analysis.ipynb:cell 3" stands where the name of a file does.
"""

from __future__ import annotations

import io
import json
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dplint.source.text import DecodeError, decode, split_lines

SUFFIX = ".ipynb"
_CELL = re.compile(rf"(?P<path>.*{re.escape(SUFFIX)}):cell (?P<number>\d+)\Z", re.DOTALL)


def is_notebook(file: str) -> bool:
    """Whether a file, by its name, is a notebook."""
    return file.endswith(SUFFIX)


def cell_name(file: str, number: int) -> str:
    """The cell of that number, counted from 1 over all cells of the notebook."""
    return f"{file}:cell {number}"


def split_cell(file: str) -> tuple[str, int | None]:
    """The path of a file and the cell; None for a file that is no cell."""
    found = _CELL.match(file)
    return (found["path"], int(found["number"])) if found else (file, None)


_HEAD = re.compile(r"^# %% cell (\d+)\n", re.MULTILINE)
_KEPT = "#ipython# "
_CALLED = "get_ipython()"
_MAGIC = re.compile(r"[ \t]*(?:[%!?]|[\w.]+\?{1,2}[ \t]*$)")
_ASSIGNED = re.compile(r"[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=[ \t]*[!%](?![=\s])")
_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w*)")
_OF_PYTHON = frozenset({"time", "timeit", "capture", "prun"})
_WHITE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class UnwritableError(OSError):
    """A text that cannot be put back into the cells of a notebook."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook that was read.

    json: all of the file. text: the module. numbers, firsts: of the code cells, their places among all cells, from 1,
    and the lines of the module that their first lines are. sources: where their sources stand in `json`.
    """

    json: str
    text: str
    numbers: tuple[int, ...]
    firsts: tuple[int, ...]
    sources: tuple[tuple[int, int], ...]

    def place(self, line: int) -> tuple[int, int]:
        """The cell that a line of the module is in, and the line there; the first of the notebook where there is none.

        A line that heads a cell counts as its first one.
        """
        if not self.firsts:
            return 1, 1
        at = max(0, bisect_right(self.firsts, line + 1) - 1)
        return self.numbers[at], max(1, line - self.firsts[at] + 1)

    def module_line(self, number: int, line: int) -> int:
        """The line of the module that a line of a cell is. Raises ValueError if there is no such code cell."""
        return self.firsts[self.numbers.index(number)] + line - 1

    def line(self, number: int, line: int) -> str | None:
        """A line of a cell as it is written there; None if there is none."""
        try:
            start, end = self.sources[self.numbers.index(number)]
            return split_lines(_source(json.loads(self.json[start:end])))[line - 1]
        except (ValueError, IndexError):
            return None

    def written(self, text: str) -> str:
        """The file with another text of the module in it: cells that are the same stay to the letter.

        Raises:
            UnwritableError: the text has other cells, or what is read could not be written back as it was.
        """
        before, after = _cells_of(self.text, self.numbers), _cells_of(text, self.numbers)
        pieces, at = [], 0
        for (start, end), old, new in zip(self.sources, before, after, strict=True):
            raw = self.json[start:end]
            if new != old and old != _source(json.loads(raw)):
                raise UnwritableError(0, "a cell cannot be told from what dplint writes between cells")
            pieces += [self.json[at:start], raw if new == old else _value(raw, new)]
            at = end
        return "".join([*pieces, self.json[at:]])


def read_notebook(raw: bytes) -> Notebook:
    """Read a notebook; one whose language is not Python has no cells.

    Raises:
        DecodeError: the bytes are no notebook of the format 4.
    """
    try:
        document = raw.decode("utf-8-sig")
        known: Any = json.loads(document)
        found = list(_code_cells(document)) if _is_python(known) else []
        sources = [_source(_DECODER.raw_decode(document, start)[0]) for _, start, _ in found]
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise DecodeError(1, f"is no notebook that can be read: {error}") from None
    if not isinstance(known.get("cells"), list):
        raise DecodeError(1, "is a notebook of an old format, without cells: open it in Jupyter and save it")
    cells = [(number, source) for (number, _, _), source in zip(found, sources, strict=True)]
    return replace(open_notebook(cells), json=document, sources=tuple((start, end) for _, start, end in found))


def open_notebook(cells: Sequence[tuple[int, str]]) -> Notebook:
    """The notebook of some code cells, each with its number among all cells: it stands in no file."""
    text, firsts = "", []
    for number, source in cells:
        text += f"# %% cell {number}\n"
        firsts.append(len(split_lines(text)))
        text += f"{as_python(source)}\n"
    return Notebook("", text, tuple(number for number, _ in cells), tuple(firsts), ())


def text_of(path: Path, raw: bytes) -> str:
    """The Python in the content of a file: of a notebook the text of its code cells, else as `decode`.

    Raises:
        DecodeError: it is no text, or no notebook.
    """
    return read_notebook(raw).text if is_notebook(path.name) else decode(raw)


def _is_python(document: dict[str, Any]) -> bool:
    about = document.get("metadata", {})
    named = about.get("language_info", {}).get("name") or about.get("kernelspec", {}).get("language") or "python"
    return str(named).lower() in ("python", "ipython", "python3", "sage")


def _code_cells(document: str) -> Iterator[tuple[int, int, int]]:
    """For each code cell its number, and where the value of its source begins and ends."""
    top = dict(_members(document, _skip(document, 0)))
    at = _skip(document, top["cells"][0] + 1) if "cells" in top else len(document)
    number = 0
    while document[at : at + 1] == "{":
        number += 1
        inside = dict(_members(document, at))
        start, end = inside["cell_type"]
        if json.loads(document[start:end]) == "code" and "source" in inside:
            yield number, *inside["source"]
        _, end = _DECODER.raw_decode(document, at)
        at = _skip(document, _skip(document, end) + 1)


def _members(document: str, at: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The names in an object that begins there, and where their values begin and end."""
    at = _skip(document, at + 1)
    while document[at] != "}":
        name, at = _DECODER.raw_decode(document, at)
        start = _skip(document, _skip(document, at) + 1)
        _, end = _DECODER.raw_decode(document, start)
        yield name, (start, end)
        at = _skip(document, end)
        if document[at] == ",":
            at = _skip(document, at + 1)


def _skip(document: str, at: int) -> int:
    found = _WHITE.match(document, at)
    return found.end() if found else at


def _source(value: Any) -> str:
    if isinstance(value, list):
        return "".join(value)
    if not isinstance(value, str):
        raise TypeError("a cell without text")
    return value


def _value(raw: str, source: str) -> str:
    """A source as JSON, as text or as a list of lines, whichever it was, and spaced as that."""
    escapes = raw.isascii() and "\\u" in raw
    if not raw.startswith("["):
        return json.dumps(source, ensure_ascii=escapes)
    lines = [json.dumps(line, ensure_ascii=escapes) for line in io.StringIO(source, newline="")]
    opening = raw[1 : _skip(raw, 1)]
    closing = raw[len(raw[:-1].rstrip()) : -1] if opening else ""
    between = _between(raw) or f",{opening or ' '}"
    return f"[{opening}{between.join(lines)}{closing}]" if lines else "[]"


def _between(raw: str) -> str:
    """What stands between the first two lines of a list; empty where it has fewer."""
    start = _skip(raw, 1)
    if raw[start] == "]":
        return ""
    _, end = _DECODER.raw_decode(raw, start)
    comma = _skip(raw, end)
    return raw[end : _skip(raw, comma + 1)] if raw[comma] == "," else ""


def as_python(source: str) -> str:
    """The cell with as many lines, in which what only IPython understands does nothing."""
    foreign = _CELL_MAGIC.match(source)
    lines = source.split("\n")
    if foreign is not None and foreign["name"] not in _OF_PYTHON:
        return "\n".join(f"{_KEPT}{line}" for line in lines)
    if not any(_MAGIC.match(line) or _ASSIGNED.match(line) for line in lines):
        return source
    made: list[str] = []
    for line in lines:
        wanted = _MAGIC.match(line) or _ASSIGNED.match(line)
        made.append(_kept(line, made) if wanted and not _is_open("\n".join(made)) else line)
    return "\n".join(made)


def _kept(line: str, before: Sequence[str]) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    assigned = _ASSIGNED.match(line)
    value = _CALLED if _in_function(before, len(indent)) else None
    instead = f"{assigned['name']} = {value}" if assigned else value or "pass"
    return f"{indent}{instead}  {_KEPT}{line[len(indent) :]}"


def _in_function(before: Sequence[str], indent: int) -> bool:
    """Whether a line of that indentation below these lines is part of a function."""
    for line in reversed(before):
        code = line.lstrip()
        if not code or code.startswith((")", "]", "}", "#")) or len(line) - len(code) >= indent:
            continue
        if code.startswith(("def ", "async def ")):
            return True
        indent = len(line) - len(code)
    return False


def _is_open(text: str) -> bool:
    """Whether the line below would belong to a bracket, a string or a statement that has not ended."""
    if text.endswith("\\"):
        return True
    try:
        list(tokenize.generate_tokens(io.StringIO(f"{text}\n").readline))
    except tokenize.TokenError:
        return True
    except SyntaxError:
        return False
    return False


def _cells_of(text: str, numbers: tuple[int, ...]) -> list[str]:
    """The sources of the cells in a text of the module. What stands before the first belongs to it."""
    heads = list(_HEAD.finditer(text))
    if tuple(int(head[1]) for head in heads) != numbers:
        raise UnwritableError(0, "the text has other cells than the notebook")
    if not heads:
        return []
    ends = [*(head.start() for head in heads[1:]), len(text)]
    cells = [text[head.end() : end].removesuffix("\n") for head, end in zip(heads, ends, strict=True)]
    cells[0] = text[: heads[0].start()] + cells[0]
    return [as_written(cell) for cell in cells]


def as_written(text: str) -> str:
    """A text of the module with what only IPython understands as the cells have it."""
    return "\n".join(map(_given_back, text.split("\n")))


def _given_back(line: str) -> str:
    before, kept, rest = line.partition(_KEPT)
    return f"{before[: len(before) - len(before.lstrip())]}{rest}" if kept else line
