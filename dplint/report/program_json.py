"""JSON of `dplint inspect program`, version 1."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.check.loading import Target
from dplint.check.programs import Programs, obstacles
from dplint.program.nodes import Draw, Function, Program
from dplint.program.printing import source_of, text_of
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from dplint.report.json_document import error_json, finding_json
from dplint.report.json_evidence import fields
from dplint.report.json_values import VERSION, Json, json_text, place_json
from dplint.report.program_lines import Line, function_lines, once_each, program_lines, writer_of


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
