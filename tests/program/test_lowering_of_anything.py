"""Whatever a function holds, the lowering gives a program or says what is in the way, where, and what to do."""

import ast
import bisect
import calendar
import colorsys
import heapq
import random
import re
import statistics
import string
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import libcst as cst
import pytest

from dplint.claims import Claim, Mechanism
from dplint.program.nodes import Opaque
from dplint.program.printing import text_of
from dplint.program.walk import refusals, walk
from dplint.report.program_lines import program_lines
from dplint.source.files import import_place
from dplint.source.lowering import lower
from dplint.source.module import ParsedModule, parse_module
from dplint.source.parameters import read_parameters

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
        program = lower(function, module, described(function, module, path))
        found = refusals(program)
        lines = ["    " * line.depth + text_of(line.code) for line in program_lines(program)]
        opaque = [node for node in walk(program.body) if isinstance(node, Opaque)]
        inside = {id(inner) for node in opaque for inner in walk(node.operands)}
        if not opaque:
            # Without its tildes, a program is Python.
            ast.parse("\n".join(lines).replace("~", "_"))
        shown = {f"<{one.refusal.construct}>" for one in opaque if id(one) not in inside}
        assert shown <= set(re.findall("<[^<>]+>", "\n".join(lines)))
        for refused in found:
            span = refused.span
            assert refused.hint, refused
            assert 1 <= span.line <= span.end_line <= len(module.lines)
            assert module.lines[span.line - 1][span.column - 1 :].strip(), refused
        assert len(set(found)) == len(found)
        assert list(found) == sorted(found, key=lambda refused: refused.span)
