"""Reading a text again and again while it is written: only what a change can have touched is parsed anew."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dplint.check.budget_shares import budget_shares
from dplint.check.editor_model import LoadedBuffer, MechanismView
from dplint.check.loading import Target, rule_findings, target_of
from dplint.claims import Mechanism, Span
from dplint.config import Settings, asked_for, shown
from dplint.outcomes import CheckError, Finding
from dplint.program.nodes import Program
from dplint.source.callers import Callers, known_of
from dplint.source.files import digest_at
from dplint.source.read import MARK, SourceFile, read_source
from dplint.source.slices import Slices, slice_what_parses
from dplint.source.suppressions import find_suppressions


@dataclass(slots=True)
class _Unit:
    """What one slice gave, as if it stood at the beginning of the file."""

    views: list[MechanismView] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    placed: tuple[int, ...] | None = None
    """Where all that it depends on begins, if it speaks of other places than its own; None if it may move alone."""
    rest: str | None = None
    """A digest of all that always belongs along, if it may suggest a name of that; None if it does not."""
    files: dict[str, str] = field(default_factory=dict)
    """Other files that its findings and programs depend on, with their digests."""


_LINE_NUMBER = re.compile(r"\bline \d")
_LOOSE = -1
"""The number of what stands in no slice: comments by themselves, and claims in pyproject.toml."""


class BufferReader:
    """Reads texts and remembers, of the last one of each file, what every part of it gave."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, _Unit]] = {}

    @property
    def remembers(self) -> bool:
        """Whether there is any such text."""
        return bool(self._known)

    def forget(self, path: Path) -> None:
        """Free what is remembered of a file."""
        self._known.pop(path, None)

    def read(self, path: Path, text: str, settings: Settings) -> LoadedBuffer:
        """What is in the text of a file; the file itself is not looked at.

        Parts of the top level that do not parse give errors, and the rest is read without them. The same is found
        as by reading the whole file with `items_of`.
        """
        if MARK not in text and not settings.mechanisms:
            return LoadedBuffer()
        try:
            slices, broken = slice_what_parses(text)
        except SyntaxError as error:
            return LoadedBuffer(errors=(CheckError(shown(path), error.lineno, f"does not parse: {error.msg}"),))
        keys = _keys(slices, settings)
        known = _as_files_are(self._known.get(path, {}))
        errors = [CheckError(shown(path), one.line, f"does not parse: {one.message}") for one in broken]
        missing = [number for number, key in keys.items() if not _fits(known.get(key), number, slices)]
        silent = frozenset(missing) - slices.speaking - {_LOOSE} if not settings.mechanisms else frozenset()
        known = known | {keys[number]: _Unit() for number in silent}
        missing = [number for number in missing if number not in silent]
        if missing:
            units, failures = _read_parts(path, slices, missing, settings)
            errors += failures
            known = known | {keys[number]: unit for number, unit in units.items()}
        self._known[path] = {key: known[key] for key in keys.values() if key in known}
        loaded = _joined(self._known[path], keys, slices, shown(path), errors)
        suppressions = find_suppressions(text.removeprefix("\ufeff"), shown(path))
        return replace(loaded, suppressions=suppressions if suppressions.comments else None)

    def target(
        self, path: Path, text: str, settings: Settings, qualname: str, before: Mechanism | None = None
    ) -> Target | None:
        """The mechanism of that name with its program, None if the text has none that can be read.

        before: the same mechanism before its body was changed, of which is known what its callers pass.
        """
        try:
            slices, _ = slice_what_parses(text)
        except SyntaxError:
            return None
        first = qualname.partition(".")[0]
        wanted = [number for number, part in enumerate(slices.parts) if part.function == first]
        source = _read(path, slices.only(slices.reach(wanted), stubs=bool(settings.mechanisms)), settings)
        found = [one for one in source.mechanisms if one.mechanism.qualname == qualname]
        if not found:
            return None
        target = target_of(source, found[-1])
        own = target.mechanism
        return replace(target, mechanism=Callers().asked(own, text) if before is None else known_of(before, own))


def _keys(slices: Slices, settings: Settings) -> dict[int, str]:
    """Of each slice, the name under which what it gave is remembered; all that it depends on is part of it."""
    asked = (settings.mechanisms, asked_for(settings), settings.known_noise)
    tables = hashlib.sha256(repr(asked).encode("utf-8", "replace")).hexdigest()
    rest = slices.fingerprint(None, exact=True)
    names = sorted({part.function for part in slices.parts if part.function is not None} if settings.mechanisms else ())
    keys = {_LOOSE: f"{rest} {tables} {names} {slices.loose!r}"}
    seen: Counter[str] = Counter()
    for number, part in enumerate(slices.parts):
        own = rest
        if part.function is not None:
            own = f"{slices.digest([number])} {slices.digest(slices.concerning(number))}"
        seen[own] += 1
        keys[number] = f"{own} {tables} {seen[own]}"
    return keys


def _read(path: Path, text: str, settings: Settings) -> SourceFile:
    return read_source(path, file=shown(path), text=text, table=settings.mechanisms)


def _read_parts(
    path: Path, slices: Slices, missing: Collection[int], settings: Settings
) -> tuple[dict[int, _Unit], tuple[CheckError, ...]]:
    """What these slices give; other functions that are read along, or are stubs, are not asked."""
    numbers = [number for number in missing if number != _LOOSE]
    source = _read(path, slices.only(slices.reach(numbers), stubs=bool(settings.mechanisms)), settings)
    if source.errors:
        return {}, source.errors
    units = {number: _Unit() for number in missing}
    for finding in source.findings:
        number = _home(finding, source.file, slices)
        if number in units:
            units[number].findings.append(_moved_finding(finding, source.file, -_base(number, slices)))
            units[number].rest = slices.fingerprint(None, exact=True)
    for found in source.mechanisms:
        at = slices.at(found.mechanism.span.line)
        if at is not None and at in units:
            units[at].files.update(source.files)
            view = _view(target_of(source, found, units[at].files), slices, at)
            units[at].views.append(_moved(view, -_base(at, slices)))
            # A rule may point into a helper: what it says there follows from this mechanism all the same.
            told = rule_findings(source, [found], settings, units[at].files)
            units[at].findings += (_moved_finding(one, source.file, -_base(at, slices)) for one in told)
    for number, unit in units.items():
        if number != _LOOSE and not _stays_inside(unit, slices, number):
            unit.placed = _placement(slices, number)
    return units, ()


def _as_files_are(known: dict[str, _Unit]) -> dict[str, _Unit]:
    """Those that depend on no other file that has changed since."""
    now = {file: digest_at(Path(file)) for unit in known.values() for file in unit.files}
    return {key: unit for key, unit in known.items() if all(now[file] == one for file, one in unit.files.items())}


def _fits(unit: _Unit | None, number: int, slices: Slices) -> bool:
    """Whether what was read before is still so."""
    return (
        unit is not None
        and (unit.placed is None or unit.placed == _placement(slices, number))
        and (unit.rest is None or unit.rest == slices.fingerprint(None, exact=True))
    )


def _placement(slices: Slices, number: int) -> tuple[int, ...]:
    return tuple(slices.parts[one].first for one in sorted(slices.reach([number])))


def _stays_inside(unit: _Unit, slices: Slices, number: int) -> bool:
    """Whether all that the unit says is about its own slice."""
    last = slices.parts[number].last - _base(number, slices)
    spans = [span for view in unit.views for span in _spans(view)]
    spans += [finding.span for finding in unit.findings]
    spans += [related.span for finding in unit.findings for related in (*finding.related, *finding.way)]
    spans = [span for span in spans if not span.file]
    texts = [finding.message for finding in unit.findings]
    texts += [view.mechanism.untestable or "" for view in unit.views]
    inside = all(1 <= span.line <= span.end_line <= last for span in spans)
    return inside and not any(map(_LINE_NUMBER.search, texts))


def _spans(view: MechanismView) -> Iterable[Span]:
    yield from (view.mechanism.span, view.mechanism.claim_span)
    yield from (share.span for share in view.shares)
    if view.obstacle is not None:
        yield view.obstacle.span


def _home(finding: Finding, file: str, slices: Slices) -> int:
    """The slice that a finding is about; for one in pyproject.toml, that of the function that it is about."""
    if finding.file == file:
        number = slices.at(finding.span.line)
        return _LOOSE if number is None else number
    name = (finding.function or "").partition(".")[0]
    return next((number for number, part in enumerate(slices.parts) if part.function == name), _LOOSE)


def _base(number: int, slices: Slices) -> int:
    """How many lines stand before what a place is counted from."""
    return 0 if number == _LOOSE else slices.parts[number].first - 1


def _view(target: Target, slices: Slices, number: int) -> MechanismView:
    mechanism = target.mechanism
    program = target.program
    return MechanismView(
        mechanism=mechanism,
        last=mechanism.span.line + max(0, len(mechanism.source_lines) - 1),
        source_key=slices.fingerprint(number),
        shares=budget_shares(program, mechanism) if isinstance(program, Program) else (),
        obstacle=None if isinstance(program, Program) else program,
    )


def _joined(
    known: Mapping[str, _Unit], keys: Mapping[int, str], slices: Slices, file: str, errors: Iterable[CheckError]
) -> LoadedBuffer:
    views: list[MechanismView] = []
    findings: list[Finding] = []
    for number, key in keys.items():
        if key in known:
            base = _base(number, slices)
            views += (replace(_moved(view, base), source_key=slices.fingerprint(number)) for view in known[key].views)
            findings += (_moved_finding(one, file, base) for one in known[key].findings)
    views.sort(key=lambda view: view.mechanism.span)
    # Two mechanisms may say the same of a helper that both of them call.
    single = {(one.file, one.span, one.code, one.message): one for one in reversed(findings)}
    findings = sorted(single.values(), key=lambda one: (one.file, one.span, one.code))
    files = {file: one for key in keys.values() if key in known for file, one in known[key].files.items()}
    return LoadedBuffer(tuple(views), tuple(findings), tuple(errors), files=tuple(sorted(files.items())))


def _down(span: Span, lines: int) -> Span:
    """Places in other files stay where they are."""
    return span if span.file else replace(span, line=span.line + lines, end_line=span.end_line + lines)


def _moved(view: MechanismView, lines: int) -> MechanismView:
    mechanism, obstacle = view.mechanism, view.obstacle
    return replace(
        view,
        mechanism=replace(mechanism, span=_down(mechanism.span, lines), claim_span=_down(mechanism.claim_span, lines)),
        last=view.last + lines,
        shares=tuple(replace(share, span=_down(share.span, lines)) for share in view.shares),
        obstacle=None if obstacle is None else replace(obstacle, span=_down(obstacle.span, lines)),
    )


def _moved_finding(finding: Finding, file: str, lines: int) -> Finding:
    """Findings in pyproject.toml stay where they are."""
    if finding.file != file:
        return finding
    fix = finding.fix
    return replace(
        finding,
        span=_down(finding.span, lines),
        fix=fix and replace(fix, edits=tuple(replace(edit, span=_down(edit.span, lines)) for edit in fix.edits)),
        related=tuple(replace(one, span=_down(one.span, lines)) for one in finding.related),
        way=tuple(replace(one, span=_down(one.span, lines)) for one in finding.way),
    )
