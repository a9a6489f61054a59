"""Whatever a function holds, the lowering gives a program or says what is in the way, where, and what to do."""

import ast
import bisect
import calendar
import colorsys
import heapq
import random
import statistics
import string
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import libcst as cst
import pytest

from dplint.claims import Claim, Mechanism
from dplint.program.nodes import Program
from dplint.program.printing import text_of
from dplint.report.program_lines import program_lines
from dplint.source.lowering import lower_all
from dplint.source.module import ParsedModule, parse_module
from dplint.source.parameters import read_parameters
from dplint.source.places import import_place

MODULES = [bisect, calendar, colorsys, heapq, random, statistics, string, textwrap]


def functions(module: ParsedModule) -> Iterator[cst.FunctionDef]:
    found: list[cst.FunctionDef] = []

    class Collector(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
            found.append(node)

    module.tree.visit(Collector())
    yield from found


def described(function: cst.FunctionDef, module: ParsedModule, path: Path) -> Mechanism:
    return Mechanism(
        file=path.name,
        path=str(path),
        import_root=str(path.parent),
        project_root=str(path.parent),
        module=path.stem,
        qualname=function.name.value,
        span=module.span(function.name),
        claim_span=module.span(function.name),
        claim=Claim(epsilon=1.0, relation="linf"),
        parameters=read_parameters(module.tree, function, module.names, bound=False),
        data=None,
        rng=None,
        digest="",
    )


@pytest.mark.parametrize("source", MODULES, ids=lambda module: module.__name__)
def test_real_code_is_lowered_or_refused_with_advice(source: ModuleType) -> None:
    path = Path(str(source.__file__))
    module = parse_module(path.read_text(encoding="utf-8"), import_place(path))
    for function in functions(module):
        lowered = lower_all(function, module, described(function, module, path))
        if isinstance(lowered, Program):
            # Without its tildes, a program is Python.
            lines = program_lines(lowered)
            ast.parse("\n".join("    " * line.depth + text_of(line.code).replace("~", "_") for line in lines))
            continue
        assert lowered
        for refused in lowered:
            span = refused.span
            assert refused.hint, refused
            assert 1 <= span.line <= span.end_line <= len(module.lines)
            assert module.lines[span.line - 1][span.column - 1 :].strip(), refused
        assert len(set(lowered)) == len(lowered)
        assert list(lowered) == sorted(lowered, key=lambda refused: refused.span)
