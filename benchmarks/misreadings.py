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
import ast
import builtins
import copy
import importlib
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeAlias

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import misread_proofs  # noqa: E402 - the checkout goes first on the path
from benchmarks.machine import described_machine  # noqa: E402
from dplint.program.nodes import Program  # noqa: E402
from dplint.program.refusals import Unsupported, UnsupportedConstruct  # noqa: E402
from dplint.readings import concrete  # noqa: E402
from dplint_conformance import all_cases, harness, quiet  # noqa: E402
from tests.proofs import test_readings as checker_readings  # noqa: E402
from tests.readings.comparing import READINGS, Reading  # noqa: E402
from tests.readings.truth import in_a_process  # noqa: E402

CHECKER = ("functions", "containers", "arithmetic", "tables", "expressions")
FILES = [
    *sorted((ROOT / "dplint/source/lowering").glob("*.py")),
    *sorted((ROOT / "dplint/program").glob("*.py")),
    *(ROOT / f"dplint/proofs/checker/{name}.py" for name in CHECKER),
]
TABLES = [
    ("dplint.program.meaning", "BINARY"),
    ("dplint.program.meaning", "COMPARE"),
    ("dplint.program.meaning", "_SPECIAL"),
    ("dplint.program.parsing", "_BINARY"),
    ("dplint.program.parsing", "_COMPARE"),
    ("dplint.program.calls", "_WORDS"),
    ("dplint.proofs.checker.functions", "_FUNCTIONS"),
    ("dplint.proofs.checker.functions", "_WHOLE"),
]
"""Dictionaries of which a mutant exchanges two entries."""
_FUNCTIONS, _CONTAINERS = "dplint/proofs/checker/functions.py", "dplint/proofs/checker/containers.py"
_MEANING, _EVALUATOR = "dplint/program/meaning.py", "dplint/program/evaluator.py"
_STATEMENTS = "dplint/source/lowering/statements.py"
BY_HAND = [
    (_FUNCTIONS, "_sum", "values, start, asked.active", "values, 0, asked.active"),
    (_FUNCTIONS, "_sum", 'sort(one) == "bool"', "False"),
    (_FUNCTIONS, "_mean", "len(_listed((values,), asked.span))", "max(len(_listed((values,), asked.span)) - 1, 1)"),
    (_FUNCTIONS, "_extreme", '"max" in asked.name', '"min" in asked.name'),
    (_FUNCTIONS, "_extreme", 'default["default"]', "0"),
    (_FUNCTIONS, "_extreme_of_each", '"max" in asked.name', '"min" in asked.name'),
    (_FUNCTIONS, "_clip", "value, low, high = _of", "value, high, low = _of"),
    (_FUNCTIONS, "_clip", "[raised, high]", "[value, high]"),
    (_FUNCTIONS, "_abs", "abs_of(term(one)) if is_term(one) else abs(one)", "one"),
    (_FUNCTIONS, "_int", "return int(value)", "return value.__floor__()"),
    (_FUNCTIONS, "_int", "return int(value)", "return round(value)"),
    (_FUNCTIONS, "_quantified", 'asked.name == "all"', 'asked.name == "any"'),
    (_FUNCTIONS, "_range", "range(*ends)", "range(ends[-1])"),
    (_FUNCTIONS, "_enumerate", ", start)", ", 0)"),
    (_FUNCTIONS, "_enumerate", ", start)", ", start + 1)"),
    (_FUNCTIONS, "_reversed", "[::-1]", "[:]"),
    (_FUNCTIONS, "_zip", "for one in values", "for one in values[::-1]"),
    (_FUNCTIONS, "_filled", '"ones"', '"zeros"'),
    (_CONTAINERS, "total", 'walk.binary("+", start, item', 'walk.binary("-", start, item'),
    (_CONTAINERS, "length", "return len(value.keys)", "return len(value.keys) + 1"),
    (_MEANING, "_sorted_by", "reverse=reverse", "reverse=False"),
    (_MEANING, "_with_item", "copy.copy(value)", "value"),
    (_MEANING, "_added_at", "np.add.at(new, places, items)", "new[places] += items"),
    (_MEANING, "keywords_of", "_TYPES.get(value, value)", "float"),
    (_STATEMENTS, "Statements._for", "() if node.orelse is None else self.block(node.orelse.body)", "()"),
    (_STATEMENTS, "Statements._while", "() if node.orelse is None else self.block(node.orelse.body)", "()"),
]
"""Misunderstandings that one has: file, function, text, and what stands in its place."""
_HIT = "dplint_mutant_was_reached"
_SEEDS = (1, 2, 3, 4)
_ONE_OF_TABLES = 12
"""Every so manieth mutant is one of a table."""
_OF_A_PROGRAM = 2
"""With --proofs, after every so manieth mutant there is one of what the lowering gives."""
_EXCHANGED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
              ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
              ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


@dataclass(frozen=True)
class Mutant:
    """What is changed: the file, the function that holds it, the line, the change, and the code with it, or entries."""

    file: str
    function: str
    line: int
    change: str
    code: CodeType | None = None
    entries: tuple[str, str, Any, Any] | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.change}"


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


def _changed(node: ast.AST) -> ast.expr | None:  # noqa: C901 - one case a kind
    """The expression that takes the place of this one; None where there is nothing to change."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op]) if type(op) in _EXCHANGED:
            new.ops = [_EXCHANGED[type(op)]()]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _EXCHANGED:
            new.op = _EXCHANGED[type(op)]()
        case ast.UnaryOp(op=ast.Not()):
            return new.operand
        case ast.UnaryOp(op=ast.USub()):
            return new.operand
        case ast.Constant(value=bool()):
            new.value = not new.value
        case ast.Constant(value=int()):
            new.value = 1 if new.value == 0 else new.value - 1
        case ast.IfExp():
            new.body, new.orelse = new.orelse, new.body
        case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
            new.func.id = _NAMES[name]
        case ast.Call(func=ast.Name(id="reversed"), args=[only]):
            return only
        case ast.Call(args=[first, second], keywords=[]) if not isinstance(first, ast.Starred):
            new.args = [second, first]
        case _:
            return None
    return new


@cache
def _places(file: Path) -> list[tuple[int, str]]:
    """The expressions of a file of which something could be changed: how manieth node it is, and in which function."""
    tree = ast.parse(file.read_text())
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    inside = [("", one) for one in tree.body]
    inside += [(f"{outer.name}.", one) for outer in tree.body if isinstance(outer, ast.ClassDef) for one in outer.body]
    return [
        (numbers[id(node)], f"{owner}{function.name}")
        for owner, function in inside
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node in ast.walk(statement)
        if _changed(node) is not None
    ]


def _mutant(file: Path, number: int, function: str) -> Mutant | None:
    """None if it cannot be compiled: in a pattern, or in an f-string."""
    tree = ast.parse(file.read_text())
    target = next(one for k, one in enumerate(ast.walk(tree)) if k == number)
    changed = _changed(target)
    assert isinstance(target, ast.expr), changed is not None
    change = f"`{ast.unparse(target)[:60]}` becomes `{ast.unparse(changed)[:60]}`".replace("\n", " ")
    _put(tree, target, changed)
    code = _code(tree, file, function)
    return None if code is None else Mutant(str(file.relative_to(ROOT)), function, target.lineno, change, code)


def _put(tree: ast.AST, old: ast.AST, new: ast.expr) -> None:
    """Puts the expression there, which notes that it was reached."""
    reached = ast.BoolOp(ast.And(), [ast.Call(ast.Name(_HIT, ast.Load()), [], []), new])

    class Putting(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(reached, node) if node is old else self.generic_visit(node)

    Putting().visit(tree)
    ast.fix_missing_locations(tree)


def _code(tree: ast.AST, file: Path, qualname: str) -> CodeType | None:
    try:
        waiting = [compile(tree, str(file), "exec", dont_inherit=True)]  # type: ignore[call-overload]
    except (SyntaxError, ValueError):  # in an f-string or a pattern
        return None
    while waiting:
        code = waiting.pop()
        if code.co_qualname == qualname:
            return code
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    return None


def by_hand() -> Iterator[Mutant]:
    """The mutants of `BY_HAND`; what is not there any more is told."""
    for name, function, old, new in BY_HAND:
        file = ROOT / name
        tree = ast.parse(file.read_text())
        found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function.rpartition(".")[2]]
        text = ast.unparse(found[0]) if found else ""
        if _unparsed(old) not in text:
            print(f"nothing to change: {name} {function} {old}")
            continue
        found[0].body = ast.parse(text.replace(_unparsed(old), _unparsed(new))).body[0].body  # type: ignore[attr-defined]
        found[0].body.insert(0, ast.parse(f"{_HIT}()").body[0])
        ast.fix_missing_locations(tree)
        code = _code(tree, file, function)
        yield Mutant(name, function, found[0].lineno, f"by hand: `{old}` becomes `{new}`", code)


def _unparsed(text: str) -> str:
    """As `ast.unparse` writes it: with single quotes."""
    return text.replace('"', "'")


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


def exchanges(chance: random.Random) -> Iterator[Mutant]:
    """Of each table, pairs of entries that change places."""
    for module, name in TABLES:
        table = getattr(importlib.import_module(module), name)
        for first, second in zip(*[iter(chance.sample(list(table), len(table)))] * 2, strict=False):
            if table[first] != table[second]:
                file = f"{module.replace('.', '/')}.py"
                yield Mutant(
                    file, name, 0, f"{first!r} and {second!r} change places", None, (module, name, first, second)
                )


def _function(module: ModuleType, qualname: str) -> FunctionType | None:
    owner: Any = module
    for part in qualname.split("."):
        owner = vars(owner).get(part)
        owner = (
            getattr(owner, "__func__", None)
            or getattr(owner, "fget", None)
            or getattr(owner, "__wrapped__", None)
            or owner
        )
    return owner if isinstance(owner, FunctionType) else None


def install(mutant: Mutant, hits: list[int]) -> bool:
    """Puts the mutant into the modules of this process, for good."""
    setattr(builtins, _HIT, lambda: hits.append(1) or True)
    if mutant.entries is not None:
        module, name, first, second = mutant.entries
        table = getattr(importlib.import_module(module), name)
        table[first], table[second] = table[second], table[first]
        hits.append(1)
        return True
    module_name = mutant.file.removesuffix(".py").replace("/", ".")
    function = _function(importlib.import_module(module_name), mutant.function)
    if function is None or mutant.code is None or mutant.code.co_freevars != function.__code__.co_freevars:
        return False
    function.__code__ = mutant.code
    return True


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


def _shuffled(reached: Mapping[tuple[str, str], Any], chance: random.Random, only: str) -> Iterator[Mutant]:
    """Mutants of what is reached, exchanged entries among them, in random order."""
    exchanged = [one for one in exchanges(chance) if only in one.file]
    places: list[Any] = [
        (file, number, function)
        for file in FILES
        if only in str(file)
        for number, function in _places(file)
        if (str(file.relative_to(ROOT)), function) in reached
    ]
    chance.shuffle(places)
    yield from (one for one in by_hand() if only in one.file)
    for index, (file, number, function) in enumerate(places):
        if index % _ONE_OF_TABLES == 0 and exchanged:
            yield exchanged.pop()
        mutant = _mutant(file, number, function)
        if mutant is not None:
            yield mutant


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
    parser.add_argument("--proofs", action="store_true", help="what an audit compares before it tells a proof")
    options = parser.parse_args()
    if options.proofs:
        return _of_proofs(options)
    started, chance = _seconds(), random.Random(options.seed)
    reached = reached_by(_pool(options.pool))
    every = {subject[0] for subjects in reached.values() for subject in subjects}
    print(f"{described_machine()}; {len(every)} cases read in {_seconds() - started:.0f} s\n", flush=True)
    counts: dict[str, Counter[str]] = {}
    missed = []
    for mutant in _shuffled(reached, chance, options.only):
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


def _of_proofs(options: argparse.Namespace) -> int:
    started, chance = _seconds(), random.Random(options.seed)
    caches = misread_proofs.caches_of_readings()
    reached = misread_proofs.reached_by(misread_proofs.targets_of(options.pool, chance), FILES, caches)
    every = {one.name: one for by_line in reached.values() for some in by_line.values() for one in some}
    print(f"{described_machine()}; {len(every)} mechanisms proved in {_seconds() - started:.0f} s\n", flush=True)
    table = misread_proofs.Table()
    for number, mutant in enumerate(_shuffled(reached, chance, options.only)):
        if table.counted >= options.mutants or _seconds() - started > options.seconds:
            break
        if mutant.change.startswith("`isinstance("):  # with its arguments exchanged it only crashes
            continue
        if number % _OF_A_PROGRAM == 0:
            subject = chance.choice(list(every.values()))
            change, program = chance.choice(misread_proofs.changes(subject.usual_program))
            subject.prepare()
            work = partial(misread_proofs.tried, lambda hits: hits.append(1) or True, [subject], changed=program)
            table.add("what the lowering gives", change, *in_a_process(work))
        by_line = reached.get((mutant.file, mutant.function), {})
        some = by_line.get(mutant.line, [])
        if mutant.entries is not None:
            some = list(every.values())
        elif "by hand" in mutant.change:
            some = list({one.name: one for at_line in by_line.values() for one in at_line}.values())
        lowering = "proofs/checker" not in mutant.file
        subjects = chance.sample(some, min(options.subjects * (3 if lowering else 1), len(some)))
        for subject in subjects:
            subject.prepare()
        work = partial(misread_proofs.tried, partial(install, mutant), subjects, caches, lowering=lowering)
        work = partial(work, most=options.subjects)
        table.add(str(Path(mutant.file).parent), mutant, *(in_a_process(work) if subjects else (False, [])))
    print(table)
    print(f"{_seconds() - started:.0f} s of CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
