"""How far neighbours move what each line of a mechanism assigns, before any noise.

A line is asked about as a function: of the mechanism's statements those that the assigned name hangs on, and the name
is returned behind them. An early return raises there, since it does not come to the line. The function is searched and
proved like one that bears a claim of stability. So nothing is said of a line that noise has a part in.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dplint.check.loading import Target, audit_settings, target_of
from dplint.claims import Mechanism, Metric, Span, Stability
from dplint.config import Settings, shown
from dplint.contents import content
from dplint.jobs import AuditJob
from dplint.outcomes import NotRefuted
from dplint.source.callers import known_of
from dplint.source.notebooks import text_of
from dplint.source.read import read_source
from dplint.syntax import parse_expression, parse_text
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs

_BREAK = re.compile(r"\r\n|\r|\n")
"""Where lines end to Python, which knows no other line breaks."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_ODD = (ast.Try, ast.TryStar, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.Match)
"""What makes it hard to say which statements others hang on, or where an early return leads."""
_PURE = frozenset(
    ["np", "numpy", "pd", "pandas", "pl", "polars", "math", "statistics", "itertools", "functools", "collections"]
)
"""Modules whose functions change nothing that they are given, by the names that they have."""
_NUMBERS = frozenset(
    {"sum", "mean", "max", "min", "count", "std", "var", "median", "nunique", "n_unique", "item", "any", "all", "size"}
)
"""Methods that change nothing, and whose answer holds nothing of what they are asked of."""
LINE_SECONDS = 2.0
"""For one line in an editor."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A name that a line of a mechanism assigns a value of the data to, or what noise is added to there.

    name: for the latter its expression. span: of the statement, or of the draw. text: that of the whole file, with the
    mechanism cut down to what the value hangs on.
    """

    name: str
    span: Span
    text: str

    @property
    def written(self) -> str:
        """The text without empty lines, which is the same for two places with the same value."""
        return "\n".join(line for line in self.text.splitlines() if line.strip())


@dataclass(frozen=True, slots=True)
class Moved:
    """How far neighbours move it, as the search for the furthest pair has found."""

    assigned: Assigned
    found: NotRefuted


def assigned_lines(text: str, mechanism: Mechanism) -> list[Assigned]:
    """The lines of a mechanism that assign names over its data, in their order; none of a text that does not parse.

    In a loop or a branch it is the last line that assigns the name, and the value behind that statement.
    """
    lines = _BREAK.split(text.removeprefix("\ufeff"))
    function = _function(text.removeprefix("\ufeff"), mechanism)
    if function is None or mechanism.data is None:
        return []
    body, found, shared = function.body, list[Assigned](), _shared(function)
    if len({_first(one) for one in body}) < len(body) or any(isinstance(one, _ODD) for one in _own(function)):
        return []
    for number, statement in enumerate(body):
        asked: list[tuple[str, ast.stmt | ast.expr, int]]
        asked = [(name, line, number) for name, line in _last_lines(statement).items()]
        asked += [(ast.unparse(value), draw, number - 1) for value, draw in _sums_with_noise(statement, mechanism.rng)]
        for name, place, last in asked:
            kept, names = _hangs_on(body[: last + 1], name, shared, mechanism.rng)
            if mechanism.data in names and mechanism.rng not in names:
                found.append(Assigned(name, _span(lines, place), _cut(lines, function, kept, last, name)))
    return sorted(found, key=lambda one: one.span)


def _function(text: str, mechanism: Mechanism) -> ast.FunctionDef | None:
    try:
        tree = parse_text(text)
    except (SyntaxError, ValueError):
        return None
    name, line = mechanism.qualname.rpartition(".")[2], mechanism.span.line
    found = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))
    return next((one for one in found if one.name == name and one.lineno == line), None)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a statement, without what other functions do when they are called."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield from _own(child)


def _first(statement: ast.stmt) -> int:
    """The line in which it begins."""
    decorators = statement.decorator_list if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _span(lines: Sequence[str], node: ast.stmt | ast.expr) -> Span:
    """Its place, in characters: Python's own tree counts bytes."""
    last = node.end_lineno or node.lineno
    first, end = (
        len(lines[line - 1].encode()[:offset].decode()) + 1
        for line, offset in ((node.lineno, node.col_offset), (last, node.end_col_offset or 0))
    )
    return Span(node.lineno, first, last, end)


def _sums_with_noise(statement: ast.stmt, rng: str | None) -> Iterator[tuple[ast.expr, ast.Call]]:
    """What a draw is added to, where that is not in a loop, and the draw."""
    if rng is None or not isinstance(statement, ast.Assign | ast.Return):
        return
    for node in _own(statement):
        match node:
            case ast.BinOp(
                left=value, op=ast.Add(), right=ast.Call(func=ast.Attribute(value=ast.Name(id=own))) as draw
            ):
                if own == rng:
                    yield value, draw


def _last_lines(statement: ast.stmt) -> dict[str, ast.stmt]:
    """The names that a statement assigns, or changes an item of, each with the last line that does so."""
    found: dict[str, ast.stmt] = {}
    for node in _own(statement):
        begins = isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and not begins:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name: node for target in targets for name in _bases(target)}
    return found


def _bases(target: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target binds or changes."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _bases(part)
        case ast.Starred(value=value) | ast.Subscript(value=value) | ast.Attribute(value=value):
            yield from _bases(value)


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement may bind to something else."""
    found: set[str] = set()
    for node in _own(statement):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                found |= {name for target in targets for name in _bases(target)}
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
                found |= set(_bases(target))
            case ast.NamedExpr(target=target) | ast.withitem(optional_vars=ast.expr() as target):
                found |= set(_bases(target))
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(one.asname or one.name).partition(".")[0] for one in names}
    return found | ({statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set())


def _changed(statement: ast.stmt, rng: str | None) -> set[str]:
    """The names of what a statement may change in place."""
    found: set[str] = set()
    for node in _own(statement):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                found |= {name for one in targets if not isinstance(one, ast.Name) for name in _bases(one)}
            case ast.AugAssign(target=target):
                found |= set(_bases(target))
            case ast.Call(func=ast.Attribute(attr=method) as receiver) if method not in _NUMBERS:
                found |= set(_bases(receiver))  # as `rows.append(x)` does
        if isinstance(node, ast.Call) and (isinstance(statement, ast.Expr) or not _is_harmless(node.func, rng)):
            found |= {name for one in node.args for name in _bases(one)}  # as `random.shuffle(rows)` does
    return found


def _is_harmless(function: ast.expr, rng: str | None) -> bool:
    """Whether a function changes none of its arguments: those of Python itself, of libraries of numbers, and draws."""
    if isinstance(function, ast.Name):
        return hasattr(builtins, function.id)
    return isinstance(function, ast.Attribute) and bool({*_PURE, rng} & set(_bases(function)))


def _shared(function: ast.FunctionDef) -> dict[str, set[str]]:
    """For each name those that may hold the same thing, or a part of it: what one changes, the others show."""
    found: dict[str, set[str]] = {}
    for node in _own(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.For(target=target, iter=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            together = {*_bases(target), *_held(value)}
            together |= {other for name in together for other in found.get(name, ())}
            found |= dict.fromkeys(together, together)
    return found


def _held(value: ast.expr) -> Iterator[str]:
    """The names whose values may be, or be in, the value of an expression."""
    match value:
        case ast.Call(func=ast.Attribute(attr=method)) if method in _NUMBERS:
            return
        case ast.Call(func=ast.Attribute() as receiver):
            yield from _bases(receiver)
        case ast.IfExp(body=body, orelse=other):
            yield from (*_held(body), *_held(other))
        case ast.Dict(values=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from _held(part)
        case _:
            yield from _bases(value)


def _hangs_on(
    statements: Sequence[ast.stmt], name: str, shared: Mapping[str, set[str]], rng: str | None
) -> tuple[list[ast.stmt], set[str]]:
    """Those that decide what a name or an expression is behind them, in their order; and all names that are read."""
    needed = {one.id for one in ast.walk(parse_expression(name)) if isinstance(one, ast.Name)}
    kept, names = list[ast.stmt](), {*needed}
    for statement in reversed(statements):
        leaves = any(isinstance(one, ast.Return | ast.Raise | ast.Assert) for one in _own(statement))
        changed = {other for one in _changed(statement, rng) for other in shared.get(one, {one})}
        if not leaves and not (_bound(statement) | changed) & needed:
            continue
        kept.insert(0, statement)
        if isinstance(statement, ast.Assign) and all(isinstance(one, ast.Name) for one in statement.targets):
            needed -= _bound(statement)
        read = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        read |= {name for one in _own(statement) if isinstance(one, ast.AugAssign) for name in _bases(one.target)}
        needed |= read
        names |= read
    return kept, names


def _cut(lines: Sequence[str], function: ast.FunctionDef, kept: Sequence[ast.stmt], last: int, name: str) -> str:
    """The text of the file with that function cut down; all else stands where it stood."""
    text, body = list(lines), function.body
    indent = lines[body[0].lineno - 1][: body[0].col_offset]
    for statement in body:
        if statement not in kept:
            for number in range(_first(statement), (statement.end_lineno or statement.lineno) + 1):
                text[number - 1] = ""
    for statement in kept:
        for node in _own(statement):
            if isinstance(node, ast.Return):
                _leave_early(text, node)
    if last + 1 == len(body):
        text.insert(body[last].end_lineno or body[last].lineno, f"{indent}return {name}")
    else:
        text[_first(body[last + 1]) - 1] = f"{indent}return {name}"
    return "\n".join([*text, ""])


def _leave_early(text: list[str], node: ast.Return) -> None:
    """In place of a return, what says that the line is not come to."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before = text[first].encode()[: node.col_offset].decode()
    for number in range(first, last + 1):
        text[number] = ""
    text[first] = f"{before}raise ValueError"


def line_job(target: Target, assigned: Assigned, settings: Settings, seconds: float) -> AuditJob:
    """The search for the furthest pair of a line. target: the mechanism of the text that was cut down."""
    asked = Stability(1.0, None, Metric.ABSOLUTE, open_metric=True, finite=True)
    stable = target.mechanism.claim.stable
    asked = asked if stable is None else replace(asked, d_in=stable.d_in)
    claim = replace(target.mechanism.claim, stable=asked, observe=())
    mechanism = replace(target.mechanism, claim=claim)
    limits = replace(
        audit_settings(settings, mechanism), budget=seconds, max_runs=None, proof_seconds=seconds * settings.proofs
    )
    asked_of = replace(target, mechanism=mechanism)
    return asked_of.job(AuditJob, limits, source_text=assigned.text, lowered=target.lowered)


def moved_lines(wanted: Target, settings: Settings, *, seconds: float) -> Iterator[Moved]:
    """How far neighbours move the lines of a function, each looked at for so many seconds at most.

    Lines of which nothing is known are left out: those with noise in them, and those that cannot be run.
    """
    path, mechanism = Path(wanted.mechanism.path), wanted.mechanism
    jobs, asked = list[AuditJob](), list[Assigned]()
    for one in assigned_lines(text_of(path, content(path)), mechanism):
        source = read_source(path, file=shown(path), text=one.text, table=settings.mechanisms)
        found = next((item for item in source.mechanisms if item.mechanism.qualname == mechanism.qualname), None)
        if found is not None:
            own = target_of(source, found)
            own = replace(own, mechanism=known_of(mechanism, own.mechanism))
            jobs.append(line_job(own, one, settings, seconds))
            asked.append(one)
    with closing(run_jobs(jobs, settings.jobs)) as messages:
        for message in messages:
            if isinstance(message.body, Done) and isinstance(message.body.result, NotRefuted):
                yield Moved(asked[message.job], message.body.result)
