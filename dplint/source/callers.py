"""What callers in the project pass to a mechanism as its data: evidence for the form, where nothing else settles it.

Only files are parsed that have a call of that name, and import something of the function's module, and no more of them
than a few; of a project only so many files are read. What they say decides on inputs that are tried, and on no verdict.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dplint.claims import (
    DELTA_NAME,
    EPSILON_NAME,
    Interval,
    Literal,
    Mechanism,
    Parameter,
    ParameterKind,
    Passed,
    Preparation,
    Receiver,
)
from dplint.expressions import expression_parameters
from dplint.inputs.candidates import named_forms, says_numbers, written_annotation
from dplint.relations import DataKind, relation_of
from dplint.source.files import SKIPPED_FOLDERS, SUFFIXES, content_of, is_project
from dplint.source.notebooks import is_notebook, text_of
from dplint.source.text import DecodeError

if TYPE_CHECKING:
    from dplint.source.call_sites import CallSites
    from dplint.source.passed_values import Value

Told = TypeVar("Told")

_FOLDERS, _FILES, _BYTES, _LONGEST = 1_000, 3_000, 1 << 25, 200_000
"""What is read of a project, and how long a file may be, in bytes."""
_PARSED, _PARSED_BYTES, _CALLS, _VALUES = 16, 400_000, 32, 8
"""What is parsed for one function, how many calls are enough, and how many values of a parameter."""
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
_EXAMPLES = re.compile(rb"^[ \t]*(?:>>>|\.\.\.) ?([^\r\n]*)", re.MULTILINE)
"""The lines of examples in docstrings."""
_IMPORTS, _WORD = re.compile(rb"^[ \t]*(?:from|import)[ \t][^\n]*", re.MULTILINE), re.compile(rb"\w+")


def wants_callers(mechanism: Mechanism) -> bool:
    """Whether it matters what callers pass: the form is open, or which numbers it holds."""
    data, claim, kind = mechanism.data, mechanism.claim, relation_of(mechanism.claim).data
    made = mechanism.receiver is not None and mechanism.receiver.takes is not None
    if data is None or not data.isidentifier() or made or claim.pairs is not None:
        return False
    declared = named_forms(written_annotation(mechanism))
    numbers = (
        kind is DataKind.VECTOR and not isinstance(claim.domain, Interval) and not all(map(says_numbers, declared))
    )
    return kind in (DataKind.VECTOR, DataKind.RECORDS) and (
        not declared or (numbers and float(claim.sensitivity).is_integer())
    )


def known_of(before: Mechanism, changed: Mechanism) -> Mechanism:
    """A mechanism whose body alone was changed, with what was learned of its callers before: no file is read again."""
    known = replace(changed, passed=before.passed, called=before.called)
    preparations = [
        [one.method for one in made.preparations] for made in (before.receiver, changed.receiver) if made is not None
    ]
    if before.receiver == changed.receiver or preparations[0] != preparations[-1]:
        return known
    return replace(known, receiver=before.receiver, untestable=before.untestable)


class Callers:
    """The files of projects, each read once: for one check only. elsewhere: other files than a function's own, too."""

    def __init__(self, *, elsewhere: bool = True) -> None:
        self._projects: dict[str, _Project] = {}
        self._elsewhere = elsewhere

    def asked(self, mechanism: Mechanism, text: str | None = None) -> Mechanism:
        """The mechanism with what its callers pass, where that is evidence. text: what stands for its file."""
        mechanism = self._with_object(self._with_arguments(mechanism, text), text)
        if not wants_callers(mechanism):
            return mechanism
        values = [one for one in self.values(mechanism, text) if one.annotation != "str"]
        forms = [form for form, _ in Counter(one.annotation for one in values).most_common()]
        wholes = [one.whole for one in values if one.whole is not None]
        return (
            replace(mechanism, passed=Passed(tuple(forms), whole=bool(wholes) and all(wholes))) if forms else mechanism
        )

    def values(self, mechanism: Mechanism, text: str | None = None) -> list[Value]:
        """What its callers pass as the data, as far as their text tells. text: what stands for its file."""
        # What is annotated must not cost the import.
        from dplint.source.call_sites import passed_in  # noqa: PLC0415

        return self._told(mechanism, text, mechanism.qualname, lambda sites: passed_in(sites, mechanism))

    def _with_arguments(self, mechanism: Mechanism, text: str | None) -> Mechanism:
        """With what callers pass for the parameters that neither the claim nor a default settles."""
        claim = mechanism.claim
        bounds = [one for one in (claim.epsilon, claim.delta) if isinstance(one, str)]
        stated = {*dict(claim.args), *mechanism.roles, *(name for one in bounds for name in expression_parameters(one))}
        needed = (one.name for one in mechanism.parameters if one.default is None and one.kind not in _COLLECTING)
        open_ones = {name for name in needed if name not in stated}
        if not open_ones or claim.pairs is not None:
            return mechanism
        called = [(name, values) for name, values in self.arguments(mechanism, text).items() if name in open_ones]
        return replace(mechanism, called=tuple(called)) if called else mechanism

    def arguments(self, mechanism: Mechanism, text: str | None = None) -> dict[str, tuple[Literal, ...]]:
        """The plain values that its callers pass for each parameter but the data, the commonest first."""
        from dplint.source.call_sites import arguments_in  # noqa: PLC0415

        passed: dict[str, list[Literal]] = {}
        for name, value in self._told(mechanism, text, mechanism.qualname, lambda one: arguments_in(one, mechanism)):
            passed.setdefault(name, []).append(value)
        return {name: tuple(_commonest(values)) for name, values in passed.items()}

    def _with_object(self, mechanism: Mechanism, text: str | None) -> Mechanism:
        """With what its object is made of where the claim does not state it: what a call in the project gives."""
        receiver = mechanism.receiver
        if receiver is None or not (receiver.missing or receiver.unprepared):
            return mechanism
        preparations = tuple(self._prepared(mechanism, one, text) for one in receiver.preparations)
        receiver = replace(receiver, preparations=preparations)
        given = self._given(mechanism, receiver, text) if receiver.missing else receiver.given
        if given is None or receiver.unprepared or any(one.seeds for one in preparations):
            return mechanism
        return replace(mechanism, receiver=replace(receiver, given=given), untestable=None)

    def _prepared(self, mechanism: Mechanism, preparation: Preparation, text: str | None) -> Preparation:
        """The preparation with what calls of it give, the commonest of each."""
        if not preparation.missing or _of_budget(preparation.missing):
            return preparation
        name = f"{mechanism.qualname.rpartition('.')[0]}.{preparation.method}"
        taken = tuple(Parameter(one) for one in preparation.needs)
        given = self.arguments(replace(mechanism, qualname=name, parameters=taken, data=None, rng=None), text)
        said = {one: given[one][0] for one in preparation.missing if one in given}
        return replace(preparation, given=(*preparation.given, *said.items()))

    def _given(
        self, mechanism: Mechanism, receiver: Receiver, text: str | None
    ) -> tuple[tuple[str, Literal], ...] | None:
        if _of_budget(receiver.missing):
            return None
        from dplint.source.call_sites import made_in  # noqa: PLC0415

        owner = mechanism.qualname.rpartition(".")[0]
        made = self._told(mechanism, text, owner, lambda one: made_in(one, mechanism, receiver.needs))
        whole = next((one for one in made if all(name in one for name in receiver.missing)), None)
        if whole is None:
            return None
        every = {**dict.fromkeys(receiver.needs), **whole, **dict(receiver.given)}
        return tuple((name, value) for name, value in every.items() if name in (*receiver.needs, *dict(receiver.given)))

    def _told(
        self, mechanism: Mechanism, text: str | None, name: str, asked: Callable[[CallSites], Iterator[Told]]
    ) -> list[Told]:
        """What calls of a function or class of that name tell, file by file, until that is enough."""
        from dplint.source.call_sites import call_sites  # noqa: PLC0415

        told: list[Told] = []
        for path, source in self._files(mechanism, text, name.rpartition(".")[2].encode()):
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError, DecodeError):
                told += asked(call_sites(path, source))
            if len(told) >= _CALLS:
                break
        return told

    def _files(self, mechanism: Mechanism, text: str | None, name: bytes) -> Iterator[tuple[Path, bytes]]:
        """The files that may call what has that name and is the mechanism or its class, its own file first."""
        own, root = Path(mechanism.path), mechanism.project_root
        raw = content_of(own) if text is None else text.encode()
        module = mechanism.module.encode().split(b".")
        # It begins with what is looked for, which is found many times faster so.
        called = re.compile(rb"%s\s*(?:\(| as )" % name)
        others: list[tuple[Path, bytes]] = []
        if self._elsewhere:
            project = self._projects.setdefault(root, _Project(Path(root)))
            others = [one for one in project.importing({name, module[0], module[-1]}) if one[0] != own]
        left, parsed = _PARSED_BYTES, 0
        examples = b"\n".join(_EXAMPLES.findall(raw or b""))
        if name in examples:
            others.insert(0, (own, b"from %s import *\n%s" % (mechanism.module.encode(), examples)))
        for path, source in [(own, raw or b""), *others]:
            # In its own file one of them is its definition.
            if name in source and len(called.findall(source)) > (source is raw) and len(source) <= left:
                left, parsed = left - len(source), parsed + 1
                yield path, source
            if parsed == _PARSED:
                return


def _of_budget(names: Sequence[str]) -> bool:
    """Whether an epsilon or delta is among them: whatever a call gives, the claim may be about another one."""
    return any(EPSILON_NAME.search(name) or DELTA_NAME.search(name) for name in names)


def _commonest(values: list[Literal]) -> list[Literal]:
    """Each value once, what is most often there first, and of equally common ones what comes first."""
    by_text = {repr(one): one for one in reversed(values)}
    return [by_text[text] for text, _ in Counter(map(repr, values)).most_common(_VALUES)]


@dataclass
class _Project:
    """The texts of a project."""

    root: Path
    _by_word: dict[bytes, list[int]] = field(default_factory=dict)

    @cached_property
    def _texts(self) -> list[tuple[Path, bytes]]:
        known, left = list[tuple[Path, bytes]](), _BYTES
        for path in _python_files(self.root):
            raw = content_of(path) or b""
            if len(raw) > _LONGEST:
                continue
            left -= len(raw)
            if left < 0 or len(known) == _FILES:
                break
            if is_notebook(path.name):
                with suppress(DecodeError):
                    known.append((path, text_of(path, raw).encode()))
            else:
                known.append((path, raw))
        for number, (_, text) in enumerate(known):
            for word in set(_WORD.findall(b" ".join(_IMPORTS.findall(text)))):
                self._by_word.setdefault(word, []).append(number)
        return known

    def importing(self, words: set[bytes]) -> list[tuple[Path, bytes]]:
        """The files that have one of the words in what they import."""
        texts = self._texts
        return [texts[number] for number in sorted({at for word in words for at in self._by_word.get(word, ())})]


def _python_files(root: Path) -> Iterator[Path]:
    """The files of a project, folders near its top first; of a folder that is none, those in it and one below."""
    todo, looked = [(root, 0)], 0
    deepest = None if is_project(root) else 1
    while todo and looked < _FOLDERS:
        folder, depth = todo.pop(0)
        looked += 1
        entries: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(folder) as inside:
            entries = sorted(inside, key=lambda one: one.name)
        for entry in entries:
            if entry.name.endswith(SUFFIXES) and entry.is_file():
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False) and (deepest is None or depth < deepest):
                hidden = entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS
                todo += [] if hidden else [(Path(entry.path), depth + 1)]
