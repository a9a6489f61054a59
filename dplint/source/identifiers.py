"""Identifiers in a LibCST tree as the compiler sees them: normalised (NFKC), and private names of classes mangled.

LibCST keeps what is written: `ｋ` beside `k`, which are one name, and `__k` in a class C, which is `_C__k`. So the
names of a tree are put right once, where a text becomes a tree, and all that reads names sees those of `dplint.syntax`.

Long literals in a LibCST tree: one node each, with its text, instead of five for each number.

A table of 200,000 numbers took half a minute and more than a gigabyte: every step walks through all nodes of a tree. It
is written out of the text before LibCST sees it, and put into the tree as what no step knows: so none takes it for
anything, and what it is can be read from its text.

Where the nodes of a tree stand in the text, worked out for the statements of the top level that are asked about.

LibCST tells places by writing its tree out again, which takes as long as parsing it three times over. `ast` tells at
once in which line a statement begins, and so only what somebody asks about is written out.

For that an internal of LibCST is called, `_codegen`, which is behind its own provider of positions, too. A test
compares the two on modules of the standard library.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TypeAlias

import libcst as cst
from libcst._nodes.internal import CodegenState

from dplint.source.walking import children, nodes_below
from dplint.syntax import mangled, may_mangle, parse_text


class Identifier(str):
    """A name as the compiler sees it. written: as the source has it."""

    written: str

    def __new__(cls, name: str, written: str) -> Identifier:
        """As above."""
        made = super().__new__(cls, name)
        made.written = written
        return made

    def __reduce__(self) -> tuple[type[Identifier], tuple[str, str]]:
        """How it is copied and pickled."""
        return Identifier, (str(self), self.written)


def name_as_compiled(tree: cst.Module, text: str) -> None:
    """Change the names of a tree that was just made of the text, in place, to those that the compiler sees."""
    if text.isascii() and not may_mangle(text):
        return
    todo: list[tuple[cst.CSTNode, str | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, cst.Name):
            _rename(node, owner)
        own, others = _names_of_its_own(node)
        todo += [(one, others if one is own else owner) for one in children(node)]


def _names_of_its_own(node: cst.CSTNode) -> tuple[cst.CSTNode | None, str | None]:
    """The part of a node in which another class is around names, and that class; None where no name is mangled."""
    match node:
        case cst.ClassDef(name=cst.Name(value=name), body=part):
            return part, _normal(name)
        case cst.Arg(keyword=cst.Name() as part) | cst.MatchKeywordElement(key=part):
            return part, None
        case cst.ImportAlias(name=cst.Attribute() as part) | cst.ImportFrom(module=cst.Attribute() as part):
            return part, None
    return None, None


def written(tree: cst.Module, node: cst.CSTNode) -> str:
    """The source of a node, with names as they are written."""
    state = _WritingIdentifiers(tree.default_indent, tree.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def unmangled(name: str) -> str:
    """The name that a function or class has for itself, in its qualified name: no class around it changes that."""
    return _normal(name.written) if isinstance(name, Identifier) else name


def length(token: str) -> int:
    """How long a token is in the source."""
    return len(token.written if isinstance(token, Identifier) else token)


class _WritingIdentifiers(CodegenState):
    def add_token(self, value: str) -> None:
        self.tokens.append(value.written if isinstance(value, Identifier) else value)


def _normal(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _rename(node: cst.Name, owner: str | None) -> None:
    name = mangled(_normal(node.value), owner)
    if name != node.value:
        object.__setattr__(node, "value", Identifier(name, node.value))


_MOST_VALUES, _MOST_CHARACTERS = 20_000, 200_000
"""Longer ones are cut out: plain values in a display, and characters of one text."""
_NAME = "dplint_long_literal_"
_LINE = re.compile(rb"\r\n|\r|\n")
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


@dataclass(frozen=True)
class LongLiteral(cst.BaseExpression):
    """A display of plain values, or a text, that is too long to be taken apart. text: as it is written."""

    text: str = ""
    lpar: Sequence[cst.LeftParen] = ()
    rpar: Sequence[cst.RightParen] = ()

    @property
    def words(self) -> str:
        """What it is, for a message."""
        return f"a literal of {len(self.text):,} characters"

    def _visit_and_replace_children(self, visitor: cst.CSTVisitorT) -> LongLiteral:  # noqa: ARG002
        return self

    def _codegen_impl(self, state: CodegenState) -> None:
        with self._parenthesize(state):
            state.add_token(self.text)


def may_be_long(text: str) -> bool:
    """Whether a text may have such a literal; nearly all have none, and nothing is spent on them."""
    return text.count(",") >= _MOST_VALUES or len(text) >= _MOST_CHARACTERS


def parse_folded(text: str) -> cst.Module | None:
    """The tree of a text with a node for each long literal; None if there is none, or it cannot be said where it is."""
    if _NAME in text:
        return None
    try:
        places = list(_long(parse_text(text)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not places:
        return None
    encoded = text.encode()
    starts = [0, *(match.end() for match in _LINE.finditer(encoded))]
    cuts = sorted(
        (starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0))
        for node in places
    )
    literals = [encoded[first:last].decode() for first, last in cuts]
    edges = [0, *(edge for cut in cuts for edge in cut), len(encoded)]
    between = [encoded[first:last].decode() for first, last in list(pairwise(edges))[::2]]
    names = [f"({_NAME}{number})" for number in range(len(cuts))]
    short = "".join(part for both in zip(between, [*names, ""], strict=True) for part in both)
    try:
        tree = cst.parse_module(short)
    except cst.ParserSyntaxError:
        return None
    put = _put_back(tree, {f"{_NAME}{number}": one for number, one in enumerate(literals)})
    return tree if put == len(literals) and tree.code == text else None


def _long(tree: ast.AST) -> Iterator[ast.expr]:
    """Long literals, none inside another."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.JoinedStr):  # Python does not tell the places of what is in it before 3.12
            continue
        if isinstance(node, _DISPLAYS) and (_count(node) or 0) >= _MOST_VALUES:
            yield node
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str | bytes) and len(node.value) >= _MOST_CHARACTERS:
                yield node
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):  # nobody reads that
            pending += ast.iter_child_nodes(node)


def _count(node: ast.expr | None) -> int | None:
    """How many plain values there are in a display of these; None if there is anything else."""
    if isinstance(node, ast.Dict):
        parts: list[ast.expr | None] = [*node.keys, *node.values]
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return None
        parts = [*node.elts]
    else:
        value = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
        return 1 if isinstance(value, ast.Constant) else None
    total = 0
    for part in parts:
        count = _count(part)
        if count is None:
            return None
        total += count
    return total


def _put_back(tree: cst.Module, literals: dict[str, str]) -> int:
    """Put the literals where their names are, in place of these; how many there were."""
    count = 0
    for node in nodes_below(tree):
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, cst.Name) and value.value in literals:
                # The innermost parentheses are not of the source.
                literal = LongLiteral(literals[value.value], value.lpar[:-1], value.rpar[1:])
                object.__setattr__(node, field.name, literal)
                count += 1
    return count


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
        state = _WritingPlaces(self._tree.default_indent, self._tree.default_newline, line)
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


class _WritingPlaces(CodegenState):
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
