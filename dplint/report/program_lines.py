"""A program as numbered lines of Python-like text.

JSON of `dplint inspect program`, version 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.check.loading import Target
from dplint.check.programs import Programs, obstacles
from dplint.claims import Literal, Span
from dplint.program import nodes as ir
from dplint.program.interpretation import in_source
from dplint.program.nodes import Draw, Function, Program
from dplint.program.printing import Code, TokenKind, Writer, keyword, literal_code, opaque, plain, source_of, text_of
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from dplint.report.json_document import error_json, finding_json
from dplint.report.json_evidence import VERSION, Json, fields, json_text, place_json
from dplint.report.literals import shortened


@dataclass(frozen=True, slots=True)
class Line:
    """One line. number: of the source, None where that has no statement, as before `else`. depth: of indentation."""

    number: int | None
    depth: int
    code: Code


def program_lines(program: ir.Program) -> tuple[Line, ...]:
    """The mechanism, line by line; the helper functions are left to `function_lines`."""
    head = _definition(program.name, program.parameters, program.span)
    return (head, *_Lines(program.rng).block(program.body, 1))


def function_lines(function: ir.Function, rng: str | None) -> tuple[Line, ...]:
    """A helper function, line by line, with its file if that is another. rng: the mechanism's generator parameter."""
    head = _definition(function.name, function.parameters, function.span)
    return (head, *_Lines(rng).block(function.body, 1))


def once_each(program: ir.Program) -> tuple[ir.Function, ...]:
    """The helper functions; one that calls itself is in the program once for each depth, and here once."""
    return tuple(function for function in program.functions if in_source(function.name) == function.name)


def writer_of(rng: str | None) -> Writer:
    """Writes the expressions of a program as people want to see them, long constants shortened."""
    return Writer(rng, _shown)


def _shown(value: Literal) -> str:
    text = literal_code(value)
    return text if isinstance(value, int | float) else shortened(text)


def _definition(name: str, parameters: tuple[str, ...], span: Span) -> Line:
    file = f"  # {span.file}" if span.file else ""
    return Line(
        span.line, 0, (*keyword("def "), (name, TokenKind.FUNCTION), *plain(f"({', '.join(parameters)}):{file}"))
    )


class _Lines:
    def __init__(self, rng: str | None) -> None:
        self._writer = writer_of(rng)
        self._codes: Mapping[type, Callable[[Any], Code]] = {
            ir.Assign: self._assign,
            ir.AugAssign: self._aug_assign,
            ir.Update: self._update,
            ir.Break: lambda _: keyword("break"),
            ir.Continue: lambda _: keyword("continue"),
            ir.Return: lambda node: (*keyword("return "), *self._writer.expression(node.value)),
            ir.Raise: self._raise,
            ir.ExpressionStatement: lambda node: self._writer.expression(node.value),
        }

    def block(self, statements: tuple[ir.Statement, ...], depth: int) -> Iterator[Line]:
        """The lines of a block. `pass`, which docstrings and imports become, is shown only where nothing else is."""
        shown = [statement for statement in statements if not isinstance(statement, ir.Pass)]
        for statement in shown:
            if isinstance(statement, ir.If):
                yield from self._if(statement, depth, "if ")
            elif isinstance(statement, ir.For | ir.While):
                yield from self._loop(statement, depth)
            elif isinstance(statement, ir.Opaque):
                end = plain(":") if statement.bodies else ()
                yield Line(statement.span.line, depth, (*opaque(statement, self._writer), *end))
                for body in statement.bodies:
                    yield from self.block(body, depth + 1)
            else:
                yield Line(statement.span.line, depth, self._codes[type(statement)](statement))
        if not shown:
            yield Line(statements[0].span.line if statements else None, depth, keyword("pass"))

    def _if(self, node: ir.If, depth: int, word: str) -> Iterator[Line]:
        code = (*keyword(word), *self._writer.expression(node.test), *plain(":"))
        yield Line(node.span.line, depth, code)
        yield from self.block(node.body, depth + 1)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ir.If):
            yield from self._if(node.orelse[0], depth, "elif ")
        else:
            yield from self._else(node.orelse, depth)

    def _loop(self, node: ir.For | ir.While, depth: int) -> Iterator[Line]:
        if isinstance(node, ir.For):
            target, iterable = self._writer.target(node.target), self._writer.expression(node.iterable)
            code = (*keyword("for "), *target, *keyword(" in "), *iterable, *plain(":"))
        else:
            code = (*keyword("while "), *self._writer.expression(node.test), *plain(":"))
        yield Line(node.span.line, depth, code)
        yield from self.block(node.body, depth + 1)
        yield from self._else(node.orelse, depth)

    def _else(self, statements: tuple[ir.Statement, ...], depth: int) -> Iterator[Line]:
        if statements:
            yield Line(None, depth, (*keyword("else"), *plain(":")))
            yield from self.block(statements, depth + 1)

    def _assign(self, node: ir.Assign) -> Code:
        targets = tuple(piece for target in node.targets for piece in (*self._writer.target(target), *plain(" = ")))
        return (*targets, *self._writer.expression(node.value))

    def _aug_assign(self, node: ir.AugAssign) -> Code:
        return (*self._writer.target(node.target), *plain(f" {node.operator}= "), *self._writer.expression(node.value))

    def _update(self, node: ir.Update) -> Code:
        name = in_source(node.name.id)
        return (*plain(f"{name}."), (node.method, TokenKind.FUNCTION), *self._given(node.arguments))

    def _raise(self, node: ir.Raise) -> Code:
        given = self._given(node.arguments) if node.arguments else ()
        return (*keyword("raise "), *plain(node.exception), *given)

    def _given(self, arguments: Sequence[ir.Expression]) -> Code:
        """The arguments of a call, in parentheses."""
        pieces = [piece for one in arguments for piece in (*plain(", "), *self._writer.expression(one))]
        return (*plain("("), *pieces[1:], *plain(")"))


def programs_json(programs: Programs) -> str:
    """The document. "program" is null where no run would come through it; "unsupported" says why."""
    return json_text(
        {
            "version": VERSION,
            "programs": [_target(target) for target in programs.targets],
            "findings": [finding_json(finding) for finding in programs.findings],
            "errors": [error_json(error) for error in programs.errors],
        }
    )


def _target(target: Target) -> Json:
    mechanism = target.mechanism
    return {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "program": _program(target.lowered, mechanism.file) if isinstance(target.program, Program) else None,
        "unsupported": [_unsupported(refused, mechanism.file) for refused in obstacles(target)],
    }


def _program(program: Program, file: str) -> Json:
    return {
        **fields(program, "parameters data rng"),
        "lines": _lines(program_lines(program)),
        "functions": [_function(function, program.rng, file) for function in once_each(program)],
        "draws": [_draw(node, program.rng, file) for node in walk(program) if isinstance(node, Draw)],
    }


def _function(function: Function, rng: str | None, file: str) -> Json:
    lines = _lines(function_lines(function, rng))
    return {"file": function.span.within(file), **fields(function, "name parameters"), "lines": lines}


def _lines(lines: Sequence[Line]) -> Json:
    return [{"line": line.number, "depth": line.depth, "text": text_of(line.code)} for line in lines]


def _draw(node: Draw, rng: str | None, file: str) -> Json:
    writer = writer_of(rng)
    return {
        "file": node.span.within(file),
        **fields(node.span, "line column"),
        **fields(node, "distribution"),
        "parameters": {name: text_of(writer.expression(value)) for name, value in node.parameters},
        "size": None if node.size is None else text_of(writer.expression(node.size)),
        "source": source_of(node, rng),
        **fields(node, "generator family"),
    }


def _unsupported(refused: Unsupported, file: str) -> Json:
    return {**place_json(file, refused.span), "construct": refused.construct, "instead": refused.hint or None}
