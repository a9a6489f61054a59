"""Seeded faults under an audit: how many are caught by what it compares before it says a word from a reading.

    python -m benchmarks.misreadings --audits [--mutants 100] [--seed 1] [--subjects 3] [--pool 200] [--seconds 1200]

A subject is a mechanism of the fixtures together with a way in which an audit speaks of it: a proof of a right one, the
losses that are computed, or runs on lanes (`misread_ways.py`). It is one only if the right reading stands. Of a mutant,
those subjects are tried whose lowering or reading comes to its line: each is read anew, in a process of its own. It
counts if dplint still speaks of the mechanism so, and if the reading is another one than the usual: another output,
draw, or parameter of a draw, on inputs and noise that are more than an audit compares, and others. It is caught if the
code with which an audit compares this reading drops it; the runner, another process, has no mutant.
"""

from __future__ import annotations

import atexit
import functools
import gc
import math
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.misread_mutants import ROOT, Mutant
from benchmarks.misread_ways import UNKNOWN, WAYS, Budget, Inputs, Ran, Way
from benchmarks.proofs import FOLDERS, OTHERS, _by_text, truth_of
from dplint.audit.run_blocks import WrongTranslation
from dplint.check.loading import Target, target_of
from dplint.claims import Mechanism
from dplint.cli.overrides import settings_for
from dplint.config import shown
from dplint.program.nodes import Program
from dplint.runner.client import RunnerError
from dplint.source.read import read_source
from dplint_conformance import all_cases
from dplint_conformance.harness import claimed

_LEFT_OUT, _ODD = ("machine", "published_bugs"), "readings/right"
_PROBING, _LONG = 0.3, 20
"""Seconds after which no more inputs are looked at, and those after which a subject is given up."""
_TRACED, _OF_A_FILE = 4, 8
"""Inputs whose reading is traced; cases of the conformance suite that one file of them gives."""
_CLOSE = 1e-9


@dataclass
class Subject:
    """A mechanism, a way to speak of it, and what is usually said. inputs, usual: runs, made when they are wanted.

    lower: from a file that was parsed, and of which nothing was lowered yet. stands: whether the right reading does;
    None if nobody has asked.
    """

    name: str
    mechanism: Mechanism
    lower: Callable[[], Target]
    program: Program
    way: Way
    said: Any
    stands: bool | None = None
    inputs: Inputs = field(default_factory=list)
    usual: list[Ran] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.name}, {self.way.name}"

    def read_anew(self) -> Program | None:
        """As it is read now; None if it is not read."""
        lowered = self.lower().lowered
        return lowered if isinstance(lowered, Program) else None

    def probes(self) -> Inputs:
        """All inputs to look at."""
        return list(self.way.probes(self.mechanism, self.program, self.said))

    def prepare(self) -> None:
        """Make the usual runs."""
        if self.usual:
            return
        budget, probes = Budget(_PROBING), self.probes()
        for ran in self.way.runs(self.mechanism, self.program, self.said, probes):
            self.usual.append(ran)
            if budget.over and len(self.usual) % 2 == 0:
                break
        self.inputs = probes[: len(self.usual) // 2]

    def is_otherwise(self, program: Program, said: Any) -> bool:
        """Whether some run is another one than the usual, as far as both are known."""
        mutated = self.way.runs(self.mechanism, program, said, self.inputs)
        return any(
            usual is not None and run is not None and not _same_run(usual, run)
            for usual, run in zip(self.usual, mutated, strict=False)
        )

    def looked_at(self, program: Program) -> Seen | None:
        """What becomes of this reading in an audit; None if it is the usual one, or nothing is said from it."""
        # Whether the reading is another one is seen sooner than what is said from it.
        if not self.is_otherwise(program, self.said):
            return None
        said = self.way.said(self.mechanism, program)
        if said is None or not self.is_otherwise(program, said):
            return None
        try:
            return Seen(self, "", self.way.compared(self.mechanism, program, said))
        except (WrongTranslation, RunnerError) as wrong:
            return Seen(self, str(wrong))


@dataclass(frozen=True)
class Seen:
    """What a mutant did to a subject. caught: why the reading was dropped, "" if it was not. noted: lines never run."""

    subject: Subject
    caught: str
    noted: tuple[int, ...] = ()


def _same_run(first: tuple[list[Any], Any], second: tuple[list[Any], Any]) -> bool:
    known = first[1] is not UNKNOWN and second[1] is not UNKNOWN
    return _same(first[0], second[0]) and (not known or _same(first[1], second[1]))


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(value, second[key]) for key, value in first.items())
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    if type(first) in (int, float) and type(second) in (int, float):
        return first == second or math.isclose(first, second, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(first) is type(second) and repr(first) == repr(second)


def read_otherwise(
    install: Callable[[list[int]], bool], caches: Sequence[Any], subjects: Sequence[tuple[int, Subject]]
) -> tuple[bool, list[int]]:
    """In a process of its own: whether the place was reached, and which of the subjects have another program."""
    hits = _installed(install, caches)
    if hits is None:
        return False, []
    others = []
    for number, subject in subjects:
        with _given_up_some_time():
            program = subject.read_anew()
            if program is not None and repr(program) != repr(subject.program):
                others.append(number)
    return bool(hits), others


def tried(
    install: Callable[[list[int]], bool],
    caches: Sequence[Any],
    subjects: Sequence[tuple[int, Subject]],
    *,
    changed: Program | None = None,
    most: int = 1,
) -> tuple[bool, list[tuple[int, str, tuple[int, ...]]]]:
    """In a process of its own: whether the place was reached, and what was seen: the subject's number, and as in Seen.

    caches: of what was read before. changed: the program in place of the usual one. most: subjects that count, after
    which no more are looked at.
    """
    hits, seen = _installed(install, caches), []
    if hits is None:
        return False, []
    for number, subject in subjects:
        if len(seen) == most:
            break
        with _given_up_some_time():
            program = changed or subject.read_anew()
            found = None if program is None else subject.looked_at(program)
            if found is not None:
                seen.append((number, found.caught, found.noted))
    return bool(hits), seen


def _installed(install: Callable[[list[int]], bool], caches: Sequence[Any]) -> list[int] | None:
    """What is filled when the place is reached; None if nothing can be installed."""
    for cached in caches:
        cached.cache_clear()
    hits: list[int] = []
    return hits if install(hits) else None


@contextmanager
def _given_up_some_time() -> Iterator[None]:
    """A fault that crashes, or that goes on for ever, says nothing wrong."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(_LONG)
    with suppress(Exception):
        yield
    signal.alarm(0)


def _give_up(*_: object) -> None:
    raise TimeoutError


def stands(subject: Subject) -> bool:
    """Whether the right reading stands: it does not where a package is missing."""
    with _given_up_some_time():
        subject.way.compared(subject.mechanism, subject.program, subject.said)
        return True
    return False


def caches_of_readings() -> list[Any]:
    """All that keep what functions of dplint returned."""
    every = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in every if str(one.__module__).startswith("dplint")]


@dataclass(frozen=True)
class Written:
    """A mechanism of the fixtures, as it is read from its file. right: None if nothing says it."""

    name: str
    right: bool | None
    mechanism: Mechanism
    usual: Callable[[], Target]
    lower: Callable[[], Target]


def written(most: int, chance: random.Random) -> Iterator[Written]:
    """So many mechanisms: half of them cases of the conformance suite, the others right ones of the fixtures."""
    groups: dict[str, list[Written]] = {}
    for folder in (*FOLDERS, *OTHERS, _ODD):
        if folder not in _LEFT_OUT:
            files = sorted((ROOT / "fixtures" / folder).rglob("*.py"))
            some = [one for file in files for one in _written(folder, file)]
            kept = [one for one in some if one.right and one.mechanism.claim.pairs is None]
            groups.setdefault(folder if folder in ("styles", _ODD) else "others", []).extend(kept)
    for some in groups.values():
        chance.shuffle(some)
    cases = _cases(chance)
    for number in range(most):
        left = [some for some in groups.values() if some]
        found = left[number // 2 % len(left)].pop() if number % 2 and left else next(cases, None)
        if found is not None:
            yield found


def _cases(chance: random.Random) -> Iterator[Written]:
    """Cases of the conformance suite that take a generator and a list, under a claim that nobody has shown."""
    folder = Path(tempfile.mkdtemp(prefix="cases"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    names = {one.source: set[str]() for one in all_cases()}
    for one in all_cases():
        if {*one.arguments} in ({"queries"}, {"values"}):
            names[one.source].add(one.name)
    for number, source in enumerate(chance.sample(list(names), len(names))):
        file = folder / f"cases_{number}.py"
        file.write_text(claimed(source))
        some = [one for one in _written("cases", file) if one.mechanism.qualname in names[source]]
        yield from chance.sample(some, min(_OF_A_FILE, len(some)))


def _written(folder: str, file: Path) -> Iterator[Written]:
    settings = settings_for(file, {})
    usual, anew = (read_source(file, file=shown(file), table=settings.mechanisms) for _ in range(2))
    truth = truth_of(folder) if folder in FOLDERS else {}
    for first, second in zip(usual.mechanisms, anew.mechanisms, strict=True):
        name = first.mechanism.qualname.rpartition(".")[2]
        right = folder == _ODD or (truth.get(name) if folder in FOLDERS else _by_text(file, name))
        lowering = partial(target_of, usual, first), partial(target_of, anew, second)
        yield Written(f"{folder}/{name}", right, first.mechanism, *lowering)


Lines = dict[tuple[str, str], dict[int, list[Subject]]]
"""By file and function, which subjects come to each line, as they are read and spoken of."""


def reached_by(mechanisms: Iterator[Written], files: Sequence[Path], caches: Sequence[Any]) -> Lines:
    """Of these files. A proof is looked for of those that are right."""
    wanted = {str(file): str(file.relative_to(ROOT)) for file in files}
    reached: Lines = {}
    for one in mechanisms:
        for cached in caches:
            cached.cache_clear()
        lines, target = _traced(one.usual, set(wanted))
        if not isinstance(target.lowered, Program):
            continue
        for subject in _subjects(one, target.lowered):
            of_runs, _ = _traced(partial(_runs, subject, subject.probes()[:_TRACED]), set(wanted))
            for filename, function, line in lines | of_runs:
                reached.setdefault((wanted[filename], function), {}).setdefault(line, []).append(subject)
    return reached


def _subjects(one: Written, program: Program) -> Iterator[Subject]:
    for way in WAYS if one.right else WAYS[1:]:
        said = None
        with suppress(Exception):
            said = way.said(one.mechanism, program)
        if said is not None:
            yield Subject(one.name, one.mechanism, one.lower, program, way, said)


def _runs(subject: Subject, inputs: Inputs) -> None:
    deque(subject.way.runs(subject.mechanism, subject.program, subject.said, inputs), maxlen=0)


def _traced(work: Callable[[], Any], files: set[str]) -> tuple[set[tuple[str, str, int]], Any]:
    """The lines of these files that some work comes to, by function, and what it gives."""
    lines = set[tuple[str, str, int]]()

    def local(frame: Any, _event: str, _: Any) -> Any:
        code = frame.f_code
        lines.add((code.co_filename, code.co_qualname.partition(".<locals>")[0], frame.f_lineno))
        return local

    sys.settrace(lambda frame, _event, _: local if frame.f_code.co_filename in files else None)
    try:
        return lines, work()
    finally:
        sys.settrace(None)


def subjects_of(mutant: Mutant, reached: Lines, every: Sequence[Subject], chance: random.Random) -> list[Subject]:
    """Those that come to its line, in random order."""
    by_line: Mapping[int, list[Subject]] = reached.get((mutant.file, mutant.function), {})
    if mutant.entries is not None:
        names = [str(one).rpartition(".")[2] for one in mutant.entries[2:]]
        some = [one for one in every if any(name in repr(one.program) for name in names)]
    elif "by hand" in mutant.change:
        some = list({str(one): one for at_line in by_line.values() for one in at_line}.values())
    else:
        some = list(by_line.get(mutant.line, []))
    return chance.sample(some, len(some))


def in_turns(some: Sequence[Subject], most: int) -> list[Subject]:
    """So many of them, of each way as many as there are."""
    by_way = [[one for one in some if one.way is way] for way in WAYS]
    turns = [[group[k] for group in by_way if k < len(group)] for k in range(max(map(len, by_way), default=0))]
    return [one for turn in turns for one in turn][:most]


HEAD = "| where | tried | reached | read otherwise | caught wherever it is | somewhere |"


class Table:
    """What was counted, by folder."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.ways: dict[str, Counter[str]] = {}

    def add(self, folder: str, mutant: object, was_reached: bool, seen: Sequence[Seen]) -> None:
        """What one mutant did."""
        caught = [one for one in seen if one.caught]
        self.counts.setdefault(folder, Counter()).update(
            tried=1,
            reached=int(was_reached),
            changed=int(bool(seen)),
            everywhere=int(bool(seen) and len(caught) == len(seen)),
            somewhere=int(bool(caught)),
        )
        for one in seen:
            nowhere = "could be compared with no run" in one.caught
            count = self.ways.setdefault(one.subject.way.name, Counter())
            count.update(readings=1, caught=int(bool(one.caught)), nowhere=int(nowhere))
            if not one.caught:
                noted = f"; lines {one.noted} are named as never run" if one.noted else ""
                beside = f"; caught on {caught[0].subject}" if caught else ""
                print(f"not caught: {mutant} (on {one.subject}{noted}{beside})\n", flush=True)

    def __str__(self) -> str:
        keys = ("tried", "reached", "changed", "everywhere", "somewhere")
        rows = [f"| {where} | {' | '.join(str(count[key]) for key in keys)} |" for where, count in self.rows()]
        ways = [
            f"{name}: {count['readings']} other readings, {count['caught']} dropped, {count['nowhere']} of them since "
            "no run could be compared"
            for name, count in self.ways.items()
        ]
        return "\n".join([HEAD, f"{'|---' * 6}|", *rows, "", *ways])

    def rows(self) -> Iterator[tuple[str, Counter[str]]]:
        """By folder, those of dplint together, and those of lowered programs."""
        own = {where: count for where, count in self.counts.items() if where.startswith("dplint")}
        yield from sorted(own.items())
        yield "functions of dplint", sum(own.values(), Counter[str]())
        yield from ((where, count) for where, count in self.counts.items() if where not in own)

    @property
    def counted(self) -> int:
        """Mutants of dplint's functions that count."""
        return next(count for where, count in self.rows() if where == "functions of dplint")["changed"]
