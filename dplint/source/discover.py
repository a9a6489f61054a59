"""Brings claims and functions together: decorators, calls, comments, and tables of pyproject.toml.

Claims in comments: `# dplint: dp(...)` or `# dplint: stable(...)`.
"""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from dplint.claims import Claim, Columns, Domain, Mechanism, Parameter, Span
from dplint.config import ClaimTable, nearest
from dplint.outcomes import Finding, Severity
from dplint.relations import DataKind, relation_of
from dplint.source.arguments import KINDS, Arguments, Problem, Problems, call_arguments, table_arguments
from dplint.source.claim_checks import ReadClaim, check_claim
from dplint.source.files import content_of, digest_of
from dplint.source.module import ParsedModule
from dplint.source.parameters import Bearer, read_parameters
from dplint.source.project import ProjectIndex
from dplint.source.receivers import (
    constructor_parameters,
    factory_parameter,
    needs_object,
    needs_receiver,
    receiver_of,
    why_untestable,
)
from dplint.source.samples import frame_domain, sample_domain, schema_domain
from dplint.source.suppressions import ignore_start
from dplint.source.targets import Function, Inventory, Site, Target, find_target, take_inventory
from dplint.source.text import Segment, cut
from dplint.source.used_as import counts_only, table_annotation
from dplint.syntax import parse_expression

_MARK = re.compile(r"#+\s*dplint\s*:\s*")
_CLAIM = re.compile(r"(?:dp|stable)\b")
_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_CLIPS = re.compile(rf"{_MARK.pattern}clips\s*\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]")
_OTHERS = re.compile(r"(?:ignore|noqa|skip|off|on|disable|enable|public)\b")


@dataclass(frozen=True, slots=True)
class ClaimComment:
    """A comment that makes a claim. call: None if the text is no call, and then `error` says why. kind: as `KINDS`."""

    span: Span
    segment: Segment
    call: ast.Call | None
    error: str
    kind: str = "dp"


def claim_comment(text: str, span: Span) -> ClaimComment | None:
    """The claim that a comment makes, or fails to make; None if it is a comment of another kind."""
    mark = _MARK.match(text)
    if mark is None or _OTHERS.match(text, mark.end()):
        return None
    body = text[mark.end() : ignore_start(text)].rstrip()
    segment = Segment(body, span.line, span.column + mark.end())
    if clip_said(text) is not None:
        return None
    if not _CLAIM.match(body):
        others = "stable(...), clips [LOW, HIGH], public nor ignore[...]"
        return ClaimComment(span, segment, None, f"{body!r} is neither dp(...), {others}")
    try:
        call = parse_expression(body)
    except SyntaxError as error:
        return ClaimComment(span, segment, None, f"it does not parse ({error.msg})")
    except (ValueError, RecursionError, MemoryError):
        return ClaimComment(span, segment, None, "it does not parse")
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KINDS:
        return ClaimComment(span, segment, call, "", call.func.id)
    return ClaimComment(span, segment, None, "it is not a call dp(...)")


def clip_said(comment: str) -> tuple[float, float] | None:
    """The two ends of a comment `# dplint: clips [low, high]`; None for any other comment, and for no such ends."""
    said = _CLIPS.match(comment)
    if said is None:
        return None
    try:
        low, high = float(said[1]), float(said[2])
    except ValueError:  # a number with two dots
        return None
    return (low, high) if low <= high else None


class CommentTargets:
    """Which function a comment stands above."""

    def __init__(self, targets: Iterable[Target], lines: tuple[str, ...]) -> None:
        self._targets = targets
        self._lines = lines

    @cached_property
    def _starts(self) -> Mapping[int, Target]:
        return {line: target for target in self._targets for line in target.starts}

    def below(self, comment: Span) -> Target | None:
        """The function whose decorator or `def` follows the comment, with nothing but other comments in between."""
        if not self._is_comment(comment.line):
            return None
        line = comment.line + 1
        while self._is_comment(line):
            line += 1
        return self._starts.get(line)

    def _is_comment(self, line: int) -> bool:
        return line <= len(self._lines) and self._lines[line - 1].lstrip().startswith("#")


ReadArguments: TypeAlias = Callable[[Collection[str], Problems], Arguments]


@dataclass(frozen=True, slots=True)
class _Made:
    """A claim that was made about a function. file, span: where; how: in words."""

    target: Target
    file: str
    span: Span
    how: str
    read: ReadArguments


def discover(
    module: ParsedModule, file: str, path: Path, tables: Sequence[ClaimTable], files: dict[str, str] | None = None
) -> tuple[list[tuple[Mechanism, Function]], list[Finding]]:
    """The mechanisms of a module with their functions, and the findings about its claims, both in source order.

    tables: the claims of pyproject.toml for this module. files: is told the files with samples that were looked at,
    with their digests.
    """
    return _Discovery(module, file, path, {} if files is None else files).run(tables)


class _Discovery:
    def __init__(self, module: ParsedModule, file: str, path: Path, files: dict[str, str]) -> None:
        self._module = module
        self._files = files
        self._file = file
        self._path = path
        self._inventory: Inventory = take_inventory(module)
        self._index = ProjectIndex(module.place)
        self._mechanisms: list[tuple[Mechanism, Function]] = []
        self._findings: list[Finding] = []

    def run(self, tables: Sequence[ClaimTable]) -> tuple[list[tuple[Mechanism, Function]], list[Finding]]:
        made: dict[int, list[_Made]] = {}
        for claim in (*self._from_sites(), *self._from_comments(), *self._from_tables(tables)):
            made.setdefault(id(claim.target), []).append(claim)
        for first, *others in made.values():
            for other in others:
                where = f"in line {first.span.line}" if first.file == other.file else f"in {first.file}"
                message = f"{first.target.qualname} already has a claim: {first.how} {where}. Keep one of the two."
                self._report(other.file, Problem("DP014", other.span, message), first.target.qualname)
            self._take(first, alone=not others)
        self._files |= self._index.files
        self._mechanisms.sort(key=lambda item: item[0].span)
        self._findings.sort(key=lambda item: (item.file != self._file, item.file, item.span, item.code))
        return self._mechanisms, self._findings

    def _report(self, file: str, problem: Problem, function: str | None) -> None:
        finding = Finding(file, problem.span, function, problem.code, Severity.ERROR, problem.message, problem.fix)
        self._findings.append(finding)

    # the three forms

    def _from_sites(self) -> Iterator[_Made]:
        for site in self._inventory.sites:
            target = self._applied(site)
            if target is not None:
                yield _Made(target, self._file, site.span, f"{site.kind}(...)", self._reader(site))
            else:
                message = (
                    "this claim is attached to no function that can be found. "
                    f"Write @{site.kind}(...) directly above one."
                )
                if isinstance(site.applied, str):
                    name = site.applied.rpartition(".")[2]
                    message = f"this claim is applied to {name!r}, which is no function of this module. Claim it there."
                self._report(self._file, Problem("DP019", site.span, message), None)

    def _applied(self, site: Site) -> Target | None:
        if not isinstance(site.applied, str):
            return site.applied
        targets = self._inventory.targets
        return find_target(targets, site.applied) or find_target(targets, site.applied.rpartition(".")[2])

    def _reader(self, site: Site) -> ReadArguments:
        def read(parameters: Collection[str], problems: Problems) -> Arguments:
            if site.call is None:
                return Arguments({}, frozenset(), site.kind)
            span = self._module.span(site.call)
            segment = Segment(cut(self._module.lines, span), span.line, span.column)
            try:
                call = parse_expression(segment.text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                call = None
            if not isinstance(call, ast.Call):
                problems.add("DP009", span, "the claim cannot be read. Write plain literals.")
                return Arguments({}, frozenset(KINDS[site.kind][:1]), site.kind)
            return call_arguments(call, segment, self._module.names, parameters, problems, site.kind)

        return read

    def _from_comments(self) -> Iterator[_Made]:
        places = CommentTargets(self._inventory.targets, self._module.lines)
        for text, span in self._inventory.comments:
            comment = claim_comment(text, span)
            if comment is None:
                continue
            target = places.below(span)
            if comment.call is None:
                message = (
                    f'this claim cannot be used: {comment.error}. Write # dplint: dp(epsilon="epsilon") on one line.'
                )
                self._report(self._file, Problem("DP015", span, message), target.qualname if target else None)
            elif target is None:
                message = "this claim stands above no function. Put it on the line above a def or its decorators."
                self._report(self._file, Problem("DP015", span, message), None)
            else:
                read = self._comment_reader(comment.call, comment.segment, comment.kind)
                yield _Made(target, self._file, span, "a comment", read)

    def _comment_reader(self, call: ast.Call, segment: Segment, kind: str) -> ReadArguments:
        return lambda parameters, problems: call_arguments(
            call, segment, self._module.names, parameters, problems, kind
        )

    def _from_tables(self, tables: Sequence[ClaimTable]) -> Iterator[_Made]:
        for table in tables:
            target = find_target(self._inventory.targets, table.qualname)
            if target is not None:
                yield _Made(target, table.file, table.span, "a table", _table_reader(table))
            else:
                near = nearest(table.qualname, [item.qualname for item in self._inventory.targets if item.named])
                cure = f"Did you mean {near!r}?" if near is not None else "Remove the table, or correct the name."
                message = f"{self._file} defines no function {table.qualname!r}. {cure}"
                self._report(table.file, Problem("DP016", table.span, message), table.qualname)

    # from a claim to a mechanism

    def _take(self, made: _Made, *, alone: bool) -> None:
        target, problems = made.target, Problems()
        parameters = read_parameters(self._module.tree, target.node, self._module.names, bound=target.takes_bound_first)
        span = target.span if made.file == self._file else made.span
        bearer = Bearer(
            target.qualname,
            span,
            parameters,
            self._module.names,
            needs_object(target),
            needs_receiver(target),
            lambda make: factory_parameter(make, self._module, self._index),
            lambda annotation: schema_domain(annotation, self._module),
            self._sample,
            lambda data: counts_only(target.node, data),
            constructor_parameters(target, self._module, self._index),
        )
        claim = check_claim(made.read(bearer.names_of(), problems), bearer, made.span, problems)
        for problem in problems.found:
            self._report(made.file, problem, target.qualname)
        if claim is not None and alone:
            self._mechanisms.append((self._mechanism(made, parameters, claim), target.node))

    def _sample(self, name: str) -> Domain:
        """The domain that a sample gives, by its path within the project, or as ":name" of a table of the module.

        Raises DomainError.
        """
        if name.startswith(":"):
            table = self._module.names.frames.get(name[1:])
            if not isinstance(table, str):
                return frame_domain(name[1:], table)
            name = table
        file = self._module.place.project_root / name
        content = content_of(file)
        self._files[str(file)] = digest_of(content)
        return sample_domain(name, content)

    def _mechanism(self, made: _Made, parameters: tuple[Parameter, ...], claim: ReadClaim) -> Mechanism:
        target, place = made.target, self._module.place
        parameters = self._with_table(target.node, parameters, claim)
        data = next((item for item in parameters if item.name == claim.data), None)
        receiver = receiver_of(target, self._module, self._index, claim)
        first, last = target.whole
        return Mechanism(
            file=self._file,
            path=str(self._path),
            import_root=str(place.import_root),
            project_root=str(place.project_root),
            module=place.module,
            qualname=target.qualname,
            span=target.span,
            claim_span=made.span if made.file == self._file else target.span,
            claim=claim.claim,
            parameters=parameters,
            data=claim.data if receiver is None or receiver.takes is None else f"make.{receiver.takes.name}",
            rng=claim.rng,
            digest=_digest(self._without_ignores(first, last), claim.claim),
            untestable=why_untestable(target, self._inventory.targets, data, place, self._path.name, receiver),
            receiver=receiver,
            source_lines=self._module.lines[target.span.line - 1 : last],
        )

    def _with_table(self, node: Function, parameters: tuple[Parameter, ...], claim: ReadClaim) -> tuple[Parameter, ...]:
        """The parameters, the data annotated as a table if it has records with columns and is treated as one."""
        records = isinstance(claim.claim.domain, Columns) and relation_of(claim.claim).data is DataKind.RECORDS
        if not records or claim.claim.pairs is not None:
            return parameters
        imports = {name.partition(".")[0] for name in self._module.names.aliases.values()}
        return tuple(
            replace(one, annotation=table_annotation(node, one.name, imports))
            if one.name == claim.data and one.annotation is None
            else one
            for one in parameters
        )

    def _without_ignores(self, first: int, last: int) -> list[str]:
        """Lines of the source without the comments that silence: whoever silences a verdict keeps it, and its seed."""
        lines = dict(zip(range(first, last + 1), self._module.lines[first - 1 : last], strict=True))
        for text, span in self._inventory.comments:
            start = ignore_start(text)
            if start < len(text) and span.line in lines:
                kept = lines[span.line][: span.column - 1 + start].rstrip()
                lines[span.line] = kept
                if not kept:
                    del lines[span.line]
        return list(lines.values())


def _table_reader(table: ClaimTable) -> ReadArguments:
    return lambda _, problems: table_arguments(table, problems)


def _digest(lines: Sequence[str], claim: Claim) -> str:
    """Of source and claim; where the function stands, and how deep it is indented, does not matter."""
    source = textwrap.dedent("\n".join(lines)).strip()
    made = "" if claim.make is None else f"\0{claim.make}"
    made += f"\0{claim.observe}" if claim.observe else ""
    made += f"\0numerics {claim.numerics}" if claim.numerics else ""
    made += f"\0{claim.user}\0{claim.apart}" if claim.user or claim.apart else ""
    made += f"\0made {claim.made}" if claim.made else ""
    made += f"\0stable {claim.stable}" if claim.stable else ""
    made += f"\0promise {claim.promise}" if claim.promise else ""
    made += f"\0training {claim.training}" if claim.training else ""
    return hashlib.sha256(f"{source}\0{claim!r}{made}".encode()).hexdigest()
