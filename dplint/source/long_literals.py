"""Long literals in a LibCST tree: one node each, with its text, instead of five for each number.

A table of 200,000 numbers took half a minute and more than a gigabyte: every step walks through all nodes of a tree. It
is written out of the text before LibCST sees it, and put into the tree as what no step knows: so none takes it for
anything, and what it is can be read from its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import libcst as cst
from libcst._nodes.internal import CodegenState

from dplint.source.walking import nodes_below
from dplint.syntax import parse_text

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
