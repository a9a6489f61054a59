"""Where the nodes of a tree stand in the text, worked out for the statements of the top level that are asked about.

LibCST tells places by writing its tree out again, which takes as long as parsing it three times over. `ast` tells at
once in which line a statement begins, and so only what somebody asks about is written out.

For that an internal of LibCST is called, `_codegen`, which is behind its own provider of positions, too. A test
compares the two on modules of the standard library.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import libcst as cst
from libcst._nodes.internal import CodegenState

from dplint.source.identifiers import length
from dplint.source.walking import nodes_below
from dplint.syntax import parse_text

Place: TypeAlias = tuple[int, int, int, int]
"""Line and column of the first character, and of the one behind the last: lines from 1, columns from 0."""


class Positions:
    """The places of the nodes of a tree, whose text is given."""

    def __init__(self, tree: cst.Module, text: str) -> None:
        self._tree = tree
        self._first_lines = first_lines(tree, text)
        self._found: dict[cst.CSTNode, Place] = {}
        self._owners: dict[cst.CSTNode, int] = {}
        self._unread = iter(range(len(tree.body)))

    def __getitem__(self, node: cst.CSTNode) -> Place:
        """The place of a node, without the whitespace and comments around it.

        Raises:
            KeyError: it is not part of the tree.
        """
        place = self._found.get(node)
        if place is None:
            self._write(node)
            place = self._found[node]
        return place

    def also(self, node: cst.CSTNode, like: cst.CSTNode) -> None:
        """A node that is not part of the tree stands where one of its nodes does."""
        self._found[node] = self[like]

    def around(self, line: int) -> tuple[cst.CSTNode, ...]:
        """Parts of the tree, one of which holds what stands in this line, be it a comment."""
        if self._first_lines is None:
            return (self._tree,)
        after = bisect_right(self._first_lines, line)
        near: list[cst.CSTNode] = list(self._tree.body[max(0, after - 1) : after + 1])
        if after == 0:
            near += self._tree.header
        if after == len(self._first_lines):
            near += self._tree.footer
        return tuple(near)

    def _write(self, node: cst.CSTNode) -> None:
        """Write out the statement that the node is part of; everything, where that cannot be said."""
        number = None if self._first_lines is None else self._owner(node)
        if number is None or self._first_lines is None:
            self._found = self._written(self._tree, 1)
            return
        statement, first = self._tree.body[number], self._first_lines[number]
        found = self._written(statement, first - _lines_before(statement))
        down = first - found[statement][0]
        if down:  # a decorator over several lines
            found = {one: (top + down, left, end + down, right) for one, (top, left, end, right) in found.items()}
        self._found.update(found)

    def _owner(self, node: cst.CSTNode) -> int | None:
        known = self._owners.get(node)
        while known is None:
            number = next(self._unread, None)
            if number is None:
                return None
            self._owners.update(dict.fromkeys(nodes_below(self._tree.body[number]), number))
            known = self._owners.get(node)
        return known

    def _written(self, node: cst.CSTNode, line: int) -> dict[cst.CSTNode, Place]:
        """The places in a node that is written out from the beginning of this line on."""
        state = _Writing(self._tree.default_indent, self._tree.default_newline, line)
        node._codegen(state)
        return state.found


def _lines_before(statement: cst.CSTNode) -> int:
    """How many lines of comments and decorators belong to a statement, if each decorator has one line."""
    decorators = getattr(statement, "decorators", ())
    above = [*getattr(statement, "leading_lines", ()), *getattr(statement, "lines_after_decorators", ())]
    return len(above) + sum(1 + len(one.leading_lines) for one in decorators)


def first_lines(tree: cst.Module, text: str) -> tuple[int, ...] | None:
    """In which lines the statements of the top level begin; None where `ast` does not read the text as LibCST does.

    A function or class begins with its `def` or `class`, not with decorators.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = parse_text(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines: list[int] = []
    position = 0
    for line in tree.body:
        count = len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
        if position + count > len(statements) or count == 0:
            return None
        lines.append(statements[position].lineno)
        position += count
    return tuple(lines) if position == len(statements) else None


class _Writing(CodegenState):
    """Counts lines and columns while a tree is written out, and keeps no text."""

    def __init__(self, default_indent: str, default_newline: str, line: int) -> None:
        super().__init__(default_indent, default_newline)
        self.found: dict[cst.CSTNode, Place] = {}
        self._line = line
        self._column = 0
        self._begun: list[tuple[int, int]] = []

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self._column += len(token)

    def add_token(self, value: str) -> None:
        if "\n" in value or "\r" in value:
            lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self._line += len(lines) - 1
            self._column = len(lines[-1])
        else:
            self._column += length(value)

    def before_codegen(self, node: cst.CSTNode) -> None:  # noqa: ARG002
        self._begun.append((self._line, self._column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        begun = self._begun.pop()
        if node not in self.found:
            self.found[node] = (*begun, self._line, self._column)

    def pop_trailing_newline(self) -> None:
        """Nothing is kept that could be taken back."""

    @contextmanager
    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Iterator[None]:
        """Note the place of a node without what belongs to it around."""
        start = (self._line, self._column)
        try:
            yield
        finally:
            end = (self._line, self._column)
            if start_node is not None:
                start = self.found[start_node][:2]
            if end_node is not None:
                end = self.found[end_node][2:]
            self.found[node] = (*start, *end)
