"""Seeded faults in the reading of Python: how many are caught by comparing what is read with what runs.

    python -m benchmarks.misreadings [--mutants 100] [--seed 1] [--subjects 12] [--pool 300] [--only TEXT] [--proofs]

A mutant is a function of the lowering, of the library models, or of the proof checker, in which one operator, constant,
condition or name is another; or a table of which two entries are exchanged; or a misunderstanding written by hand.
Programs are read anew with it, in a process of its own, of functions whose usual reading goes through that function.
A mutant counts if something is then read otherwise: other outcomes, or a program that gives other outcomes on some
random draws and arguments. To refuse more is no misreading. It is caught if the comparison finds a reading that differs
from CPython on the same draws. Prints a Markdown table, and what was not caught. With --proofs, of proofs and what an
audit compares before it tells them: see `misread_proofs.py`.
"""

from __future__ import annotations

import argparse
import copy
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any, TypeAlias

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import misread_audits  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from benchmarks.misread_mutants import FILES, Mutant, install, shuffled  # noqa: E402
from benchmarks.misread_programs import changes  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402
from dplint.program.refusals import Unsupported, UnsupportedConstruct  # noqa: E402
from dplint.readings import concrete  # noqa: E402
from dplint_conformance import all_cases, harness, quiet  # noqa: E402
from tests.proofs import test_readings as checker_readings  # noqa: E402
from tests.readings.comparing import READINGS, Reading  # noqa: E402
from tests.readings.truth import in_a_process  # noqa: E402

_SEEDS = (1, 2, 3, 4)
_OF_A_PROGRAM, _LOWERED, _RUN = 4, 30, 3
"""With --audits, after every so manieth mutant that counts there is one of what the lowering gives; how many
subjects are lowered with a mutant of the lowering; and how many are run for one that is to count."""


@dataclass(frozen=True)
class Subject:
    """A function that is read: a case of the conformance suite."""

    case: harness.Case

    def program(self) -> Program | Unsupported:
        """As it is read now, without what was read before."""
        return harness._program.__wrapped__(self.case.source, self.case.name)


Reached: TypeAlias = dict[tuple[str, str], list[tuple[Subject, Program, list[str]]]]
"""By file and function: the subjects whose reading goes through it, with their usual program and outcomes."""


def checker(program: Any, arguments: Any, replays: Sequence[Any]) -> Any:
    """The proof checker's reading with numbers put in."""
    try:
        return [checker_readings.outcome(program, copy.deepcopy(dict(arguments)), replay) for replay in replays]
    except UnsupportedConstruct as refused:
        return refused.unsupported
    except (ValueError, TypeError):
        return Unsupported("what the search takes for no proof", None)  # type: ignore[arg-type]


READERS: dict[str, Reading] = {"concrete": READINGS["concrete"], "checker": Reading(checker, close=True)}
"""What is compared; the readings of `tests.readings.comparing`, and that of the checker."""


def disagrees(program: Program, subject: Subject) -> bool:
    """The comparison that is measured: whether some reading differs from what the function does on the same draws."""
    case = subject.case
    for name, reading in READERS.items():
        expected, replays = harness.plain_outcomes(case, _SEEDS)
        with quiet():
            found = reading.adapter(program, copy.deepcopy(dict(case.arguments)), replays)
        if isinstance(found, Unsupported):
            continue
        for right, given, replay in zip(expected, found, replays, strict=True):
            if replay.finish() is not None or not _same(name, right, given):
                return True
    return False


def _same(name: str, right: Any, given: Any) -> bool:
    if name == "checker":
        return right[0] == given[0] and checker_readings.same(right, given)
    return bool(harness.plain(given) == harness.plain(right))


def outcomes(program: Program, subject: Subject) -> list[str]:
    """What the readings give, as text, to see whether a mutant changes it."""
    out = []
    for reading in READERS.values():
        _, replays = harness.plain_outcomes(subject.case, _SEEDS)
        with quiet():
            found = reading.adapter(program, copy.deepcopy(dict(subject.case.arguments)), replays)
        out.append("" if isinstance(found, Unsupported) else repr([found, [one.finish() for one in replays]]))
    return out


def differs(usual: Program, program: Program, subject: Subject) -> bool:
    """Whether the programs mean different things: on random draws and arguments, by the concrete reading."""
    for seed in range(24):
        arguments = _perturbed(subject.case.arguments, random.Random(seed), much=seed // 4)
        ran = []
        for one in (usual, program):
            chance = random.Random(seed)
            try:
                with quiet():
                    run = concrete.run(one, copy.deepcopy(arguments), partial(_any_draw, chance), fuel=300)
                ran.append(repr((run.output, run.exception)))
            except UnsupportedConstruct:
                ran.append(None)
        if None not in ran and ran[0] != ran[1]:
            return True
    return False


def _any_draw(chance: random.Random, node: Any, _parameters: Any, size: Any, _site: Any) -> Any:
    whole = node.distribution in ("geometric", "integers", "binomial", "poisson", "choice", "randint")

    def drawn() -> Any:
        return chance.randrange(3) if whole else chance.choice([-1, 1]) * chance.random()

    return drawn() if size is None else np.array([drawn() for _ in range(int(np.prod(size)))]).reshape(size)


def _perturbed(value: Any, chance: random.Random, much: int) -> Any:
    """Arguments like these, with other numbers."""
    if isinstance(value, dict | MappingProxyType):
        return {key: _perturbed(one, chance, much) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_perturbed(one, chance, much) for one in value) if type(value) in (list, tuple) else value
    if type(value) in (int, float) and chance.random() < much / 5:
        return value + type(value)(chance.randint(-2, 2))
    return value


def tried(mutant: Mutant, subjects: Sequence[tuple[Subject, Program, list[str]]]) -> tuple[bool, bool, str]:
    """In a process of its own: whether the place was reached, whether a reading changed and where, whether caught."""
    hits: list[int] = []
    if not install(mutant, hits):
        return False, False, ""
    changed = ""
    for subject, usual, usual_outcomes in subjects:
        try:
            program = subject.program()
            if isinstance(program, Unsupported):
                continue
            if repr(program) == repr(usual) and outcomes(program, subject) == usual_outcomes:
                continue
            if disagrees(program, subject):
                return True, True, subject.case.name
            if not changed and repr(program) != repr(usual) and differs(usual, program, subject):
                changed = f"other than {subject.case.name}"
        except Exception:  # a fault that crashes says nothing wrong
            continue
    return bool(hits), False, changed


@cache
def _pool(most: int) -> list[Subject]:
    cases = all_cases()
    return [Subject(case) for case in cases[:: max(1, len(cases) // most)]]


def reached_by(subjects: Sequence[Subject]) -> Reached:
    """Which subjects go through each function, with their usual program and outcomes; none that differ from CPython."""
    wanted = {str(file): str(file.relative_to(ROOT)) for file in FILES}
    reached: Reached = {}
    for subject in subjects:
        codes: set[CodeType] = set()
        sys.setprofile(lambda frame, event, _, codes=codes: codes.add(frame.f_code) if event == "call" else None)
        try:
            program = subject.program()
            usual = [] if isinstance(program, Unsupported) else outcomes(program, subject)
        finally:
            sys.setprofile(None)
        if isinstance(program, Unsupported) or disagrees(program, subject):
            continue
        places = {(wanted[code.co_filename], _outermost(code)) for code in codes if code.co_filename in wanted}
        for place in places:
            reached.setdefault(place, []).append((subject, program, usual))
    return reached


def _outermost(code: CodeType) -> str:
    return code.co_qualname.partition(".<locals>")[0]


def _seconds() -> float:
    """Of CPU, also of processes that have ended."""
    return sum(os.times()[:4])


def _subjects(mutant: Mutant, reached: Mapping[tuple[str, str], list[Any]]) -> list[Any]:
    if mutant.entries is None:
        return reached.get((mutant.file, mutant.function), [])
    return [one for (file, _), some in reached.items() if file == mutant.file for one in some]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=100, help="how many that change a reading")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--subjects", type=int, default=12, help="how many functions are read with a mutant at most")
    parser.add_argument("--pool", type=int, default=400, help="how many cases there are to choose from")
    parser.add_argument("--only", default="", help="a part of the file's name")
    parser.add_argument("--seconds", type=float, default=780.0, help="after which no further mutant is tried")
    parser.add_argument("--audits", action="store_true", help="what an audit compares before it speaks")
    parser.add_argument("--by-hand", action="store_true", help="with --audits, also faults that are written by hand")
    options = parser.parse_args()
    if options.audits:
        return _of_audits(options)
    started, chance = _seconds(), random.Random(options.seed)
    reached = reached_by(_pool(options.pool))
    every = {subject[0] for subjects in reached.values() for subject in subjects}
    print(f"{described_machine()}; {len(every)} cases read in {_seconds() - started:.0f} s\n", flush=True)
    counts: dict[str, Counter[str]] = {}
    missed = []
    for mutant in shuffled(reached, chance, options.only):
        if sum(one["changed"] for one in counts.values()) >= options.mutants or _seconds() - started > options.seconds:
            break
        subjects = _subjects(mutant, reached)
        subjects = chance.sample(subjects, min(options.subjects, len(subjects)))
        was_reached, caught, where = in_a_process(tried, mutant, subjects)
        count = counts.setdefault(str(Path(mutant.file).parent), Counter())
        count.update(tried=1, reached=was_reached, changed=bool(where), caught=caught)
        if where and not caught:
            missed.append(f"{mutant} ({where})")
    print("| where | mutants tried | reached | read otherwise | caught |\n|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for folder, count in sorted(counts.items()):
        total += count
        print(f"| {folder} | {count['tried']} | {count['reached']} | {count['changed']} | {count['caught']} |")
    print(f"| all | {total['tried']} | {total['reached']} | {total['changed']} | {total['caught']} |\n")
    print(f"caught {total['caught']} of {total['changed']} in {_seconds() - started:.0f} s of CPU")
    print("\n".join(f"not caught: {one}" for one in missed))
    return 0


def _of_audits(options: argparse.Namespace) -> int:
    started, chance = _seconds(), random.Random(options.seed)
    caches = misread_audits.caches_of_readings()
    reached = misread_audits.reached_by(misread_audits.written(options.pool, chance), FILES, caches)
    every = list({str(one): one for by_line in reached.values() for some in by_line.values() for one in some}.values())
    ways = Counter(one.way.name for one in every)
    print(f"{described_machine()}; {dict(ways)} in {_seconds() - started:.0f} s\n", flush=True)
    table = misread_audits.Table()
    with suppress(KeyboardInterrupt):  # then what is known is printed
        for mutant in shuffled(reached, chance, options.only, hand=options.by_hand):
            if table.counted >= options.mutants or _seconds() - started > options.seconds:
                break
            _add(table, mutant, reached, every, caches, chance, options.subjects)
    print(table)
    print(f"{_seconds() - started:.0f} s of CPU")
    return 0


def _add(
    table: misread_audits.Table,
    mutant: Mutant,
    reached: misread_audits.Lines,
    every: Sequence[misread_audits.Subject],
    caches: Sequence[Any],
    chance: random.Random,
    most: int,
) -> None:
    """A mutant, and one of a lowered program after every so manieth."""
    subjects = misread_audits.subjects_of(mutant, reached, every, chance)
    if not subjects or mutant.hollow:
        return
    before = table.counted
    table.add(str(Path(mutant.file).parent), mutant, *_seen(mutant, subjects, caches, most))
    if table.counted > before and table.counted % _OF_A_PROGRAM == 0:
        subject = chance.choice(every)
        change, program = chance.choice(changes(subject.program))
        tried = partial(misread_audits.tried, lambda hits: hits.append(1) or True, (), changed=program)
        table.add("what the lowering gives", change, *_standing(tried, [subject]))


def _seen(
    mutant: Mutant, subjects: Sequence[misread_audits.Subject], caches: Sequence[Any], most: int
) -> tuple[bool, list[misread_audits.Seen]]:
    """Whether a mutant was reached, and what it did to subjects."""
    putting = partial(install, mutant)
    if mutant.file.startswith("dplint/source/"):  # it is cheap to see where the program is another one
        few = list(enumerate(subjects))[:_LOWERED]
        was_reached, others = in_a_process(misread_audits.read_otherwise, putting, caches, few)
        if not others:
            return was_reached, []
        subjects = [subjects[number] for number in others]
    subjects = misread_audits.in_turns(subjects, _RUN * most)
    return _standing(partial(misread_audits.tried, putting, caches, most=most), subjects)


def _standing(
    tried: Callable[..., Any], subjects: Sequence[misread_audits.Subject]
) -> tuple[bool, list[misread_audits.Seen]]:
    """What was seen, on subjects whose right reading stands."""
    for subject in subjects:
        subject.prepare()
    was_reached, seen = in_a_process(tried, list(enumerate(subjects)))
    for number in {number for number, caught, _ in seen if caught}:
        if subjects[number].stands is None:
            subjects[number].stands = in_a_process(misread_audits.stands, subjects[number])
    kept = [(subjects[number], caught, noted) for number, caught, noted in seen]
    return was_reached, [misread_audits.Seen(*one) for one in kept if not one[1] or one[0].stands]


if __name__ == "__main__":
    sys.exit(main())
