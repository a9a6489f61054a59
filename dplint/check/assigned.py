"""How far neighbours move what each line of a mechanism assigns, before any noise.

A line is asked about as a function: of the mechanism's statements those that the assigned name hangs on, and the name
is returned behind them. An early return raises there, since it does not come to the line. The function is searched and
proved like one that bears a claim of stability. So nothing is said of a line that noise has a part in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dplint.check.loading import Target, audit_settings, target_of, wanted_target
from dplint.claims import Mechanism, Metric, Span, Stability
from dplint.config import Settings, shown
from dplint.jobs import AuditJob
from dplint.outcomes import NotRefuted
from dplint.source.callers import known_of
from dplint.source.read import read_source
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match)


@dataclass(frozen=True, slots=True)
class Assigned:
    """A name that a line of a mechanism assigns a value of the data to. span: of the statement there.

    text: that of the whole file, with the mechanism cut down to what the value hangs on.
    """

    name: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Moved:
    """How far neighbours move it, as the search for the furthest pair has found."""

    assigned: Assigned
    found: NotRefuted


def assigned_lines(text: str, mechanism: Mechanism) -> list[Assigned]:
    """The lines of a mechanism that assign names over its data, in their order; none of a text that does not parse.

    In a loop or a branch it is the last line that assigns the name, and the value behind that statement.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    function = _function(text.removeprefix("\ufeff"), mechanism)
    if function is None or mechanism.data is None:
        return []
    body, found = function.body, list[Assigned]()
    if len({one.lineno for one in body}) < len(body):
        return []  # several statements in a line, which cannot be cut apart by lines
    for number, statement in enumerate(body):
        for name, line in _last_lines(statement).items():
            kept, names = _hangs_on(body[: number + 1], name)
            if mechanism.data in names and mechanism.rng not in names:
                cut = _cut(lines, function, kept, number, name)
                span = Span(line.lineno, line.col_offset + 1, line.end_lineno or 0, (line.end_col_offset or 0) + 1)
                found.append(Assigned(name, span, cut))
    return sorted(found, key=lambda one: one.span)


def _function(text: str, mechanism: Mechanism) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(text)
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


def _last_lines(statement: ast.stmt) -> dict[str, ast.stmt]:
    """The names that a statement assigns, or changes an item of, each with the last line that does so."""
    found: dict[str, ast.stmt] = {}
    for node in _own(statement):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and not isinstance(node.value, ast.Constant):
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


def _changed(statement: ast.stmt) -> set[str]:
    """The names that a statement may bind, or change what they hold."""
    found: set[str] = set()
    for node in _own(statement):
        if isinstance(node, ast.Assign | ast.Delete):
            found |= {name for target in node.targets for name in _bases(target)}
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For | ast.NamedExpr | ast.comprehension):
            found |= set(_bases(node.target))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found |= set(_bases(node.optional_vars))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found |= set(_bases(node.func))  # as `rows.append(x)` does
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        elif isinstance(node, ast.Call) and isinstance(statement, ast.Expr):
            found |= {name for one in node.args for name in _bases(one)}  # as `random.shuffle(rows)` does
    return found | ({statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set())


def _hangs_on(statements: Sequence[ast.stmt], name: str) -> tuple[list[ast.stmt], set[str]]:
    """Those that decide what a name holds behind them, in their order; and all names that these read."""
    needed, kept, names = {name}, list[ast.stmt](), set[str]()
    for statement in reversed(statements):
        leaves = any(isinstance(one, ast.Return | ast.Raise | ast.Assert) for one in _own(statement))
        if not leaves and not _changed(statement) & needed:
            continue
        kept.insert(0, statement)
        if (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            needed.discard(statement.targets[0].id)
        read = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        needed |= read | ({name} if isinstance(statement, _COMPOUND) else set())
        if isinstance(statement, ast.AugAssign):
            needed |= set(_bases(statement.target))
        names |= read
    return kept, names


def _cut(lines: Sequence[str], function: ast.FunctionDef, kept: Sequence[ast.stmt], last: int, name: str) -> str:
    """The text of the file with that function cut down; all else stands where it stood."""
    text, body = list(lines), function.body
    indent = lines[body[0].lineno - 1][: body[0].col_offset]
    for statement in body:
        if statement not in kept:
            for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                text[number - 1] = ""
    for statement in kept:
        for node in _own(statement):
            if isinstance(node, ast.Return):
                _leave_early(text, node)
    end = body[last].end_lineno or body[last].lineno
    if body[last] is body[-1]:
        text.insert(end, f"{indent}return {name}")
    else:
        text[body[last + 1].lineno - 1] = f"{indent}return {name}"
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
    return AuditJob(
        mechanism=mechanism,
        program=target.program,
        settings=limits,
        source_text=assigned.text,
        lowered=target.lowered,
    )


def moved_lines(target: str, settings: Settings, *, seconds: float) -> Iterator[Moved]:
    """How far neighbours move the lines of "FILE::FUNCTION", each looked at for so many seconds at most.

    Lines of which nothing is known are left out: those with noise in them, and those that cannot be run.
    """
    wanted, _ = wanted_target(target, settings)
    if wanted is None:
        return
    path, mechanism = Path(wanted.mechanism.path), wanted.mechanism
    jobs, asked = list[AuditJob](), list[Assigned]()
    for one in assigned_lines(path.read_text("utf-8"), mechanism):
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
