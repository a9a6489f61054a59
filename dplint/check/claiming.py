"""Where a claim is missing: a function that draws noise and promises nothing, and the edits that add a claim."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from dplint.claims import Span
from dplint.distributions import distributions
from dplint.outcomes import Edit
from dplint.source.slices import parse
from dplint.source.text import split_lines

_EPSILONS = ("epsilon", "eps", "epsilon_total", "total_epsilon", "budget", "privacy_budget")
_HEAD = re.compile(r"\s*(?:@|def\b|async\b)")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim that could be added to a function, and the edits that add it."""

    function: str
    claim: str
    edits: tuple[Edit, ...]


def new_claim(text: str, line: int) -> NewClaim | None:
    """A claim for the function whose head is in the line, if it draws noise and bears none; None otherwise.

    Its epsilon is the parameter that is called so, else 1.0; what the function really promises only its author knows.
    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines) or not _HEAD.match(lines[line - 1]):
        return None  # editors ask at every step of the cursor
    try:
        tree = parse(text)
    except SyntaxError:
        return None
    function = next((one for one in _functions(tree) if _head(one) <= line <= _head_end(one)), None)
    if function is None or not _draws_noise(function) or _has_claim(function, lines):
        return None
    name = next((word for word in _EPSILONS if word in _parameters(function)), None)
    claim = f'dp(epsilon="{name}", neighbors="linf")' if name else 'dp(epsilon=1.0, neighbors="linf")'
    end = "\r\n" if "\r\n" in text else "\n"
    first = _head(function)
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    spelling, importing = _spelling(tree, lines, end)
    claiming = _insertion(first, f"{indent}@{spelling}{claim}{end}")
    if importing is not None and importing.span == claiming.span:
        return NewClaim(function.name, claim, (Edit(claiming.span, importing.text + claiming.text),))
    return NewClaim(function.name, claim, (claiming,) if importing is None else (importing, claiming))


def _functions(tree: ast.Module) -> Iterator[_Function]:
    return (node for node in ast.walk(tree) if isinstance(node, _Function))


def _head(function: _Function) -> int:
    return min([function.lineno, *(item.lineno for item in function.decorator_list)])


def _head_end(function: _Function) -> int:
    """The last line of the head, or the only one where the body follows on the same line."""
    return max(function.lineno, function.body[0].lineno - 1)


def _parameters(function: _Function) -> set[str]:
    arguments = function.args
    return {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def _draws_noise(function: _Function) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            name = node.func
            called = name.attr if isinstance(name, ast.Attribute) else name.id if isinstance(name, ast.Name) else ""
            if called in _noise():
                return True
    return False


@functools.cache
def _noise() -> frozenset[str]:
    """Methods that draw what is made to be added to data, and what functions of people are called that do it."""
    draws = {draw.method for one in distributions().values() if one.noise for draw in one.draws if draw.in_programs}
    return frozenset(draws | {"laplacian", "randomised_response"})


def _has_claim(function: _Function, lines: tuple[str, ...]) -> bool:
    for item in function.decorator_list:
        name = item.func if isinstance(item, ast.Call) else item
        if (isinstance(name, ast.Name) and name.id == "dp") or (isinstance(name, ast.Attribute) and name.attr == "dp"):
            return True
    above = _head(function) - 2
    while above >= 0 and lines[above].lstrip().startswith("#"):
        if "dplint" in lines[above] and "dp(" in lines[above]:
            return True
        above -= 1
    return False


def _spelling(tree: ast.Module, lines: tuple[str, ...], end: str) -> tuple[str, Edit | None]:
    """How the module spells `dp` ("" or "dplint."), and the edit that imports it where it does not yet."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "dplint" and not node.level:
            if any(alias.name in ("dp", "*") and alias.asname in (None, "dp") for alias in node.names):
                return "", None
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "dplint":
                    return f"{alias.asname or 'dplint'}.", None
    line = _after_imports(tree)
    if line > len(lines):
        last = Span(len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        return "", Edit(last, f"{end}from dplint import dp{end}")
    return "", _insertion(line, f"from dplint import dp{end}")


def _after_imports(tree: ast.Module) -> int:
    """The line below the imports with which the module begins, or below its docstring."""
    line = 1
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            break
        line = (node.end_lineno or node.lineno) + 1
    return line


def _insertion(line: int, text: str) -> Edit:
    return Edit(Span(line, 1, line, 1), text)
