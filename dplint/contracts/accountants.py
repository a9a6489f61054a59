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

Accountants that outlive a call: held by the object of a method, or by a module.

What they let through in all is within their total, so what one call gets is, too. That holds as long as they are made
once, and asked and nothing else: whoever gets hold of one could make its number larger.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dplint.contracts.objects import Owner


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


IsTool = Callable[[ast.expr], bool]
"""Whether what is called is a function of diffprivlib, which only asks the accountant that it is given."""


def held_by_object(owner: Owner, is_tool: IsTool) -> Iterator[tuple[str, ast.expr]]:
    """Attributes that may be accountants, each with the call that makes it or, of what is passed in, with its type."""
    methods = [one for one in owner.node.body if isinstance(one, ast.FunctionDef) and one.args.args]
    for attribute, made in owner.once.items():

        def is_held(node: ast.AST, attribute: str = attribute) -> bool:
            return isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Load)

        start = [node for one in methods if one.name == "__init__" for node in ast.walk(one)]
        if not any(map(is_held, start)) and _only_asked(methods, is_held, is_tool):
            yield attribute, made


def held_by_module(tree: ast.Module, name: str, is_tool: IsTool) -> ast.Call | None:
    """The call that makes the one object of this name that a module holds, if that is only asked; else None."""
    made = [
        one.value
        for one in tree.body
        if isinstance(one, ast.Assign | ast.AnnAssign) and [ast.unparse(target) for target in _targets(one)] == [name]
    ]
    bound = [one for one in ast.walk(tree) if _binds(one, name)]
    if len(made) != 1 or len(bound) != 1 or not isinstance(made[0], ast.Call):
        return None

    def is_held(node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)

    return made[0] if _only_asked([tree], is_held, is_tool) else None


def _only_asked(nodes: Iterable[ast.AST], is_held: Callable[[ast.AST], bool], is_tool: IsTool) -> bool:
    """Whether what `is_held` tells is only asked below these nodes: its methods, `accountant=` and `with`."""
    for node in nodes:
        given = {
            id(keyword)
            for one in ast.walk(node)
            if isinstance(one, ast.Call) and is_tool(one.func)
            for keyword in one.keywords
            if keyword.arg == "accountant"
        }
        for outer in ast.walk(node):
            inside = any(is_held(inner) for inner in ast.iter_child_nodes(outer))
            if inside and id(outer) not in given and not _asks(outer):
                return False
    return True


def _asks(outer: ast.AST) -> bool:
    match outer:
        case ast.Attribute(attr=attribute, ctx=ast.Load()):
            return not attribute.startswith("__")
        case ast.withitem(optional_vars=None):
            return True
    return False


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Global):
        return name in node.names
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
