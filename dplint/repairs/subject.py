"""The mechanism that candidates are proposed for: its function as a tree with places, its draws, what hangs on data."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TypeGuard

from dplint.claims import Literal, Mechanism, Span
from dplint.expressions import ExpressionError, expression_parameters
from dplint.outcomes import Edit
from dplint.program.nodes import Draw, Program
from dplint.program.walk import walk
from dplint.source.text import split_lines
from dplint.syntax import parse_text


@dataclass(frozen=True, slots=True)
class DrawCall:
    """A call in the function that draws noise. scale: the expression of its scale; None where it has none."""

    node: ast.Call
    distribution: str
    scale: ast.expr | None


@dataclass(frozen=True)
class Subject:
    """excess: how many times the claim is lost; infinity where no multiple of it is kept, 1 where nothing is known.

    arguments: those with which it is lost so.
    """

    text: str
    mechanism: Mechanism
    function: ast.FunctionDef
    program: Program | None
    excess: float
    arguments: Mapping[str, Literal]

    @cached_property
    def lines(self) -> list[str]:
        """Of the text, without their ends."""
        return list(split_lines(self.text))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All below the function's own body."""
        return tuple(node for statement in self.function.body for node in ast.walk(statement))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Of each node what holds it."""
        return {child: node for node in ast.walk(self.function) for child in ast.iter_child_nodes(node)}

    @cached_property
    def draws(self) -> tuple[DrawCall, ...]:
        """As far as the function itself makes them; the program says which calls draw."""
        if self.program is None:
            return ()
        calls = {self.span(node).place: node for node in self.nodes if isinstance(node, ast.Call)}
        scales = {self.span(node).place: node for node in self.nodes if isinstance(node, ast.expr)}
        found: dict[ast.Call, DrawCall] = {}
        for draw in walk(self.program):
            call = calls.get(draw.span.place) if isinstance(draw, Draw) else None
            if call is not None and isinstance(draw, Draw):
                given = dict(draw.parameters).get("scale")
                scale = None if given is None else scales.get(given.span.place)
                # Of an inner expression, the place of a default is that of the call.
                found[call] = DrawCall(call, draw.distribution, None if scale is call else scale)
        return tuple(found.values())

    @cached_property
    def free(self) -> tuple[str, ...]:
        """The parameters that are neither data nor generator nor a part of the claim, those of the signature first."""
        roles = {*self.mechanism.roles, "self", *self.claimed}
        return tuple(one.name for one in self.mechanism.parameters if one.name not in roles)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """Those of them that count something: by their use, by their annotation, or because nothing uses them yet."""
        counters = {one.target.id for one in self.nodes if isinstance(one, ast.AugAssign) and _is_name(one.target)}
        used, counting = {one.id for one in self.nodes if isinstance(one, ast.Name)}, set[str]()
        for node in self.nodes:
            names = _names([node]) if isinstance(node, ast.expr) else set()
            if (isinstance(node, ast.Compare) and names & counters) or (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
            ):
                counting |= names
        counting |= {name for one in self.draws if one.scale is not None for name in _names([one.scale])}
        whole = {one.name for one in self.mechanism.parameters if one.annotation == "int"}
        return tuple(name for name in self.free if name in counting | whole or name not in used)

    @cached_property
    def claimed(self) -> frozenset[str]:
        """The parameters that the claimed epsilon is made of."""
        epsilon = self.mechanism.claim.epsilon
        try:
            return expression_parameters(epsilon) if isinstance(epsilon, str) else frozenset()
        except ExpressionError:
            return frozenset()

    @cached_property
    def tainted(self) -> frozenset[str]:
        """The names that hang on the data, by assignments and loops."""
        known, before = {self.mechanism.data or ""}, 0
        while len(known) > before:
            before = len(known)
            for node in self.nodes:
                match node:
                    case ast.Assign(targets=targets, value=value):
                        known |= _names(targets) if _names([value]) & known else set()
                    case ast.AugAssign(target=target, value=value):
                        known |= _names([target]) if _names([value]) & known else set()
                    case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                        known |= _items(target, value) if _names([value]) & known else set()
        return frozenset(known)

    def hangs_on_data(self, node: ast.AST) -> bool:
        """Whether an expression names something that hangs on the data."""
        return bool(_names([node]) & self.tainted)

    @cached_property
    def noisy(self) -> frozenset[str]:
        """The names that are given a number with noise in it."""
        known, before = set[str](), -1
        while len(known) > before:
            before = len(known)
            for node in self.nodes:
                match node:
                    case ast.Assign(targets=targets, value=value) if self.has_noise(value) or _names([value]) & known:
                        known |= _names(targets)
                    case ast.AugAssign(target=target, value=value) if self.has_noise(value):
                        known |= _names([target])
        return frozenset(known)

    def has_noise(self, node: ast.AST) -> bool:
        """Whether an expression draws."""
        calls = {one.node for one in self.draws}
        return any(one in calls for one in ast.walk(node))

    def is_bare(self, node: ast.AST) -> bool:
        """Whether it hangs on the data, and there is no noise in it."""
        return self.hangs_on_data(node) and not self.has_noise(node) and not _names([node]) & self.noisy

    def segment(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment(self.text, node) or ""

    def span(self, node: ast.AST) -> Span:
        """The place of a node that has one."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        end, last = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        return Span(line, self._column(line, column), end, self._column(end, last))

    def _column(self, line: int, offset: int) -> int:
        """In code points from 1; `ast` counts bytes."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return len(text.encode()[:offset].decode(errors="ignore")) + 1

    def replaced(self, node: ast.AST, text: str) -> Edit:
        """Other text in place of a node."""
        return Edit(self.span(node), text)

    def indent(self, statement: ast.stmt) -> str:
        """The white space before a statement."""
        return self.lines[statement.lineno - 1][: statement.col_offset]

    def below(self, statement: ast.stmt, text: str) -> Edit:
        """A statement of its own below another one, in the same block."""
        line = statement.end_lineno or statement.lineno
        column = len(self.lines[line - 1]) + 1
        new = "".join(f"\n{self.indent(statement)}{one}" for one in text.splitlines())
        return Edit(Span(line, column, line, column), new)

    def above(self, statement: ast.stmt, text: str) -> Edit:
        """The same above it."""
        return Edit(Span(statement.lineno, 1, statement.lineno, 1), f"{self.indent(statement)}{text}\n")

    def without(self, statement: ast.stmt) -> Edit:
        """A whole statement left out, with its lines."""
        return Edit(Span(statement.lineno, 1, (statement.end_lineno or statement.lineno) + 1, 1), "")

    def around(self, node: ast.AST, kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> ast.AST | None:
        """The nearest node of a kind that holds another one."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, kind):
                return node
        return None

    def assigned(self, name: str) -> Iterator[ast.Assign]:
        """The plain assignments to a name."""
        for node in self.nodes:
            if isinstance(node, ast.Assign) and [ast.unparse(one) for one in node.targets] == [name]:
                yield node

    def parts_released(self) -> Iterator[ast.expr]:
        """The same, of a tuple or list each element, and of a comprehension what it makes."""
        for node in self.released():
            inner = node.elt if isinstance(node, ast.ListComp | ast.GeneratorExp) else node
            yield from inner.elts if isinstance(inner, ast.Tuple | ast.List) else [inner]

    def released(self) -> Iterator[ast.expr]:
        """What is returned, and what is appended to a list."""
        for node in self.nodes:
            match node:
                case ast.Return(value=ast.expr() as value):
                    yield value
                case ast.Call(func=ast.Attribute(attr="append"), args=[value], keywords=[]):
                    yield value


def _items(target: ast.expr, value: ast.expr) -> set[str]:
    """The names that a loop gives items to, and not their numbers."""
    match target, value:
        case ast.Tuple(elts=[_, *items]), ast.Call(func=ast.Name(id="enumerate")):
            return _names(items)
        case _, ast.Call(func=ast.Name(id="range")):
            return set()
    return _names([target])


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _names(nodes: Sequence[ast.AST]) -> set[str]:
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def subject_of(
    text: str,
    mechanism: Mechanism,
    program: Program | None,
    excess: float,
    arguments: Mapping[str, Literal] = MappingProxyType({}),
) -> Subject | None:
    """The function in a text of its file; None if it does not parse, or is no `def`."""
    try:
        tree = parse_text(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno == mechanism.span.line:
            return Subject(text, mechanism, node, program, excess, arguments)
    return None
