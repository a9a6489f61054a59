"""Classes of users' own that keep a budget: a number that is lowered, and a check that raises first.

    class Budget:
        def __init__(self, total):
            self.left = total

        def spend(self, epsilon):
            if epsilon > self.left:
                raise ValueError("the budget is spent")
            self.left -= epsilon

In all that such an object lets through without raising, the amounts add up to the total at most, also where each is
chosen in view of earlier answers (Rogers, Roth, Ullman, Vadhan: Privacy odometers and filters, 2016, for pure epsilon).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keeper:
    """A class that keeps a budget.

    parameters: of what makes an object, without `self`. total: the one that holds the whole budget. spends: methods
    that lower what is left, with whether they refuse negative numbers.
    """

    parameters: tuple[str, ...]
    total: str
    spends: dict[str, bool]


def keeper(node: ast.ClassDef) -> Keeper | None:
    """What a class keeps; None if it is not understood as one that keeps a budget."""
    if node.bases or node.keywords or node.decorator_list:
        return None
    methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    plain = (ast.FunctionDef, ast.AnnAssign, ast.Pass)
    if "__init__" not in methods or any(not isinstance(one, plain) and not _is_text(one) for one in node.body):
        return None
    start = methods.pop("__init__")
    if not all(isinstance(one, ast.Assign | ast.AnnAssign | ast.If) or _is_text(one) for one in start.body):
        return None
    if any(isinstance(one, ast.If) and not all(isinstance(i, ast.Raise) for i in one.body) for one in start.body):
        return None
    parameters, fields = _fields(start)
    found: dict[str, bool] = {}
    totals: set[str] = set()
    for name, method in methods.items():
        read = _spending(method, fields, parameters)
        if read is not None:
            found[name], total = read
            totals.add(total)
        elif (method.decorator_list and not _is_property(method)) or _changes(method):
            return None
    return Keeper(parameters, totals.pop(), found) if len(totals) == 1 else None


def _fields(start: ast.FunctionDef) -> tuple[tuple[str, ...], dict[str, str]]:
    """The parameters, and what each attribute begins as: the name of a parameter, "0", or "" for anything else."""
    parameters = tuple(one.arg for one in start.args.args[1:])
    fields: dict[str, str] = {}
    for statement in start.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)], value=value):
                pass
            case ast.AnnAssign(
                target=ast.Attribute(value=ast.Name(id="self"), attr=attribute), value=ast.expr() as value
            ):
                pass
            case _:
                continue
        match value:
            case ast.Name(id=name) if name in parameters and attribute not in fields:
                fields[attribute] = name
            case ast.Constant(value=0) if attribute not in fields:
                fields[attribute] = "0"
            case _:
                fields[attribute] = ""
    return parameters, fields


def _spending(method: ast.FunctionDef, fields: dict[str, str], parameters: tuple[str, ...]) -> tuple[bool, str] | None:
    """Whether a method that lowers the budget refuses negative numbers, and the parameter that is the whole budget."""
    if method.decorator_list or len(method.args.args) != 2 or method.args.vararg or method.args.kwonlyargs:
        return None
    amount = method.args.args[1].arg
    guarded = False
    checks: set[str] = set()
    changed: str | None = None
    for statement in method.body:
        match statement:
            case _ if _is_text(statement):
                continue
            case ast.If(test=test, body=[ast.Raise()], orelse=[]):
                tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
                texts = {ast.unparse(one) for one in tests}
                guarded = guarded or bool(
                    texts & {f"{amount} < 0", f"{amount} <= 0", f"0 > {amount}", f"0 >= {amount}"}
                )
                checks |= texts
            case ast.AugAssign() | ast.Assign() if changed is None:
                changed = ast.unparse(statement)
                before = set(checks)
            case ast.Return() if changed is not None:
                continue
            case _:
                return None
    if changed is None:
        return None
    total = _total(amount, fields, parameters, changed, (before, checks))
    return None if total is None else (guarded, total)


def _total(
    amount: str, fields: dict[str, str], parameters: Iterable[str], changed: str, checks: tuple[set[str], set[str]]
) -> str | None:
    """The parameter that bounds the sum of all amounts that come through."""
    before, all_checks = checks
    after = all_checks - before
    for left, begins in fields.items():
        own = f"self.{left}"
        if begins in parameters and changed in {f"{own} -= {amount}", f"{own} = {own} - {amount}"}:
            first = {f"{amount} > {own}", f"{own} < {amount}", f"{own} - {amount} < 0"}
            if before & first or after & {f"{own} < 0", f"0 > {own}"}:
                return begins
        if begins == "0" and changed in {f"{own} += {amount}", f"{own} = {own} + {amount}"}:
            for limit, parameter in fields.items():
                if parameter in parameters:
                    whole = f"self.{limit}"
                    sums = (f"{own} + {amount}", f"{amount} + {own}")
                    first = {f"{one} > {whole}" for one in sums} | {f"{whole} < {one}" for one in sums}
                    first |= {f"{amount} > {whole} - {own}", f"{whole} - {own} < {amount}"}
                    if before & first or after & {f"{own} > {whole}", f"{whole} < {own}"}:
                        return parameter
    return None


def _changes(method: ast.FunctionDef) -> bool:
    """Whether a method may change an attribute, or hands the object on."""
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Call) and any(isinstance(one, ast.Name) and one.id == "self" for one in ast.walk(node)):
            return True
    return False


def _is_property(method: ast.FunctionDef) -> bool:
    return [ast.unparse(one) for one in method.decorator_list] == ["property"]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
