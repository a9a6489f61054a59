"""What a check yields of notebooks, with its places in cells: they are read as one module, and nobody knows its lines.

The name of the file becomes "analysis.ipynb:cell 3", lines count from the beginning of the cell, and places in other
cells bear the name of that cell, as those in other files do.

What an earlier check has found out of the same source, with the lines on which it stands now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, assert_never

from dplint.claims import Span
from dplint.contents import content
from dplint.contracts.tree import Budget
from dplint.outcomes import CheckError, CheckEvent, Failed, Finding, Plan, Progress, Repaired, Result, Silenced
from dplint.source.notebooks import Notebook, cell_name, is_notebook, read_notebook
from dplint.source.text import DecodeError

Item = TypeVar("Item")
SAID = frozenset({"cure", "detail", "helps", "message", "notes", "reason", "untestable", "why", "words"})
"""Fields that hold sentences, in which lines are told; data and expressions are never touched."""
_TRACED = r'File "[^"\n]*", line \d+'
LINES = re.compile(rf"{_TRACED}|\blines? (?>\d+(?:(?:, | and | to )\d+)*)(?! of )")
NUMBER = re.compile(r"\d+")
_NUMBERS = frozenset({"line", "never_run"})
"""Fields that hold lines, of the mechanism's file where no other one is named beside."""


def moved(item: Any, lines: Mapping[int, int], name: str = "") -> Any:
    """The same with all lines of the mechanism's file as they are now; those that are not known stay."""
    if isinstance(item, Span):
        if item.file:
            return item
        return replace(item, line=_now(item.line, lines), end_line=_now(item.end_line, lines))
    if isinstance(item, tuple):
        return tuple(moved(one, lines, name) for one in item)
    if isinstance(item, str):
        return LINES.sub(lambda told: _sentence(told, lines), item) if name in SAID else item
    if isinstance(item, int) and name in _NUMBERS:
        return _now(item, lines)
    if is_dataclass(item) and not isinstance(item, type):
        own = [one.name for one in fields(item) if one.init]
        if getattr(item, "file", "") and isinstance(getattr(item, "line", None), int):
            own.remove("line")
        old = {one: getattr(item, one) for one in own}
        new = {one: moved(value, lines, one) for one, value in old.items()}
        changed = {one: value for one, value in new.items() if value is not old[one]}
        return replace(item, **changed) if changed else item
    return item


def _sentence(told: re.Match[str], lines: Mapping[int, int]) -> str:
    if told[0].startswith("File "):
        return told[0]
    return NUMBER.sub(lambda one: str(_now(int(one[0]), lines)), told[0])


def _now(line: int, lines: Mapping[int, int]) -> int:
    return lines.get(line, line)


def in_cells(events: Iterable[CheckEvent], known: Mapping[str, Notebook] | None = None) -> Iterator[CheckEvent]:
    """The events, those of notebooks with places in cells. known: notebooks that are not read from their files."""
    return map(Cells(dict(known or {})).event, events)


def sentence_in_cells(text: str, file: str, notebook: Notebook, line: int) -> str:
    """A sentence about a line of the module, with the lines in it told by cell."""
    return _Cell(file, notebook, notebook.place(line)[0]).sentence(text)


@dataclass(frozen=True, slots=True)
class Cells:
    """Moves places into cells. read: the notebooks by their names, as far as they are known; None if not readable."""

    read: dict[str, Notebook | None] = field(default_factory=dict)

    def event(self, event: CheckEvent) -> CheckEvent:
        """An event of a check."""
        match event:
            case Plan():
                mechanisms = (self._moved(one, one.file, one.span.line) for one in event.mechanisms)
                return replace(event, mechanisms=tuple(mechanisms))
            case Result():
                return self._result(event)
            case Silenced(item=item):
                return replace(event, item=self._result(item) if isinstance(item, Result) else self._finding(item))
            case Finding():
                return self._finding(event)
            case CheckError():
                return self.error(event)
            case Progress() | Repaired():
                return event
            case _:
                assert_never(event)

    def budget(self, budget: Budget) -> Budget:
        """What a mechanism spends."""
        return self._moved(budget, budget.mechanism.file, budget.mechanism.span.line)

    def error(self, error: CheckError) -> CheckError:
        """Something that could not be checked."""
        cell = None if error.line is None else self._cell(error.file, error.line)
        if cell is None or error.line is None:
            return error
        return CheckError(cell.name, cell.line(error.line), cell.sentence(error.message))

    def _finding(self, finding: Finding) -> Finding:
        return self._moved(finding, finding.file, finding.span.line)

    def _result(self, result: Result) -> Result:
        mechanism, outcome = result.mechanism, result.outcome
        if isinstance(outcome, Failed) and outcome.line is not None:
            home = self._cell(mechanism.file, mechanism.span.line)
            if home is not None:
                # the line alone does not tell its cell: the sentence does
                line = home.line(outcome.line) if home.holds(outcome.line) else None
                result = replace(result, outcome=replace(outcome, line=line))
        return self._moved(result, mechanism.file, mechanism.span.line)

    def _moved(self, item: Item, file: str, line: int) -> Item:
        cell = self._cell(file, line)
        moved: Item = item if cell is None else cell.moved(item)
        return moved

    def _cell(self, file: str, line: int) -> _Cell | None:
        if not is_notebook(file):
            return None
        if file not in self.read:
            try:
                self.read[file] = read_notebook(content(Path(file)))
            except (OSError, DecodeError):
                self.read[file] = None
        notebook = self.read[file]
        return None if notebook is None else _Cell(file, notebook, notebook.place(line)[0])


@dataclass(frozen=True, slots=True)
class _Cell:
    """The cell that a text is about."""

    file: str
    notebook: Notebook
    number: int

    @property
    def name(self) -> str:
        return cell_name(self.file, self.number)

    def holds(self, line: int) -> bool:
        return self.notebook.place(line)[0] == self.number

    def line(self, line: int) -> int:
        return self.notebook.place(line)[1]

    def moved(self, item: Any, name: str = "") -> Any:
        """The same with all places in it moved."""
        if isinstance(item, Span):
            return self._span(item)
        if isinstance(item, tuple):
            return tuple(self.moved(one, name) for one in item)
        if isinstance(item, str):
            if name == "file" and item == self.file:
                return self.name
            return self.sentence(item) if name in SAID else item
        if is_dataclass(item) and not isinstance(item, type):
            changed = {}
            cell = self._own_cell(item)
            for one in fields(item):
                old = getattr(item, one.name)
                new = cell.moved(old, one.name)
                if new is not old and one.init:
                    changed[one.name] = new
            return replace(item, **changed) if changed else item
        return item

    def _own_cell(self, item: Any) -> _Cell:
        """The cell of what says itself in which file it is."""
        span = getattr(item, "span", None)
        if getattr(item, "file", None) != self.file or not isinstance(span, Span):
            return self
        return replace(self, number=self.notebook.place(span.line)[0])

    def _span(self, span: Span) -> Span:
        if span.file:
            return span
        number, line = self.notebook.place(span.line)
        file = "" if number == self.number else cell_name(self.file, number)
        return replace(span, line=line, end_line=span.end_line - span.line + line, file=file)

    def sentence(self, text: str) -> str:
        """The sentence with its lines told by cell; those of other files stay."""

        def told(found: re.Match[str]) -> str:
            traced = found[0].partition('", line ')[0].removeprefix('File "') if found[0].startswith("File ") else None
            if traced is not None and Path(traced).name != Path(self.file).name:
                return found[0]
            head, number, rest = found[0].rpartition('", line ') if traced is not None else ("", "", found[0])
            return f"{head}{number}{NUMBER.sub(lambda one: self._told(int(one[0])), rest)}"

        return LINES.sub(told, text)

    def _told(self, line: int) -> str:
        number, there = self.notebook.place(line)
        return str(there) if number == self.number else f"{there} of cell {number}"
