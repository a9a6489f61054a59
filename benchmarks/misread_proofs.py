"""Seeded faults under a proof: how many are caught by what an audit compares before it says a word from the proof.

    python -m benchmarks.misreadings --proofs [--mutants 100] [--seed 1] [--subjects 3] [--pool 40] [--seconds 400]

Subjects are right mechanisms of the fixtures that are proved. Beside the mutants of functions there are those of what
the lowering gives: a program in which one operator, constant, condition, name or branch is another. With a mutant, in a
process of its own, each subject is read and proved anew. It counts if there still is a proof, and if the checker's
reading is another one than the usual: another output, draw, or parameter of a draw, on inputs and noise that are more
than an audit compares, and others. It is caught if `dplint.audit.proving.compared.confirmed` drops the proof; the
runner, another process, has no mutant.
"""

from __future__ import annotations

import functools
import gc
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from benchmarks.proofs import FOLDERS, OTHERS, ROOT, _by_text, truth_of
from dplint.audit.comparing import Arguments, Contradiction, LoweredReading
from dplint.audit.lane_runs import WrongTranslation
from dplint.audit.proving.compared import ValuesInScope, confirmed
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.check.loading import LowerAgain
from dplint.check.programs import read_programs
from dplint.claims import Pair
from dplint.cli.overrides import settings_for
from dplint.inputs.compared import pairs_to_compare
from dplint.jobs import AuditJob, AuditSettings
from dplint.program.nodes import (
    AugAssign,
    Binary,
    BoolOp,
    Call,
    Compare,
    Constant,
    Draw,
    For,
    If,
    IfExp,
    MethodCall,
    Node,
    Program,
    Unary,
    While,
)
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.program.walk import is_node, walk
from dplint.proofs.numbers import CheckedReading
from dplint.proofs.searching import Search, search
from dplint.readings.lanes.draws import RealGenerators
from dplint.runner.client import RunnerError

_LEFT_OUT = ("dpsniper", "machine", "outputs", "published_bugs")
_SLOW, _MORE, _LEAST = 0.4, 3, 0.3
"""Seconds for the usual proof, else it is no subject; with a mutant so many times what that took, or at least this."""
_PROBED, _PROBING, _PROBING_SEED = 120, 0.35, 90_001
"""Pairs on which the readings with and without a mutant are compared, and the seconds after which no more are."""
_CLOSE, _FEW = 1e-9, 6
_EPSILONS = (0.2, 0.7, 1.5)

Ran: TypeAlias = "tuple[list[Any], Any] | None"
"""The draws of a run, with their parameters, and its output; None where the reading does not reach."""


@dataclass
class Subject:
    """A right mechanism, with its usual program and proof. usual: runs without a mutant, made when they are wanted.

    by_rule: only the rule of its proof reads it, so its program is evaluated as it stands.
    """

    name: str
    again: LowerAgain
    usual_program: Program
    found: Search
    seconds: float
    inputs: list[tuple[Pair, Arguments]] = field(default_factory=list)
    usual: list[Ran] = field(default_factory=list)
    by_rule: bool = False

    def program(self) -> Program | None:
        """As it is read now; None if it is not read, or as usual."""
        target = self.again()
        if target is None or not isinstance(target.lowered, Program):
            return None
        return target.lowered if repr(target.lowered) != repr(self.usual_program) else None

    def prepare(self) -> None:
        """Make the usual runs."""
        if self.usual:
            return
        begun = time.process_time()
        inputs = list(_probes(self))
        if not any(_runs(replace(self, inputs=inputs[:_FEW]), self.usual_program, self.found)):
            self.by_rule = True
        for pair, arguments in inputs:
            self.inputs.append((pair, arguments))
            self.usual += _runs(self, self.usual_program, self.found, len(self.inputs) - 1)
            if time.process_time() - begun > _PROBING:
                break

    def is_otherwise(self, program: Program, found: Search) -> bool:
        """Whether some run is another one than the usual."""
        mutated = _runs(self, program, found)
        return any(_is_other(usual, run) for usual, run in zip(self.usual, mutated, strict=False))

    def proof(self, program: Program) -> Search:
        """What is found now."""
        return search(program, self.again.mechanism, max(_MORE * self.seconds, _LEAST))

    def job(self, program: Program) -> AuditJob:
        """Of an audit."""
        whole = program if isinstance(program, Program) else Unsupported("", self.again.mechanism.span, "")
        settings = AuditSettings(interpreter=sys.executable)
        return AuditJob(mechanism=self.again.mechanism, program=whole, settings=settings, lowered=program)

    def session(self, job: AuditJob) -> AuditSession:
        """Of that."""
        return AuditSession(job, claim_settings(job.mechanism, _EPSILONS), lambda *_: None)


@dataclass(frozen=True)
class Seen:
    """What a mutant did to a subject. caught: why the proof was dropped, "" if it was not. noted: lines never run."""

    subject: str
    caught: str
    noted: tuple[int, ...] = ()


def _probes(subject: Subject) -> Iterator[tuple[Pair, Arguments]]:
    program, found = subject.usual_program, subject.found
    assert found.proof is not None
    with subject.session(subject.job(program)) as session:
        session.seed = _PROBING_SEED
        values = ValuesInScope(session, program, found.proof.scope)
        pairs = pairs_to_compare(session.mechanism, program, _PROBED, session.seed)
        pairs.sort(key=lambda pair: not (pair.d1 and pair.d2))  # an empty table has the columns of one before it
        named = list(values.named())
        for number, pair in enumerate(pairs):
            yield pair, named[number // 2 % len(named)] if named and number % 2 else values.arguments(number)


def _runs(subject: Subject, program: Program, found: Search, first: int = 0) -> Iterator[Ran]:
    """The checker's reading on the probes from the first on, both sides of each."""
    assert found.proof is not None
    reading: Any = CheckedReading(program, subject.again.mechanism, found.proof.scope, found.programs)
    if subject.by_rule:
        reading = LoweredReading(subject.session(subject.job(program)), program)
    for number, (pair, arguments) in enumerate(subject.inputs[first:], first):
        for side in (1, 2):
            events: list[Any] = []
            begin = functools.partial(_begin, number, side, events)
            try:
                run, whole = reading.run((pair.d1, pair.d2), side, arguments, begin)
            except (UnsupportedConstruct, Contradiction):
                yield None
            else:
                output = run.exception[0] if run.exception is not None else run.output
                yield events, output if whole else None


def _begin(number: int, side: int, events: list[Any]) -> Callable[..., Any]:
    events.clear()
    generators = RealGenerators(*np.random.SeedSequence((_PROBING_SEED, number, side)).spawn(2))

    def draw(node: Draw, parameters: Mapping[str, Any], size: Any, _site: Any) -> Any:
        events.append((node.distribution, sorted(parameters.items()), size))
        return generators.draw(0, node, dict(parameters), size)

    return draw


def _is_other(usual: Ran, mutated: Ran) -> bool:
    """Whether two runs differ, as far as both are known."""
    return usual is not None and mutated is not None and not _same(usual, mutated)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(value, second[key]) for key, value in first.items())
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    if type(first) in (int, float) and type(second) in (int, float):
        return first == second or math.isclose(first, second, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(first) is type(second) and repr(first) == repr(second)


def tried(
    install: Callable[[list[int]], bool],
    subjects: Sequence[Subject],
    caches: Sequence[Any] = (),
    *,
    lowering: bool = False,
    changed: Program | None = None,
    most: int = 1,
) -> tuple[bool, list[Seen]]:
    """In a process of its own: whether the place was reached, and what was seen where a proof is of another reading.

    lowering: whether the programs are made anew. caches: of what was read before. changed: the program in place of the
    usual one. most: subjects that are looked at where there is such a proof.
    """
    for cached in caches:
        cached.cache_clear()
    hits: list[int] = []
    if not install(hits):
        return False, []
    seen = []
    for subject in subjects:
        if len(seen) == most:
            break
        try:
            program = changed or (subject.program() if lowering else subject.usual_program)
            # Whether the reading is another one is seen sooner than whether there is a proof.
            if program is None or not subject.is_otherwise(program, subject.found):
                continue
            found = subject.proof(program)
            if found.proof is not None and subject.is_otherwise(program, found):
                seen.append(_confirmed(subject, program, found))
        except Exception:  # a fault that crashes says nothing wrong
            continue
    return bool(hits), seen


def caches_of_readings() -> list[Any]:
    """All that keep what functions of dplint returned."""
    every = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in every if str(one.__module__).startswith("dplint")]


def _confirmed(subject: Subject, program: Program, found: Search) -> Seen:
    job = subject.job(program)
    with subject.session(job) as session:
        try:
            proof = confirmed(session, job, program, found)
        except (WrongTranslation, RunnerError) as wrong:
            return Seen(subject.name, str(wrong))
        return Seen(subject.name, "", proof.scope.never_run)


def targets_of(most: int, chance: random.Random) -> Iterator[tuple[str, LowerAgain]]:
    """Right mechanisms of the fixtures, so many; half of them of odd style."""
    named: dict[str, list[tuple[str, LowerAgain]]] = {}
    for folder in (*FOLDERS, *OTHERS):
        if folder in _LEFT_OUT:
            continue
        truth = truth_of(folder) if folder in FOLDERS else {}
        for file in sorted((ROOT / "fixtures" / folder).rglob("*.py")):
            settings = settings_for(file, {})
            for target in read_programs(file, None, settings).targets:
                name = target.mechanism.qualname.rpartition(".")[2]
                right = truth.get(name) if folder in FOLDERS else _by_text(file, name)
                if right and target.mechanism.claim.pairs is None:
                    again = LowerAgain(file, target.mechanism.file, settings, target.mechanism)
                    named.setdefault(folder, []).append((f"{folder}/{name}", again))
    for some in named.values():
        chance.shuffle(some)
    for number in range(most):
        left = [folder for folder, some in named.items() if some]
        yield named["styles" if number % 2 and "styles" in left else chance.choice(left)].pop()


Lines: TypeAlias = "dict[tuple[str, str], dict[int, list[Subject]]]"


def reached_by(targets: Iterator[tuple[str, LowerAgain]], files: Sequence[Path], caches: Sequence[Any]) -> Lines:
    """By file and function, which subjects come to each line of these files, as they are read and proved."""
    wanted = {str(file): str(file.relative_to(ROOT)) for file in files}
    reached: Lines = {}
    for name, again in targets:
        for cached in caches:
            cached.cache_clear()
        target = again()
        if target is None or not isinstance(target.lowered, Program):
            continue
        begun = time.process_time()
        found = search(target.lowered, again.mechanism, _SLOW)
        if found.proof is None:
            continue
        subject = Subject(name, again, target.lowered, found, time.process_time() - begun)
        if _confirmed(subject, target.lowered, found).caught:  # as where a package is not there
            continue
        for cached in caches:
            cached.cache_clear()
        for filename, function, line in _lines_of(subject, set(wanted)):
            reached.setdefault((wanted[filename], function), {}).setdefault(line, []).append(subject)
    return reached


def _lines_of(subject: Subject, files: set[str]) -> set[tuple[str, str, int]]:
    lines = set[tuple[str, str, int]]()

    def local(frame: Any, _event: str, _: Any) -> Any:
        code = frame.f_code
        lines.add((code.co_filename, code.co_qualname.partition(".<locals>")[0], frame.f_lineno))
        return local

    sys.settrace(lambda frame, _event, _: local if frame.f_code.co_filename in files else None)
    try:
        subject.program()
        search(subject.usual_program, subject.again.mechanism, 10 * _SLOW)
    finally:
        sys.settrace(None)
    return lines


_OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "/", "%": "//", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
              "==": "!=", "!=": "==", "in": "not in", "not in": "in", "and": "or", "or": "and"}  # fmt: skip
_WORDS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


def changes(program: Program) -> list[tuple[str, Program]]:
    """The program with one node another, in words and as it is then."""
    return [
        (f"`{_short(node)}` becomes `{_short(other)}` in line {node.span.line}", _with(program, node, other))
        for node in walk(program)
        for other in _others(node)
    ]


def _short(node: Node) -> str:
    parts = (getattr(node, name, None) for name in ("operator", "operators", "value", "function", "keywords"))
    return f"{type(node).__name__} {next((part for part in parts if part is not None), '')}"[:60]


def _others(node: Node) -> Iterator[Node]:  # noqa: C901, PLR0912 - one case a kind
    match node:
        case Constant(value=bool() as value):
            yield replace(node, value=not value)
        case Constant(value=int() | float() as value):
            yield replace(node, value=value + 1)
        case Binary(operator=sign) | BoolOp(operator=sign) | AugAssign(operator=sign) if sign in _OPERATORS:
            yield replace(node, operator=_OPERATORS[sign])
        case Compare(operators=(sign,)) if sign in _OPERATORS:
            yield replace(node, operators=(_OPERATORS[sign],))
        case Unary(operand=operand):
            yield operand
        case IfExp(body=body, orelse=orelse) | If(body=body, orelse=(_, *_) as orelse):
            yield replace(node, body=orelse, orelse=body)
        case For(orelse=(_, *_)) | While(orelse=(_, *_)):
            yield replace(node, orelse=())
        case Call(function=name, arguments=arguments, keywords=keywords):
            for word, other in _WORDS.items():
                if name.endswith(word):
                    yield replace(node, function=name.removesuffix(word) + other)
            for k in range(len(arguments) - 1):
                yield replace(node, arguments=(*arguments[:k], arguments[k + 1], arguments[k], *arguments[k + 2 :]))
            if keywords:
                yield replace(node, keywords=keywords[1:])
        case MethodCall(keywords=(_, *keywords)):
            yield replace(node, keywords=tuple(keywords))


def _with(tree: Any, old: Node, new: Node) -> Any:
    """The tree with the one in place of the other."""
    if tree is old:
        return new
    if isinstance(tree, tuple):
        return tuple(_with(part, old, new) for part in tree)
    if is_node(type(tree)):
        return replace(tree, **{one.name: _with(getattr(tree, one.name), old, new) for one in fields(tree) if one.init})
    return tree


HEAD = "| where | tried | reached | of a proof of another reading | caught wherever there is one | somewhere |"


class Table:
    """What was counted, by folder."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.pairs: Counter[str] = Counter()

    @property
    def counted(self) -> int:
        """Mutants that made a proof of another reading."""
        return sum(one["changed"] for one in self.counts.values())

    def add(self, folder: str, mutant: object, was_reached: bool, seen: Sequence[Seen]) -> None:
        """What one mutant did."""
        caught = [one for one in seen if one.caught]
        self.counts.setdefault(folder, Counter()).update(
            tried=1,
            reached=was_reached,
            changed=bool(seen),
            everywhere=bool(seen) and len(caught) == len(seen),
            somewhere=bool(caught),
        )
        nowhere = sum("could be compared with no run" in one.caught for one in caught)
        self.pairs.update(proofs=len(seen), caught=len(caught), nowhere=nowhere)
        for one in seen:
            if not one.caught:
                noted = f"; lines {one.noted} are named as never run" if one.noted else ""
                beside = f"; caught on {caught[0].subject}" if caught else ""
                print(f"not caught: {mutant} (on {one.subject}{noted}{beside})\n", flush=True)

    def __str__(self) -> str:
        keys = ("tried", "reached", "changed", "everywhere", "somewhere")
        rows = [*sorted(self.counts.items()), ("all", sum(self.counts.values(), Counter[str]()))]
        lines = [f"| {folder} | {' | '.join(str(count[key]) for key in keys)} |" for folder, count in rows]
        proofs = "{proofs} proofs of another reading, {caught} dropped".format(**self.pairs)
        nowhere = f"{self.pairs['nowhere']} of them since no run could be compared"
        return "\n".join([HEAD, f"{'|---' * 6}|", *lines, "", f"{proofs}, {nowhere}"])
