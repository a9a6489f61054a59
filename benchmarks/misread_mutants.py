"""Mutants of dplint's own functions: of the lowering, of the library models, and of the proof checker.

A mutant is a function in which one operator, constant, condition or name is another; a table of which two entries are
exchanged; or a misunderstanding written by hand. What it changes notes that it was reached.
"""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
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
_ONE_OF_TABLES = 12
"""Every so manieth mutant is one of a table."""
_EXCHANGED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
              ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub,
              ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


@dataclass(frozen=True)
class Mutant:
    """What is changed: the file, the function that holds it, the line, the change, and the code with it, or entries.

    hollow: it hardly ever does anything but crash or refuse.
    """

    file: str
    function: str
    line: int
    change: str
    code: CodeType | None = None
    entries: tuple[str, str, Any, Any] | None = None
    hollow: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.change}"


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
    if code is None:
        return None
    return Mutant(str(file.relative_to(ROOT)), function, target.lineno, change, code, hollow=_is_hollow(target))


def _is_hollow(node: ast.expr) -> bool:
    """A test for None the other way round, None in place of what there is, or arguments exchanged but of a node."""
    match node:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.IfExp(body=first, orelse=second):
            return any(isinstance(one, ast.Constant) and one.value is None for one in (first, second))
        case ast.Call(func=ast.Name(id=name)):
            return name not in _NAMES and not name[0].isupper()
        case _:
            return isinstance(node, ast.Call)


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


def shuffled(
    reached: Mapping[tuple[str, str], Any], chance: random.Random, only: str, *, hand: bool = True
) -> Iterator[Mutant]:
    """Mutants of what is reached, exchanged entries among them, in random order. hand: first those by hand."""
    exchanged = [one for one in exchanges(chance) if only in one.file]
    places: list[Any] = [
        (file, number, function)
        for file in FILES
        if only in str(file)
        for number, function in _places(file)
        if (str(file.relative_to(ROOT)), function) in reached
    ]
    chance.shuffle(places)
    if hand:
        yield from (one for one in by_hand() if only in one.file)
    for index, (file, number, function) in enumerate(places):
        if index % _ONE_OF_TABLES == 0 and exchanged:
            yield exchanged.pop()
        mutant = _mutant(file, number, function)
        if mutant is not None:
            yield mutant
