"""What differs between an earlier state of a project and now, and checking that alone."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from dplint.check.budget_shares import spendings
from dplint.check.cells import in_cells
from dplint.check.checking import Elsewhere, check_loaded
from dplint.check.fixing import Key, key
from dplint.check.loading import LoadedFile, Pending, load_files
from dplint.check.mechanism_keys import MechanismKeys
from dplint.check.revisions import Revision
from dplint.claims import Mechanism
from dplint.config import Settings, SettingsByFile, choose_interpreter, shown
from dplint.contents import content
from dplint.outcomes import Change, Changes, CheckError, CheckEvent, Finding, Plan, Result, Severity, Side, Silenced
from dplint.source.files import content_of, digest_of, import_place
from dplint.source.slices import parse, slice_module
from dplint.source.text import DecodeError, decode
from dplint.workers.pool import Stop

_ALIKE, _ALIKE_ELSEWHERE = 0.6, 0.8
"""How much of the text of two functions must agree for one to be the other: with the name or the file the same, and
with neither."""
_Name: TypeAlias = tuple[str, str]
_NAMED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class _Earlier(SettingsByFile):
    """For files of the earlier state: the claims of its own pyproject.toml, and all else as it is now."""

    def __init__(self, settings: SettingsByFile, revision: Revision) -> None:
        super().__init__(settings.base, settings._layers, settings._fixed)
        self._current, self._revision = settings, revision

    def of_file(self, path: Path) -> Settings:
        now = self._revision.now(path)
        current = self._current.of_file(now)
        interpreter = choose_interpreter(current, str(import_place(now).project_root))
        claims = self.loaded(path.parent).settings.mechanisms
        return replace(current, mechanisms=claims, interpreter=interpreter, root=self._before(current.root))

    def of_folder(self, folder: Path) -> Settings:
        current = self._current.of_folder(self._revision.now(folder))
        return replace(current, root=self._before(current.root))

    def _before(self, root: Path | None) -> Path | None:
        inside = root is not None and root.is_relative_to(self._revision.top)
        return self._revision.before(root) if root is not None and inside else root


@dataclass(frozen=True, slots=True)
class _Seen:
    """A mechanism in one state. file: as it is shown in the working tree, or would be."""

    pending: Pending
    file: str
    digest: str

    @property
    def mechanism(self) -> Mechanism:
        return self.pending.mechanism

    @property
    def place(self) -> tuple[str, str]:
        return self.file, self.mechanism.qualname

    def side(self, told: Mapping[_Name, Side]) -> Side:
        """The mechanism under its present name, in its cell, with what is told of it."""
        known = told.get(_name(self.mechanism), Side(self.mechanism))
        (planned,) = in_cells([Plan((self.mechanism,))])
        assert isinstance(planned, Plan)
        (placed,) = planned.mechanisms
        return replace(known, mechanism=replace(placed, file=placed.file.replace(self.mechanism.file, self.file, 1)))


class _State:
    """All files of one state, under the names that they have, or would have, in the working tree."""

    def __init__(self, loaded: Iterable[LoadedFile | CheckError], now: Callable[[Path], Path]) -> None:
        self._now, self._keys = now, MechanismKeys("")
        self.files: dict[str, LoadedFile] = {}
        self.errors: list[CheckError] = []
        self.seen: list[_Seen] = []
        for one in loaded:
            if isinstance(one, CheckError):
                self.errors.append(one)
            else:
                self.files[self.shown(Path(one.file))] = one
                self.seen += map(self._see, one.pending)

    @property
    def unread(self) -> frozenset[str]:
        """The files that could not be read."""
        wrong = {self.shown(Path(error.file)) for error in self.errors}
        return frozenset(wrong | {name for name, file in self.files.items() if file.errors})

    def with_pending(self, wanted: Iterable[_Seen]) -> Iterator[LoadedFile | CheckError]:
        """The files, with only these mechanisms to be audited."""
        chosen = {id(one.pending) for one in wanted}
        yield from self.errors
        for file in self.files.values():
            yield replace(file, pending=tuple(one for one in file.pending if id(one) in chosen))

    def _see(self, pending: Pending) -> _Seen:
        mechanism = pending.mechanism
        return _Seen(pending, self.shown(Path(mechanism.path)), self._keys.digest(mechanism, "", pending.text))

    def made_of(self, seen: _Seen) -> set[tuple[str, str]]:
        """The other files of the project that a mechanism is made of, each with a digest."""
        others = self._keys.files(seen.mechanism, seen.pending.text) - {Path(seen.mechanism.path)}
        return {(self.shown(one), digest_of(content_of(one))) for one in others}

    def shown(self, file: Path) -> str:
        """A file of this state, as it is shown in the working tree or would be."""
        return shown(self._now(file.absolute()))


class Comparison:
    """An earlier state and the present one, read and compared; nothing is run before the events are asked for.

    paths: of the working tree of the revision. What audits run is what `check_paths` would run, in either state.
    """

    def __init__(self, paths: Sequence[Path], settings: SettingsByFile, revision: Revision) -> None:
        self._revision, self._jobs = revision, settings.base.jobs
        earlier = [old for path in paths if (old := revision.before(path)).exists()]
        self._settings = _Earlier(settings, revision), settings
        self._before = _State(load_files(earlier, self._settings[0]), revision.now)
        self._after = _State(load_files(paths, settings), lambda path: path)
        self._pairs = _paired(self._before.seen, self._after.seen)
        both = [(old, new) for old, new in self._pairs if old is not None and new is not None]
        self._differing = [(old, new) for old, new in both if _differ(old, new)]
        self._origins = {new.place: old.place for old, new in both}
        self._files = {new.file: old.file for old, new in both}
        self._known: Counter[Key] = Counter()
        self._worse_findings = 0

    def events_before(self, stop: Stop, elsewhere: Elsewhere) -> Iterator[CheckEvent]:
        """The check of the earlier state: of mechanisms that are there still, and differ."""
        wanted = self._before.with_pending(old for old, _ in self._differing)
        for event in check_loaded(wanted, self._jobs, stop, elsewhere):
            item = event.item if isinstance(event, Silenced) else event
            if isinstance(item, Finding):
                self._known[self._key(item, self._before.shown(Path(item.file)))] += 1
            yield event

    def events_after(self, stop: Stop, elsewhere: Elsewhere) -> Iterator[CheckEvent]:
        """The check of what is new or differs now, with the findings that are new or on touched lines.

        To be asked for once the events of before have all come: they tell what is not new.
        """
        wanted = [*(new for _, new in self._differing), *(new for old, new in self._pairs if new and old is None)]
        for event in check_loaded(self._after.with_pending(wanted), self._jobs, stop, elsewhere):
            item = event.item if isinstance(event, Silenced) else event
            if not isinstance(item, Finding):
                yield event
                continue
            name = self._key(*self._as_before(item))
            self._known[name] -= 1
            is_new = self._known[name] < 0
            self._worse_findings += is_new and event is item and item.severity is Severity.ERROR
            if is_new or self._is_touched(item):
                yield event

    def changes(self, before: Iterable[Result | Silenced], after: Iterable[Result | Silenced]) -> Changes:
        """What differs, with the verdicts of both checks."""
        told = _verdicts(before), _verdicts(after)
        if any(old is None or new is None or _differ(old, new) for old, new in self._pairs):
            for sides, state, settings in zip(told, (self._before, self._after), self._settings, strict=True):
                _add_spendings(sides, state, settings)
        found = [one for old, new in self._pairs if (one := self._change(old, new, *told)) is not None]
        found.sort(key=_place)
        revision = self._revision
        return Changes(revision.name, revision.commit, len(self._after.seen), tuple(found), self._worse_findings)

    def _change(
        self, old: _Seen | None, new: _Seen | None, before: Mapping[_Name, Side], after: Mapping[_Name, Side]
    ) -> Change | None:
        """What differs of one mechanism, None if nothing does or its file cannot be read now: that is an error."""
        if new is None:
            assert old is not None
            there = _defines(self._revision.now(Path(old.mechanism.path)), old.mechanism.qualname)
            return None if old.file in self._after.unread else Change(old.side(before), None, still_there=there)
        if old is None:
            # Where the settings were wrong, no file was read.
            unread = any(name == new.file or name.endswith("pyproject.toml") for name in self._before.unread)
            return Change(None, new.side(after), unread=unread)
        sides = old.side(before), new.side(after)
        if not _differ(old, new) and old.place == new.place and sides[0].spending == sides[1].spending:
            return None
        differ = old.digest != new.digest
        through = {name for name, _ in self._before.made_of(old) ^ self._after.made_of(new)} if differ else ()
        source = differ and (bool(through) or _text(old) != _text(new))
        return Change(*sides, source, tuple(sorted(through)))

    def _as_before(self, finding: Finding) -> tuple[Finding, str]:
        """The finding as it would have been before its function was renamed or moved, and the file it was in."""
        name = finding.function or ""
        file, old = self._origins.get((finding.file, name), (self._files.get(finding.file, finding.file), name))
        if old == name:
            return finding, file
        message = re.sub(rf"\b{re.escape(name)}\b", lambda _: old, finding.message)
        return replace(finding, function=old, message=message), file

    def _key(self, finding: Finding, file: str) -> Key:
        """What a finding says, in words of the working tree."""
        inside = re.compile(re.escape(self._revision.folder.as_posix()) + r"/([^\s:`'\",]+)")
        message = inside.sub(lambda found: shown(self._revision.top / found[1]), finding.message)
        return key(replace(finding, file=file, message=message))

    def _is_touched(self, finding: Finding) -> bool:
        now = self._after.files.get(finding.file)
        old = self._before.files.get(self._files.get(finding.file, finding.file))
        lines = _touched("" if old is None else old.text, "" if now is None else now.text)
        return not lines.isdisjoint(range(finding.span.line, finding.span.end_line + 1))


def _differ(old: _Seen, new: _Seen) -> bool:
    return old.digest != new.digest or old.mechanism.claim != new.mechanism.claim


def _paired(before: Sequence[_Seen], after: Sequence[_Seen]) -> list[tuple[_Seen | None, _Seen | None]]:
    """Each mechanism with itself at the other time: by file and name, then those whose texts are the most alike."""
    old_ones, new_ones = ({one.place: one for one in state} for state in (before, after))
    pairs: list[tuple[_Seen | None, _Seen | None]] = []
    pairs += [(old_ones.pop(place), new_ones.pop(place)) for place in sorted(old_ones.keys() & new_ones.keys())]
    alike = [(_likeness(old, new), old.place, new.place) for old in old_ones.values() for new in new_ones.values()]
    for likeness, old_place, new_place in sorted(alike, reverse=True):
        if likeness and old_place in old_ones and new_place in new_ones:
            pairs.append((old_ones.pop(old_place), new_ones.pop(new_place)))
    return [*pairs, *((old, None) for old in old_ones.values()), *((None, new) for new in new_ones.values())]


def _likeness(old: _Seen, new: _Seen) -> float:
    """How much of two functions agrees, their names set aside; 0 where that is too little for one to be the other."""
    near = old.file == new.file or old.mechanism.qualname == new.mechanism.qualname
    matcher = difflib.SequenceMatcher(None, _nameless(old.mechanism), _nameless(new.mechanism), autojunk=False)
    least = _ALIKE if near else _ALIKE_ELSEWHERE
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < least:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0.0


def _nameless(mechanism: Mechanism) -> str:
    name = re.escape(mechanism.qualname.rpartition(".")[2])
    return re.sub(rf"\b{name}\b", "_", "\n".join(mechanism.source_lines))


def _text(seen: _Seen) -> list[str]:
    """What a mechanism is made of in its own file, but for its claim and its name."""
    raw = content(Path(seen.mechanism.path)) if seen.pending.text is None else seen.pending.text.encode()
    try:
        slices = slice_module(decode(raw).removeprefix("\ufeff"))
    except (SyntaxError, DecodeError):
        return [_nameless(seen.mechanism)]
    own = slices.at(seen.mechanism.span.line)
    reached = sorted(slices.reach([] if own is None else [own]) - {own})
    return [_nameless(seen.mechanism), *(slices.parts[number].text for number in reached)]


def _name(mechanism: Mechanism) -> _Name:
    """Of one state; what is shown of a notebook has the names of its cells in place of its own."""
    return mechanism.path, mechanism.qualname


def _verdicts(results: Iterable[Result | Silenced]) -> dict[_Name, Side]:
    found = {}
    for one in results:
        item = one.item if isinstance(one, Silenced) else one
        if isinstance(item, Result):
            found[_name(item.mechanism)] = Side(item.mechanism, item.outcome, isinstance(one, Silenced))
    return found


def _add_spendings(sides: dict[_Name, Side], state: _State, settings: SettingsByFile) -> None:
    """What each mechanism of a state spends."""
    of = {_name(one.mechanism): one.mechanism for one in state.seen}
    for mechanism, spending in spendings([Path(file.file) for file in state.files.values() if file.pending], settings):
        name = _name(mechanism)
        if name in of:
            sides[name] = replace(sides.get(name, Side(of[name])), spending=spending)


def _place(change: Change) -> tuple[str, int]:
    side = change.after or change.before
    assert side is not None
    return side.mechanism.file, side.mechanism.span.line


def _defines(path: Path, qualname: str) -> bool:
    """Whether the file defines a function of the name."""
    text = content_of(path)
    try:
        body: Sequence[ast.AST] = [] if text is None else parse(decode(text).removeprefix("\ufeff")).body
    except (SyntaxError, DecodeError):
        return False
    found: ast.AST | None = None
    for name in qualname.replace(".<locals>", "").split("."):
        named = [one for one in body if isinstance(one, _NAMED) and one.name == name]
        found = named[-1] if named else None
        body = list(ast.walk(found)) if found is not None else []
    return isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)


def _touched(before: str, after: str) -> frozenset[int]:
    """The lines of a text that another one has not, counted from 1."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    ranges = [range(low + 1, high + 1) for tag, _, _, low, high in matcher.get_opcodes() if tag != "equal"]
    return frozenset(line for lines in ranges for line in lines)
