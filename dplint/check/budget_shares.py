"""What each draw of a mechanism spends of the budget, where that can be read off its scale.

Noise of scale b whose draws cost in proportion to their shift (Laplace, logistic, exponential, Gumbel) spends D/b on an
answer of sensitivity D; two-sided noise makes the released answer D/b-private (Dwork and Roth, The Algorithmic
Foundations of Differential Privacy, theorem 3.6). D is the sensitivity that the claim states; that the answer has it,
and is released once, is not promised.

The budgets of all mechanisms under some paths: what their parts spend, by the claims of these.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.check.editor_model import BudgetShare
from dplint.check.unreadable import with_old_ones_together
from dplint.claims import Mechanism
from dplint.collecting import rarely_collected
from dplint.config import ConfigError, SettingsByFile, shown
from dplint.distributions import of
from dplint.expressions import evaluate_expression
from dplint.outcomes import CheckError, Spending
from dplint.program import nodes as ir
from dplint.program.walk import walk
from dplint.source.files import Exclusions, find_files
from dplint.source.read import read_source

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget


_TRIES = (0.37, 0.83, 1.9)
_LARGEST = 1000
"""Larger numerators and denominators are not what anybody wrote."""
_DEEPEST = 50
"""Names in names: an assignment in a loop may be made of itself."""

_OPERATORS: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "math.sqrt": math.sqrt,
    "math.log": math.log,
    "numpy.sqrt": math.sqrt,
    "numpy.log": math.log,
}


def budget_shares(program: ir.Program, mechanism: Mechanism) -> tuple[BudgetShare, ...]:
    """All draws of the program, in the order of the source."""
    once = _assigned_once(program)
    found = [_share(node, program, once, mechanism) for node in walk(program.body) if isinstance(node, ir.Draw)]
    for function in program.functions:
        draws = [node for node in walk(function.body) if isinstance(node, ir.Draw)]
        found += [BudgetShare(draw.span, draw.distribution, None, None) for draw in draws]
    return tuple({share.span: share for share in sorted(found, key=lambda share: share.span)}.values())


def _share(draw: ir.Draw, program: ir.Program, once: Mapping[str, ir.Expression], mechanism: Mechanism) -> BudgetShare:
    unknown = BudgetShare(draw.span, draw.distribution, None, None)
    scale = dict(draw.parameters).get("scale")
    if not _spends(draw.distribution) or scale is None or mechanism.claim.promise is not None:
        return unknown
    free = [name for name in program.parameters if name != mechanism.data]
    spent, ratios = [], []
    for turn in range(len(_TRIES)):
        known = {name: _TRIES[(turn + place) % len(_TRIES)] for place, name in enumerate(free)}
        claimed = mechanism.claim.epsilon
        try:
            spent.append(mechanism.claim.sensitivity / _value(scale, known, once))
            ratios.append(spent[-1] / (evaluate_expression(claimed, known) if isinstance(claimed, str) else claimed))
        except (_UnknownError, ValueError, ArithmeticError):
            return unknown
    if not all(math.isfinite(one) and one > 0 for one in (*spent, *ratios)):
        return unknown
    fraction = Fraction(ratios[0]).limit_denominator(_LARGEST)
    if isinstance(claimed, str) and _same([*ratios, float(fraction)]) and fraction.numerator <= _LARGEST:
        return BudgetShare(draw.span, draw.distribution, fraction, None)
    return BudgetShare(draw.span, draw.distribution, None, spent[0]) if _same(spent) else unknown


def _spends(name: str) -> bool:
    distribution = of(name)
    shift = distribution.shift
    return distribution.noise and shift is not None and shift.kind == "in proportion"


def _same(values: list[float]) -> bool:
    return all(math.isclose(value, values[0], rel_tol=1e-9) for value in values)


class _UnknownError(Exception):
    """A value that does not follow from the parameters alone."""


def _assigned_once(program: ir.Program) -> Mapping[str, ir.Expression]:
    """Local names that one plain assignment binds and nothing else, with what it assigns."""
    values: dict[str, ir.Expression] = {}
    bound: Counter[str] = Counter()
    for node in walk(program.body):
        match node:
            case ir.Assign(targets=targets, value=value):
                bound.update(name for target in targets for name in _bound(target))
                values |= {target.id: value for target in targets if isinstance(target, ir.Name)}
            case (
                ir.AugAssign(target=target) | ir.For(target=target) | ir.Clause(target=target) | ir.Update(name=target)
            ):
                bound.update(_bound(target))
            case _:
                continue
    return {name: value for name, value in values.items() if bound[name] == 1 and name not in program.parameters}


def _bound(target: ir.Name | ir.TupleTarget | ir.ItemTarget) -> Iterator[str]:
    match target:
        case ir.Name(id=name) | ir.ItemTarget(name=ir.Name(id=name)):
            yield name
        case ir.TupleTarget(elements=elements):
            for element in elements:
                yield from _bound(element)


def _value(node: ir.Expression, known: Mapping[str, float], once: Mapping[str, ir.Expression], depth: int = 0) -> float:
    """Raises _UnknownError, ValueError or ArithmeticError where there is none."""
    if depth > _DEEPEST:
        raise _UnknownError

    def value(inner: ir.Expression) -> float:
        return _value(inner, known, once, depth + 1)

    match node:
        case ir.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ir.Name(id=name) if name in once:
            return value(once[name])
        case ir.Name(id=name) if name in known:
            return known[name]
        case ir.Unary(operator="-", operand=operand):
            return -value(operand)
        case ir.Binary(operator=operator, left=left, right=right) if operator in _OPERATORS:
            return _OPERATORS[operator](value(left), value(right))
        case ir.Call(function=name, arguments=(argument,), keywords=()) if name in _FUNCTIONS:
            return _FUNCTIONS[name](value(argument))
        case _:
            raise _UnknownError


def budgets(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[Budget | CheckError]:
    """One budget for each mechanism, file by file in the order of the source, and what could not be read.

    Nothing is run. Claims that are wrong in themselves are left out: `dplint check` tells of them.
    """
    return with_old_ones_together(_budgets(paths, settings))


def spendings(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[tuple[Mechanism, Spending]]:
    """What each mechanism spends that calls others with claims, or may; files that cannot be read are left out."""
    from dplint.contracts.tree import Standing  # noqa: PLC0415 - as below

    for one in budgets(paths, settings):
        if isinstance(one, CheckError) or one.standing is Standing.LEAF:
            continue
        totals = None
        if one.totals is not None:
            pairs = (f"{spent}{'' if delta.is_zero else f' (delta {delta})'}" for spent, delta in one.totals)
            totals = tuple(dict.fromkeys(pairs))
        claimed = str(one.mechanism.claim.epsilon if one.epsilon is None else one.epsilon)
        yield one.mechanism, Spending(claimed, totals, not one.unclear, one.standing is Standing.OVERSPENT)


def _budgets(paths: Sequence[Path], settings: SettingsByFile) -> Iterator[Budget | CheckError]:
    found = find_files(paths, exclude=Exclusions(settings))
    yield from found.errors
    for path in found.files:
        try:
            table = settings.of_file(path).mechanisms
        except ConfigError as error:
            yield CheckError(error.file, error.line, error.message)
            continue
        with rarely_collected():
            source = read_source(path, file=shown(path), table=table)
        yield from source.errors
        if source.module is None or not source.mechanisms:
            continue
        # LibCST, which these need, takes a fifth of a second to import.
        from dplint.contracts.judging import Contracts  # noqa: PLC0415
        from dplint.source.project import ProjectIndex  # noqa: PLC0415

        mechanisms = [one.mechanism for one in source.mechanisms if one.mechanism.claim.stable is None]
        contracts = Contracts(source.module, source.file, mechanisms, ProjectIndex(source.module.place))
        yield from (contracts.budget(one) for one in mechanisms)
